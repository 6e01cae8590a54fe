"""How fresh an answer is: commit, files that differ from it, parse coverage by language, and age."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from bottega.amounts import plural
from bottega.index.analyse import Depth
from bottega.source.roles import RANKED

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Coverage:
    """Numbers of files of one language by how completely they were parsed."""

    files: int
    parsed: int
    partly: int
    as_text: int


@dataclass(frozen=True, slots=True)
class Freshness:
    """`is_current` when the working tree was compared with the index for this answer."""

    commit: str
    branch: str
    dirty: tuple[str, ...]
    dirty_count: int
    files: int
    ranked: int
    coverage: dict[str, Coverage]
    refreshed: str
    age_seconds: int
    is_current: bool
    remarks: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        at = f"commit {self.commit[:9]}" if self.commit else "no commit"
        branch = f" ({self.branch})" if self.branch else ""
        dirty = (
            f", {plural(self.dirty_count, 'file differs', 'files differ')} from it"
            if self.dirty_count and self.commit
            else ""
        )
        age = (
            "compared with the files just now"
            if self.is_current
            else f"not compared for {_format_age(self.age_seconds)}"
        )
        return f"{at}{branch}{dirty}; {self.ranked} of {plural(self.files, 'file')} ranked; {age}"


def read_freshness(connection: sqlite3.Connection, *, is_current: bool) -> Freshness:
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    dirty = json.loads(meta.get("dirty", "[]"))
    coverage, files, ranked = _count_coverage(connection)
    then = datetime.fromisoformat(meta["refreshed"])
    return Freshness(
        commit=meta.get("commit", ""),
        branch=meta.get("branch", ""),
        dirty=tuple(dirty[:_SHOWN]),
        dirty_count=len(dirty),
        files=files,
        ranked=ranked,
        coverage=coverage,
        refreshed=meta["refreshed"],
        age_seconds=0 if is_current else max(0, int((datetime.now(UTC) - then).total_seconds())),
        is_current=is_current,
        remarks=tuple((path, why) for path, why in json.loads(meta.get("remarks", "[]"))),
    )


def _count_coverage(connection: sqlite3.Connection) -> tuple[dict[str, Coverage], int, int]:
    counts: dict[str, dict[str, int]] = {}
    files = ranked = 0
    for language, role, depth, count in connection.execute(
        "SELECT language, role, depth, count(*) FROM files GROUP BY 1, 2, 3"
    ):
        files += count
        if role in RANKED:
            ranked += count
            by_depth = counts.setdefault(language or "other", {})
            by_depth[depth] = by_depth.get(depth, 0) + count
    coverage = {
        language: Coverage(
            sum(by_depth.values()),
            by_depth.get(Depth.PARSED, 0),
            by_depth.get(Depth.PARTLY, 0),
            by_depth.get(Depth.TEXT, 0),
        )
        for language, by_depth in sorted(counts.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    }
    return coverage, files, ranked


def _format_age(seconds: int) -> str:
    for size, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {name}"
    return f"{seconds} s"
