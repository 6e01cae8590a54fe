from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.source import Language, Parses, check_syntax, known_languages, language_named, render_comment

VALID = {
    "Python": "def f(a):\n    return a\n",
    "JavaScript": "function f(a) { return a; }\n",
    "TypeScript": "const a: number = 1;\n",
    "Java": "class A { int f() { return 1; } }\n",
    "C": "int f(int a) { return a; }\n",
    "C++": "int f(int a) { return a; }\n",
    "C#": "class A { int F() { return 1; } }\n",
    "Go": "package a\n\nfunc f() int { return 1 }\n",
    "Rust": "fn f() -> i32 { 1 }\n",
    "Ruby": "def f(a)\n  a\nend\n",
    "Lua": "local function f(a) return a end\n",
    "Haskell": "module A where\n\nf :: Int -> Int\nf a = a\n",
    "Elixir": "defmodule A do\n  def f(a), do: a\nend\n",
    "Erlang": "-module(a).\nf(A) -> A.\n",
    "Scala": "object A { def f(a: Int): Int = a }\n",
    "R": "f <- function(a) a\n",
    "Julia": "f(a) = a\n",
    "OCaml": "let f a = a\n",
    "Clojure": "(defn f [a] a)\n",
    "YAML": "a: 1\n",
    "TOML": "a = 1\n",
    "XML": "<a>b</a>\n",
    "CMake": "set(A 1)\n",
    "Nix": "{ a }: a\n",
    "Terraform": 'variable "a" {}\n',
    "PHP": "function f($a) { return $a; }\n",
}
AWKWARD = [
    "-->",
    "*/",
    "*)",
    "(*",
    "?>",
    "\n",
    "\r",
    "\u2028",
    "\\",
    "\\u000a",
    '"',
    "'",
    "--",
    "#",
    "{",
    "|}",
    "\0",
    "\u202e",
]
texts = st.lists(st.one_of(st.sampled_from(AWKWARD), st.text(max_size=5))).map("".join)


def known(name: str) -> Language:
    found = language_named(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("python", "# made here"),
        ("c", "// made here"),
        ("sql", "-- made here"),
        ("html", "<!-- made here -->"),
        ("css", "/* made here */"),
        ("ocaml", "(* made here *)"),
        ("latex", "% made here"),
    ],
)
def test_a_comment_is_written_the_way_of_its_language(name: str, line: str) -> None:
    assert render_comment(known(name), "made here") == line


def test_a_language_without_comments_gives_none() -> None:
    assert render_comment(known("json"), "made here") is None


def test_many_lines_become_one() -> None:
    assert render_comment(known("python"), "one\r\ntwo\u2028three") == "# one two three"


def test_a_closing_mark_in_the_text_does_not_close_the_comment() -> None:
    assert render_comment(known("css"), "a */ body {}") == "/* a * / body {} */"
    assert render_comment(known("html"), "a --> <script>") == "<!-- a - -> <script> -->"


def test_a_backslash_at_the_end_does_not_swallow_the_next_line() -> None:
    assert render_comment(known("c"), "a \\ \\") == "// a"


def test_text_that_names_an_encoding_does_not_become_an_order() -> None:
    line = render_comment(known("python"), "coding: klingon")
    assert line is not None
    compile(f"{line}\nx = 1\n".encode(), "<source>", "exec")


def test_a_builder_takes_no_order_from_a_dockerfile_comment() -> None:
    assert render_comment(known("dockerfile"), "escape=`") == "# escape -`"


def test_direction_signs_do_not_survive() -> None:
    assert render_comment(known("rust"), "a\u202eb") == "// a b"


@pytest.mark.parametrize("language", known_languages(), ids=str)
@given(text=texts)
def test_any_text_becomes_one_printable_line(language: Language, text: str) -> None:
    line = render_comment(language, text)
    assert line is None or (line.isprintable() and len(line.splitlines()) == 1)


def test_there_is_valid_source_for_every_language_that_can_be_checked() -> None:
    assert set(VALID) == {lang.name for lang in known_languages() if lang.strict and lang.comment is not None}


@pytest.mark.parametrize("name", VALID)
@given(text=texts)
def test_source_still_parses_below_any_comment(name: str, text: str) -> None:
    language = known(name)
    line = render_comment(language, text)
    assert check_syntax(f"{line}\n{VALID[name]}", language) == Parses()
