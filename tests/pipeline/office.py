"""An engine in a folder of its own, and a look at what it wrote down."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from bottega.journal import Journal, open_journal
from bottega.models import Model, ModelRouter, RetryPolicy, Roster, open_model
from bottega.pipeline import Engine, Finished, Folder, Kind, Library, Pipeline
from bottega.settings import Limits, ModelChoice, Models, Provider, Settings

from .errand import KINDS, Bag, Basket

HERE = Path(__file__).parent
LIBRARY = Library([Folder(HERE / "pipelines", "pipelines")], KINDS)

SCRIPTED = Settings(models=Models(default=ModelChoice(model="scripted/model")))


def served_at(url: str, model: str = "model") -> Settings:
    """The settings of a workshop whose one model answers over HTTP."""
    shop = Provider(kind="openai", base_url=f"{url}/v1", concurrency=3, timeout=30)
    return Settings(models=Models(default=ModelChoice(model=f"shop/{model}")), providers={"shop": shop})


@dataclass(frozen=True, slots=True)
class Office:
    """Carries errands out in one folder."""

    root: Path
    journal: Journal
    engine: Engine

    def start(self, name: str | Pipeline, state: Basket | None = None) -> Basket:
        pipeline = LIBRARY.get(name) if isinstance(name, str) else name
        return basket(self.engine.start(pipeline, state or Basket()))

    def resume(self, run: str = "last") -> Basket:
        return basket(self.engine.resume(run))

    def replay(self, run: str = "last") -> Basket:
        return basket(self.engine.replay(run))

    def status(self) -> str:
        return self.journal.runs.get("last").status

    def steps(self) -> list[tuple[int, str, str, str | None]]:
        run = self.journal.runs.get("last")
        return [(step.seq, step.step_id, step.status, step.outcome) for step in self.journal.runs.steps(run.id)]

    def notes(self, what: str = "") -> list[tuple[int, str, str, str, str]]:
        run = self.journal.runs.get("last")
        notes = [
            (note.seq, note.what, note.name, note.value, note.reason) for note in self.journal.notes.of_run(run.id)
        ]
        return [note for note in notes if what in ("", note[1])]

    def events(self) -> list[tuple[str, str, str]]:
        run = self.journal.runs.get("last")
        return [(event.kind, event.step, event.text) for event in self.journal.events.after(run.id, 0)]

    def sessions(self) -> list[str]:
        return sorted(path.suffix for path in (self.root / ".bottega" / "sessions").glob("*"))


def basket(finished: Finished) -> Basket:
    assert isinstance(finished.state, Basket)
    return finished.state


@contextmanager
def office(
    root: Path,
    model: Model | None = None,
    *,
    settings: Settings = SCRIPTED,
    limits: Limits | None = None,
    journal: Callable[[Path], Journal] = lambda root: open_journal(root, environ={}),
    kinds: Mapping[str, Kind] = KINDS,
) -> Iterator[Office]:
    """With `model` for every role, or with what the settings name."""
    book = journal(root)
    roster = Roster(
        ModelRouter(settings),
        open_model=lambda config: model or open_model(config, {}),
        facts=book.facts,
        retry=RetryPolicy(retries=0),
    )
    try:
        engine = Engine(book, roster, kinds, lambda _: nullcontext(Bag(root)), limits=limits)
        yield Office(root, book, engine)
    finally:
        roster.close()
        book.close()


def interrupted(part: str, method: str, happen: Callable[[], object]) -> Callable[[Path], Journal]:
    """A journal where something happens before a method of one of its parts is called for the first time."""

    def opened(root: Path) -> Journal:
        journal = open_journal(root, environ={})
        changed: dict[str, Any] = {part: _Interrupted(getattr(journal, part), method, iter([happen]))}
        return replace(journal, **changed)

    return opened


class _Interrupted:
    def __init__(self, part: object, method: str, pending: Iterator[Callable[[], object]]) -> None:
        self._part = part
        self._method = method
        self._pending = pending

    def __getattr__(self, name: str) -> Any:
        if name == self._method:
            for happen in self._pending:
                happen()
        return getattr(self._part, name)


def digest(root: Path) -> str:
    """Of every row of every table, so that a single changed byte shows."""
    with closing(sqlite3.connect(root / ".bottega" / "raw.sqlite")) as db:
        return sha256("\n".join(db.iterdump()).encode()).hexdigest()


def in_a_row(folder: Path, *steps: str, settings: str = "") -> Pipeline:
    """A pipeline from a file with these steps and then home; a step reads `count` or `count, by: 2`."""
    names = [f"{step.partition(',')[0]}_{number}" for number, step in enumerate(steps, 1)]
    rows = [
        f"    - {{id: {name}, next: {following}, action: {step}}}"
        for name, following, step in zip(names, [*names[1:], "home"], steps, strict=True)
    ]
    head = f"pipeline:\n  name: row\n  kind: errand\n  settings: {{entry_step_id: {names[0]}{settings}}}\n  steps:\n"
    file = folder / "row.yaml"
    file.write_text(head + "\n".join([*rows, "    - {id: home, action: go_home}"]) + "\n")
    return LIBRARY.load_file(file)
