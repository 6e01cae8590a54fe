"""Limits on what a server may send; real replies stay at least a factor of ten below each."""

from __future__ import annotations

KIB = 1024
MIB = 1024 * KIB

HEADER_BYTES = 64 * KIB
ERROR_BYTES = 64 * KIB
EVENT_BYTES = 1 * MIB
"""One event or line of a stream. Parsing a hostile one of this size takes about 0.1 s."""
DOCUMENT_BYTES = 4 * MIB
"""One JSON document that is no stream, such as the list of models."""
REPLY_BYTES = 32 * MIB
"""A whole stream. Servers wrap each token in up to 300 bytes of JSON."""
REPLY_CHARS = 4 * MIB
"""Text and thinking of one reply."""
TOOL_CALLS = 256
TOKEN_CHOICES = 64
"""Tokens of a reply whose probabilities are kept."""
TOKEN_ALTERNATIVES = 128
JSON_DEPTH = 64
"""Levels of nesting in the arguments of a tool call."""
TOKENS = 10**12
"""A larger token count is no count."""
ERROR_SECONDS = 5.0
"""For the body of an error: its status is already known."""
