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
_TURN_SHARE = 0.22
_LEFT_OUT = "(left out to save room; look again if you need it)"
_CUT = "\n… (cut to save room)"
_NUDGE = "Go on: call a tool, or end with {submit}."
_ENOUGH = "\n\nThat is enough to look at. Now write_cache for each file that matters, then {submit}."
SMALL_WINDOW = 16_000
_LAST = "\n\nNow call {submit} and nothing else."


@dataclass(frozen=True, slots=True)
class Means:
    """How a model is asked, fixed once for a run so that a replay asks the same."""

    role: str
    mode: Mode
    window: int
    chars_per_token: float
    reply_tokens: int

    @property
    def is_small(self) -> bool:
        """Whether what was looked at is soon in the way of what is to be written."""
        return self.window < SMALL_WINDOW

    def room(self, calls: int = 1) -> int:
        """Characters of one result: those of a turn share what a turn may add."""
        together = self.window * self.chars_per_token * _TURN_SHARE
        return max(400, min(16_000, int(together / max(1, calls))))

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
    """How a loop ended. `reason` is empty when it was by submitting; `answered` is how often the model spoke."""

    turns: int
    reason: str
    tokens: int
    answered: int


def converse(
    run: Run[Any],
    request: Request,
    tools: Sequence[Tool],
    *,
    label: str,
    means: Means,
    most_turns: int,
    meter: Meter,
    use: Callable[[ToolCall, int], str],
    is_done: Callable[[], bool],
    on_turn: Callable[[int, Turn], None] = lambda *_: None,
    looks: frozenset[str] = frozenset(),
    has_seen_all: bool = False,
    recap: Callable[[], str] = str,
) -> Ended:
    """Turn by turn until something is submitted, or a bound is reached.

    Tools that only look (`looks`) are offered while there is time to write down what they show: not in the last two
    turns, and with a small window in the first turn alone, if it has not seen all there is. In the last turn nothing is
    left but to submit.

    The size of a context is that of the last request alone: each holds all that came before it, so a sum over the
    turns would count everything many times.
    """
    submit = tools[-1].name
    writing = [tool for tool in tools if tool.name not in looks]
    until = max(1, most_turns - 2)
    if means.is_small:
        until = 0 if has_seen_all and looks else 1
    request = replace(request, max_tokens=means.reply_tokens)
    last_input = tokens = answered = 0
    for turn in range(1, most_turns + 1):
        stop = run.effect(f"{label}: turn {turn}", meter.why_not)
        if not stop and last_input > means.window * WINDOW_SHARE:
            stop = f"the context holds {last_input} of {means.window} tokens"
        if stop:
            return Ended(turn - 1, str(stop), tokens, answered)
        meter.count(turns=1)
        offered = tools if turn <= until else writing if turn == until + 1 else tools[-1:]
        asked = replace(request, tools=tuple(offered) if means.mode == "native" else ())
        if turn > until and turn > 1 and looks:
            asked = _ending(asked, [tool.name for tool in offered], recap())
        try:
            answer = run.ask(_trimmed(asked, means), TurnContract(offered, means.mode), role=means.role)
        except InputError:
            raise
        except BottegaError as error:
            words = str(error)
            reason = run.effect(f"{label}: failure", lambda: words)  # noqa: B023 - called at once
            return Ended(turn, str(reason), tokens, answered)
        answered += 1
        usage = answer.reply.usage
        last_input = usage.prompt_tokens or means.tokens(asked)
        spent = last_input + (usage.completion_tokens or 0)
        tokens += spent
        meter.count(tokens=spent)
        results = _carried_out(answer.value, offered, use, means)
        on_turn(turn, answer.value)
        if is_done():
            return Ended(turn, "", tokens, answered)
        request = replace(request, messages=followed(request, answer.value, results, means.mode))
    return Ended(most_turns, f"{most_turns} turns were used without {submit}", tokens, answered)


def _carried_out(turn: Turn, offered: Sequence[Tool], use: Callable[[ToolCall, int], str], means: Means) -> list[str]:
    """What came of each call; without any, what the model should do instead."""
    names = {tool.name for tool in offered}
    room = means.room(len(turn.calls))
    results = [
        use(call, room) if call.name in names else f"error: there is no tool {call.name[:40]!r} now"
        for call in turn.calls
    ]
    if not results:
        return [f"{turn.problem}. {_NUDGE.format(submit=offered[-1].name)}"]
    if turn.problem:
        results[-1] += f"\n({turn.problem})"
    return results


def _ending(request: Request, offered: list[str], recap: str) -> Request:
    last = request.messages[-1]
    words = (
        f"{_LAST.format(submit=offered[0])} {recap}".rstrip()
        if len(offered) == 1
        else _ENOUGH.format(submit=offered[-1])
    )
    return replace(request, messages=(*request.messages[:-1], replace(last, text=last.text + words)))


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
    for at in range(len(messages) - 1, last_asked, -1):
        if over <= 0 or last_asked == 0:
            break
        message = messages[at]
        kept = max(200, len(message.text) - over - len(_CUT))
        if kept < len(message.text):
            over -= len(message.text) - kept
            messages[at] = Message(message.role, message.text[:kept] + _CUT, message.tool_calls, message.tool_call_id)
    return replace(request, messages=tuple(messages))
