"""Each language has a small repository whose symbols and edges are written down beside it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.index.pictures import edges, indexed_copy, symbols

HERE = Path(__file__).parent / "languages"
LANGUAGES = sorted(folder.name for folder in HERE.iterdir() if (folder / "repo").is_dir())


@pytest.mark.parametrize("language", LANGUAGES)
def test_symbols_and_edges_are_those_written_down(language: str, tmp_path: Path) -> None:
    root = indexed_copy(HERE / language / "repo", tmp_path)
    for name, text in (("symbols.txt", symbols(root)), ("edges.txt", edges(root))):
        written = HERE / language / name
        if os.environ.get("WRITE_PICTURES"):
            written.write_text(text, encoding="utf-8")
        assert text == written.read_text(encoding="utf-8")
