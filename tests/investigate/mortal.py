"""Investigations carried out by a child process that ends itself with SIGKILL at a moment given to it."""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from bottega.investigate import Order, Report, investigate, investigated
from tests.investigate.museum import Visitor, workshop
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
        house = workshop(self.root, Visitor())
        journal = mortal_journal(self.root, fate)
        house.__dict__["journal"] = journal
        house.__dict__["investigations"] = Shelf(house.investigations, fate)
        if self.is_new:
            report = investigate(Order(self.root), engine=house.engine, pipeline=house.pipelines.find("investigate"))
        else:
            report = investigated(house.engine.resume("last"))
        house.close()
        (self.root.parent / f"{self.root.name}.report").write_text(report.model_dump_json())
        (self.root.parent / f"{self.root.name}.moments").write_text("\n".join(fate.moments))


def child(sitting: Sitting) -> ForkServerProcess:
    process = FORKS.Process(target=sitting.carry_out, daemon=True)
    process.start()
    return process


def told(root: Path) -> dict[str, Any]:
    """The report that a child left, without what differs between any two runs."""
    report = Report.model_validate_json((root.parent / f"{root.name}.report").read_text())
    value = report.model_dump(mode="json")
    scan = value.pop("scan")
    value["files_scanned"] = scan["files"]
    return {name: one for name, one in value.items() if name not in {"run", "investigation", "target", "at"}}
