"""Bytes in any encoding become text, and what is no text is told apart."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from bottega.source.text import decode

from .trees import ask, bottega, differences, refreshed, roles, symbols, write

SOURCE = 'def größe():\n    """Über alles."""\n    return 1\n'


ENCODED = {
    "utf-8": SOURCE.encode(),
    "utf-8 with its mark": codecs.BOM_UTF8 + SOURCE.encode(),
    "latin-1": SOURCE.encode("latin-1"),
    "utf-16": SOURCE.encode("utf-16"),
    "utf-16-le": codecs.BOM_UTF16_LE + SOURCE.encode("utf-16-le"),
    "utf-16-be": codecs.BOM_UTF16_BE + SOURCE.encode("utf-16-be"),
    "utf-32": SOURCE.encode("utf-32"),
    "utf-32-be": codecs.BOM_UTF32_BE + SOURCE.encode("utf-32-be"),
}
NO_TEXT = {
    "nul": b"\0",
    "nul at the end": b"def f(): pass\n\0",
    "utf-16 without its mark": SOURCE.encode("utf-16-le"),  # nobody can tell
    "control signs": bytes(range(1, 32)) * 10,
    "elf": b"\x7fELF\x02\x01\x01" + b"\0" * 9,
}
HARDLY_ANY = {
    "nothing": b"",
    "a mark": codecs.BOM_UTF8,
    "another mark": codecs.BOM_UTF16_LE,
    "a line end": b"\n",
    "a windows line end": b"\r\n",
    "colours": b"\x1b[1mbold\x1b[0m\n",
}
BROKEN = {
    "odd utf-16": b"\xff\xfe\xd8",
    "half a pair": b"\xfe\xff\xd8\x00\x00",
    "cut utf-32": b"\xff\xfe\x00\x00\xff",
    "a mark of utf-8, then not": b"\xef\xbb\xbf\xff\xff",
    "a lone surrogate": b"\xff\xfe\x00\xd8",
}


@pytest.mark.parametrize("name", ENCODED)
def test_text_is_the_same_in_every_encoding(name: str) -> None:
    assert decode(ENCODED[name]) == SOURCE


@pytest.mark.parametrize("name", NO_TEXT)
def test_what_is_no_text_is_told_apart(name: str) -> None:
    assert decode(NO_TEXT[name]) is None


@pytest.mark.parametrize("name", [*HARDLY_ANY, *BROKEN])
def test_hardly_any_text_and_broken_text_are_text(name: str) -> None:
    found = decode((HARDLY_ANY | BROKEN)[name])
    assert found is not None
    found.encode()


def test_files_in_every_encoding_are_read_side_by_side(root: Path) -> None:
    cases = ENCODED | NO_TEXT | HARDLY_ANY | BROKEN
    write(root, {f"{name}.py": data for name, data in cases.items()})
    done = refreshed(root)
    assert (done.files, done.remarks) == (len(cases), ())
    assert roles(root) == {f"{name}.py": "binary" if name in NO_TEXT else "code" for name in cases}
    assert ask(root, "SELECT DISTINCT note FROM files") == [("",)]
    assert {name: symbols(root, f"{name}.py") for name in ENCODED} == {name: ["größe"] for name in ENCODED}
    assert ask(root, "SELECT DISTINCT content FROM docstrings") == [("Über alles.",)]
    assert differences(root) == ""
    found = bottega(root, "search", "größe", "-k", "50").out
    assert found.count(".py:1-3  größe (function)") == len(ENCODED)


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
