"""The state of the repository that a review looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bottega.review.masking import Mask, mask_text
from bottega.review.sides import UNKNOWN, WORKING_TREE, is_new_side, open_texts
from bottega.source import FileChange
from bottega.source.tree import RepositoryFiles


@dataclass(frozen=True, slots=True)
class Tree:
    """The state under review: `text` gives a changed file as it is after the change, `root` is where it lies.

    `is_here` says that the working tree is that state; only then can tools that read the whole project run.
    `rules` are the repository's files from before the change, for the settings of tools.
    """

    root: Path
    text: Callable[[str], str | None]
    is_here: bool
    mask: Mask = str
    rules: RepositoryFiles | None = None

    def masked(self, path: str) -> str | None:
        """A changed file with its secrets masked, every line where it was: what may be quoted."""
        text = self.text(path)
        return None if text is None else mask_text(text, path, self.mask)


def open_tree(root: Path, side: str, files: Sequence[FileChange], *, mask: Mask, rules: RepositoryFiles) -> Tree:
    """The tree on one side of a change; of a diff from outside, the files on the disk that it fits."""
    read = open_texts(root, side)
    is_here = side == WORKING_TREE or all(_is_on_disk(root, file) for file in files)
    if side != UNKNOWN:
        return Tree(root, read, is_here, mask, rules)
    by_path = {file.path: file for file in files}

    def read_fitting(path: str) -> str | None:
        text = read(path)
        return text if text is not None and path in by_path and is_new_side(text, by_path[path]) else None

    return Tree(root, read_fitting, is_here, mask, rules)


def _is_on_disk(root: Path, file: FileChange) -> bool:
    if file.status == "deleted":
        return True
    text = open_texts(root, WORKING_TREE)(file.path)
    return text is not None and is_new_side(text, file)
