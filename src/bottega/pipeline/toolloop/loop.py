"""A bounded loop: a model calls tools, gets their results, and ends by submitting; code decides when it is over."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from bottega.cancellation import current_cancellation
from bottega.errors import BottegaError, InputError
from bottega.models import Answer, Request, Tool, ToolCall
from bottega.pipeline.run import Run
from bottega.pipeline.toolloop.profile import ModelProfile, TurnBudget
from bottega.pipeline.toolloop.tools import LoopTool, Submission
from bottega.pipeline.toolloop.trimming import has_left_out, trim_request
from bottega.pipeline.toolloop.turns import Turn, TurnContract, append_turn, describe_call_format, describe_tools

T = TypeVar("T")
_WINDOW_SHARE = 0.7
_NUDGE = "Go on: call a tool, or end with {submit}."
_SUBMIT_ONLY = "\n\nNow call {submit} and nothing else."
_SUBMIT_AND_REPORT = "\n\nNow call {submit}; nothing but {reports} may come with it."
_NO_MORE_EXPLORING = "\n\nThat is enough to look at. Now {advice}{submit}."


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A tool call that a model made, and whether it was refused or failed."""

    turn: int
    name: str
    arguments: Mapping[str, Any]
    is_error: bool


@dataclass(frozen=True, slots=True)
class LoopResult(Generic[T]):
    """How a loop ended: `submitted` is `None` when nothing was accepted, and `reason` then says why.

    `turns` counts those that began, `replies` those in which the model answered.
    """

    submitted: T | None
    reason: str
    turns: int
    replies: int
    tokens: int
    calls: tuple[CallRecord, ...]


def ignore_turn(turn: int, reply: Turn) -> None:
    """For callers that do not watch."""
    del turn, reply


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLoop(Generic[T]):
    """A model, its tools, the tool that ends the loop, and the limits.

    Exploring tools are offered until two turns before the last; with a small window in one turn of ten, one more for
    each five, and not at all if it `has_seen_all`. In the last turn only the submission is offered, beside tools that
    report where the window is large; these are accepted in every turn. `wrap_up` tells the model what to do
    between exploring and submitting, `recap` what it has written down so far.
    """

    tools: Sequence[LoopTool]
    submit: Submission[T]
    model: ModelProfile
    max_turns: int
    budget: TurnBudget = field(default_factory=TurnBudget)
    has_seen_all: bool = False
    wrap_up: str = ""
    recap: Callable[[], str] = str
    on_turn: Callable[[int, Turn], None] = ignore_turn

    def instructions(self) -> str:
        """How to call these tools, for the system prompt of the request."""
        definitions = [*(tool.definition for tool in self.tools), self.submit.definition]
        listing = f"\n{describe_tools(definitions)}" if self.model.mode == "json" else ""
        return describe_call_format(self.model.mode) + listing

    def run(self, run: Run[Any], request: Request, *, label: str) -> LoopResult[T]:
        """Ask turn by turn until something is submitted or a limit is reached. `label` names the loop in records."""
        return _Conversation(self, run, replace(request, max_tokens=self.model.reply_tokens), label).hold()


