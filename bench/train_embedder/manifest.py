"""Write down what was learnt from, for everyone to check.

    python -m bench.train_embedder.manifest --work DIR

`manifest.jsonl.gz` beside this file gets a line for each package that gave something, with version, hash, licences and
counts; `sketch.npy` gets half a MinHash signature of one function in some two hundred, chosen so that near-duplicates
are chosen together. `tests/bench/test_manifest.py` checks both in every run of the tests.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
from bench.train_embedder.collect import HERE, file_name, is_excluded, read_manifest
from bench.train_embedder.near import HASHES, is_sketched, signature
from numpy.typing import NDArray

MANIFEST, SKETCH = HERE / "manifest.jsonl.gz", HERE / "sketch.npy"
SKETCHED_HASHES = HASHES // 2
_KEPT = ("registry", "name", "version", "sha256", "metadata", "texts", "languages")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    rows, sketches = [], [np.zeros((0, HASHES), np.uint32)]
    kept = [row for row in read_manifest(options.work / "manifest.jsonl") if not row["reason"]]
    for row in sorted(kept, key=lambda row: (row["registry"], row["name"])):
        file = options.work / "records" / file_name(row["registry"], row["name"])
        if is_excluded(row["name"]) or not file.exists():
            continue
        counts, signatures = _looked_through(file)
        if counts["kept"]:
            rows.append({name: row[name] for name in _KEPT} | counts)
            sketches.append(signatures[is_sketched(signatures)])
    with gzip.GzipFile(MANIFEST, "wb", mtime=0) as out:
        out.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    np.save(SKETCH, np.unique(np.concatenate(sketches)[:, :SKETCHED_HASHES], axis=0))


def _looked_through(file: Path) -> tuple[dict[str, Any], NDArray[np.uint32]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        counts = json.loads(next(lines))
        records = [json.loads(line) for line in lines]
    found = [signature(record["b"]) for record in records if record["k"] == "function"]
    known = [each for each in found if each is not None]
    return counts, np.stack(known) if known else np.zeros((0, HASHES), np.uint32)


def learnt_from() -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(MANIFEST.read_bytes()).decode().splitlines()]


if __name__ == "__main__":
    main()
