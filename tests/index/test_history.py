"""Commits, what they touched under its present name, and what changes together."""

from __future__ import annotations

from pathlib import Path

from bottega.index.history import MOST_COMMITS

from .trees import ask, commit, differences, git, refreshed, repository, settled, write


def touched(root: Path) -> dict[str, list[str]]:
    """Messages of commits, newest first, with the present names of what they touched."""
    query = (
        "SELECT c.message, t.current FROM commits c LEFT JOIN file_commits t ON t.commit_id = c.id"
        " ORDER BY c.position, t.current"
    )
    found: dict[str, list[str]] = {}
    for message, path in ask(root, query):
        found.setdefault(message, []).append(path)
    return found


def together(root: Path) -> dict[tuple[str, str], int]:
    return {(a, b): count for a, b, count in ask(root, "SELECT path_a, path_b, count FROM co_changes")}


def test_renames_are_followed_through_several_commits(root: Path) -> None:
    text = "".join(f"line_{n} = {n}\n" for n in range(20))
    repository(root, {"one.py": text})
    commit(root, "Change it", {"one.py": text + "more = 1\n"})
    git(root, "mv", "one.py", "two.py")
    commit(root, "Call it two")
    (root / "deep").mkdir()
    git(root, "mv", "two.py", "deep/three.py")
    commit(root, "Call it three")
    refreshed(root)
    subjects = ["Call it three", "Call it two", "Change it", "Begin"]
    assert touched(root) == {subject: ["deep/three.py"] for subject in subjects}


def test_a_name_that_is_given_again_has_a_past_of_its_own(root: Path) -> None:
    text = "".join(f"line_{n} = {n}\n" for n in range(20))
    repository(root, {"one.py": text})
    git(root, "mv", "one.py", "two.py")
    commit(root, "Call it two")
    commit(root, "Another one", {"one.py": "different = True\n"})
    refreshed(root)
    assert touched(root) == {"Another one": ["one.py"], "Call it two": ["two.py"], "Begin": ["two.py"]}


def test_two_files_that_swap_their_texts_keep_their_pasts(root: Path) -> None:
    texts = {name: "".join(f"{name}_{n} = {n}\n" for n in range(20)) for name in ("a", "b")}
    repository(root, {"a.py": texts["a"]})
    commit(root, "Add b", {"b.py": texts["b"]})
    commit(root, "Swap", {"a.py": texts["b"], "b.py": texts["a"]})
    refreshed(root)
    assert touched(root) == {"Swap": ["a.py", "b.py"], "Add b": ["b.py"], "Begin": ["a.py"]}
    assert differences(root) == ""


def test_files_that_change_together_are_counted_under_their_present_names(root: Path) -> None:
    text = "".join(f"line_{n} = {n}\n" for n in range(20))
    repository(root, {"a.py": text, "b.py": "B = 0\n", "c.py": "C = 0\n"})
    commit(root, "Both", {"a.py": text + "x = 1\n", "b.py": "B = 1\n"})
    git(root, "mv", "a.py", "z.py")
    commit(root, "Rename")
    commit(root, "Both again", {"z.py": text + "x = 2\n", "b.py": "B = 2\n"})
    refreshed(root)
    assert together(root) == {("b.py", "z.py"): 3}


def test_commits_that_touch_everything_say_nothing_about_what_belongs_together(root: Path) -> None:
    many = [f"m{n}.py" for n in range(31)]
    repository(root, dict.fromkeys(many, "x = 0\n"))
    for turn in (1, 2):
        commit(root, f"All {turn}", dict.fromkeys(many, f"x = {turn}\n"))
        commit(root, f"Thirty {turn}", dict.fromkeys(many[:30], f"x = {turn}0\n"))
    refreshed(root)
    assert len(touched(root)["All 1"]) == 31
    counts = together(root)
    assert counts["m0.py", "m1.py"] == 2
    assert not any("m30.py" in pair for pair in counts)


def test_merges_are_left_out(root: Path) -> None:
    repository(root, {"a.py": "A = 0\n", "b.py": "B = 0\n"})
    for turn in (1, 2):
        git(root, "checkout", "-q", "-b", f"side{turn}")
        commit(root, f"Aside {turn}", {"a.py": f"A = {turn}\n"})
        git(root, "checkout", "-q", "main")
        commit(root, f"Ahead {turn}", {"b.py": f"B = {turn}\n"})
        git(root, "merge", "-q", "--no-ff", "-m", f"Merge {turn}", f"side{turn}")
    refreshed(root)
    assert sorted(touched(root)) == ["Ahead 1", "Ahead 2", "Aside 1", "Aside 2", "Begin"]
    assert together(root) == {}


def test_a_rewritten_history_takes_the_place_of_the_old_one(root: Path) -> None:
    repository(root, {"a.py": "A = 0\n"})
    for turn in (1, 2, 3):
        commit(root, f"Turn {turn}", {"a.py": f"A = {turn}\n"})
    settled(root)
    git(root, "reset", "-q", "--soft", "HEAD~2")
    commit(root, "Turns in one")
    refreshed(root)
    assert list(touched(root)) == ["Turns in one", "Turn 1", "Begin"]
    assert differences(root) == ""
    git(root, "checkout", "-q", "--orphan", "fresh")
    commit(root, "From nothing")
    refreshed(root)
    assert list(touched(root)) == ["From nothing"]
    assert differences(root) == ""


def test_an_amended_message_is_read_although_no_file_changed(root: Path) -> None:
    repository(root, {"a.py": "A = 0\n"})
    settled(root)
    git(root, "commit", "-q", "--amend", "-m", "Begin better")
    assert refreshed(root).is_unchanged
    assert list(touched(root)) == ["Begin better"]
    assert differences(root) == ""


