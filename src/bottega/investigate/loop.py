"""A bounded loop: a model asks for tools, gets their results, and ends by submitting; code decides when it is over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bottega.errors import BottegaError, InputError
from bottega.investigate.turns import Mode, Turn, TurnContract, followed
from bottega.models import Message, Request, Tool, ToolCall
from bottega.pipeline import Run

WINDOW_SHARE = 0.7
# Older results make room before the window's share is used up.
_TRIM_SHARE = 0.6
_LEFT_OUT = "(left out to save room; look again if you need it)"
_NUDGE = "Go on: call a tool, or end with {submit}."
_LAST = "\n\nThis is your last turn: call {submit} now."


@dataclass(frozen=True, slots=True)
class Means:
    """How a model is asked, fixed once for a run so that a replay asks the same."""

    role: str
    mode: Mode
    window: int
    chars_per_token: float
    reply_tokens: int

    @property
    def room(self) -> int:
        """Characters of one result."""
        return max(600, min(16_000, int(self.window * self.chars_per_token / 10)))

    def tokens(self, request: Request) -> int:
        return int(request.chars() / self.chars_per_token)


@dataclass(slots=True)
class Meter:
    """What a run has used, over all its loops; several at once may count."""

    most_turns: int
    turns: int = 0
    tokens: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def why_not(self) -> str:
        """Why there is no further turn; "" while there is one."""
        with self._lock:
            is_over = self.most_turns and self.turns >= self.most_turns
            return f"all {self.most_turns} turns of the run are used" if is_over else ""

    def count(self, *, turns: int = 0, tokens: int = 0) -> None:
        with self._lock:
            self.turns += turns
            self.tokens += tokens


@dataclass(frozen=True, slots=True)
class Ended:
    """How a loop ended. `reason` is empty when it was by submitting."""

    turns: int
    reason: str
    tokens: int


def converse(
    run: Run[Any],
    request: Request,
    tools: Sequence[Tool],
    *,
    label: str,
    means: Means,
    most_turns: int,
    meter: Meter,
    use: Callable[[ToolCall], str],
    is_done: Callable[[], bool],
    on_turn: Callable[[int, Turn], None] = lambda *_: None,
) -> Ended:
    """Turn by turn until something is submitted, or a bound is reached.

    The size of a context is that of the last request alone: each holds all that came before it, so a sum over the
    turns would count everything many times.
    """
    submit = tools[-1].name
    contract = TurnContract(tools, means.mode)
    request = replace(request, tools=tuple(tools) if means.mode == "native" else (), max_tokens=means.reply_tokens)
    last_input = tokens = 0
    for turn in range(1, most_turns + 1):
        stop = run.effect(f"{label}: turn {turn}", meter.why_not)
        if not stop and last_input > means.window * WINDOW_SHARE:
            stop = f"the context holds {last_input} of {means.window} tokens"
        if stop:
            return Ended(turn - 1, str(stop), tokens)
        meter.count(turns=1)
        asked = _ending(request, submit) if turn == most_turns and turn > 1 else request
        try:
            answer = run.ask(_trimmed(asked, means), contract, role=means.role)
        except InputError:
            raise
        except BottegaError as error:
            reason = run.effect(f"{label}: failure", lambda: str(error))  # noqa: B023 - called at once
            return Ended(turn, str(reason), tokens)
        usage = answer.reply.usage
        last_input = usage.prompt_tokens or means.tokens(asked)
        spent = last_input + (usage.completion_tokens or 0)
        tokens += spent
        meter.count(tokens=spent)
        results = [use(call) for call in answer.value.calls]
        on_turn(turn, answer.value)
        if is_done():
            return Ended(turn, "", tokens)
        if not results:
            results = [f"{answer.value.problem}. {_NUDGE.format(submit=submit)}"]
        request = replace(request, messages=followed(request, answer.value, results, means.mode))
    return Ended(most_turns, f"{most_turns} turns were used without {submit}", tokens)


def _ending(request: Request, submit: str) -> Request:
    last = request.messages[-1]
    words = replace(last, text=last.text + _LAST.format(submit=submit))
    return replace(request, messages=(*request.messages[:-1], words))


def _trimmed(request: Request, means: Means) -> Request:
    """The same with the oldest results left out, as far as it takes; the task and the last exchange always stay."""
    most = int(means.window * _TRIM_SHARE * means.chars_per_token)
    messages = list(request.messages)
    over = request.chars() - most
    last_asked = max((at for at, one in enumerate(messages) if one.role == "assistant"), default=0)
    for at in range(1, last_asked):
        if over <= 0:
            break
        message = messages[at]
        if message.role != "assistant" and len(message.text) > len(_LEFT_OUT):
            over -= len(message.text) - len(_LEFT_OUT)
            messages[at] = Message(message.role, _LEFT_OUT, message.tool_calls, message.tool_call_id)
    return replace(request, messages=tuple(messages))
