"""Identifiers and times as every record has them: UUIDv7 text, UTC in ISO 8601."""

from __future__ import annotations

import secrets
import time
import uuid
from datetime import UTC, datetime


def new_id() -> str:
    """A UUIDv7: ids sort by the millisecond in which they were made."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds & (1 << 48) - 1) << 80
    value |= 0x7 << 76 | secrets.randbits(12) << 64
    value |= 0b10 << 62 | secrets.randbits(62)
    return str(uuid.UUID(int=value))


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
