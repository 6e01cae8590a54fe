"""Code on a page: every character is there, each line stands on its own, and tokens have classes."""

from __future__ import annotations

import re
from html import unescape
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.pages import highlight_code, highlight_lines

_NAMES = ["a.py", "a.c", "a.html", "a.js", "a.md", "a.sh", "a.php", "a.unknown", "Makefile", "a.yaml", "a.rb"]


def read(lines: list[str]) -> str:
    return unescape(re.sub(r"</?span[^<>]*>", "", "\n".join(lines)))


@given(st.text(st.sampled_from(list("ab1 \n\t\"'`#/*<>&;=(){}[]\\$%@-:.é")), max_size=200), st.sampled_from(_NAMES))
def test_nothing_is_lost_and_each_line_is_whole(code: str, path: str) -> None:
    for is_fragment in (False, True):
        lines = highlight_lines(code, path, is_fragment=is_fragment)
        assert read(lines) == code
        assert len(lines) == len(code.split("\n"))
        assert all(line.count("<span") == line.count("</span>") for line in lines)
        assert not re.search(r"<(?!/?span)", "".join(lines))


def test_a_string_of_several_lines_is_one_on_each_of_them() -> None:
    lines = highlight_lines('x = f("""a\nb""")\nreturn 1', "a.py")
    assert lines[1].startswith('<span class="s">b')
    assert lines[2] == '<span class="k">return</span> <span class="n">1</span>'


@pytest.mark.parametrize(
    ("path", "code", "prose", "keyword"),
    [
        ("a.py", 'whether the door is open\n    """\n    return door is None', "whether the door is open", "return"),
        ("a.c", " * whether the door is open\n */\nreturn 1;", " * whether the door is open", "return"),
        ("a.php", " // whether the door is open\nreturn $x;", "// whether the door is open", "return"),
        ("a.py", 'def open():\n    """Whether the door is open', "Whether", "def"),
    ],
)
def test_a_fragment_may_begin_or_end_inside_a_comment(path: str, code: str, prose: str, keyword: str) -> None:
    shown = "\n".join(highlight_lines(code, path, is_fragment=True))
    assert f'<span class="k">{keyword}</span>' in shown
    [line] = [line for line in shown.split("\n") if prose in line]
    assert re.search(f'<span class="[cs]">[^<]*{re.escape(prose)}', line)


def test_markup_and_invisible_characters_are_escaped() -> None:
    [line] = highlight_lines('x = "</span><script>\u202e\x1b" # & \u2066', "a.py")
    assert "&lt;/span&gt;&lt;script&gt;\\u202e\\x1b" in line
    assert "&amp; \\u2066" in line
    assert highlight_code("<b>", "no such <language>") == "&lt;b&gt;"
    assert highlight_code("def f(): ...", "python").startswith('<span class="k">def</span>')


@pytest.mark.parametrize(
    ("path", "piece"), [("a.java", "a b \n"), ("a.md", "[\n"), ("a.go", "/*\n"), ("a.css", "/*\n")]
)
def test_hostile_code_takes_no_time(path: str, piece: str) -> None:
    code = piece * (60_000 // len(piece))
    began = process_time()
    assert read(highlight_lines(code, path, is_fragment=True)) == code
    assert process_time() - began < 10


@pytest.mark.parametrize("code", ["x = 1\r\ny = 2", "x\ry", "(" * 300_000, "a" * 10_000, "\ud800"])
def test_odd_code_is_shown_plain(code: str) -> None:
    assert len(highlight_lines(code, "a.py")) == len(code.split("\n"))
