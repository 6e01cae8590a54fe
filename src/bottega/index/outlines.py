"""Analyse some files without an index."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bottega.index.analyse import Analysis
from bottega.index.analyse.codec import decode
from bottega.index.readers import PATIENCE_S, ReadTask, read_files
from bottega.source.roles import Role


def analyse_files(
    root: Path, languages: Mapping[str, str], *, workers: int = 1, patience_s: float = PATIENCE_S
) -> dict[str, Analysis | None]:
    """The analysis of each file; `None` for a file that cannot be read.

    Worker processes read them: a file that crashes or hangs its grammar is read as text.
    """
    tasks = [ReadTask(path, language, Role.CODE) for path, language in languages.items()]
    return {
        answer.task.path: decode(answer.data) if not answer.error and answer.data else None
        for answer in read_files(root, tasks, workers=workers, patience_s=patience_s)
    }
