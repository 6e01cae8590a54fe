"""What the tests of `write` share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bottega.testing import scripted_workshop
from bottega.testing.shop import Script
from bottega.workshop import Workshop
from bottega.write import WriteRequest, WriteResult

GOOD = "def double(n):\n    return 2 * n\n"
BETTER = "def double(n):\n    return n * 2\n"
SURE = '{"judgement_summary": "Right.", "confidence_score": 9, "conflict_score": 1}'
DOUBTFUL = '{"judgement_summary": "Unsure about negatives.", "confidence_score": 5, "conflict_score": 2}'


class Shop:
    """A scripted workshop, one `write` at a time, and a look at what it recorded."""

    def __init__(self, root: Path, script: Script, *settings: str) -> None:
        self.workshop: Workshop = scripted_workshop(root, script, settings=settings)
        self.root = root

    def write(self, text: str, *, pipeline: str = "write", **request: Any) -> WriteResult:
        result = self.workshop.call(WriteRequest(text=text, pipeline=pipeline, **request))
        assert isinstance(result, WriteResult)
        return result

    def history(self) -> list[dict[str, Any]]:
        return list(self.workshop.journal.history.newest())

    def steps(self) -> list[str]:
        run = self.workshop.journal.runs.get("last")
        return [step.step_id for step in self.workshop.journal.runs.steps(run.id)]

    def decisions(self) -> dict[str, str]:
        run = self.workshop.journal.runs.get("last")
        notes = self.workshop.journal.notes.of_run(run.id)
        return {note.name: note.reason for note in notes if note.what == "decision"}

    def validations(self) -> list[tuple[str, str]]:
        run = self.workshop.journal.runs.get("last")
        return [(n.name, n.value) for n in self.workshop.journal.notes.of_run(run.id) if n.what == "validation"]

    def prompts(self, stage: str) -> list[str]:
        """What the model was sent at a stage: system and messages as one text each."""
        run = self.workshop.journal.runs.get("last")
        requests = [json.loads(c.request) for c in self.workshop.journal.calls.of_run(run.id) if c.stage == stage]
        return ["\n".join([r["system"], *(m["text"] for m in r["messages"])]) for r in requests]
