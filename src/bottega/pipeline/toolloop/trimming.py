"""Keep a growing conversation inside the context window: the oldest tool results go first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bottega.models import Message, Request
from bottega.pipeline.toolloop.profile import ModelProfile

# A request is trimmed to this share, below the share at which a loop ends: there is always room for the next reply.
_TRIM_SHARE = 0.6
_LEFT_OUT = "(left out to save room; look again if you need it)"
_CUT = "\n… (cut to save room)"
_MIN_CHARS = 200


def trim_request(request: Request, profile: ModelProfile) -> Request:
    """The request without its oldest results, as far as needed; the task and the last exchange always stay."""
    messages = list(request.messages)
    excess = request.chars() - int(profile.window * _TRIM_SHARE * profile.chars_per_token)
    last_reply = max((at for at, message in enumerate(messages) if message.role == "assistant"), default=0)
    excess = _leave_out(messages, range(1, last_reply), excess)
    if last_reply:
        _shorten(messages, range(len(messages) - 1, last_reply, -1), excess)
    return replace(request, messages=tuple(messages))


def has_left_out(request: Request) -> bool:
    """Whether a trimmed request lacks an earlier result."""
    return any(message.text == _LEFT_OUT for message in request.messages)


def _leave_out(messages: list[Message], places: Iterable[int], excess: int) -> int:
    for at in places:
        message = messages[at]
        if excess > 0 and message.role != "assistant" and len(message.text) > len(_LEFT_OUT):
            excess -= len(message.text) - len(_LEFT_OUT)
            messages[at] = replace(message, text=_LEFT_OUT)
    return excess


def _shorten(messages: list[Message], places: Iterable[int], excess: int) -> None:
    for at in places:
        message = messages[at]
        length = max(_MIN_CHARS, len(message.text) - excess - len(_CUT))
        if excess > 0 and length < len(message.text):
            excess -= len(message.text) - length
            messages[at] = replace(message, text=message.text[:length] + _CUT)
