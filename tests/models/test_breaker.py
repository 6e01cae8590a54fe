"""A model that fails again and again is left alone for a while."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bottega.errors import BreakerOpen, ModelBusy, ModelError, ModelFault, ModelRefused, ModelTimeout, ModelUnreachable
from bottega.models import Request
from bottega.models.breaker import Breaker
from bottega.models.providers.scripted import ScriptedModel

from .doubles import Clock, Desk, OpenDesk, settings_for

NAME = "scripted/model"
BROKEN = ModelFault(NAME, "500")


def fail(breaker: Breaker, error: BaseException = BROKEN, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(type(error)), breaker.watch(NAME):
            raise error


def rest(breaker: Breaker) -> str | None:
    """How long the model is left alone, None when it may be asked."""
    try:
        with breaker.watch(NAME):
            return None
    except BreakerOpen as error:
        return str(error)


def test_three_failures_in_a_row_open_it_for_thirty_seconds(open_desk: OpenDesk) -> None:
    asked = 0

    def broken(_request: Request) -> ModelError:
        nonlocal asked
        asked += 1
        return BROKEN

    desk = open_desk(ScriptedModel(broken), retries=0)
    for _ in range(3):
        with pytest.raises(ModelFault):
            desk.complete()
    with pytest.raises(BreakerOpen, match="left alone for 30 s"):
        desk.complete()
    assert asked == 3
    assert [call.status for call in desk.calls] == ["failed"] * 4
    assert str(desk.calls[-1].error).startswith("BreakerOpen")


def test_the_tries_of_one_call_are_one_failure(open_desk: OpenDesk) -> None:
    lines: Iterator[ModelError | str] = iter([*[BROKEN] * 10, "well again"])
    desk = open_desk(ScriptedModel(lines), retries=4)
    for _ in range(2):
        with pytest.raises(ModelFault):
            desk.complete()
    assert desk.complete() == "well again"


def test_a_success_closes_the_count() -> None:
    breaker = Breaker(Clock())
    fail(breaker, times=2)
    assert rest(breaker) is None
    fail(breaker, times=2)
    assert rest(breaker) is None


def test_after_its_rest_one_trial_decides() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    fail(breaker, times=3)
    clock.time = 29.0
    assert rest(breaker) == f"{NAME} failed repeatedly and is left alone for 1 s"
    clock.time = 30.0
    with breaker.watch(NAME):
        assert rest(breaker) is not None, "a second caller waits for the trial to end"
    assert rest(breaker) is None
    fail(breaker, times=2)
    assert rest(breaker) is None, "a trial that went well forgets what was before"


def test_each_failed_trial_doubles_the_rest_up_to_five_minutes() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    fail(breaker, times=3)
    rests = []
    for _ in range(6):
        clock.time += 10_000
        fail(breaker)
        rests.append(str(rest(breaker)).rpartition("for ")[2])
    assert rests == ["60 s", "120 s", "240 s", "300 s", "300 s", "300 s"]


@pytest.mark.parametrize(
    "error", [ModelBusy(NAME), ModelRefused(NAME, "bad key"), KeyboardInterrupt(), ValueError("bug")]
)
def test_what_is_not_the_models_fault_never_counts(error: BaseException) -> None:
    breaker = Breaker(Clock())
    fail(breaker, error, times=9)
    assert rest(breaker) is None


@pytest.mark.parametrize("error", [ModelBusy(NAME), KeyboardInterrupt()])
def test_a_trial_without_a_verdict_leaves_its_place_to_the_next(error: BaseException) -> None:
    clock = Clock()
    breaker = Breaker(clock)
    fail(breaker, times=3)
    clock.time = 30.0
    fail(breaker, error)
    assert rest(breaker) is None


@pytest.mark.parametrize("error", [ModelUnreachable(NAME, "http://here"), ModelTimeout(NAME, 1), BROKEN])
def test_what_is_the_models_fault_counts(error: ModelError) -> None:
    breaker = Breaker(Clock())
    fail(breaker, error, times=3)
    assert rest(breaker) is not None


def test_models_are_counted_apart(open_desk: OpenDesk) -> None:
    settings = settings_for("scripted/ill").model_copy(
        update={
            "models": settings_for().models.model_copy(update={"judge": settings_for("scripted/well").models.default})
        }
    )
    desk: Desk = open_desk(
        ScriptedModel(lambda request: BROKEN if request.stage == "ill" else "well"), settings=settings
    )
    for _ in range(3):
        with pytest.raises(ModelFault):
            desk.roster.complete(Request.of("?", stage="ill"), role="coding", log=desk.log())
    assert desk.roster.complete(Request.of("?"), role="judge", log=desk.log()).text == "well"
