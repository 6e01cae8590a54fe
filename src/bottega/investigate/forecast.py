"""What an investigation would take, before any of it is paid for."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from bottega.investigate.plans import DEFAULT_TURNS
from bottega.investigate.units import Unit

# Measured on our own runs: the turns that a directory takes of those it may, and the parts of a request.
_TURNS_TAKEN = 3.0
_PROMPT_CHARS, _TURN_CHARS, _REPLY_TOKENS = 5000, 3500, 260
_FIXED_TURNS = 3


@dataclass(frozen=True, slots=True)
class Forecast:
    """`tokens` and `cost` are what to expect; `most_turns` is the bound that holds. `cost` is `None` where unknown."""

    model: str
    directories: int
    known: int
    turns: int
    most_turns: int
    prompt_tokens: int
    reply_tokens: int
    cost: float | None

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.reply_tokens

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "tokens": self.tokens}

    def __str__(self) -> str:
        if not self.turns:
            return f"{self.directories} directories, all known: nothing is to be paid"
        cost = "cost unknown" if self.cost is None else f"about ${self.cost:.2f}"
        who = self.model or "no model is here"
        return (
            f"{self.directories} directories, {self.known} of them known: about {self.turns} turns (at most"
            f" {self.most_turns}), {self.prompt_tokens} + {self.reply_tokens} tokens, {cost} ({who})"
        )


def forecast(
    units: list[Unit],
    known: int,
    *,
    model: str,
    window: int,
    chars_per_token: float,
    price: tuple[float, float] | None,
    most_turns: int = 0,
) -> Forecast:
    """Each turn carries all that came before it, so the tokens of a loop grow with the square of its turns."""
    todo = max(0, len(units) - known)
    if not todo:
        return Forecast(model, len(units), known, 0, 0, 0, 0, None if price is None else 0.0)
    turns = int(todo * _TURNS_TAKEN) + _FIXED_TURNS
    bound = most_turns or DEFAULT_TURNS * len(units) + 20
    turns = min(turns, bound)
    shown = min(window * chars_per_token * 0.3, 12_000)
    first = (_PROMPT_CHARS + shown) / chars_per_token
    growth = _TURN_CHARS / chars_per_token * (_TURNS_TAKEN - 1) / 2
    prompt = int(turns * min(first + growth, window * 0.7))
    reply = turns * _REPLY_TOKENS
    cost = None if price is None else (prompt * price[0] + reply * price[1]) / 1e6
    return Forecast(model, len(units), known, turns, bound, prompt, reply, cost)
