"""A GGUF model run by bottega itself, in a worker process that loads the weights once."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bottega.errors import BottegaError, ModelMissing
from bottega.models.config import ModelConfig
from bottega.models.http import call_budget
from bottega.models.providers.embedded_process import WorkerProcess, start_worker
from bottega.models.providers.locks import hold_lock
from bottega.models.providers.threads import SpeedWatch, threads_by_load
from bottega.models.request import OnText, Reply, Request
from bottega.models.weights import find, installed, list_weights


class Embedded:
    """The first call starts the worker. It speaks OpenAI's protocol on loopback and requires a random key.

    A cancelled call closes its connection, at which the worker stops generating; a worker that is still loading its
    weights is killed, and the next call starts another.
    """

    def __init__(self, config: ModelConfig, environ: Mapping[str, str]) -> None:
        del environ
        self._config = config
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._speed = SpeedWatch()
        self._threads = config.threads

    @property
    def name(self) -> str:
        return self._config.id

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        with call_budget(self._config.timeout):
            worker = self._ensure_worker()
            try:
                reply = worker.model.complete(request, on_text)
            except BottegaError:
                self._forget_if_dead(worker)
                raise
        if self._config.threads is None and self._speed.has_collapsed(reply, worker.threads):
            self._threads = 1
            self.close()
        return replace(reply, model=self.name)

    def available(self) -> list[str]:
        return [weights.name for weights in list_weights() if installed(weights)]

    def context_length(self) -> int | None:
        return None if self._config.model.endswith(".gguf") else find(self._config.model).context

    def close(self) -> None:
        with self._lock:
            if self._worker is not None:
                self._worker.stop()
                self._worker = None

    def _ensure_worker(self) -> WorkerProcess:
        with hold_lock(self._lock):
            if self._worker is None:
                path = weights_path(self._config.id, self._config.model)
                self._worker = start_worker(self._config, path, self._threads or threads_by_load())
            return self._worker

    def _forget_if_dead(self, worker: WorkerProcess) -> None:
        """The next call starts a new worker if this one has ended."""
        with hold_lock(self._lock):
            if self._worker is worker and worker.process.poll() is not None:
                worker.stop()
                self._worker = None


def weights_path(model: str, name: str) -> Path:
    """The file of the weights: of a pulled model by its name, or a GGUF file by its path."""
    if name.endswith(".gguf"):
        path = Path(name).expanduser()
        if path.is_file():
            return path
        raise ModelMissing(model, f"there is no file {path}", hint="Give the path of a GGUF file.")
    weights = find(name)
    path_of_weights = installed(weights)
    if path_of_weights is None:
        raise ModelMissing(
            model,
            f"the weights of {weights.name} are not on this machine",
            hint=f"Run `bottega models pull {weights.name}`.",
        )
    return path_of_weights


PROVIDER = Embedded
