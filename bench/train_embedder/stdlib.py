"""A test that nothing is learnt from: documentation of functions of Python's library, and the functions without it."""

from __future__ import annotations

import ast
import math
import random
import re
import sysconfig
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bottega.source.words import identifiers, split_identifier, stem

QUESTIONS, FUNCTIONS = 200, 3000
_SKIPPED = re.compile(
    r"(?:^|/)(?:tests?|idlelib|lib2to3|site-packages|dist-packages|config-[^/]*|turtledemo|ensurepip)/"
)


def functions(questions: int = QUESTIONS) -> tuple[list[str], list[str]]:
    """First sentences, and functions; the first of these answer the questions in their order."""
    library = Path(sysconfig.get_path("stdlib"))
    found: dict[str, str] = {}
    for file in sorted(library.rglob("*.py")):
        if not _SKIPPED.search(file.relative_to(library).as_posix()):
            for question, code in _documented(file):
                found.setdefault(question, code)
    pairs = sorted(found.items())
    random.Random(0).shuffle(pairs)
    return [question for question, _ in pairs[:questions]], [code for _, code in pairs[:FUNCTIONS]]


def _documented(file: Path) -> Iterator[tuple[str, str]]:
    source = file.read_text(encoding="utf-8", errors="replace")
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    lines = source.splitlines()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not (doc := ast.get_docstring(node)):
            continue
        said = re.split(r"(?<=[.!?])\s|\n\s*\n", doc.strip(), maxsplit=1)[0]
        said = re.sub(rf"^\W*{re.escape(node.name)}\b\W*", "", said)
        held = node.body[0]
        body = "\n".join(
            [*lines[node.lineno - 1 : held.lineno - 1], *lines[held.end_lineno or held.lineno : node.end_lineno]]
        )
        if 3 <= len(said.split()) <= 40 and len(node.body) > 1 and len(body.splitlines()) >= 3:
            yield " ".join(said.split()), body


def mrr(likeness: NDArray[np.float32], most: int = 10) -> float:
    """Of a row for each question, whose own answer stands in the diagonal."""
    own = likeness[np.arange(len(likeness)), np.arange(len(likeness))]
    rank = (likeness > own[:, None]).sum(1) + ((likeness == own[:, None]).sum(1) - 1) / 2
    return float(np.where(rank < most, 1 / (rank + 1), 0).mean())


def bm25(questions: Sequence[str], texts: Sequence[str]) -> NDArray[np.float32]:
    """Identifiers split and lightly stemmed."""
    bags = [Counter(_terms(text)) for text in texts]
    mean = sum(bag.total() for bag in bags) / len(bags)
    seen = Counter(word for bag in bags for word in bag)
    found = np.zeros((len(questions), len(texts)), np.float32)
    for row, question in enumerate(questions):
        for word in set(_terms(question)):
            weight = math.log(1 + (len(bags) - seen[word] + 0.5) / (seen[word] + 0.5))
            for column, bag in enumerate(bags):
                if times := bag.get(word, 0):
                    found[row, column] += weight * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * bag.total() / mean))
    return found


def _terms(text: str) -> list[str]:
    return [stem(part) for word in identifiers(text) for part in split_identifier(word)]
