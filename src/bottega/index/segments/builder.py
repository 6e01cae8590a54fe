"""The process that builds a segment from cached analyses, so that indexing continues meanwhile.

The segment's file and that of the analyses are arguments; paths and keys arrive on standard input, one JSON line each.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bottega.index.analyse.codec import decode_words
from bottega.index.analysis_cache import read_analyses
from bottega.index.segments.build import build_segment
from bottega.index.segments.container import write_arrays
from bottega.source.processes import end_with_parent


def build(segment: Path, paths: Sequence[str], analyses: Iterable[bytes]) -> None:
    """Raise `StorageError` when an analysis is damaged."""
    write_arrays(segment, build_segment(paths, [decode_words(data) for data in analyses]))


def main() -> None:
    end_with_parent()
    segment, blobs = map(Path, sys.argv[1:])
    entries = [json.loads(line) for line in sys.stdin]
    keys = (bytes.fromhex(key) for _, key in entries)
    build(segment, [path for path, _ in entries], read_analyses(blobs, keys))


if __name__ == "__main__":
    main()
