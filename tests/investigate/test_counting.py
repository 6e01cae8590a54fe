"""Lines of code, of comments, and blank ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.investigate.scan.lines import Lines, bound, count_pages

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


def count_lines(data: bytes, language: str) -> Lines:
    return count_pages(bound([data]), language)[0] if data else Lines(0, 0, 0)


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


@pytest.mark.parametrize(
    ("language", "text", "lines"),
    [
        ("JavaScript", b'const a = `\nline1\nline2\n`;\nconst b = "x"; /* c\nd */\n', Lines(5, 1, 0)),
        ("JavaScript", b"const a = `\n  src/*.js\n  foo\n`;\nlet x = 1;\nlet y = 2;\n", Lines(6, 0, 0)),
        ("Ruby", b"@x ||=begin\n  foo\nend\nputs 1\nputs 2\n", Lines(5, 0, 0)),
        ("Ruby", b"=begin\nfoo\n=end\nputs 1\n", Lines(1, 3, 0)),
        ("Python", b'Q = \'"""\'\ndef f():\n    """Doc.\n    """\n    return 1\n', Lines(3, 2, 0)),
        ("Python", b'x = 1  # """\ndef f():\n    """Doc.\n    """\n    return 1\n', Lines(3, 2, 0)),
        ("Python", b'x = \'#\' + """\na\n"""\ny = 1\n', Lines(4, 0, 0)),
        ("Python", b'def f():\n    """It\'s.\n    don\'t """\n    return 1\n', Lines(2, 2, 0)),
        ("C", b"/* a */ /* b\nstill\n*/\nint x;\n", Lines(1, 3, 0)),
        ("C", b"/* see http://x */ int y; /* opens\ninside\n*/\nint z;\n", Lines(2, 2, 0)),
        ("C", b"int x; /* a\nb */ int y; /* c\nd */\n", Lines(2, 1, 0)),
        ("C", b"int x; // see /* that\nint y; /*\n", Lines(2, 0, 0)),
        ("HTML", b"it's <!-- don't\nfoo bar\n-->\ntext\n", Lines(2, 2, 0)),
    ],
)
def test_blocks_behind_something_else_are_followed(language: str, text: bytes, lines: Lines) -> None:
    assert count_lines(text, language) == lines
    alone = count_lines(b"x\n", language)
    assert count_pages(bound([b"x\n", text, b"x\n"]), language) == [alone, lines, alone]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("JavaScript", b'x = "a"; /* \n*/\n' + b'\\"' * 400_000 + b"\n"),
        ("C", b"x " + b"/* " * 300_000 + b"\n*/\n"),
        ("C", b'x = "a"; /* \n*/\n' + b"\\'" * 400_000 + b"\n"),
        ("Python", b"x = '" + b'"""\'' * 200_000 + b"\n"),
    ],
)
def test_hostile_files_take_time_by_their_length(language: str, text: bytes) -> None:
    """The time limit of every test would be far too short for more."""
    assert sum(count_lines(text, language)) == text.count(b"\n")
