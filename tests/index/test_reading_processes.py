"""Files are read by processes of their own: one that crashes or hangs costs its file the grammar, and nothing else."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bottega.index import open_store
from bottega.index.readers import ReadTask, read_files

from .trees import ask, bottega, command, differences, environ, listed, refreshed, write

if not Path("/proc/self/stat").exists():
    pytest.skip("processes are looked for in /proc", allow_module_level=True)

# The TSX grammar of tree-sitter-language-pack 0.13.0 reads these eleven signs for ever.
ENDLESS = "(()a<!--]]#"


def workers_of(parent: int) -> list[int]:
    """The reading processes that a process has started and not ended."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            is_worker = b"bottega.index.worker" in (entry / "cmdline").read_bytes()
            if is_worker and int(fields[1]) == parent and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def workers_in(root: Path) -> list[int]:
    """Reading processes at work in a directory, whosever they are."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if b"bottega.index.worker" in words and os.fsencode(root) in words:
                found.append(int(entry.name))
    return found


def wait_for(what: Callable[[], bool], seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.01)
    return False


def many(count: int) -> dict[str, str]:
    return {f"m{n:03}.py": f"def f{n}():\n    return {n}\n" * 40 for n in range(count)}


@contextlib.contextmanager
def killing(how: signal.Signals, *, times: int) -> Iterator[list[int]]:
    """Ends this process's workers while they are at work, so many times."""
    killed: list[int] = []
    is_over = threading.Event()

    def strike() -> None:
        while len(killed) < times and not is_over.is_set():
            for worker in workers_of(os.getpid()):
                if worker not in killed and not is_over.wait(0.4):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(worker, how)
                        killed.append(worker)

    thread = threading.Thread(target=strike)
    thread.start()
    try:
        yield killed
    finally:
        is_over.set()
        thread.join()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV])
def test_a_worker_that_dies_at_work_costs_at_most_one_file_its_grammar(root: Path, how: signal.Signals) -> None:
    write(root, many(400))
    with killing(how, times=3) as killed:
        done = open_store(root).refresh(workers=2)
    assert done is not None
    assert killed, "the workers were too fast to be killed"
    assert done.files == 400
    rows = ask(root, "SELECT path, role, depth, note FROM files")
    given_up = [row for row in rows if row[3]]
    assert len(given_up) <= len(killed)
    assert {row[1:] for row in given_up} <= {("code", "text", "kept as text: ends its process")}
    assert {row[1:] for row in rows if not row[3]} == {("code", "parsed", "")}
    assert workers_of(os.getpid()) == []


def test_a_rebuild_reads_properly_what_a_worker_died_of_by_chance(root: Path) -> None:
    """Memory may have been short: `--rebuild` is what a person is told to try."""
    write(root, many(400))
    with killing(signal.SIGKILL, times=2) as killed:
        open_store(root).refresh(workers=1)
    assert killed
    if not ask(root, "SELECT path FROM files WHERE note != ''"):
        pytest.skip("the workers were killed between two files")
    open_store(root).refresh(rebuild=True, workers=1)
    assert differences(root) == ""


def test_every_order_is_answered_once_although_workers_die(root: Path) -> None:
    write(root, many(300))
    orders = [ReadTask(path, "Python", "code") for path in many(300)]
    with killing(signal.SIGKILL, times=3):
        answers = list(read_files(root, orders, workers=2))
    assert sorted(answer.task.path for answer in answers) == sorted(many(300))
    assert [answer.error for answer in answers if answer.error] == []


def test_files_that_go_before_they_are_read_are_answered_with_the_reason(root: Path) -> None:
    write(root, {"a.py": "A = 1\n"})
    (root / "loop.py").symlink_to("loop.py")
    (root / "folder.py").mkdir()
    orders = [ReadTask(path, "Python", "code") for path in ("a.py", "gone.py", "loop.py", "folder.py")]
    answers = {answer.task.path: answer.error for answer in read_files(root, orders, workers=1)}
    assert answers.pop("a.py") == ""
    assert answers.pop("gone.py") == "No such file or directory"
    assert all(answers.values())


def test_no_worker_is_left_when_the_reading_is_given_up(root: Path) -> None:
    write(root, many(100))
    reading = read_files(root, [ReadTask(path, "Python", "code") for path in many(100)], workers=2)
    next(iter(reading))
    assert workers_of(os.getpid())
    reading.close()
    assert workers_of(os.getpid()) == []


@pytest.mark.timeout(180)
def test_a_grammar_that_hangs_is_left_alone_and_not_tried_again(root: Path) -> None:
    write(root, {"view.tsx": ENDLESS + "\n", "other.tsx": "export const A = () => <b>1</b>;\n", "c.py": "C = 1\n"})
    refreshed(root, workers=2, patience_s=3)
    assert dict(ask(root, "SELECT path, note FROM files WHERE note != ''")) == {
        "view.tsx": "kept as text: takes too long"
    }
    assert listed(root) == ["c.py", "other.tsx", "view.tsx"]
    assert ask(root, "SELECT path, depth FROM files ORDER BY path") == [
        *(("c.py", "parsed"), ("other.tsx", "parsed"), ("view.tsx", "text"))
    ]
    began = time.monotonic()
    assert bottega(root, "index", "--rebuild").code == 0
    assert time.monotonic() - began < 15


def test_a_hanging_worker_does_not_outlive_an_index_that_is_killed(root: Path) -> None:
    write(root, {"view.tsx": ENDLESS + "\n"})
    process = subprocess.Popen(
        command("index"), cwd=root, env=environ(root), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert wait_for(lambda: bool(workers_in(root)))
    time.sleep(1.5)  # by now it reads
    process.kill()
    process.wait()
    try:
        assert wait_for(lambda: not workers_in(root), 5)
    finally:
        for worker in workers_in(root):
            os.kill(worker, signal.SIGKILL)


def test_workers_end_when_the_index_is_killed(root: Path) -> None:
    write(root, many(400))
    process = subprocess.Popen(
        command("index"), cwd=root, env=environ(root), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert wait_for(lambda: bool(workers_in(root)))
    process.kill()
    process.wait()
    assert wait_for(lambda: not workers_in(root), 10)


def test_a_module_in_the_repository_is_not_mistaken_for_one_of_ours(root: Path) -> None:
    """Workers start in the repository: what lies there must not be imported."""
    trap = f"open({str(root.parent / 'ran')!r}, 'w').close()\n"
    names = ("json.py", "struct.py", "numpy/__init__.py", "bottega/__init__.py", "tree_sitter.py", "sitecustomize.py")
    write(root, dict.fromkeys(names, trap))
    refreshed(root)
    assert listed(root) == sorted(names)
    assert not (root.parent / "ran").exists()
