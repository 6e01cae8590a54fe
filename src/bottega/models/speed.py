"""How fast a model is here: seconds per token of prompt and of reply, from its latest recorded calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from bottega.amounts import format_duration, plural
from bottega.journal import CallStore, CallTiming
from bottega.models.recommend import find_known_model

_LATEST = 40
# Two calls tell reading and writing apart only where their shares of prompt and reply differ by this much.
_SMALLEST_ANGLE = 0.05


@dataclass(frozen=True, slots=True)
class Speed:
    """Seconds per token, and where they are known from."""

    prompt_seconds: float
    reply_seconds: float
    known_from: str


@dataclass(frozen=True, slots=True)
class TimeEstimate:
    """How long calls of a model may take, one after another; `minutes` is `None` where its speed is not known."""

    model: str
    minutes: float | None
    known_from: str = ""

    def __str__(self) -> str:
        if self.minutes is None:
            return f"minutes unknown: no call of {self.model} is recorded here yet, and its first run measures it"
        return f"{_round_minutes(self.minutes)} of model time ({self.known_from})"


def _round_minutes(minutes: float) -> str:
    """An estimate is not told to the second."""
    if minutes < 1:
        return "under a minute"
    return f"about {round(minutes)} min" if minutes < 90 else f"about {format_duration(round(minutes, -1) * 60)}"


def estimate_time(model: str, speed: Speed | None, prompt_tokens: int, reply_tokens: int) -> TimeEstimate:
    if speed is None:
        return TimeEstimate(model, None)
    seconds = prompt_tokens * speed.prompt_seconds + reply_tokens * speed.reply_seconds
    return TimeEstimate(model, round(seconds / 60, 2), speed.known_from)


def find_speed(model: str, calls: CallStore | None, environ: Mapping[str, str]) -> Speed | None:
    """The speed of a model from its recorded calls, else from the table of known models, else `None`."""
    if calls is not None and (measured := fit_speed(calls.timings(model, _LATEST))) is not None:
        return measured
    row = find_known_model(model, environ)
    if row is None or row.speed is None:
        return None
    return Speed(1 / row.speed.prompt, 1 / row.speed.reply, f"as measured on {row.speed.machine}, not here")


def fit_speed(timings: Sequence[CallTiming]) -> Speed | None:
    """The speed that explains most calls, whatever single calls took; `None` without a call that tells.

    Every pair of calls is solved for the two speeds, and their medians hold (after Theil and Sen): a third of the calls
    may be far off, as those are that waited for a model to be loaded.
    """
    told = [timing for timing in timings if timing.seconds > 0 and timing.prompt_tokens + timing.reply_tokens > 0]
    if not told:
        return None
    known_from = f"from {plural(len(told), 'recorded call')}"
    solved = [pair for one, other in combinations(told, 2) if (pair := _solve(one, other)) is not None]
    if solved:
        prompt, reply = median(each[0] for each in solved), median(each[1] for each in solved)
        if prompt >= 0 and reply > 0:
            return Speed(prompt, reply, known_from)
    return _fit_one_speed(told, known_from)


def _solve(one: CallTiming, other: CallTiming) -> tuple[float, float] | None:
    """Seconds per token of prompt and of reply that explain both calls; `None` where their tokens are too alike."""
    determinant = one.prompt_tokens * other.reply_tokens - other.prompt_tokens * one.reply_tokens
    length = _length(one) * _length(other)
    if abs(determinant) < _SMALLEST_ANGLE * length:
        return None
    prompt = (one.seconds * other.reply_tokens - other.seconds * one.reply_tokens) / determinant
    reply = (one.prompt_tokens * other.seconds - other.prompt_tokens * one.seconds) / determinant
    return prompt, reply


def _length(timing: CallTiming) -> float:
    return float((timing.prompt_tokens**2 + timing.reply_tokens**2) ** 0.5)


def _fit_one_speed(timings: Sequence[CallTiming], known_from: str) -> Speed:
    """One speed for all tokens, where the calls do not tell reading and writing apart."""
    seconds = median(timing.seconds / (timing.prompt_tokens + timing.reply_tokens) for timing in timings)
    return Speed(seconds, seconds, known_from)