class _Conversation(Generic[T]):
    def __init__(self, loop: ToolLoop[T], run: Run[Any], request: Request, label: str) -> None:
        self._loop = loop
        self._run = run
        self._request = request
        self._label = label
        self._submit = loop.submit.definition
        self._reporting = {tool.definition.name: tool for tool in loop.tools if tool.reports}
        self._has_exploring = any(tool.explores for tool in loop.tools)
        self._submitted: list[T] = []
        self._calls: list[CallRecord] = []
        self._made: dict[str, int] = {}
        self._sees_all_results = True
        self._tokens = self._replies = self._context_tokens = 0

    def hold(self) -> LoopResult[T]:
        for turn in range(1, self._loop.max_turns + 1):
            current_cancellation().check()
            if reason := self._reason_to_stop(turn):
                return self._result(turn - 1, reason)
            self._loop.budget.count(turns=1)
            tools = self._offer_tools(turn)
            try:
                reply = self._ask(turn, tools)
            except InputError:
                raise
            except BottegaError as error:
                return self._result(turn, self._record_failure(str(error)))
            results = self._use_tools(turn, reply, tools)
            self._loop.on_turn(turn, reply)
            if self._submitted:
                return self._result(turn, "")
            self._request = append_turn(self._request, reply, results, self._loop.model.mode)
        used = self._loop.max_turns
        return self._result(used, f"{used} turns were used without {self._submit.name}")

    def _reason_to_stop(self, turn: int) -> str:
        """Recorded, because loops that run in parallel share a budget.

        The context is the last request alone: each request holds all earlier ones, so a sum would count them again.
        """
        reason = str(self._run.effect(f"{self._label}: turn {turn}", self._loop.budget.exhausted_reason))
        window = self._loop.model.window
        if not reason and self._context_tokens > window * _WINDOW_SHARE:
            return f"the context holds {self._context_tokens} of {window} tokens"
        return reason

    def _last_exploring_turn(self) -> int:
        if self._loop.model.is_small:
            return 0 if self._loop.has_seen_all and self._has_exploring else max(1, self._loop.max_turns // 5 - 1)
        return max(1, self._loop.max_turns - 2)

    def _offer_tools(self, turn: int) -> list[LoopTool]:
        last = self._last_exploring_turn()
        if turn <= last:
            return list(self._loop.tools)
        if turn == last + 1:
            return [tool for tool in self._loop.tools if not tool.explores]
        return [] if self._loop.model.is_small else list(self._reporting.values())

    def _ask(self, turn: int, tools: Sequence[LoopTool]) -> Turn:
        model = self._loop.model
        definitions = [*(tool.definition for tool in tools), self._submit]
        request = replace(self._request, tools=tuple(definitions) if model.mode == "native" else ())
        if turn > max(1, self._last_exploring_turn()) and self._has_exploring:
            request = self._announce_end(request, definitions)
        trimmed = trim_request(request, model)
        self._sees_all_results = not has_left_out(trimmed)
        answer = self._run.ask(trimmed, TurnContract(definitions, model.mode), role=model.role)
        self._account(answer, request)
        return answer.value

    def _announce_end(self, request: Request, offered: Sequence[Tool]) -> Request:
        reports = [tool.name for tool in offered if tool.name in self._reporting]
        if len(offered) == 1 + len(reports):
            phrase = _SUBMIT_AND_REPORT if reports else _SUBMIT_ONLY
            text = phrase.format(submit=self._submit.name, reports=" and ".join(reports))
            text = f"{text} {self._loop.recap()}".rstrip()
        else:
            advice = f"{self._loop.wrap_up}, then " if self._loop.wrap_up else ""
            text = _NO_MORE_EXPLORING.format(advice=advice, submit=self._submit.name)
        last = request.messages[-1]
        return replace(request, messages=(*request.messages[:-1], replace(last, text=last.text + text)))

    def _account(self, answer: Answer[Turn], request: Request) -> None:
        usage = answer.reply.usage
        self._replies += 1
        self._context_tokens = usage.prompt_tokens or self._loop.model.estimate_tokens(request)
        spent = self._context_tokens + (usage.completion_tokens or 0)
        self._tokens += spent
        self._loop.budget.count(tokens=spent)

    def _use_tools(self, turn: int, reply: Turn, tools: Sequence[LoopTool]) -> list[str]:
        """The result of each call; without calls, what the model should do instead."""
        by_name = {tool.definition.name: tool for tool in tools} | self._reporting
        room = self._loop.model.result_chars(len(reply.calls))
        results = [self._use(turn, call, by_name, room) for call in reply.calls]
        if not results:
            return [f"{reply.problem}. {_NUDGE.format(submit=self._submit.name)}"]
        if reply.problem:
            results[-1] += f"\n({reply.problem})"
        return results

    def _use(self, turn: int, call: ToolCall, tools: Mapping[str, LoopTool], room: int) -> str:
        current_cancellation().check()
        try:
            result, is_error = self._carry_out(turn, call, tools, room), False
        except InputError as error:
            result, is_error = f"error: {error}" + (f" {error.hint}" if error.hint else ""), True
        self._calls.append(CallRecord(turn, call.name, call.arguments, is_error))
        return result

    def _carry_out(self, turn: int, call: ToolCall, tools: Mapping[str, LoopTool], room: int) -> str:
        if call.name == self._submit.name:
            self._submitted.append(self._loop.submit.read(call.arguments))
            return "submitted"
        if call.name not in tools:
            raise InputError(f"there is no tool {call.name[:40]!r} now")
        tool = tools[call.name]
        key = json.dumps([call.name, call.arguments], sort_keys=True, default=str)
        if key in self._made and not tool.may_repeat and self._sees_all_results:
            raise InputError(f"the same call was made in turn {self._made[key]}", hint="Its result stands above.")
        result = tool.call(call.arguments, room, self._record)
        self._made[key] = turn
        return result

    def _record(self, name: str, act: Callable[[], Any]) -> Any:
        return self._run.effect(f"{self._label}: {name}", act)

    def _record_failure(self, message: str) -> str:
        return str(self._run.effect(f"{self._label}: failure", lambda: message))

    def _result(self, turns: int, reason: str) -> LoopResult[T]:
        submitted = self._submitted[0] if self._submitted else None
        return LoopResult(submitted, reason, turns, self._replies, self._tokens, tuple(self._calls))
