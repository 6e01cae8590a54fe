"""What HTTP errors of model servers mean, whatever their shape."""

from __future__ import annotations

import math

from bottega.errors import ModelBusy, ModelError, ModelFault, ModelMissing, ModelRefused
from bottega.models.http import StatusError

_LONGEST_RETRY_AFTER = 86_400.0
_LIST_MODELS = "`bottega models` lists what is there."


def explain_status(model: str, error: StatusError, *, key: str, missing_hint: str = _LIST_MODELS) -> ModelError:
    """The named error behind a status. A server that broke (5xx) may recover; a bad request may not."""
    if error.status == 429:
        return ModelBusy(model, retry_after=parse_retry_after(error.retry_after))
    if error.status in {401, 403}:
        return ModelRefused(model, error.detail, key=key)
    if error.status == 404:
        return ModelMissing(model, f"{model}: {error.detail}", hint=missing_hint)
    return ModelFault(model, f"{error.status} {error.detail}", passing=error.status >= 500)


def parse_retry_after(header: str) -> float | None:
    """Retry-After in seconds, at most a day; dates and what is no number are not honoured."""
    try:
        seconds = float(header)
    except ValueError:
        return None
    return min(max(0.0, seconds), _LONGEST_RETRY_AFTER) if math.isfinite(seconds) else None
