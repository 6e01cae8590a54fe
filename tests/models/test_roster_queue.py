"""Calls to one server wait for each other, as many at a time as it can take."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from bottega.models import ModelConfig, NoLog, OnText, Reply, Request
from bottega.models.roster import Roster
from bottega.models.router import ModelRouter
from bottega.settings import Settings

GLANCE = 0.03
"""Seconds in which one caller too many would have come in."""
PATIENCE = 10.0
"""Seconds that a busy machine may take to bring the expected callers together."""


@dataclass
class Room:
    """How many are inside of each server at once, and the most there ever were.

    Visitors stay until as many as expected have met, and a moment longer for one too many to show.
    """

    expected: int
    inside: Counter[str] = field(default_factory=Counter)
    most: Counter[str] = field(default_factory=Counter)
    everywhere: int = 0
    changed: threading.Condition = field(default_factory=threading.Condition)

    def visit(self, server: str) -> None:
        with self.changed:
            self.inside[server] += 1
            self.most[server] = max(self.most[server], self.inside[server])
            self.everywhere = max(self.everywhere, self.inside.total())
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.everywhere >= self.expected, PATIENCE)
            self.changed.wait_for(lambda: self.everywhere > self.expected, GLANCE)
            self.inside[server] -= 1


@dataclass
class Visitor:
    config: ModelConfig
    room: Room

    @property
    def name(self) -> str:
        return self.config.id

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.room.visit(self.config.base_url or self.config.provider)
        return Reply("done")


def visit_together(
    providers: Mapping[str, Mapping[str, object]], roles: Mapping[str, str], *, expected: int, times: int = 3
) -> Room:
    """Every role asks its model so many times, all at once."""
    room = Room(expected)
    settings = Settings.model_validate({"models": roles, "providers": providers})
    roster = Roster(ModelRouter(settings), open_model=lambda config: Visitor(config, room))

    def ask(role: str) -> None:
        roster.complete(Request.of("hello"), role=role, log=NoLog())

    threads = [threading.Thread(target=ask, args=(role,)) for role in roles for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    roster.close()
    return room


HERE = "http://127.0.0.1:1234/v1"


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_no_more_calls_run_at_once_than_the_server_takes(limit: int) -> None:
    place = {"kind": "openai", "base_url": HERE, "concurrency": limit}
    room = visit_together({"here": place}, {"coding": "here/m"}, expected=limit, times=5)
    assert room.most[HERE] == limit


def test_a_server_on_this_machine_is_serial_unless_told() -> None:
    room = visit_together({"here": {"kind": "openai", "base_url": HERE}}, {"coding": "here/m"}, expected=1)
    assert room.most[HERE] == 1


def test_a_server_elsewhere_takes_four_unless_told() -> None:
    away = "https://models.example/v1"
    room = visit_together({"away": {"kind": "openai", "base_url": away}}, {"coding": "away/m"}, expected=4, times=6)
    assert room.most[away] == 4


def test_models_of_one_server_share_its_queue() -> None:
    place = {"kind": "openai", "base_url": HERE}
    room = visit_together({"one": place, "two": place}, {"coding": "one/a", "judge": "two/b"}, expected=1, times=2)
    assert room.most[HERE] == 1


def test_servers_do_not_wait_for_each_other() -> None:
    there = "http://127.0.0.1:4321/v1"
    places = {"one": {"kind": "openai", "base_url": HERE}, "two": {"kind": "openai", "base_url": there}}
    room = visit_together(places, {"coding": "one/a", "judge": "two/b"}, expected=2)
    assert room.most == {HERE: 1, there: 1}
    assert room.everywhere == 2


def test_embedded_models_share_the_cores_of_one_machine() -> None:
    room = visit_together({}, {"coding": "embedded/a", "judge": "embedded/b"}, expected=1, times=2)
    assert room.most["embedded"] == 1
