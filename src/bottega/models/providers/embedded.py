"""A GGUF model inside bottega: a worker process that loads once and dies with its parent."""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import queue
import re
import secrets
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from bottega.errors import BottegaError, ModelFault, ModelMissing, ModelTimeout, ReplyCut
from bottega.models.config import ModelConfig
from bottega.models.http import call_budget
from bottega.models.http.server_text import clean_server_text
from bottega.models.providers.openai import OpenAI
from bottega.models.providers.threads import SpeedWatch, threads_by_load
from bottega.models.request import OnText, Reply, Request
from bottega.models.weights import find, installed

_KEY = "BOTTEGA_WORKER_KEY"
_LONGEST_LINE = 4096


class Embedded:
    """The worker is started by the first call. It speaks OpenAI's protocol on loopback, behind a random key."""

    def __init__(self, config: ModelConfig, environ: Mapping[str, str]) -> None:
        self._config = config
        self._environ = dict(environ)
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        self._watch = SpeedWatch()
        self._threads = config.threads

    @property
    def name(self) -> str:
        return self._config.id

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        with call_budget(self._config.timeout):
            worker = self._started()
            try:
                reply = worker.model.complete(request, on_text)
            except (ReplyCut, BottegaError):
                self._bury(worker)
                raise
        if self._config.threads is None and self._watch.has_collapsed(reply, worker.threads):
            self._threads = 1
            self.close()
        return replace(reply, model=self.name)

    def available(self) -> list[str]:
        from bottega.models.weights import known

        return [weights.name for weights in known() if installed(weights)]

    def context_length(self) -> int | None:
        return None if self._config.model.endswith(".gguf") else find(self._config.model).context

    def close(self) -> None:
        with self._lock:
            if self._worker is not None:
                self._worker.stop()
                self._worker = None

    def _started(self) -> _Worker:
        with self._lock:
            if self._worker is None:
                path = weights_path(self._config.id, self._config.model)
                self._worker = _start(self._config, path, self._threads or threads_by_load())
            return self._worker

    def _bury(self, worker: _Worker) -> None:
        """A worker that died is forgotten, so that the next call starts a new one."""
        with self._lock:
            if self._worker is worker and worker.process.poll() is not None:
                worker.stop()
                self._worker = None


@dataclass(frozen=True, slots=True)
class _Worker:
    process: subprocess.Popen[bytes]
    model: OpenAI
    threads: int

    def stop(self) -> None:
        """Closing its standard input ends the worker; it has nothing to save."""
        atexit.unregister(self.stop)
        self.model.close()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def weights_path(model: str, name: str) -> Path:
    """Where the weights lie: a pulled model by its name, or a GGUF file by its path."""
    if name.endswith(".gguf"):
        path = Path(name).expanduser()
        if path.is_file():
            return path
        raise ModelMissing(model, f"there is no file {path}", hint="Give the path of a GGUF file.")
    weights = find(name)
    found = installed(weights)
    if found is None:
        raise ModelMissing(
            model,
            f"the weights of {weights.name} are not on this machine",
            hint=f"Run `bottega models pull {weights.name}`.",
        )
    return found


def _start(config: ModelConfig, path: Path, threads: int) -> _Worker:
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelMissing(
            config.id, "the runtime of embedded models is not installed", hint="pip install 'bottega[embedded]'"
        )
    key = secrets.token_urlsafe(24)
    order = {
        "path": str(path),
        "window": config.context_window,
        "slots": config.concurrency,
        "threads": threads,
    }
    command = [sys.executable, "-P", "-m", "bottega.models.providers.embedded_worker", json.dumps(order)]
    environ = {**os.environ, _KEY: key}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ
    )
    assert process.stdout is not None
    url = _announced(config, process, process.stdout)
    model = OpenAI(replace(config, base_url=f"{url}/v1", api_key_env=_KEY), {_KEY: key})
    worker = _Worker(process, model, threads)
    atexit.register(worker.stop)
    return worker


def _announced(config: ModelConfig, process: subprocess.Popen[bytes], stdout: IO[bytes]) -> str:
    """Wait for the worker's one line: where it listens, or why it cannot."""
    try:
        line = _read_line(stdout, config.timeout)
    except TimeoutError:
        _kill(process)
        raise ModelTimeout(config.id, config.timeout) from None
    if re.fullmatch(r"http://127\.0\.0\.1:\d{1,5}/?", line):
        return line.rstrip("/")
    _kill(process)
    reason = clean_server_text(line) or "the worker ended while loading; is there enough memory?"
    raise ModelFault(config.id, reason, hint="Try a smaller model or a smaller context_window.", passing=False)


def _read_line(stdout: IO[bytes], seconds: float) -> str:
    """One line of at most `_LONGEST_LINE` bytes; raises `TimeoutError` when it does not come."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=lambda: lines.put(stdout.readline(_LONGEST_LINE)), daemon=True).start()
    try:
        return lines.get(timeout=seconds).decode("utf-8", "replace").strip()
    except queue.Empty:
        raise TimeoutError from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
