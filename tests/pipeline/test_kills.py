"""kill -9 at every moment of a run: what is resumed ends as if nothing had happened, and no reply is paid twice."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bottega.models.providers.scripted import ScriptedModel
from bottega.testing import ScriptedServer

from .mortal import Sitting, child, ended
from .office import office, served_at
from .oracle import Conversation, Oracle, recorded, sent

KILLED = -signal.SIGKILL
QUESTIONS = 7


@dataclass(frozen=True, slots=True)
class Story:
    """All that a run leaves behind and that must not depend on how often it was killed."""

    final_state: str
    steps: list[tuple[int, str, str, str | None]]
    notes: list[tuple[int, str, str, str, str]]
    sessions: list[str]


@dataclass(frozen=True, slots=True)
class Street:
    """A server that outlives every errand, and the story of the errand that nothing interrupted."""

    server: ScriptedServer
    oracle: Oracle
    undisturbed: Story
    writes: list[str]

    def is_told_the_same(self, root: Path) -> bool:
        return story(root) == self.undisturbed


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    oracle = Oracle()
    with ScriptedServer(oracle) as server:
        root = tmp_path_factory.mktemp("undisturbed")
        assert ended(child(Sitting(root, server.url, "shopping"))) == 0
        yield Street(server, oracle, story(root), (root / "moments.txt").read_text().splitlines())


def story(root: Path) -> Story:
    with office(root) as errands:
        state = errands.journal.runs.get("last").final_state or ""
        return Story(state, errands.steps(), errands.notes(), errands.sessions())


def answered(root: Path) -> set[Conversation]:
    with office(root) as errands:
        newest = errands.journal.runs.newest(1)
        return recorded(errands.journal.calls.of_run(newest[0].id)) if newest else set()


def replayed(root: Path, settings_at: str) -> None:
    with office(root, ScriptedModel([]), settings=served_at(settings_at)) as errands:
        errands.replay()


def resumed(street: Street, root: Path) -> list[str]:
    """What is wrong with how a killed run goes on."""
    paid_for, before = answered(root), len(street.server.asked)
    code = ended(child(Sitting(root, street.server.url)))
    again = paid_for & set(sent(street.server.asked[before:]))
    replayed(root, street.server.url)
    return [
        *([f"the resume ended with {code}"] if code else []),
        *([f"sent again: {again}"] if again else []),
        *([] if street.is_told_the_same(root) else [f"another story: {story(root)}"]),
    ]


def test_a_run_killed_after_any_write_ends_as_if_it_had_not_been(street: Street, tmp_path: Path) -> None:
    wrong: dict[str, list[str]] = {}
    for number, write in enumerate(street.writes, 1):
        root = tmp_path / str(number)
        root.mkdir()
        first = child(Sitting(root, street.server.url, "shopping", die_at=number))
        assert ended(first) == KILLED
        if faults := resumed(street, root):
            wrong[f"{number} after {write}"] = faults
    assert wrong == {}
