"""What may pass is tried again, after a wait that grows and has an end."""

from __future__ import annotations

import pytest

from bottega.errors import (
    ModelBusy,
    ModelError,
    ModelFault,
    ModelMissing,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    PromptTruncated,
    ReplyCut,
)
from bottega.models import RetryPolicy
from bottega.models.providers.scripted import ScriptedModel
from bottega.testing import CutStream, Fail, Say, ScriptedServer

from .doubles import Desk, OpenDesk

NAME = "scripted/model"
BROKEN = ModelFault(NAME, "500")


def failing(open_desk: OpenDesk, *errors: ModelError, retries: int = 4) -> Desk:
    desk = open_desk(ScriptedModel(errors), retries=retries)
    with pytest.raises(type(errors[-1])) as caught:
        desk.complete()
    assert caught.value is errors[-1]
    return desk


def test_the_servers_own_retry_after_is_honoured(open_desk: OpenDesk, wire: str) -> None:
    with ScriptedServer([Fail(429, retry_after=7), Fail(429, retry_after=0), Say("done")]) as server:
        desk = open_desk(server, wire)
        assert desk.complete() == "done"
    assert desk.waits == [7.0, 0.0]


def test_a_retry_after_beyond_patience_is_told_at_once(open_desk: OpenDesk) -> None:
    assert failing(open_desk, ModelBusy(NAME, retry_after=3600)).waits == []


def test_a_busy_server_without_a_figure_is_left_a_growing_while(open_desk: OpenDesk) -> None:
    assert failing(open_desk, *[ModelBusy(NAME) for _ in range(5)]).waits == [0.5, 1.0, 2.0, 4.0]


def test_a_broken_server_is_tried_as_often_as_allowed_and_its_own_error_is_told(open_desk: OpenDesk) -> None:
    desk = failing(open_desk, *[BROKEN] * 5)
    assert desk.waits == [0.5, 1.0, 2.0, 4.0]
    assert [number for number, _ in desk.attempts] == [1, 2, 3, 4, 5]
    assert [call.error for call in desk.calls] == [f"ModelFault: {BROKEN}"]


def test_waits_are_bounded_and_spread_by_chance() -> None:
    late = RetryPolicy(retries=20, jitter=lambda: 1.0)
    early = RetryPolicy(retries=20, jitter=lambda: 0.0)
    waits = [late.wait_before(attempt, BROKEN) for attempt in range(1, 21)]
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, *[30.0] * 14]
    assert early.wait_before(20, BROKEN) == 15.0
    assert late.wait_before(21, BROKEN) is None


def test_a_cut_reply_is_asked_for_again_from_its_beginning(open_desk: OpenDesk, wire: str) -> None:
    with ScriptedServer([CutStream("the whole reply", 6), Say("the whole reply")]) as server:
        desk = open_desk(server, wire)
        assert desk.complete() == "the whole reply"
    assert [error for _, error in desk.attempts] == [f"ReplyCut: {ReplyCut(f'{wire}/m')}", None]


def test_a_timeout_is_retried_once(open_desk: OpenDesk) -> None:
    assert failing(open_desk, *[ModelTimeout(NAME, 1) for _ in range(2)]).waits == [0.5]


@pytest.mark.parametrize(
    "error",
    [
        ModelRefused(NAME, "bad key"),
        ModelMissing(NAME, "no such model"),
        ModelUnreachable(NAME, "http://127.0.0.1:1"),
        ModelFault(NAME, "400", passing=False),
        PromptTruncated(NAME, 100, 10),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_cannot_pass_is_not_retried(open_desk: OpenDesk, error: ModelError) -> None:
    desk = failing(open_desk, error)
    assert desk.waits == []
    assert [number for number, _ in desk.attempts] == [1]


def test_no_retries_means_none(open_desk: OpenDesk) -> None:
    assert failing(open_desk, BROKEN, retries=0).waits == []
