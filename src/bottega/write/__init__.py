"""`write`: runnable code from a request, by coder, judge and reviewer."""

from __future__ import annotations

from bottega.write.request import MODES, TAGS, parse_request
from bottega.write.result import WriteResult
from bottega.write.state import Check, Rules, WriteState
from bottega.write.tools import WriteTools
from bottega.write.verb import KIND, WRITE, WriteRequest, require_language

__all__ = [
    "KIND",
    "MODES",
    "TAGS",
    "WRITE",
    "Check",
    "Rules",
    "WriteRequest",
    "WriteResult",
    "WriteState",
    "WriteTools",
    "parse_request",
    "require_language",
]
