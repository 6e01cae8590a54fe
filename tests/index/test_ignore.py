"""Which paths are ignored: the same as by git, which is asked, and the rules for assistants, which override git."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bottega.index.walk import walk
from bottega.source.git import open_git

from .trees import differences, git, listed, refreshed, repository, write

FILES = (
    *("a.py", "b.md", "c.log", "build/out.py", "build/deep/x.log", "src/a.py", "src/build/y.py", "src/c.log"),
    *("src/deep/b.md", "docs/a b.md", "docs/#hash", "docs/!bang", "docs/é.md"),
)
PATTERNS = (
    *("*.log", "!c.log", "build/", "/build", "build", "!build/", "src/*", "!src/a.py", "**/deep", "src/**/b.md"),
    *(
        "*.py",
        "!/a.py",
        "/a.py",
        "docs/a\\ b.md",
        "docs/a b.md",
        "\\#hash",
        "\\!bang",
        "# remark",
        "",
        "   ",
        "*",
        "!*/",
    ),
    *("!*.md", "[ab].py", "[!a].py", "?.md", "src/deep/", "/src/c.log ", "docs/é.md", "a.py/", "**", "/**/x.log", "!"),
)


def by_git(root: Path) -> list[str]:
    """What git keeps or would keep."""
    printed = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return sorted({path for path in printed.split("\0") if path and (root / path).is_file()})


@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(
    rules=st.dictionaries(
        st.sampled_from([".gitignore", "src/.gitignore", "build/.gitignore", "docs/.gitignore", ".git/info/exclude"]),
        st.lists(st.sampled_from(PATTERNS), max_size=4).map("\n".join),
        max_size=3,
    ),
    tracked=st.sets(st.sampled_from(FILES), max_size=3),
)
def test_without_rules_of_the_house_git_and_the_walk_agree(rules: dict[str, str], tracked: set[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        git(root, "init", "-q")
        write(root, dict.fromkeys(FILES, "x\n"))
        if tracked:
            git(root, "add", "-f", "--", *tracked)
        write(root, rules)
        kept = git(root, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard").split("\0")
        found = walk(root, git=open_git(root), tracked=frozenset(filter(None, kept)))
        assert sorted(found.files) == by_git(root), rules


ATOMS = (
    *("*", "?", "a", "b", "ab", ".py", " ", "\\ ", "é", "-", "#", "!", "\\", "\\*", "\\[", "\t"),
    *("[ab]", "[!a]", "[^b]", "[a-c]", "[c-a]", "[]]", "[]-]", "[a-]", "[\\]]", "[/]", "[a", "[[:]"),
    *("[[:alpha:]]", "[![:upper:]]", "[[:nothing:]]"),
)
ODD_FILES = (
    *(
        "a",
        "b/a",
        "b/ab",
        "ab/a.py",
        "ab/b/c/a",
        "A/b/-",
        "a.b/é/]",
        "b/b b/ab.py",
        "-/#b",
        "]/!a",
        "é",
        "c/a\\b",
        "c/[a]",
    ),
)
SEGMENTS = st.one_of(st.just("**"), st.lists(st.sampled_from(ATOMS), min_size=1, max_size=4).map("".join))


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(
    lines=st.lists(
        st.builds(
            "{}{}{}".format,
            st.sampled_from(["", "", "!", "/", "!/"]),
            st.lists(SEGMENTS, min_size=1, max_size=3).map("/".join),
            st.sampled_from(["", "", "/", " "]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_patterns_mean_what_they_mean_to_git(lines: list[str]) -> None:
    # Git takes `a**/b` for `a`, then any directories, where its manual has two such stars mean one.
    assume(not any(re.search(r"[^/*]\*\*+(?:/|$)", line) for line in lines))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        git(root, "init", "-q")
        write(root, {**dict.fromkeys(ODD_FILES, ""), ".gitignore": "".join(f"{line}\n" for line in lines)})
        assert sorted(walk(root, git=open_git(root)).files) == by_git(root)


def test_everything_but_some_files_can_be_ignored(root: Path) -> None:
    repository(root, {})
    write(root, {".gitignore": "*\n!*/\n!*.py\n", **dict.fromkeys(["a.py", "b.md", "src/c.py", "src/deep/d.py"], "")})
    refreshed(root)
    assert listed(root) == by_git(root) == ["a.py", "src/c.py", "src/deep/d.py"]


def test_including_a_directory_does_not_include_the_ignored_files_in_it(root: Path) -> None:
    repository(root, {})
    write(root, {".gitignore": "*.tmp\n", "a/.gitignore": "!keep/\n", "a/keep/x.tmp": "", "a/keep/y.py": ""})
    refreshed(root)
    assert listed(root) == by_git(root) == [".gitignore", "a/.gitignore", "a/keep/y.py"]


def test_rules_of_every_level_hold_below_it(root: Path) -> None:
    rules = {".gitignore": "*.tmp\n/top.py\n", "a/.gitignore": "!keep.tmp\ninner/\n", "a/b/.gitignore": "here.py\n"}
    files = ["top.py", "x.tmp", "a/top.py", "a/keep.tmp", "a/x.tmp", "a/inner/y.py", "a/b/here.py", "a/b/keep.tmp"]
    repository(root, rules)
    write(root, dict.fromkeys(files, ""))
    refreshed(root)
    assert sorted(set(listed(root)) - rules.keys()) == ["a/b/keep.tmp", "a/keep.tmp", "a/top.py"]
    assert listed(root) == by_git(root)


def test_info_exclude_holds_for_the_repository_and_all_its_worktrees(root: Path) -> None:
    repository(root, {"a.py": ""})
    (root / ".git" / "info" / "exclude").write_text("mine.py\n")
    side = root.parent / "side"
    git(root, "worktree", "add", "-q", str(side))
    for tree in (root, side):
        write(tree, {"mine.py": ""})
        refreshed(tree)
        assert "mine.py" not in listed(tree)


def test_a_persons_own_excludes_hold_where_git_looks_for_them(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(root.parent / "config"))
    write(root.parent / "config", {"git/ignore": "mine.py\n"})
    repository(root, {"a.py": ""})
    write(root, {"mine.py": ""})
    refreshed(root)
    assert listed(root) == by_git(root) == ["a.py"]


def test_excludes_that_gits_configuration_names_hold(root: Path) -> None:
    repository(root, {"a.py": ""})
    named = write(root.parent, {"excludes": "mine.py\n"}) / "excludes"
    git(root, "config", "core.excludesFile", str(named))
    write(root, {"mine.py": ""})
    refreshed(root)
    assert listed(root) == by_git(root) == ["a.py"]


def test_without_git_a_persons_own_excludes_do_not_hold(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(root.parent / "config"))
    write(root.parent / "config", {"git/ignore": "mine.py\n"})
    write(root, {"mine.py": ""})
    refreshed(root)
    assert listed(root) == ["mine.py"]


def test_a_part_of_a_repository_obeys_the_rules_above_it(root: Path) -> None:
    repository(root, {".gitignore": "*.log\n/part/made/\n", "part/a.py": ""})
    (root / ".git" / "info" / "exclude").write_text("/part/mine.py\n")
    part = root / "part"
    write(part, {"x.log": "", "made/b.py": "", "mine.py": ""})
    refreshed(part)
    assert listed(part) == by_git(part) == ["a.py"]


def test_files_that_git_keeps_are_taken_in_although_a_rule_leaves_them_out(root: Path) -> None:
    repository(root, {"made/kept.py": "", "made/too.py": ""})
    write(root, {".gitignore": "made/\n", "made/new.py": ""})
    refreshed(root)
    assert listed(root) == [".gitignore", "made/kept.py", "made/too.py"]
    git(root, "rm", "-q", "--cached", "made/too.py")
    refreshed(root)
    assert listed(root) == [".gitignore", "made/kept.py"]
    assert differences(root) == ""


@pytest.mark.parametrize("name", [".aiignore", ".bottegaignore"])
def test_rules_of_the_house_leave_out_what_git_keeps(root: Path, name: str) -> None:
    repository(root, {"a.py": "", "secret/b.py": "", "secret/deep/c.py": "", name: "secret/\n"})
    refreshed(root)
    assert listed(root) == [name, "a.py"]


@pytest.mark.parametrize("name", [".aiignore", ".bottegaignore"])
@pytest.mark.parametrize("rule", ["!made/", "!made/**", "!*.py", "!made/b.py\n!made/deep/c.py"])
def test_rules_of_the_house_force_in_what_git_leaves_out(root: Path, name: str, rule: str) -> None:
    repository(root, {"a.py": "", ".gitignore": "made/\n"})
    write(root, {"made/b.py": "", "made/deep/c.py": "", name: f"{rule}\n"})
    refreshed(root)
    assert listed(root) == sorted([name, ".gitignore", "a.py", "made/b.py", "made/deep/c.py"])


def test_one_file_is_forced_in_and_its_neighbours_stay_out(root: Path) -> None:
    repository(root, {".gitignore": "made/\n*.log\n"})
    write(root, {"made/b.py": "", "made/c.py": "", "x.log": "", "y.log": "", ".bottegaignore": "!made/b.py\n!x.log\n"})
    refreshed(root)
    assert listed(root) == [".bottegaignore", ".gitignore", "made/b.py", "x.log"]


def test_of_two_files_of_the_house_bottegaignore_has_the_last_word(root: Path) -> None:
    write(root, {".aiignore": "a.py\n!b.py\n", ".bottegaignore": "!a.py\nb.py\n", "a.py": "", "b.py": ""})
    refreshed(root)
    assert listed(root) == [".aiignore", ".bottegaignore", "a.py"]


def test_rules_that_change_are_applied_to_files_that_have_not(root: Path) -> None:
    repository(root, {"a.py": "", "b/c.py": "", "b/d.md": ""})
    refreshed(root)
    for rules, left in (
        ({".gitignore": "b/\n"}, [".gitignore", "a.py", "b/c.py", "b/d.md"]),  # git keeps them
        ({".bottegaignore": "*.md\n"}, [".bottegaignore", ".gitignore", "a.py", "b/c.py"]),
        ({".bottegaignore": "b/\n"}, [".bottegaignore", ".gitignore", "a.py"]),
        ({".bottegaignore": ""}, [".bottegaignore", ".gitignore", "a.py", "b/c.py", "b/d.md"]),
    ):
        write(root, rules)
        refreshed(root)
        assert listed(root) == left
        assert differences(root) == ""


def test_a_new_file_below_a_known_folder_is_held_against_the_rules(root: Path) -> None:
    repository(root, {"a/b.py": "", ".gitignore": "*.log\na/out/\n"})
    refreshed(root)
    write(root, {"a/x.log": "", "a/out/y.py": "", "a/z.py": ""})
    refreshed(root)
    assert listed(root) == [".gitignore", "a/b.py", "a/z.py"]


def test_a_bad_pattern_leaves_the_others_in_force(root: Path) -> None:
    write(root, {".gitignore": b"!\n[z-a].py\n\xff\xfe\nx.py\n", "x.py": "", "a.py": ""})
    refreshed(root)
    assert listed(root) == [".gitignore", "a.py"]


def test_rules_behind_a_link_are_not_read(root: Path) -> None:
    rules = write(root.parent, {"rules": "a.py\n"}) / "rules"
    write(root, {"a.py": ""})
    (root / ".gitignore").symlink_to(rules)
    refreshed(root)
    assert listed(root) == ["a.py"]


def test_windows_line_ends_in_rules_mean_nothing(root: Path) -> None:
    write(root, {".bottegaignore": b"made/\r\n*.log\r\n", "made/a.py": "", "x.log": "", "b.py": ""})
    refreshed(root)
    assert listed(root) == [".bottegaignore", "b.py"]


@pytest.mark.parametrize("pattern", ["*a" * 30 + "*b", "*[a]" * 30 + "*b", "*?" * 30 + "b"])
def test_a_pattern_of_many_stars_is_answered_at_once(tmp_path: Path, pattern: str) -> None:
    (tmp_path / ".gitignore").write_text(f"{pattern}\n")
    (tmp_path / ("a" * 200)).write_text("x")
    (tmp_path / ("a" * 200 + "b")).write_text("x")
    assert set(walk(tmp_path).files) == {".gitignore", "a" * 200}


@pytest.mark.parametrize("pattern", ["**/a/**/a/**/a/**/a/**/a/**/b", "**/a/" * 150 + "b", "a*a*a/**/" * 50 + "b"])
def test_a_pattern_of_many_double_stars_is_answered_at_once(tmp_path: Path, pattern: str) -> None:
    deep = "a/" * 190
    write(tmp_path, {".gitignore": f"{pattern}\n", f"{deep}a": "", f"{deep}c": ""})
    assert set(walk(tmp_path).files) == {".gitignore", f"{deep}a", f"{deep}c"}
