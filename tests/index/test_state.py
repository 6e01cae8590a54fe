"""Which files count as differing from the commit."""

from __future__ import annotations

from pathlib import Path

from bottega.index import open_knowledge
from tests.index.trees import git, repository


def dirty(root: Path) -> tuple[str, ...]:
    with open_knowledge(root).reading() as reader:
        return reader.freshness.dirty


def test_files_that_a_sparse_checkout_leaves_out_do_not_differ(root: Path) -> None:
    repository(root, {"kept/a.py": "A = 1\n", "left/b.py": "B = 1\n"})
    git(root, "sparse-checkout", "set", "--no-cone", "/kept/")
    assert not (root / "left").exists()
    assert dirty(root) == ()


def test_files_that_a_person_removed_do(root: Path) -> None:
    repository(root, {"kept/a.py": "A = 1\n", "left/b.py": "B = 1\n"})
    (root / "left" / "b.py").unlink()
    assert dirty(root) == ("left/b.py",)
