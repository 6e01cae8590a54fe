"""Fan-out: in order, bounded, and no failure is lost."""

from __future__ import annotations

import threading
import time

import pytest

from bottega.cancellation import Cancellation, cancel_scope, current_cancellation
from bottega.errors import Cancelled, InputError, ModelFault
from bottega.pipeline import fan_in, fan_out


class Crowd:
    """Counts how many are at work at once."""

    def __init__(self) -> None:
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()

    def work(self, seconds: float) -> float:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(seconds)
        with self._lock:
            self._now -= 1
        return seconds


def test_results_come_in_the_order_of_the_items_and_not_of_their_end() -> None:
    pauses = [0.06, 0.0, 0.03, 0.01]
    assert [landed.value() for landed in fan_out(pauses, Crowd().work, limit=4)] == pauses


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_never_more_than_the_limit_work_at_once(limit: int) -> None:
    crowd = Crowd()
    fan_out([0.01] * 15, crowd.work, limit=limit)
    assert crowd.most <= limit


def test_as_many_as_the_limit_do_work_at_once() -> None:
    meeting = threading.Barrier(3, timeout=10)
    assert [landed.ok for landed in fan_out(range(6), lambda _: meeting.wait(), limit=3)] == [True] * 6


@pytest.mark.parametrize("limit", [1, 3])
def test_every_failure_is_kept_beside_the_results(limit: int) -> None:
    def work(item: int) -> int:
        if item % 2:
            raise ModelFault("m", f"item {item}") if item == 1 else InputError(f"item {item}")
        return item * 10

    landed = fan_out(range(4), work, limit=limit)
    assert [(entry.item, entry.result, entry.ok) for entry in landed] == [
        (0, 0, True),
        (1, None, False),
        (2, 20, True),
        (3, None, False),
    ]
    assert [type(entry.error) for entry in landed if entry.error] == [ModelFault, InputError]
    with pytest.raises(InputError, match="item 3"):
        landed[3].value()


@pytest.mark.parametrize("limit", [1, 3])
def test_a_bug_is_raised_and_not_kept(limit: int) -> None:
    def work(item: int) -> float:
        return 1 / (item - 2)

    with pytest.raises(ZeroDivisionError):
        fan_out(range(4), work, limit=limit)


def test_a_result_of_none_is_a_result() -> None:
    (landed,) = fan_out(["x"], lambda _: None, limit=4)
    assert landed.ok
    assert landed.value() is None


@pytest.mark.parametrize("limit", [0, 1, 8])
def test_nothing_to_do_is_nothing_done(limit: int) -> None:
    assert fan_out([], Crowd().work, limit=limit) == []


def test_items_begin_when_what_they_need_has_landed() -> None:
    needs = {"roof": ["wall", "door"], "wall": ["floor"], "door": ["floor"], "floor": []}
    done: list[str] = []

    def build(item: str) -> str:
        assert all(need in done for need in needs[item])
        done.append(item)
        return item.upper()

    landed = fan_in(list(needs), needs, build, limit=3)
    assert [one.value() for one in landed] == ["ROOF", "WALL", "DOOR", "FLOOR"]


def test_a_failure_below_does_not_keep_what_waits_for_it() -> None:
    def build(item: str) -> str:
        if item == "floor":
            raise InputError("no floor")
        return item

    landed = fan_in(["roof", "floor"], {"roof": ["floor"]}, build, limit=1)
    assert [one.ok for one in landed] == [True, False]


def test_items_that_wait_for_each_other_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(AssertionError, match="depend on each other"):
        fan_in(["a", "b"], {"a": ["b"], "b": ["a"]}, str.upper, limit=2)


@pytest.mark.parametrize("spread", ["fan_out", "fan_in"])
def test_a_cancel_keeps_what_has_not_begun_from_beginning(spread: str) -> None:
    token = Cancellation()
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        if len(begun) == 2:
            token.cancel("enough")
        current_cancellation().sleep(20)
        return item

    with cancel_scope(token), pytest.raises(Cancelled):
        _ = fan_out(range(10), work, limit=2) if spread == "fan_out" else fan_in(range(10), {}, work, limit=2)
    assert sorted(begun) == [0, 1]


def test_a_bug_in_one_item_keeps_those_that_wait_from_beginning() -> None:
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        if item == 0:
            raise ZeroDivisionError
        time.sleep(0.2)
        return item

    with pytest.raises(ZeroDivisionError):
        fan_out(range(20), work, limit=2)
    assert len(begun) < 20
