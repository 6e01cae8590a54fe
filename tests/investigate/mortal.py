"""Investigations carried out by a child process that ends itself with SIGKILL at a moment given to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from bottega.investigate import InvestigationReport
from bottega.journal import Journal
from bottega.testing import scripted_workshop
from tests.investigate.museum import Visitor, examine
from tests.pipeline.mortal import FORKS, MILESTONES, Fate, Part, mortal_journal

STORED = frozenset({"open", "put", "write", "append", "rewrite", "drop"})


class Shelf(Part):
    """The store of investigations, whose every write may be the last."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        return self._mortal(name, found) if name in STORED else found

    def open(self, target: str, *, fresh: bool = False) -> Any:
        return self._mortal("open", self._part.open)(target, fresh=fresh)  # type: ignore[attr-defined]  # see above


@dataclass(frozen=True, slots=True)
class Sitting:
    """Begin an investigation of a folder, or go on with the last; die at the `die_at`th moment, never when it is 0."""

    root: Path
    is_new: bool
    die_at: int = 0

    def carry_out(self) -> None:
        fate = Fate(self.die_at, MILESTONES | STORED)

        def open_journal(root: Path, **_: Any) -> Journal:
            journal = mortal_journal(root, fate)
            stores: dict[str, Any] = {"investigations": Shelf(journal.investigations, fate)}
            return replace(journal, **stores)

        settings = ["budget.context_window=32768"]
        with scripted_workshop(self.root, Visitor(), settings=settings, open_journal=open_journal) as house:
            report = examine(house, self.root) if self.is_new else house.resume("last").result().report
        (self.root.parent / f"{self.root.name}.report").write_text(report.model_dump_json())
        (self.root.parent / f"{self.root.name}.moments").write_text("\n".join(fate.moments))


def child(sitting: Sitting) -> ForkServerProcess:
    process = FORKS.Process(target=sitting.carry_out, daemon=True)
    process.start()
    return process


def told(root: Path) -> dict[str, Any]:
    """The report that a child left, without what differs between any two runs."""
    report = InvestigationReport.model_validate_json((root.parent / f"{root.name}.report").read_text())
    value = report.model_dump(mode="json")
    scan = value.pop("scan")
    value["files_scanned"] = scan["files"]
    return {name: one for name, one in value.items() if name not in {"run", "investigation", "target", "at"}}
