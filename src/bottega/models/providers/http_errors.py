"""Map HTTP status codes of model servers to errors."""

from __future__ import annotations

import math

from bottega.errors import ModelBusy, ModelError, ModelFault, ModelMissing, ModelRefused
from bottega.models.http import StatusError

_LONGEST_RETRY_AFTER = 86_400.0
_LIST_MODELS = "`bottega models` lists what is there."


def explain_status(model: str, error: StatusError, *, key: str, missing_hint: str = _LIST_MODELS) -> ModelError:
    """The error for a status code. 5xx may succeed on a retry; a bad request will not."""
    if error.status == 429:
        return ModelBusy(model, retry_after=parse_retry_after(error.retry_after))
    if error.status in {401, 403}:
        return ModelRefused(model, error.detail, key=key)
    if error.status == 404:
        return ModelMissing(model, f"{model}: {error.detail}", hint=missing_hint)
    return ModelFault(model, f"{error.status} {error.detail}", passing=error.status >= 500)


def parse_retry_after(header: str) -> float | None:
    """Retry-After in seconds, at most a day; None for a date or anything else that is no number."""
    try:
        seconds = float(header)
    except ValueError:
        return None
    return min(max(0.0, seconds), _LONGEST_RETRY_AFTER) if math.isfinite(seconds) else None
