"""Bytes in any encoding become text, and what is no text is told apart."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from bottega.index.decode import decode

from .trees import ask, bottega, differences, refreshed, roles, symbols, write

SOURCE = 'def größe():\n    """Über alles."""\n    return 1\n'


@pytest.mark.parametrize(
    "data",
    [
        SOURCE.encode(),
        codecs.BOM_UTF8 + SOURCE.encode(),
        SOURCE.encode("latin-1"),
        SOURCE.encode("utf-16"),
        codecs.BOM_UTF16_LE + SOURCE.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + SOURCE.encode("utf-16-be"),
        SOURCE.encode("utf-32"),
        codecs.BOM_UTF32_BE + SOURCE.encode("utf-32-be"),
    ],
    ids=["utf-8", "utf-8 bom", "latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"],
)
def test_text_is_read_the_same_in_every_encoding(root: Path, data: bytes) -> None:
    assert decode(data) == SOURCE
    write(root, {"a.py": data})
    refreshed(root)
    assert symbols(root, "a.py") == ["größe"]
    assert ask(root, "SELECT content FROM docstrings") == [("Über alles.",)]
    assert "a.py:1-3" in bottega(root, "search", "größe").out


@pytest.mark.parametrize(
    "data",
    [
        b"\0",
        b"def f(): pass\n\0",
        SOURCE.encode("utf-16-le"),  # without its mark nobody can tell
        bytes(range(1, 32)) * 10,
        b"\x7fELF\x02\x01\x01" + b"\0" * 9,
    ],
    ids=["nul", "nul at the end", "utf-16 without mark", "control signs", "elf"],
)
def test_what_is_no_text_is_listed_as_binary(root: Path, data: bytes) -> None:
    assert decode(data) is None
    write(root, {"a.py": data})
    refreshed(root)
    assert roles(root) == {"a.py": "binary"}
    assert differences(root) == ""


@pytest.mark.parametrize("data", [b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, b"\n", b"\r\n", b"\x1b[1mbold\x1b[0m\n"])
def test_hardly_any_text_is_text(root: Path, data: bytes) -> None:
    assert decode(data) is not None
    write(root, {"a.py": data})
    refreshed(root)
    assert roles(root) == {"a.py": "code"}
    assert differences(root) == ""


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe\xd8", b"\xfe\xff\xd8\x00\x00", b"\xff\xfe\x00\x00\xff", b"\xef\xbb\xbf\xff\xff", b"\xff\xfe\x00\xd8"],
    ids=["odd utf-16", "half a pair", "cut utf-32", "utf-8 mark, then not", "lone surrogate"],
)
def test_text_that_breaks_its_own_encoding_is_read_as_far_as_it_goes(root: Path, data: bytes) -> None:
    write(root, {"a.py": data + b"\n", "b.py": "B = 1\n"})
    done = refreshed(root)
    assert done.files == 2
    assert ask(root, "SELECT note FROM files") == [("",), ("",)]
    assert differences(root) == ""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_change_neither_lines_nor_signatures(root: Path, end: str) -> None:
    text = (
        "class A:\n    def f(self):\n        return 1\n\n\ndef g(\n    a,\n):\n    # because it is so\n    return a\n"
    )
    write(root, {"a.py": text.replace("\n", end)})
    refreshed(root)
    assert ask(root, "SELECT qualified, first_line, last_line, signature FROM symbols ORDER BY ordinal") == [
        ("A", 1, 3, "class A:"),
        ("A.f", 2, 3, "def f(self):"),
        ("g", 6, 10, "def g( a, ):"),
    ]
    assert ask(root, "SELECT line, content FROM comments") == [(9, "because it is so")]
    assert bottega(root, "show", "A.f").out.count("\r") == 0


def test_nul_bytes_far_behind_do_not_hide_a_file(root: Path) -> None:
    write(root, {"a.py": b"def f(): pass\n" + b"# filler\n" * 2000 + b"def g(): return '\0'\n"})
    refreshed(root)
    assert roles(root) == {"a.py": "code"}
    assert symbols(root, "a.py")[0] == "f"  # a grammar may stop at the sign
    assert differences(root) == ""
