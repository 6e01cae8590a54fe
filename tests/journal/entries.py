"""Entries that tests put into a journal, and what lies on the disk afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bottega.home import make_private_directory
from bottega.journal import CallPlace, CallRecord, Journal, Masker
from bottega.journal.history import FileHistoryStore
from bottega.testing.journal_contract.samples import HISTORY_RECORD

RECORD = HISTORY_RECORD


def begin(journal: Journal, pipeline: str = "write", kind: str = "write", text: str = "sort a list") -> str:
    return journal.runs.begin(
        pipeline=pipeline,
        kind=kind,
        definition={"name": pipeline, "note": text},
        state={"prompt": text},
        settings={"note": text},
        version="1",
    )


def send(journal: Journal, run_id: str, *, seq: int = 1, digest: str = "h", nth: int = 0, text: str = "hello") -> str:
    return journal.calls.send(
        CallPlace(run_id, seq, digest, nth),
        stage="write.coder",
        role="coding",
        model="scripted/one",
        request={"messages": [{"role": "user", "content": text}]},
        prompt_version="v1",
    )


def complete(
    journal: Journal,
    call_id: str,
    *,
    text: str = "sorted(x)",
    thinking: str = "hm",
    tool_calls: list[dict[str, Any]] | None = None,
    cost: float | None = 0.5,
) -> None:
    journal.calls.complete(
        call_id,
        reply=text,
        thinking=thinking,
        tool_calls=tool_calls or [],
        finish="stop",
        prompt_tokens=10,
        completion_tokens=5,
        latency_ms=7,
        cost=cost,
    )


def only_call(journal: Journal, run_id: str) -> CallRecord:
    (call,) = journal.calls.of_run(run_id)
    return call


def history(folder: Path, *, max_entries: int = 1000, max_files: int = 0) -> FileHistoryStore:
    return FileHistoryStore(
        folder / ".bottega" / "history", max_entries=max_entries, max_files=max_files, mask=Masker()
    )


def record(**changed: Any) -> dict[str, Any]:
    return {**RECORD, **changed}


def bytes_at_rest(root: Path) -> dict[str, bytes]:
    """Every file under `.bottega/`, SQLite's own side files included."""
    files = [path for path in (root / ".bottega").rglob("*") if path.is_file()]
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def sealed_folder(root: Path) -> Path:
    """`.bottega` as this machine makes it, with nothing in it yet."""
    make_private_directory(root / ".bottega")
    return root / ".bottega"
