"""One HTTP response as it goes out, flaws included."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """`missing` bytes are promised and never sent: the connection drops in their place."""

    parts: tuple[bytes, ...]
    status: int = 200
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    is_streamed: bool = False
    missing: int = 0
    wait: float = 0.0
    """Seconds before the first byte; infinity for a server that never answers."""
    pace: float = 0.0
    """Seconds between one part and the next."""

    @property
    def length(self) -> int:
        """The Content-Length, which is a lie when something is missing."""
        return sum(map(len, self.parts)) + self.missing
