"""What a journal in memory holds, shared by its stores."""

from __future__ import annotations

import threading
from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import Any

from bottega.journal import (
    CallRecord,
    Chat,
    Dismissal,
    Enrichment,
    Event,
    Note,
    RecordConflict,
    RunRecord,
    StepRecord,
    new_id,
)


@dataclass(slots=True)
class RunRows:
    """One run and everything that is deleted with it."""

    run: RunRecord
    steps: dict[int, StepRecord] = field(default_factory=dict)
    calls: dict[str, CallRecord] = field(default_factory=dict)
    attempts: set[tuple[str, int]] = field(default_factory=set)
    effects: dict[tuple[int, str, int], str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    events: dict[int, Event] = field(default_factory=dict)


@dataclass(slots=True)
class MemoryInvestigation:
    """JSON text with its seal by (shelf, name), and lists of JSON lines by name."""

    values: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class MemoryRecords:
    """Every record of one journal. `lock` is held for each operation; `claims` names the runs with an open session."""

    lock: Any = field(default_factory=threading.RLock)
    seal_key: str = field(default_factory=new_id)
    claims: set[str] = field(default_factory=set)
    runs: dict[str, RunRows] = field(default_factory=dict)
    sessions: dict[str, dict[str, str]] = field(default_factory=dict)
    archives: dict[str, dict[str, str]] = field(default_factory=dict)
    facts: dict[tuple[str, str], str] = field(default_factory=dict)
    enrichments: list[Enrichment] = field(default_factory=list)
    chats: dict[str, Chat] = field(default_factory=dict)
    reviews: dict[str, dict[str, str]] = field(default_factory=dict)
    dismissals: list[Dismissal] = field(default_factory=list)
    investigations: dict[str, MemoryInvestigation] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    reports: dict[str, dict[str, str]] = field(default_factory=dict)
    history: list[list[str]] = field(default_factory=list)

    def after_crash(self) -> MemoryRecords:
        """A copy as the next process finds the records when this one is killed: everything stored, no claims."""
        with self.lock:
            kept = {one.name: deepcopy(getattr(self, one.name)) for one in fields(self) if one.name not in _VOLATILE}
        return MemoryRecords(**kept)

    def rows(self, run_id: str) -> RunRows:
        """Raise `RecordConflict` for a run that does not exist."""
        if run_id not in self.runs:
            raise RecordConflict(f"there is no run {run_id}")
        return self.runs[run_id]


_VOLATILE = {"lock", "claims"}
