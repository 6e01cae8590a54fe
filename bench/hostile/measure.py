"""Time and memory of one fresh index, in a process of its own under limits."""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import tempfile
from dataclasses import dataclass
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from bench.hostile.families import HostileTree

from bottega.errors import BottegaError
from bottega.index import open_store

_MEMORY = 3 << 30
_PATIENCE_S = 120


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds of the index and its workers, the peak of the larger of them, and what went wrong."""

    seconds: float
    megabytes: int
    kept_as_text: str = ""
    fault: str = ""


def measure(tree: HostileTree) -> Cost:
    """Index the tree from nothing. Run in a fork, so that imports are paid once."""
    context = multiprocessing.get_context("fork")
    answers: SimpleQueue[Cost] = context.SimpleQueue()
    process = context.Process(target=_indexed, args=(tree, answers))
    process.start()
    process.join(_PATIENCE_S)
    if process.is_alive():
        process.kill()
        process.join()
        return Cost(_PATIENCE_S, 0, fault=f"did not end within {_PATIENCE_S} s")
    return answers.get() if not answers.empty() else Cost(0, 0, fault=f"died with {process.exitcode}")


def write_tree(tree: HostileTree, root: Path) -> None:
    for name, content in tree.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _indexed(tree: HostileTree, answers: SimpleQueue[Cost]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    root = Path(tempfile.mkdtemp(prefix="hostile-"))
    try:
        os.environ["XDG_CACHE_HOME"] = str(root / "cache")
        (root / "tree").mkdir()
        write_tree(tree, root / "tree")
        before = _seconds()
        kept, fault = "", ""
        try:
            done = open_store(root / "tree").refresh(workers=1)
            assert done is not None
            kept = done.kept_as_text[0][1] if done.kept_as_text else ""
        except (BottegaError, MemoryError, RecursionError) as error:
            fault = repr(error)[:200]
        peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        answers.put(Cost(_seconds() - before, peak // 1024, kept, fault))
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