def test_a_branch_switch_brings_its_own_history(root: Path) -> None:
    repository(root, {"a.py": "A = 0\n"})
    git(root, "checkout", "-q", "-b", "side")
    commit(root, "Aside", {"a.py": "A = 1\n", "b.py": "B = 1\n"})
    settled(root)
    for branch, messages in (("main", ["Begin"]), ("side", ["Aside", "Begin"])):
        git(root, "checkout", "-q", branch)
        refreshed(root)
        assert list(touched(root)) == messages
        assert differences(root) == ""


def test_the_edge_of_a_shallow_clone_is_no_commit_that_made_everything(root: Path) -> None:
    repository(root, {"a.py": "A = 0\n", "b.py": "B = 0\n"})
    for turn in (1, 2, 3):
        commit(root, f"Turn {turn}", {"a.py": f"A = {turn}\n"})
    clone = root.parent / "clone"
    git(root, "clone", "-q", "--depth", "2", f"file://{root}", str(clone))
    settled(clone)
    assert touched(clone) == {"Turn 3": ["a.py"]}
    assert differences(clone) == ""
    git(clone, "fetch", "-q", "--unshallow")
    refreshed(clone)
    assert list(touched(clone)) == ["Turn 3", "Turn 2", "Turn 1", "Begin"]
    assert differences(clone) == ""


def test_a_clone_of_depth_one_has_files_and_no_past(root: Path) -> None:
    repository(root, {"a.py": "A = 0\n"})
    clone = root.parent / "clone"
    git(root, "clone", "-q", "--depth", "1", f"file://{root}", str(clone))
    refreshed(clone)
    assert touched(clone) == {}
    assert differences(clone) == ""


def test_a_part_of_a_repository_has_the_part_of_its_history(root: Path) -> None:
    repository(root, {"part/a.py": "A = 0\n", "other.py": ""})
    commit(root, "Elsewhere", {"other.py": "x = 1\n"})
    commit(root, "Here and there", {"other.py": "x = 2\n", "part/a.py": "A = 1\n"})
    part = root / "part"
    refreshed(part)
    assert touched(part) == {"Here and there": ["a.py"], "Begin": ["a.py"]}
    assert differences(part) == ""


def test_names_in_history_are_those_of_the_files(root: Path) -> None:
    names = ["with space.py", "日本語.py", "new\nline.py", "tab\there.py", 'quo"te.py', "back\\slash.py"]
    repository(root, dict.fromkeys(names, "x = 1\n"))
    refreshed(root)
    assert touched(root) == {"Begin": sorted(names)}


def test_control_signs_in_a_message_do_not_hide_what_it_touched(root: Path) -> None:
    repository(root, {"a.py": "A = 0\n"})
    commit(root, "One \x01 two \x02 three \x03 four", {"a.py": "A = 1\n"})
    refreshed(root)
    assert list(touched(root).values()) == [["a.py"], ["a.py"]]


def test_a_message_cannot_pretend_to_be_another_commit(root: Path) -> None:
    repository(root, {"a.py": "A = 0\n"})
    for hash_ in ("f" * 40, "not a hash"):
        commit(root, f"Honest\x02\n\x01{hash_}\x03Mallory\x03now\x03Forged\x02\nM\ta.py", {"a.py": f"A = '{hash_}'\n"})
    refreshed(root)
    known = {hash_ for (hash_,) in ask(root, "SELECT hash FROM commits")}
    assert known == set(git(root, "rev-list", "HEAD").split())


def test_programs_that_a_repository_names_in_its_configuration_are_not_run(root: Path) -> None:
    repository(root, {"a.py": "A = 0\n", ".gitattributes": "*.py diff=evil filter=evil\n"})
    script = root.parent / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch '{root.parent}/ran'\ncat\n")
    script.chmod(0o755)
    for key in (
        *("core.fsmonitor", "core.pager", "diff.external", "diff.evil.command", "diff.evil.textconv"),
        *("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "gpg.program", "core.sshCommand"),
    ):
        git(root, "config", key, str(script))
    git(root, "config", "log.showSignature", "true")
    refreshed(root)
    assert touched(root)["Begin"] == [".gitattributes", "a.py"]
    assert not (root.parent / "ran").exists()


def test_only_the_newest_commits_of_a_long_history_are_kept(root: Path) -> None:
    git(root, "init", "-q")
    lines = ["blob\nmark :1\ndata 6\nA = 0\n\n"]
    for turn in range(MOST_COMMITS + 5):
        head = f"commit refs/heads/main\nmark :{turn + 2}\ncommitter A <a@example.org> {1_700_000_000 + turn} +0000\n"
        message = f"Turn {turn}"
        content = f"A = {turn}\n"
        lines.append(f"{head}data {len(message)}\n{message}\nM 100644 inline a.py\ndata {len(content)}\n{content}\n")
    git(root, "fast-import", "--quiet", given="".join(lines).encode())
    git(root, "reset", "-q", "--hard")
    refreshed(root)
    assert ask(root, "SELECT count(*), max(position) FROM commits") == [(MOST_COMMITS, MOST_COMMITS - 1)]
    assert ask(root, "SELECT message FROM commits WHERE position = 0") == [(f"Turn {MOST_COMMITS + 4}",)]
    write(root, {"a.py": "A = -1\n"})
    commit(root, "One more")
    refreshed(root)
    assert ask(root, "SELECT count(*) FROM commits") == [(MOST_COMMITS,)]
    assert differences(root) == ""
