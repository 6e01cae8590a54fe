"""What HTTP errors of model servers say, whatever their shape."""

from __future__ import annotations


def told(body: object) -> str:
    """The message inside an error body of any of the shapes in use."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        return str(message) if message else ""
    return ""


def seconds(header: str | None) -> float | None:
    """Retry-After in seconds; dates are not honoured."""
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None
