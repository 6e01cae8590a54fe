"""Start and stop the worker process of an embedded model."""

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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from bottega.cancellation import current_cancellation
from bottega.errors import Cancelled, ModelFault, ModelMissing, ModelTimeout
from bottega.models.config import ModelConfig
from bottega.models.http.server_text import clean_server_text
from bottega.models.providers.openai import OpenAI

_KEY = "BOTTEGA_WORKER_KEY"
_LONGEST_LINE = 4096


@dataclass(frozen=True, slots=True)
class WorkerProcess:
    """A running worker and the client that talks to it."""

    process: subprocess.Popen[bytes]
    model: OpenAI
    threads: int

    def stop(self) -> None:
        """End the worker by closing its standard input; it has nothing to save."""
        atexit.unregister(self.stop)
        self.model.close()
        _close_pipes(self.process)
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_worker(config: ModelConfig, path: Path, threads: int) -> WorkerProcess:
    """Start a worker and wait until it has loaded the weights."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelMissing(
            config.id,
            "the runtime of embedded models is not installed",
            hint="The extra `embedded` brings it; `bottega docs install` tells how.",
        )
    key = secrets.token_urlsafe(24)
    options = {
        "path": str(path),
        "window": config.context_window,
        "slots": config.concurrency,
        "threads": threads,
    }
    command = [sys.executable, "-P", "-m", "bottega.models.providers.embedded_worker", json.dumps(options)]
    environ = {**os.environ, _KEY: key}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ
    )
    url = _wait_for_url(config, process)
    model = OpenAI(replace(config, base_url=f"{url}/v1", api_key_env=_KEY), {_KEY: key})
    worker = WorkerProcess(process, model, threads)
    atexit.register(worker.stop)
    return worker


def _wait_for_url(config: ModelConfig, process: subprocess.Popen[bytes]) -> str:
    """The one line that a worker prints: its address, or why it has none. A worker without an address is killed."""
    assert process.stdout is not None
    cancellation = current_cancellation()
    try:
        with cancellation.interrupting(process.kill):
            line = _read_line(process.stdout, config.timeout)
        cancellation.check()
    except TimeoutError:
        _kill(process)
        raise ModelTimeout(config.id, config.timeout) from None
    except Cancelled:
        _kill(process)
        raise
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
    _close_pipes(process)


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
