"""Where killed errands are sent: a server that outlives them, and the story of one that nothing interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from bottega.models.providers.scripted import ScriptedModel
from bottega.testing import ScriptedServer

from .mortal import MILESTONES, Sitting, child, ended
from .office import office, served_at
from .oracle import Conversation, Oracle, recorded, sent


@dataclass(frozen=True, slots=True)
class Story:
    """All that a run leaves behind and that must not depend on how often it was killed."""

    status: str
    final_state: str | None
    steps: list[tuple[int, str, str, str | None]]
    notes: list[tuple[int, str, str, str, str]]
    sessions: list[str]


@dataclass(frozen=True, slots=True)
class Resumed:
    root: Path
    paid_for: set[Conversation]
    sent_before: int
    process: ForkServerProcess


@dataclass(frozen=True, slots=True)
class Street:
    server: ScriptedServer
    oracle: Oracle
    undisturbed: Story
    moments: list[str]

    def begin(self, root: Path, *, die_at: int = 0, counted: frozenset[str] = MILESTONES) -> ForkServerProcess:
        """A process that begins a run."""
        return child(Sitting(root, self.server.url, "shopping", die_at, counted))

    def resume(self, root: Path, *, die_at: int = 0, counted: frozenset[str] = MILESTONES) -> Resumed:
        """A process that resumes one; what was paid for before it began is kept to be compared."""
        paid_for, before = answered(root), len(self.sent_from(root))
        return Resumed(root, paid_for, before, child(Sitting(root, self.server.url, "", die_at, counted)))

    def sent_from(self, root: Path) -> list[Conversation]:
        return sent(ask for ask in self.server.asked if ask.model == root.name)

    def faults_of(self, resumed: Resumed) -> list[str]:
        """What is wrong with how a run went on, killed once more or not."""
        code = ended(resumed.process)
        again = resumed.paid_for & set(self.sent_from(resumed.root)[resumed.sent_before :])
        faults = [f"sent again: {again}"] if again else []
        return faults if code < 0 else [*faults, *self.faults_of_end(resumed.root, code)]

    def faults_of_end(self, root: Path, code: int) -> list[str]:
        """What is wrong with a run that came to its end: it must be told as the undisturbed one, and replay."""
        if code:
            return [f"the sitting ended with {code}"]
        before = len(self.server.requests)
        with office(root, ScriptedModel([]), settings=served_at(self.server.url)) as errands:
            errands.replay()
        told = story(root)
        return [
            *([f"another story: {told}"] if told != self.undisturbed else []),
            *(["the replay sent something"] if len(self.server.requests) != before else []),
        ]


@contextmanager
def open_street(folder: Path) -> Iterator[Street]:
    oracle = Oracle()
    with ScriptedServer(oracle) as server:
        code = ended(child(Sitting(folder, server.url, "shopping")))
        assert code == 0
        yield Street(server, oracle, story(folder), (folder / "moments.txt").read_text().splitlines())


def story(root: Path) -> Story:
    with office(root) as errands:
        run = errands.journal.runs.get("last")
        return Story(run.status, run.final_state, errands.steps(), errands.notes(), errands.sessions())


def answered(root: Path) -> set[Conversation]:
    """The questions that the journal holds a reply to."""
    with office(root) as errands:
        run = errands.journal.runs.get("last")
        return recorded(errands.journal.calls.of_run(run.id))
