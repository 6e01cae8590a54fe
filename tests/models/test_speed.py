"""The speed of a model comes from its recorded calls, whatever single calls took."""

from __future__ import annotations

import random

import pytest

from bottega.journal import CallTiming, Journal
from bottega.models import estimate_time, find_speed, fit_speed
from bottega.testing.journal_contract.samples import begin, complete, send

PROMPT, REPLY = 0.002, 0.05


def call(prompt: int, reply: int, factor: float = 1.0) -> CallTiming:
    return CallTiming(prompt, reply, (prompt * PROMPT + reply * REPLY) * factor)


def test_reading_and_writing_are_told_apart() -> None:
    speed = fit_speed([call(1000, 20), call(200, 200), call(3000, 50)])
    assert speed is not None
    assert speed.prompt_seconds == pytest.approx(PROMPT)
    assert speed.reply_seconds == pytest.approx(REPLY)


def test_calls_that_waited_for_a_model_to_be_loaded_do_not_count() -> None:
    chance = random.Random(7)
    calls = [call(chance.randint(200, 6000), chance.randint(20, 600), chance.uniform(0.9, 1.1)) for _ in range(20)]
    waited = [CallTiming(500, 50, 90.0), CallTiming(300, 20, 240.0)]
    speed = fit_speed([*calls, *waited])
    assert speed is not None
    assert speed.prompt_seconds == pytest.approx(PROMPT, rel=0.25)
    assert speed.reply_seconds == pytest.approx(REPLY, rel=0.25)


@pytest.mark.parametrize("count", [1, 3])
def test_calls_that_are_all_alike_give_one_speed(count: int) -> None:
    speed = fit_speed([CallTiming(100, 100, 4.0)] * count)
    assert speed is not None
    assert (speed.prompt_seconds, speed.reply_seconds) == (0.02, 0.02)


@pytest.mark.parametrize("calls", [[], [CallTiming(0, 0, 3.0)], [CallTiming(10, 10, 0.0)]])
def test_what_tells_nothing_is_unknown(calls: list[CallTiming]) -> None:
    assert fit_speed(calls) is None


def test_a_model_without_a_recorded_call_is_unknown_and_says_how_it_becomes_known(journal: Journal) -> None:
    estimate = estimate_time("ollama/m", find_speed("ollama/m", journal.calls, {"HOME": "/nowhere"}), 1000, 100)
    assert estimate.minutes is None
    assert "its first run measures it" in str(estimate)


def test_an_embedded_model_has_the_figure_of_the_table_until_it_was_measured_here(journal: Journal) -> None:
    name = "embedded/qwen2.5-coder-1.5b"
    estimate = estimate_time(name, find_speed(name, journal.calls, {"HOME": "/nowhere"}), 7600, 2500)
    assert estimate.minutes == pytest.approx((100 + 100) / 60, rel=0.01)
    assert "not here" in str(estimate)


def test_recorded_calls_win(journal: Journal) -> None:
    complete(journal, send(journal, begin(journal)))
    speed = find_speed("scripted/one", journal.calls, {"HOME": "/nowhere"})
    assert speed is not None
    assert "from 1 recorded call" in speed.known_from


@pytest.mark.parametrize(
    ("minutes", "told"),
    [(0.4, "under a minute"), (1.2, "about 1 min"), (42.4, "about 42 min"), (131, "about 2 h 10 min")],
)
def test_an_estimate_is_rounded(minutes: float, told: str) -> None:
    speed = fit_speed([CallTiming(0, 60, 60.0)])
    assert str(estimate_time("a/m", speed, 0, round(minutes * 60))).startswith(told)
