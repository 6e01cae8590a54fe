"""From how many vectors on a graph of neighbours answers faster than looking at all of them.

    python bench/vector_search.py [--sizes 20000 50000 100000]

Vectors are drawn around 200 centres, as texts about the same things are. The store is the one that searches use.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bottega.index.vectors import VectorStore

DIMENSIONS, CENTRES, SPREAD, QUERIES, LIMIT = 384, 200, 0.6, 20, 50
NEVER = 1 << 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 50_000, 100_000])
    print("| vectors | all of them, ms | graph, ms | making the graph, s | found of the nearest 50 |")
    print("|---|---|---|---|---|")
    for size in parser.parse_args().sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(_measured(Path(folder), size), flush=True)


def _measured(folder: Path, size: int) -> str:
    vectors = _drawn(size)
    rows = np.arange(size)
    exact = VectorStore(folder, "bench", DIMENSIONS, exact=NEVER)
    exact.put(rows, vectors)
    questions = vectors[:QUERIES]
    expected, comparing = _asked(exact, questions, rows)
    graph = VectorStore(folder, "bench", DIMENSIONS, exact=1)
    start = time.perf_counter()
    graph.build_graph()
    making = time.perf_counter() - start
    found, walking = _asked(graph, questions, rows)
    shared = sum(len(one & other) for one, other in zip(expected, found, strict=True)) / (QUERIES * LIMIT)
    return f"| {size:,} | {comparing:.0f} | {walking:.0f} | {making:.1f} | {shared:.3f} |"


def _asked(store: VectorStore, questions: NDArray[np.float32], rows: NDArray[np.int64]) -> tuple[list[set[int]], float]:
    store.find_nearest(questions[0], rows, LIMIT)
    start = time.perf_counter()
    found = [{place for place, _ in store.find_nearest(question, rows, LIMIT)} for question in questions]
    return found, (time.perf_counter() - start) / len(questions) * 1000


def _drawn(size: int) -> NDArray[np.float32]:
    draw = np.random.default_rng(1)
    centres = draw.normal(size=(CENTRES, DIMENSIONS))
    rows = centres[draw.integers(0, CENTRES, size)] + SPREAD * draw.normal(size=(size, DIMENSIONS))
    lengths: NDArray[np.float64] = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / lengths).astype(np.float32)


if __name__ == "__main__":
    main()
