"""An estimate of the turns, tokens, cost and minutes of an investigation, made before any model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bottega.amounts import plural
from bottega.investigate.allotting import DEFAULT_TURNS
from bottega.investigate.units import Unit
from bottega.models import Speed, TimeEstimate, estimate_time
from bottega.pipeline.toolloop import SMALL_WINDOW

# Measured on our own runs: turns per directory, characters of the parts of a request, tokens of a reply.
_TURNS, _SMALL_WINDOW_TURNS = 3.0, 2.0
_FIXED_CHARS, _FILE_CHARS, _CHILD_CHARS, _GROWTH_CHARS = 3200, 45, 160, 1800
_SHOWN_SHARE = 0.2
_REPLY_TOKENS = 260
# Passes besides the directories: the survey, the plan and the report.
_PASSES, _PASS_CHARS = 3, 6000


@dataclass(frozen=True, slots=True)
class Forecast:
    """Expected tokens, cost and minutes (`None` when unknown), and `most_turns`, which is never exceeded."""

    model: str
    directories: int
    known: int
    turns: int
    most_turns: int
    prompt_tokens: int
    reply_tokens: int
    cost: float | None
    minutes: float | None
    minutes_from: str

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.reply_tokens

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "tokens": self.tokens}

    def __str__(self) -> str:
        directories = plural(self.directories, "directory")
        if not self.turns:
            return f"{directories}, all known: nothing is to be paid"
        cost = "cost unknown" if self.cost is None else f"about ${self.cost:.2f}"
        who = self.model or "no model is here"
        time = f"; {TimeEstimate(self.model, self.minutes, self.minutes_from)}" if self.model else ""
        return (
            f"{directories}, {self.known} of them known: about {plural(self.turns, 'turn')} (at most"
            f" {self.most_turns:,}), {self.prompt_tokens:,} + {self.reply_tokens:,} tokens, {cost} ({who}){time}"
        )


def forecast(
    units: Sequence[Unit],
    known: frozenset[str],
    *,
    model: str,
    window: int,
    chars_per_token: float,
    price: tuple[float, float] | None,
    speed: Speed | None = None,
    most_turns: int = 0,
    has_report: bool = True,
) -> Forecast:
    """Each turn repeats the requests before it, so a loop costs its first request once per turn, and its growth."""
    is_small = window < SMALL_WINDOW
    todo = [unit for unit in units if unit.path not in known and not unit.needs_no_model(is_small=is_small)]
    passes = _PASSES if todo else 0 if has_report else 1
    if not passes:
        return Forecast(model, len(units), len(known), 0, 0, 0, 0, None if price is None else 0.0, 0.0, "")
    each = _SMALL_WINDOW_TURNS if is_small else _TURNS
    bound = most_turns or DEFAULT_TURNS * len(units) + 20
    wanted = int(len(todo) * each) + passes
    turns = min(wanted, bound)
    chars = sum(
        each * (_count_first_request_chars(unit, window * chars_per_token) + _GROWTH_CHARS * (each - 1) / 2)
        for unit in todo
    )
    chars += passes * min(_PASS_CHARS, window * chars_per_token / 2)
    prompt = int(chars / chars_per_token * turns / wanted)
    reply = turns * _REPLY_TOKENS
    cost = None if price is None else (prompt * price[0] + reply * price[1]) / 1e6
    time = estimate_time(model, speed, prompt, reply)
    return Forecast(model, len(units), len(known), turns, bound, prompt, reply, cost, time.minutes, time.known_from)


def _count_first_request_chars(unit: Unit, window_chars: float) -> float:
    listed = _FILE_CHARS * min(unit.count, 100) + _CHILD_CHARS * min(len(unit.children), 20)
    return _FIXED_CHARS + listed + min(unit.bytes, window_chars * _SHOWN_SHARE)
