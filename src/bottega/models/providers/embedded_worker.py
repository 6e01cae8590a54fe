"""The worker process of the embedded provider: loads one GGUF, prints its address, ends with its parent."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

_CACHE_MIB = 512


def main() -> None:
    options = json.loads(sys.argv[1])
    quiet = os.open(os.devnull, os.O_WRONLY)
    announce = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(quiet, 1)
    try:
        server = _serve(options)
    except RuntimeError as error:
        announce.write(f"the weights do not load: {error}\n")
        announce.flush()
        os._exit(1)
    announce.write(f"{server.listening_address}\n")
    announce.flush()
    sys.stdin.buffer.read()
    os._exit(0)


def _serve(options: dict[str, Any]) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = options["path"]
    params.n_ctx = options["window"] * options["slots"]
    params.n_parallel = options["slots"]
    params.cpuparams.n_threads = options["threads"]
    params.cpuparams_batch.n_threads = options["threads"]
    params.cache_ram_mib = _CACHE_MIB
    params.api_keys = [os.environ["BOTTEGA_WORKER_KEY"]]
    params.port = 0
    params.ui = False
    params.warmup = False
    params.verbosity = 0
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
