"""What stands in the place of a file never hangs the index, and nothing outside the tree is read."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import pytest

from bottega.index import open_store
from bottega.index.readers import ReadTask, read_files
from bottega.index.snapshot import take_snapshot
from bottega.retrieve.search import Searcher, SearchQuery
from bottega.source import Span

from .trees import ask, bottega, commit, differences, listed, refreshed, repository, settled, write

ODD_NAMES = ("a\nb.py", "\x1b[31mred.py", "\u202egnp.py", "-rf.py", "--help.py", "A.py", "a.py", "$(id).py", "*.py")


def make_odd(path: Path, kind: str, outside: Path) -> None:
    """Put something else in the place of a file."""
    path.unlink(missing_ok=True)
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        before = Path.cwd()
        os.chdir(path.parent)  # the path of a socket is short
        try:
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(path.name)
        finally:
            os.chdir(before)
    else:
        path.symlink_to({"zero": Path("/dev/zero"), "outside": outside, "ring": path}[kind])


KINDS = ("fifo", "folder", "socket", "zero", "outside", "ring")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    file = tmp_path / "outside.py"
    file.write_text("def secret_wombat(): pass\n")
    return file


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", KINDS)
def test_an_odd_file_is_not_indexed_and_hangs_nothing(root: Path, outside: Path, kind: str) -> None:
    write(root, {"a.py": "def badger(): pass\n"})
    make_odd(root / "b.py", kind, outside)
    refreshed(root)
    assert listed(root) == ["a.py"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_becomes_odd_between_listing_and_opening_is_unreadable(
    root: Path, outside: Path, kind: str
) -> None:
    make_odd(root / "b.py", kind, outside)
    (answer,) = read_files(root, [ReadTask("b.py", "Python", "code")], workers=1)
    assert answer.error
    assert answer.data == b""
    assert open_store(root).read(Span("b.py", 1, 9)) == ""


def test_a_folder_that_becomes_a_link_between_listing_and_opening_leads_nowhere(root: Path, outside: Path) -> None:
    (root / "pkg").symlink_to(outside.parent)
    (answer,) = read_files(root, [ReadTask("pkg/outside.py", "Python", "code")], workers=1)
    assert answer.error
    assert open_store(root).read(Span("pkg/outside.py", 1, 9)) == ""


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", [".gitignore", ".bottegaignore", ".aiignore"])
@pytest.mark.parametrize("kind", KINDS)
def test_odd_files_of_rules_rule_nothing(root: Path, outside: Path, name: str, kind: str) -> None:
    outside.write_text("*.py\n")
    write(root, {"a.py": "A = 1\n"})
    make_odd(root / name, kind, outside)
    refreshed(root)
    assert "a.py" in listed(root)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["package.json", "tsconfig.json", "go.mod", "Cargo.toml"])
def test_odd_manifests_are_passed_over(root: Path, outside: Path, name: str) -> None:
    write(root, {"a.ts": 'import x from "b";\n'})
    make_odd(root / name, "fifo", outside)
    refreshed(root)
    assert listed(root) == ["a.ts"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ["fifo", "zero", "outside"])
def test_a_search_after_a_file_became_odd_shows_nothing_from_elsewhere(root: Path, outside: Path, kind: str) -> None:
    write(root, {"a.py": "def badger(): pass\n", "b.py": "def wombat(): pass\n"})
    settled(root)
    make_odd(root / "b.py", kind, outside)
    found = bottega(root, "search", "wombat", "--no-refresh")
    assert found.code == 0
    assert "secret" not in found.out
    assert bottega(root, "search", "wombat").code == 1  # it is gone, and nothing else is found
    assert listed(root) == ["a.py"]


@pytest.mark.timeout(120)
def test_a_clone_with_links_and_a_repository_with_fifos_is_indexed(root: Path, outside: Path) -> None:
    repository(root, {"a.py": "def badger(): pass\n"})
    make_odd(root / "zero", "zero", outside)
    commit(root, "Link")
    make_odd(root / "fifo.py", "fifo", outside)
    ended = bottega(root, "index")
    assert ended.code == 0
    assert differences(root) == ""


def test_odd_names_are_indexed_and_printed_on_one_line(root: Path) -> None:
    write(root, dict.fromkeys(ODD_NAMES, "def wombat():\n    wombat()\n"))
    (root / os.fsdecode(b"\xff.py")).write_text("def wombat(): pass\n")
    ended = bottega(root, "index")
    assert "its name is not text" in ended.err
    assert listed(root) == sorted(ODD_NAMES)
    for verb in (
        *(("search", "wombat", "-k", "20"), ("map", "--tokens", "4000"), ("graph", "wombat"), ("show", "wombat")),
        *(("graph", "--", "-rf.py"), ("show", "--", "--help.py"), ("stats",)),
    ):
        printed = bottega(root, *verb)
        assert printed.code == 0, printed.err
        assert "\x1b" not in printed.out + printed.err
        assert "\u202e" not in printed.out + printed.err
        assert "\nb.py" not in printed.out
    assert differences(root) == ""


def test_names_that_differ_by_case_alone_are_two_files(root: Path) -> None:
    write(root, {"Readme.py": "def one(): pass\n", "README.py": "def two(): pass\n"})
    if len(list(root.iterdir())) < 2:
        pytest.skip("this file system does not tell them apart")
    refreshed(root)
    assert ask(root, "SELECT f.path, s.name FROM symbols s JOIN files f ON f.id = s.file_id ORDER BY 1") == [
        *(("README.py", "two"), ("Readme.py", "one"))
    ]


def test_only_the_first_of_too_many_patterns_are_used_and_that_is_said(root: Path) -> None:
    write(root, {".gitignore": "first.py\n" + "".join(f"no{n}.py\n" for n in range(4000)) + "last.py\n"})
    write(root, {"first.py": "A = 1\n", "last.py": "A = 1\n"})
    done = refreshed(root)
    assert listed(root) == [".gitignore", "last.py"]
    assert (".gitignore", "holds too many patterns; only the first are used") in done.remarks


def test_a_question_of_any_shape_ends_in_an_answer_or_a_message(root: Path) -> None:
    write(root, {"a.py": "def badger(): pass\n" * 20, "b.md": "# Wombats\n"})
    refreshed(root)
    words = root.parent / "question"
    questions = {
        "one long word": "w" * 150_000,
        "mixed word": "aB_9" * 30_000,
        "many words": " ".join(f"w{number}" for number in range(20_000)),
        "dots": "a.b::c/d." * 15_000,
        "calls": "f(" * 60_000,
        "ticks": "`" * 100_000 + "a",
        "regex": "(a+)+$ [^x]* \\d{1,99999} " * 4_000,
        "blanks": "a" + " \n" * 70_000 + "a",
    }
    keeper = open_store(root)
    snapshot = take_snapshot(root, keeper.location)
    assert snapshot is not None
    searcher = Searcher(snapshot, is_current=True, folder=keeper.location.folder)
    for question in questions.values():
        for mode in ("hybrid", "bm25"):
            searcher.search(SearchQuery(question, mode))
    snapshot.connection.close()
    for question, message in {
        "x" * 1_000_000: "characters; at most 200,000 are read",
        "?!.,;" * 1000: "there are no words in the query",
        "\0" * 5000: "binary, not text",
    }.items():
        words.write_text(question)
        found = bottega(root, "search", "--file", str(words))
        assert (found.code, message in found.err) == (2, True), found.err


@pytest.mark.timeout(60)
def test_a_question_is_not_read_without_end(root: Path) -> None:
    write(root, {"a.py": "A = 1\n"})
    found = bottega(root, "search", "--file", "/dev/zero")
    assert found.code == 2


@pytest.mark.parametrize("verb", ["show", "graph"])
def test_a_node_with_thousands_of_places_is_shown(root: Path, verb: str) -> None:
    write(root, {"a.py": "class Same:\n    def same(self): pass\n" * 1500})
    refreshed(root)
    ended = bottega(root, verb, "Same")
    assert ended.code == 0
    shutil.rmtree(root / ".bottega")
