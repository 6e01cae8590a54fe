"""Stage 6: a model on the test of Python's library, as the package runs it.

    OPENBLAS_NUM_THREADS=1 python -m bench.train_embedder.evaluate [--model FOLDER]

FOLDER holds `weights.json`, `weights.bin` and `vocabulary.txt.gz`; without it, the model of the package. Prints MRR@10
over 200 and 1,000 questions and 3,000 functions, BM25 beside it, and how many functions one core embeds in a second.
"""

from __future__ import annotations

import argparse
import time
from importlib import resources
from pathlib import Path

import numpy as np
from bench.train_embedder import stdlib

from bottega.index.vectors import Embedder

_MORE = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shipped = Path(str(resources.files("bottega.index.vectors") / "model"))
    parser.add_argument("--model", type=Path, default=shipped)
    options = parser.parse_args()
    questions, texts = stdlib.functions(_MORE)
    words = stdlib.bm25(questions, texts)
    print(f"BM25: {_figures(words)}")
    embedder = Embedder(options.model)
    embedder.embed([("", text) for text in texts[:200]])
    start = time.process_time()
    rows = embedder.embed([("", text) for text in texts])
    speed = len(texts) / (time.process_time() - start)
    start = time.perf_counter()
    asked = np.stack([embedder.embed_query(question) for question in questions])
    wait = (time.perf_counter() - start) / len(questions) * 1000
    print(f"{embedder.fingerprint}: {_figures(asked @ rows.T)}; {speed:.0f} functions/cpu-s, {wait:.1f} ms a question")


def _figures(likeness: np.ndarray) -> str:
    few = likeness[: stdlib.QUESTIONS]
    return f"MRR@10 {stdlib.mrr(few):.3f} over {len(few)}, {stdlib.mrr(likeness):.3f} over {len(likeness)} questions"


if __name__ == "__main__":
    main()
