"""Run hostile replies through the real clients and judge what comes of each."""

from __future__ import annotations

import resource
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field

from bench.wire_attack.mutations import Trial, recorded_streams
from bench.wire_attack.server import RawReply, RawServer

from bottega.errors import ModelError
from bottega.models import ModelConfig, Reply, Request, Tool, open_model

ALLOWED_OVERRUN = 0.1
SCHEDULING_SECONDS = 0.3
MEMORY_MIB = 200
_MOST_TOKENS = 10**12
_LONGEST_MESSAGE = 800


@dataclass(slots=True)
class Report:
    """`growth_mib` is how far the process grew beyond its size after one valid reply of each wire.

    `late` are calls that took too long beside other work; `confirm_late` makes them again, alone.
    """

    trials: int = 0
    replies: int = 0
    faults: list[str] = field(default_factory=list)
    late: list[Trial] = field(default_factory=list)
    growth_mib: int = 0


def run_trials(trials: Iterable[Trial]) -> Report:
    """All trials, one after the other, in this process."""
    report = Report()
    with RawServer() as server:
        for wire in ("ollama", "openai", "anthropic"):
            _answer(server, valid_trial(wire))
        before = _peak_mib()
        for trial in trials:
            report.trials += 1
            fault, seconds, is_reply = _answer(server, trial)
            report.replies += is_reply
            if fault:
                report.faults.append(f"{trial.wire}, {trial.kind}, {trial.question}: {fault}")
            elif _is_late(trial, seconds):
                report.late.append(trial)
        report.growth_mib = _peak_mib() - before
    if report.growth_mib > MEMORY_MIB:
        report.faults.append(f"the process grew by {report.growth_mib} MiB")
    return report


def valid_trial(wire: str) -> Trial:
    body = b"".join(recorded_streams(wire)[0])
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
    return Trial(wire, "valid", RawReply((head % len(body) + body,)))


def confirm_late(trials: Iterable[Trial]) -> list[str]:
    """Calls that overrun their time when nothing else runs here, three times in a row: a busy machine does not."""
    faults = []
    with RawServer() as server:
        for trial in trials:
            seconds = min(_answer(server, trial)[1] for _ in range(3))
            if _is_late(trial, seconds):
                faults.append(f"{trial.wire}, {trial.kind}, {trial.question}: {seconds:.2f} s of {trial.seconds:g} s")
    return faults


def _is_late(trial: Trial, seconds: float) -> bool:
    return seconds > trial.seconds * (1 + ALLOWED_OVERRUN) + SCHEDULING_SECONDS


def _answer(server: RawServer, trial: Trial) -> tuple[str, float, bool]:
    server.reply = trial.reply
    base_url = f"{server.url}/v1" if trial.wire == "openai" else server.url
    model = open_model(ModelConfig("m", trial.wire, base_url=base_url, timeout=trial.seconds), {})
    request = Request.of("2 + 2?", tools=(Tool("look", "Look.", {"type": "object"}),))
    started = time.monotonic()
    try:
        value = model.complete(request, _refuse_unprintable) if trial.question == "complete" else _ask(model, trial)
    except ModelError as error:
        return _wrong_error(error), time.monotonic() - started, False
    except Exception:  # noqa: BLE001 - any other exception is the fault that is looked for
        return traceback.format_exc(limit=-4), time.monotonic() - started, False
    finally:
        getattr(model, "close")()  # noqa: B009 - not every model holds something open
    return _wrong_value(value), time.monotonic() - started, True


def _ask(model: object, trial: Trial) -> object:
    value: object = getattr(model, trial.question)()
    return value


def _refuse_unprintable(piece: str) -> None:
    piece.encode()


def _wrong_error(error: ModelError) -> str:
    message = str(error)
    if len(message) > _LONGEST_MESSAGE:
        return f"a message of {len(message)} characters"
    if any(not (character.isprintable() or character == " ") for character in message + error.hint):
        return f"control characters in the message {message!r}"
    return ""


def _wrong_value(value: object) -> str:
    if isinstance(value, Reply):
        return _wrong_reply(value)
    if isinstance(value, list):
        return "" if all(isinstance(name, str) and name for name in value) else f"names {value!r}"
    return "" if value is None or _is_count(value) else f"a window of {value!r}"


def _wrong_reply(reply: Reply) -> str:
    try:
        for text in (reply.text, reply.thinking, *(f"{c.id}{c.name}{dict(c.arguments)}" for c in reply.tool_calls)):
            text.encode()
    except (UnicodeEncodeError, AttributeError) as error:
        return f"text that cannot be stored: {error}"
    counts = (reply.usage.prompt_tokens, reply.usage.completion_tokens)
    if not all(count is None or _is_count(count) for count in counts):
        return f"token counts {counts!r}"
    if not all(isinstance(part, str) for call in reply.tool_calls for part in (call.id, call.name)):
        return "a tool call without a name in text"
    return "" if reply.finish in {"stop", "length", "loop", "tool_calls"} else f"finish {reply.finish!r}"


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS


def _peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
