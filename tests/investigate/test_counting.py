"""Lines of code, of comments, and blank ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.investigate.scan.lines import Lines, bound, count_lines, count_pages

CASES = [
    ("Python", b'"""Doc.\n\nMore.\n"""\nx = 1  # why\n# only\n\n', Lines(1, 4, 2)),
    ("Python", b"x = '''\n# not a comment line of its own\n'''\ny = 2\n", Lines(3, 1, 0)),
    ("Python", b'def f():\n    r"""Raw."""\n    return 1\n', Lines(2, 1, 0)),
    ("Python", b'# """ this opens nothing\nx = 1\ny = 2\n', Lines(2, 1, 0)),
    ("C", b"/* one\n * two\n */\nint x; /* behind */\n// three\n\n", Lines(1, 4, 1)),
    ("C", b"int a; /* opens behind code\nstill inside\n*/ int b;\n", Lines(2, 1, 0)),
    ("C", b'char *s = "/* no comment";\nint x;\n', Lines(2, 0, 0)),
    ("C", b"/* never closed\nint x;\n", Lines(0, 2, 0)),
    ("C", b"/* a */ int x;\n/* b */\n", Lines(1, 1, 0)),
    ("HTML", b"<p>\n<!-- one\ntwo -->\n</p>\n", Lines(2, 2, 0)),
    ("Lua", b"--[[ one\ntwo ]]\nprint(1) -- three\n-- four\n", Lines(1, 3, 0)),
    ("JSON", b'{\n\n"a": 1}\n', Lines(2, 0, 1)),
    ("PHP", b"<?php\n# a\n// b\n/* c */\necho 1;\n", Lines(2, 3, 0)),
    ("Bash", b"#!/bin/sh\necho a\n", Lines(1, 1, 0)),
    ("Go", b"package a\n\n\t// inner\n\r\n", Lines(1, 1, 2)),
    ("C", b"", Lines(0, 0, 0)),
    ("C", b"int x", Lines(1, 0, 0)),
    ("Klingon", b"qapla\n\n", Lines(1, 0, 1)),
]


@pytest.mark.parametrize(("language", "text", "lines"), CASES)
def test_lines_are_told_apart(language: str, text: bytes, lines: Lines) -> None:
    assert count_lines(text, language) == lines


LANGUAGES = ["Python", "C", "HTML", "Lua", "JavaScript", "SQL"]
TEXT = st.lists(
    st.sampled_from(
        [
            b"x = 1",
            b"# c",
            b"// c",
            b"/* a",
            b"b */",
            b'"""',
            b"'''",
            b"",
            b"   ",
            b"\t/* a */",
            b"<!--",
            b"-->",
            b"--[[",
        ]
    ),
    max_size=12,
).map(b"\n".join)


@given(st.lists(TEXT, min_size=1, max_size=6), st.sampled_from(LANGUAGES))
def test_files_counted_together_are_counted_as_if_alone(texts: list[bytes], language: str) -> None:
    files = [text for text in texts if text]
    if files:
        assert count_pages(bound(files), language) == [count_lines(text, language) for text in files]


@given(TEXT, st.sampled_from(LANGUAGES))
def test_the_three_make_up_all_lines(text: bytes, language: str) -> None:
    counted = count_lines(text, language)
    lines = text.count(b"\n") + (0 if not text or text.endswith(b"\n") else 1)
    assert sum(counted) == lines
    assert min(counted) >= 0
