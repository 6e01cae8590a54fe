"""Retry what may succeed later: 429, 5xx, timeouts, cut replies, with backoff and the server's own Retry-After."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from bottega.cancellation import current_cancellation
from bottega.errors import ModelBusy, ModelError, ModelFault, ModelTimeout, ReplyCut

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_LONGEST_RETRY_AFTER = 120.0


def sleep_unless_cancelled(seconds: float) -> None:
    """Sleep, but raise `Cancelled` as soon as the run of the calling thread is cancelled."""
    current_cancellation().sleep(seconds)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """`retries` attempts after the first. Sleep and jitter can be replaced, so that tests do not wait."""

    retries: int = 4
    sleep: Callable[[float], None] = sleep_unless_cancelled
    jitter: Callable[[], float] = field(default=random.random)

    def wait_before(self, attempt: int, error: ModelError) -> float | None:
        """Seconds before the next attempt; None when the error is permanent or no attempt is left."""
        if attempt > self.retries or not is_transient(error):
            return None
        if isinstance(error, ModelTimeout) and attempt > 1:
            return None
        if isinstance(error, ModelBusy) and error.retry_after is not None:
            return error.retry_after if error.retry_after <= _LONGEST_RETRY_AFTER else None
        return float(min(_FIRST_WAIT * 2 ** (attempt - 1), _LONGEST_WAIT) * (0.5 + self.jitter() / 2))


def is_transient(error: ModelError) -> bool:
    """Whether a later attempt may succeed; a server that cannot be reached is reported at once."""
    if isinstance(error, ModelFault):
        return error.passing
    return isinstance(error, ModelBusy | ModelTimeout | ReplyCut)
