"""kill -9 at any moment: the index is the old one or the new one, never a part, and no kept analysis is lost."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from .trees import ask, bottega, command, commit, differences, environ, listed, refreshed, repository, settled, write

if sys.platform == "win32":
    pytest.skip("SIGKILL is a word of POSIX", allow_module_level=True)

FILES = 450


def some(count: int, word: str) -> dict[str, str]:
    return {
        f"pkg{n % 7}/m{n:03}.py": f"from pkg{n % 5}.m{n // 2:03} import *\n\ndef {word}{n}(): pass\n"
        for n in range(count)
    }


def kept_analyses(root: Path) -> int:
    """As another process sees them; 0 before there are any."""
    path = root / ".bottega" / "blobs.sqlite"
    if not path.exists():
        return 0
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM analyses").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


def begin(root: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command("index", *arguments),
        cwd=root,
        env=environ(root),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def killed_after(root: Path, seconds: float, *arguments: str) -> int:
    process = begin(root, *arguments)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def names_in(root: Path) -> set[str]:
    return {name.rstrip("0123456789") for (name,) in ask(root, "SELECT name FROM symbols")}


def sound(root: Path) -> None:
    """SQLite finds no fault, and nothing is left lying about but what a rebuild may use."""
    assert ask(root, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.timeout(300)
def test_a_first_index_killed_at_many_moments_is_whole_or_absent(root: Path) -> None:
    """Each time it gets a little further; what was analysed stays so."""
    repository(root, some(60, "f"))
    outcomes = set()
    for nth in range(12):
        code = killed_after(root, 0.12 + nth * 0.1, "--workers", "1", *(("--rebuild",) if nth % 2 else ()))
        outcomes.add(code)
        if (root / ".bottega" / "curated.sqlite").exists():
            sound(root)
            assert len(listed(root)) == 60
            assert names_in(root) == {"f"}
    assert -signal.SIGKILL in outcomes
    assert bottega(root, "index", "--verify").code == 0


@pytest.mark.timeout(300)
def test_a_refresh_killed_at_many_moments_leaves_the_old_index_or_the_new_one(root: Path) -> None:
    repository(root, some(60, "f"))
    settled(root)
    words, outcomes = ["f"], set()
    for nth in range(12):
        before, word = words[-1], "fghijklmnopqrs"[nth + 1]
        commit(root, f"Say {word}", some(60, word))
        outcomes.add(killed_after(root, 0.2 + nth * 0.12, "--workers", "1"))
        sound(root)
        found = names_in(root)
        assert found in ({before}, {word})
        words.append(next(iter(found)))
    assert -signal.SIGKILL in outcomes
    ended = bottega(root, "index", "--verify")
    assert (ended.code, ended.err) == (0, "")
    assert names_in(root) == {word}


@pytest.mark.timeout(300)
def test_analyses_that_were_kept_before_a_kill_are_not_made_again(root: Path) -> None:
    write(root, some(FILES, "f"))
    process = begin(root, "--workers", "1")
    while not (kept := kept_analyses(root)):
        assert process.poll() is None, "it was done before any analysis was kept"
        time.sleep(0.005)
    process.kill()
    process.wait()
    kept = kept_analyses(root)
    assert 0 < kept <= FILES
    assert not (root / ".bottega" / "curated.sqlite").exists()
    ended = bottega(root, "index", "--format", "json")
    assert ended.code == 0
    done = json.loads(ended.out)
    assert done["files"] == FILES
    assert done["read"] == FILES - kept
    assert differences(root) == ""


def test_an_index_that_dies_again_and_again_comes_to_an_end(root: Path) -> None:
    """Every sitting ends with the first analyses that it keeps; each begins where the one before was ended."""
    write(root, some(FILES, "f"))
    counts = [0]
    while counts[-1] < FILES and not (root / ".bottega" / "curated.sqlite").exists():
        process = begin(root, "--workers", "1")
        while process.poll() is None and kept_analyses(root) <= counts[-1]:
            time.sleep(0.005)
        process.kill()
        process.wait()
        counts.append(kept_analyses(root))
        assert counts[-1] > counts[-2]
    assert bottega(root, "index", "--verify").code == 0


_HALF_WRITTEN = """
    import os, signal, sqlite3, sys
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("PRAGMA cache_size = 2")  # so that pages are written before the end
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE symbols SET name = name || '_half', signature = signature || hex(randomblob(300))")
    connection.execute("DELETE FROM edges")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("arguments", [(), ("--rebuild",)], ids=["index", "rebuild"])
def test_a_transaction_that_a_kill_left_half_written_is_taken_back(root: Path, arguments: tuple[str, ...]) -> None:
    """The journal of the killed writer lies beside the file; it must not be played back into another one."""
    repository(root, some(60, "f"))
    settled(root)
    path = root / ".bottega" / "curated.sqlite"
    before = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(_HALF_WRITTEN), str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() != before
    assert path.with_name("curated.sqlite-journal").stat().st_size > 0
    write(root, {"pkg0/m000.py": "def g(): pass\n", "more.py": "def g(): pass\n" * 500})
    assert bottega(root, "index", *arguments).code == 0
    sound(root)
    assert names_in(root) == {"f", "g"}
    assert bottega(root, "index", "--verify").code == 0


def test_what_killed_writers_left_lying_is_swept_up(root: Path) -> None:
    write(root, {"a.py": "A = 1\n"})
    settled(root)
    folder = root / ".bottega"
    old = time.time() - 7200
    for name in ("0123456789abcdef0123.seg.77.new", "aaaaaaaaaaaaaaaaaaaa.links"):
        (folder / "segments" / name).write_bytes(b"left")
        os.utime(folder / "segments" / name, (old, old))
    (folder / "curated.new").write_bytes(b"left")
    (folder / "curated.new-journal").write_bytes(b"left")
    write(root, {"a.py": "A = 2\n"})
    refreshed(root)
    assert len(list((folder / "segments").iterdir())) == 3
    assert bottega(root, "index", "--rebuild").code == 0
    assert not list(folder.glob("curated.new*"))
    assert differences(root) == ""
