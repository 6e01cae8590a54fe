"""Ask model servers on this machine for the context window that they serve."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from bottega.errors import BottegaError
from bottega.models.config import ModelConfig
from bottega.models.provider import close_model, read_served_window
from bottega.models.request import Model

# A server on this machine lists its models at once, or is not running.
_SECONDS = 3.0


class ServedWindows:
    """The windows that local servers report; each model is asked for once."""

    def __init__(self, open_model: Callable[[ModelConfig], Model]) -> None:
        self._open_model = open_model
        self._windows: dict[tuple[str, str, str], int | None] = {}
        self._lock = threading.Lock()

    def find(self, config: ModelConfig) -> int | None:
        """The window in tokens; `None` where the server does not answer or does not say."""
        key = (config.protocol, config.base_url, config.model)
        with self._lock:
            if key not in self._windows:
                self._windows[key] = self._ask(replace(config, timeout=min(config.timeout, _SECONDS)))
            return self._windows[key]

    def _ask(self, config: ModelConfig) -> int | None:
        try:
            model = self._open_model(config)
            try:
                return read_served_window(model)
            finally:
                close_model(model)
        except BottegaError:
            return None
