"""Try again what may pass: 429, 5xx, timeouts, cut replies, with backoff and the server's own Retry-After."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bottega.errors import ModelBusy, ModelError, ModelFault, ModelTimeout, ReplyCut

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_LONGEST_RETRY_AFTER = 120.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """`retries` tries after the first. Clock and sleep can be replaced, so that tests do not wait."""

    retries: int = 4
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = field(default=random.random)

    def wait_before(self, attempt: int, error: ModelError) -> float | None:
        """Seconds before the next try, None when trying again is useless or has been done enough."""
        if attempt > self.retries or not may_pass(error):
            return None
        if isinstance(error, ModelTimeout) and attempt > 1:
            return None
        if isinstance(error, ModelBusy) and error.retry_after is not None:
            return error.retry_after if error.retry_after <= _LONGEST_RETRY_AFTER else None
        return float(min(_FIRST_WAIT * 2 ** (attempt - 1), _LONGEST_WAIT) * (0.5 + self.jitter() / 2))


def may_pass(error: ModelError) -> bool:
    """A server that is not there at all will not be there in two seconds either: that is told at once."""
    if isinstance(error, ModelFault):
        return error.passing
    return isinstance(error, ModelBusy | ModelTimeout | ReplyCut)
