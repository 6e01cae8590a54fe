"""Several processes over one repository: one writes, the others wait or read what was there before."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

from bottega.home import FileLock
from bottega.index import open_store
from bottega.index.snapshot import take_snapshot

from .trees import ask, bottega, command, differences, environ, git, listed, refreshed, repository, settled, write


def files(count: int, word: str = "f") -> dict[str, str]:
    return {f"m{n:03}.py": f"from m{n // 2:03} import *\n\ndef {word}{n}(): pass\n" for n in range(count)}


def begin(root: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(*arguments), cwd=root, env=environ(root), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=100)
    return process.returncode, out.decode(), err.decode()


def test_of_several_indexes_at_once_one_reads_and_the_others_find_it_done(root: Path) -> None:
    write(root, files(120))
    time.sleep(0.1)
    crowd = [begin(root, "index", "--format", "json") for _ in range(4)]
    results = [ended(process) for process in crowd]
    assert [code for code, _, _ in results] == [0] * 4
    done = [json.loads(out) for _, out, _ in results]
    assert sorted(one["is_rebuilt"] for one in done) == [False, False, False, True]
    assert sum(one["read"] for one in done) == 120
    assert {err for _, _, err in results} <= {"", "bottega: another process is indexing here: waiting for it\n"}
    assert differences(root) == ""


def test_an_index_and_a_rebuild_at_once_end_with_a_whole_index(root: Path) -> None:
    write(root, files(60))
    settled(root)
    write(root, files(60, "g"))
    crowd = [
        begin(root, "index"),
        begin(root, "index", "--rebuild"),
        begin(root, "index"),
        begin(root, "index", "--rebuild"),
    ]
    assert [ended(process)[0] for process in crowd] == [0] * 4
    assert differences(root) == ""
    assert not list((root / ".bottega").glob("*.new"))


def test_an_index_waits_for_the_one_that_is_at_work_and_says_so(root: Path) -> None:
    write(root, {"a.py": "A = 1\n"})
    refreshed(root)
    with FileLock(root / ".bottega" / "index.lock"):
        process = begin(root, "index")
        assert process.stderr is not None
        said = process.stderr.readline().decode()
        assert process.poll() is None
    code, out, err = ended(process)
    assert code == 0
    assert "nothing changed" in out or "1 files" in out
    assert said + err == "bottega: another process is indexing here: waiting for it\n"


def test_a_search_while_an_index_is_made_answers_from_the_state_before_and_says_so(root: Path) -> None:
    write(root, {"a.py": "def wombat(): pass\n"})
    settled(root)
    write(root, {"b.py": "def wombat_too(): pass\n"})
    with FileLock(root / ".bottega" / "index.lock"):
        found = bottega(root, "search", "wombat")
    assert found.code == 0
    assert "a.py:1-1" in found.out
    assert "b.py" not in found.out
    assert "another process is indexing: this is the state before it" in found.err
    assert "not compared for" in found.err
    assert "b.py:1-1" in bottega(root, "search", "wombat").out


def test_searches_during_many_refreshes_always_find_a_whole_state(root: Path) -> None:
    """A search sees all files at one turn or all at another, and never a segment that is gone."""
    write(root, files(40, "a0_"))
    settled(root)
    keeper = open_store(root)
    for turn in range(1, 9):
        write(root, files(40, f"a{turn}_"))
        process = begin(root, "index", "--workers", "1", *(("--rebuild",) if turn % 3 == 0 else ()))
        looks = 0
        while process.poll() is None or looks == 0:
            snapshot = take_snapshot(root, keeper.location)
            assert snapshot is not None
            names = {name.partition("_")[0] for (name,) in snapshot.connection.execute("SELECT name FROM symbols")}
            assert len(snapshot.files) == 40
            assert len(names) == 1, names
            assert sum(int((part.places >= 0).sum()) for part in snapshot.parts) == 40
            snapshot.connection.close()
            looks += 1
        assert ended(process)[0] == 0


def test_a_snapshot_outlives_the_segments_it_was_taken_of(root: Path) -> None:
    write(root, files(20))
    settled(root)
    snapshot = take_snapshot(root, open_store(root).location)
    assert snapshot is not None
    before = [part.arrays["file.term"].copy() for part in snapshot.parts]
    write(root, files(20, "g"))
    assert bottega(root, "index", "--rebuild").code == 0
    assert [part.arrays["file.term"].tolist() for part in snapshot.parts] == [terms.tolist() for terms in before]
    snapshot.connection.close()


def test_worktrees_share_what_was_analysed_and_nothing_else(root: Path) -> None:
    repository(root, {"a.py": "def a(): pass\n", "b.py": "def b(): pass\n"})
    side = root.parent / "side"
    git(root, "worktree", "add", "-q", str(side))
    assert refreshed(root).read == 2
    write(side, {"c.py": "def c(): pass\n"})
    place = open_store(side).location
    assert place.blobs == root / ".bottega" / "blobs.sqlite"
    assert place.folder == side / ".bottega"
    refreshed(side)
    assert not (side / ".bottega" / "blobs.sqlite").exists()
    assert set(listed(side)) - {".git"} == {"a.py", "b.py", "c.py"}
    assert set(listed(root)) == {"a.py", "b.py"}
    write(root, {"d.py": "def c(): pass\n"})
    assert refreshed(root).read == 0
    assert differences(root) == differences(side) == ""


def test_a_worktree_may_be_indexed_first_and_its_repository_never(root: Path) -> None:
    repository(root, {"a.py": "def a(): pass\n"})
    side = root.parent / "side"
    git(root, "worktree", "add", "-q", str(side))
    refreshed(side)
    assert (root / ".bottega" / ".gitignore").read_text() == "*\n"
    assert git(root, "status", "--porcelain") == ""
    assert differences(side) == ""


def test_worktrees_indexed_at_once_do_not_throw_each_others_analyses_away(root: Path) -> None:
    repository(root, files(120))
    sides = [root.parent / f"side{n}" for n in range(3)]
    for side in sides:
        git(root, "worktree", "add", "-q", "--detach", str(side))
    crowd = [begin(side, "index", "--workers", "1") for side in (root, *sides)]
    results = [ended(process) for process in crowd]
    assert [(code, err) for code, _, err in results] == [(0, "")] * 4
    for tree in (root, *sides):
        assert ask(tree, "PRAGMA integrity_check") == [("ok",)]
        write(tree, {"m001.py": "def changed(): pass\n"})
        again = bottega(tree, "index", "--format", "json")
        assert (again.code, again.err) == (0, "")
        assert not json.loads(again.out)["is_rebuilt"], "analyses were missing"
