"""A small museum in files, and a visitor who investigates it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bottega.investigate import InvestigateRequest, InvestigationReport
from bottega.models import Request
from bottega.models.providers.scripted import Line
from bottega.testing import scripted_workshop
from bottega.workshop import Workshop

FILES = {
    "README.md": "# Museum\n\nPaintings and who may see them.\n",
    "LICENSE": "Permission is hereby granted, free of charge, to any person obtaining a copy of this software\n",
    "hall/door.py": '"""The door."""\n\n\ndef open_door(ticket: str) -> bool:\n    return ticket == "paid"\n',
    "hall/desk.py": "import hall.door\n\n\nclass Desk:\n    def sell(self) -> str:\n        return 'paid'\n",
    "hall/attic/box.csv": "name,year\nLandscape,1650\n",
    "hall/attic/notes.txt": "The third box is empty.\n",
    "cellar/pump.sh": "#!/bin/sh\n# pumps water\necho pump\n",
    "cellar/logs/one.log": "started\nstopped\n",
}


def build(root: Path, files: dict[str, str] | None = None) -> Path:
    for name, text in (FILES if files is None else files).items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return root


def calls(*wanted: dict[str, Any]) -> str:
    return json.dumps({"calls": list(wanted)})


def survey(**changes: Any) -> dict[str, Any]:
    return {
        "tool": "submit_survey",
        "description": "a museum",
        "approach": "room by room",
        "relevant_tools": ["read_file"],
        "skip_tools": [],
        "domain_notes": "mind the paint",
        "confidence": 0.9,
        **changes,
    }


def plan(**changes: Any) -> dict[str, Any]:
    return {
        "tool": "submit_plan",
        "priority_dirs": [],
        "shallow_dirs": [],
        "skip_dirs": [],
        "investigation_order": "leaf-first",
        "notes": "count the frames",
        **changes,
    }


def submit(summary: str = "a room", completeness: Any = 0.9) -> dict[str, Any]:
    return {"tool": "submit_report", "summary": summary, "completeness": completeness}


def synthesis(**changes: Any) -> dict[str, Any]:
    return {
        "tool": "submit_report",
        "brief": "A museum.",
        "detailed": "A hall, an attic and a cellar.",
        "components": [{"name": "hall", "path": "hall", "role": "where people enter"}],
        "entry_points": ["cellar/pump.sh"],
        "technologies": ["Python"],
        "datasets": [],
        "concerns": [],
        **changes,
    }


class Visitor:
    """A model that says the usual, unless told otherwise; it remembers what it was asked."""

    def __init__(
        self, directory: Callable[[Request, str], Line] | None = None, **stages: Line | Callable[[], Line]
    ) -> None:
        self.requests: list[Request] = []
        self._directory = directory or (lambda _, path: calls(submit(f"the room {path}")))
        self._stages: dict[str, Line | Callable[[], Line]] = {
            "investigate.survey": calls(survey()),
            "investigate.plan": calls(plan()),
            "investigate.synthesis": calls(synthesis()),
            **{f"investigate.{name}": line for name, line in stages.items()},
        }

    def __call__(self, request: Request) -> Line:
        self.requests.append(request)
        if request.stage == "investigate.directory":
            return self._directory(request, directory_of(request))
        line = self._stages[request.stage]
        return line() if callable(line) else line

    def asked(self) -> list[str]:
        """What was asked about, in order: a pass, or a directory."""
        return [
            directory_of(one) if one.stage == "investigate.directory" else one.stage.removeprefix("investigate.")
            for one in self.requests
        ]

    def prompts(self, path: str) -> list[str]:
        return [
            one.text() for one in self.requests if one.stage == "investigate.directory" and directory_of(one) == path
        ]


def directory_of(request: Request) -> str:
    """The first line of the fence below `Directory`."""
    after = request.messages[0].text.split("Directory (you have", 1)[1]
    return after.split("\n")[2]


def workshop(root: Path, visitor: Callable[[Request], Line], *settings: str) -> Workshop:
    """With a window that is not small, unless the settings say so."""
    return scripted_workshop(root, visitor, settings=("budget.context_window=32768", *settings))


def visit(
    root: Path, visitor: Callable[[Request], Line], *settings: str, pipeline: str = "investigate", **request: Any
) -> InvestigationReport:
    """Investigate `root`, with the records kept there too."""
    with workshop(root, visitor, *settings) as house:
        return examine(house, root, pipeline=pipeline, **request)


def examine(house: Workshop, target: Path, *, pipeline: str = "investigate", **request: Any) -> InvestigationReport:
    """Investigate a directory in a workshop."""
    report = house.call(InvestigateRequest(target=target, pipeline=pipeline, **request)).report
    assert isinstance(report, InvestigationReport)
    return report
