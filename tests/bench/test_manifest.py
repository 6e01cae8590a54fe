"""What the embedder was learnt from: only what may be, and nothing of what it is measured on."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import numpy as np
import pytest
from bench.train_embedder import near
from bench.train_embedder.collect import is_excluded
from bench.train_embedder.licences import PERMISSIVE, judged
from bench.train_embedder.manifest import SKETCH, SKETCHED_HASHES, learnt_from
from bench.train_embedder.stdlib import functions
from numpy.typing import NDArray

from bottega.index.vectors.wording import list_words

MOST_ALIKE = 0.7
MIT = "Permission is hereby granted, free of charge, to any person obtaining a copy"
CODE = """
def read_ledger(path, since=None):
    with open(path, encoding="utf-8") as lines:
        rows = [parse_row(line, strict=True) for line in lines if line.strip()]
    newest = max((row.date for row in rows), default=None)
    if since is not None:
        rows = [row for row in rows if row.date >= since and not row.is_void]
    return Ledger(rows, newest=newest, total=sum(row.amount for row in rows))
"""


def test_every_package_has_a_version_a_hash_and_only_permissive_licences() -> None:
    rows = learnt_from()
    assert len(rows) > 4000
    for row in rows:
        assert row["version"], row["name"]
        assert len(row["sha256"]) == 64, row["name"]
        assert row["metadata"] or row["texts"], row["name"]
        assert set(row["texts"]) <= PERMISSIVE, (row["name"], row["texts"])
        assert not judged(row["metadata"], {"LICENSE": MIT}).reason, (row["name"], row["metadata"])


def test_no_package_is_named_after_a_project_that_figures_are_reported_on() -> None:
    assert [row["name"] for row in learnt_from() if is_excluded(row["name"])] == []


def test_no_package_is_mostly_a_copy_of_such_a_project() -> None:
    assert [row["name"] for row in learnt_from() if row["near"] > 0.5 * max(row["functions"], 1)] == []


def test_many_languages_are_not_thin() -> None:
    languages = {name for row in learnt_from() for name in row["languages"]}
    assert len(languages) >= 15


def test_no_function_is_near_to_one_of_the_library_it_is_tested_on() -> None:
    _, library = functions()
    known = [found for text in library if (found := near.signature(list_words(text))) is not None]
    held = np.stack(known)
    held = held[near.is_sketched(held)][:, :SKETCHED_HASHES]
    sketch = np.load(SKETCH)
    assert len(sketch) > 2000
    assert len(held)
    worst = max(float(near.likeness(one, sketch).max()) for one in held)
    assert worst < MOST_ALIKE


def test_a_copy_with_other_names_is_noticed_and_another_function_is_not() -> None:
    def signed(text: str) -> NDArray[np.uint32]:
        found = near.signature(text.split())
        assert found is not None
        return found

    known = near.Known.of([signed(CODE)])
    copies = [CODE, CODE.replace("ledger", "journal"), CODE.replace("newest", "latest"), CODE + "    # the end"]
    assert known.near(np.stack([signed(copy) for copy in copies])).all()
    library = [file.read_text(encoding="utf-8") for file in sorted(Path(sysconfig.get_path("stdlib")).glob("a*.py"))]
    assert not known.near(np.stack([signed(text) for text in library if len(text) > 500])).any()


@pytest.mark.parametrize(("changed", "least", "most"), [(0, 1.0, 1.0), (3, 0.55, 0.95), (200, 0.0, 0.1)])
def test_likeness_is_the_share_of_neighbouring_words(changed: int, least: float, most: float) -> None:
    words = [f"word{n}" for n in range(100)]
    other = [f"other{n}" if n % 33 == 1 and n // 33 < changed else word for n, word in enumerate(words)]
    if changed > 100:
        other = [f"other{n}" for n in range(100)]
    one, two = near.signature(words), near.signature(other)
    assert one is not None
    assert two is not None
    assert least <= float(near.likeness(one, two[None])[0]) <= most
