"""Diffs are read as git means them: whatever their names, kinds and line ends are."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bottega.errors import InputError
from bottega.source import parse_diff

NAMES = [
    "plain.py",
    "with space.py",
    "zażółć.py",
    'qu"ote.py',
    "tab\there.py",
    "a/b/deep.py",
    "b b/b b",
    "new\nline.py",
]


def git(root: Path, *arguments: str) -> str:
    environ = {**os.environ, "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    known = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "core.autocrlf=false")
    done = subprocess.run(["git", *known, *arguments], cwd=root, env=environ, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


def commit(tree: Path) -> None:
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "--allow-empty", "-m", "x")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("quoting", ["true", "false"])
@pytest.mark.parametrize("how", ["", "--no-prefix", "--src-prefix=i/", "--find-renames"])
def test_any_name_is_read_back(tree: Path, name: str, quoting: str, how: str) -> None:
    place = tree / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("one\ntwo\n")
    commit(tree)
    place.write_text("one\nthree\n")
    extra = ["--dst-prefix=w/"] if how.startswith("--src") else []
    found = parse_diff(git(tree, "-c", f"core.quotePath={quoting}", "diff", *([how] if how else []), *extra))
    assert [(file.path, file.old_path, file.status) for file in found.files] == [(name, name, "modified")]
    assert [(line.kind, line.old, line.new, line.text) for line in found.files[0].hunks[0].lines] == [
        (" ", 1, 1, "one"),
        ("-", 2, 0, "two"),
        ("+", 0, 2, "three"),
    ]


def test_renames_modes_binaries_and_both_ends_of_life(tree: Path) -> None:
    (tree / "gone.txt").write_text("so long\n")
    (tree / "old name.py").write_text("".join(f"line {n}\n" for n in range(20)))
    (tree / "tool.sh").write_text("true\n")
    (tree / "picture.png").write_bytes(bytes(range(256)))
    commit(tree)
    (tree / "gone.txt").unlink()
    (tree / "old name.py").rename(tree / "new name.py")
    (tree / "new name.py").write_text((tree / "new name.py").read_text() + "more\n")
    (tree / "tool.sh").chmod(0o755)
    (tree / "picture.png").write_bytes(bytes(reversed(range(256))))
    (tree / "empty.txt").touch()
    (tree / "born.txt").write_text("hello")
    git(tree, "add", "-A")
    for more in ([], ["--binary"]):
        found = {file.path: file for file in parse_diff(git(tree, "diff", "--cached", "-M", *more)).files}
        assert sorted(found) == ["born.txt", "empty.txt", "gone.txt", "new name.py", "picture.png", "tool.sh"]
        assert found["new name.py"].status == "renamed"
        assert found["new name.py"].old_path == "old name.py"
        assert found["new name.py"].hunks[0].added[0].text == "more"
        assert (found["tool.sh"].old_mode, found["tool.sh"].new_mode) == ("100644", "100755")
        assert found["picture.png"].is_binary
        assert not found["picture.png"].hunks
        assert found["gone.txt"].status == "deleted"
        assert found["empty.txt"].status == "added"
        assert [line.text for line in found["born.txt"].hunks[0].added] == ["hello"]


def test_line_ends_do_not_become_text(tree: Path) -> None:
    (tree / "dos.txt").write_bytes(b"one\r\ntwo\r\n")
    commit(tree)
    (tree / "dos.txt").write_bytes(b"one\r\nthree\r\nlast")
    lines = parse_diff(git(tree, "diff")).files[0].hunks[0].lines
    assert [line.text for line in lines] == ["one", "two", "three", "last"]


def test_lines_that_look_like_headers_are_lines(tree: Path) -> None:
    (tree / "sql.sql").write_text("-- a\n++ b\n@@ -1 +1 @@\ndiff --git a/x b/x\n")
    commit(tree)
    (tree / "sql.sql").write_text("@@ -1 +1 @@\n")
    removed = parse_diff(git(tree, "diff")).files[0].hunks[0].removed
    assert [line.text for line in removed] == ["-- a", "++ b", "diff --git a/x b/x"]


def test_what_other_programs_write_is_read_too() -> None:
    plain = (
        "Index: x\n--- src/x.py\t2026-01-01 10:00\n+++ src/x.py\t2026-01-02 10:00\n@@ -3 +3,2 @@ def f\n-a\n+b\n+c\n"
    )
    [file] = parse_diff(f"From somebody\n\nwords\n{plain}").files
    assert (file.path, file.hunks[0].section, file.added, file.removed) == ("src/x.py", "def f", 2, 1)
    assert file.hunks[0].text() == "@@ -3,1 +3,2 @@ def f\n-a\n+b\n+c"


def test_a_stripped_empty_line_is_context() -> None:
    [file] = parse_diff("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n").files
    assert [(line.kind, line.new) for line in file.hunks[0].lines] == [(" ", 1), (" ", 2), ("-", 0), ("+", 3)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n", 5),
        ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n?b\n", 5),
        ("--- a/x\n+++ b/x\n@@ nonsense @@\n", 3),
        ("@@ -1 +1 @@\n-a\n+b\n", 1),
        ("diff --cc x\n@@@ -1,1 -1,1 +1,1 @@@\n", 1),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(InputError, match=f"line {line}:"):
        parse_diff(text)


@pytest.mark.parametrize("name", ["/etc/passwd", "../up", "a/../../up"])
def test_names_outside_the_tree_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="not a path inside a repository"):
        parse_diff(f"--- {name}\n+++ {name}\n@@ -1 +1 @@\n-a\n+b\n")


def test_no_change_has_no_files() -> None:
    assert parse_diff("").files == ()
    assert parse_diff("nothing of the kind\n").files == ()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(["a", "b", "-", "+x", "", "@@ -1 +1 @@", "--- a/x", "\\ z"]), max_size=30),
    st.lists(st.sampled_from(["a", "b", "c", "-", "+++ b/x", "", "\\ z"]), max_size=30),
)
def test_both_sides_come_back(tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str]) -> None:
    tree = tmp_path_factory.mktemp("tree")
    git(tree, "init", "-q")
    (tree / "f").write_text("".join(f"{line}\n" for line in old))
    commit(tree)
    (tree / "f").write_text("".join(f"{line}\n" for line in new))
    found = parse_diff(git(tree, "diff", "-U100")).files
    if old == new:
        assert found == ()
        return
    lines = [line for hunk in found[0].hunks for line in hunk.lines]
    assert [line.text for line in lines if line.kind != "+"] == old
    assert [line.text for line in lines if line.kind != "-"] == new
    assert [line.new for line in lines if line.kind != "-"] == list(range(1, len(new) + 1))
