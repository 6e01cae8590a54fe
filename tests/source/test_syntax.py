from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.source import Language, Parses, SyntaxFault, Unchecked, check_syntax, known_languages, language_named
from tests.source.snippets import BROKEN, VALID

STRICT = [lang for lang in known_languages() if lang.strict]
LOOSE = [lang for lang in known_languages() if not lang.strict]


def known(name: str) -> Language:
    found = language_named(name)
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "code"), [(name, code) for name, codes in VALID.items() for code in codes])
def test_valid_source_parses(name: str, code: str) -> None:
    assert check_syntax(code, known(name)) == Parses()


@pytest.mark.parametrize(("name", "code", "line"), BROKEN)
def test_broken_source_has_a_fault_near_where_it_broke(name: str, code: str, line: int) -> None:
    found = check_syntax(code, known(name))
    assert isinstance(found, SyntaxFault)
    assert abs(found.line - line) <= 1
    assert found.column >= 1
    assert found.what


def test_a_fault_prints_its_place_its_reason_and_the_line() -> None:
    fault = check_syntax('{\n  "a": 1,\n}\n', known("json"))
    assert str(fault) == "line 3, column 1: Expecting property name enclosed in double quotes\n    }"


def test_a_block_that_is_never_closed_is_not_called_unexpected() -> None:
    fault = check_syntax("def f(a)\n  a.each do |x|\n    x\n", known("ruby"))
    assert isinstance(fault, SyntaxFault)
    assert fault.what == "what begins with `def f(a)` is not closed"


def test_columns_count_characters_and_not_bytes() -> None:
    fault = check_syntax("const é = 'ü' 1;\n", known("javascript"))
    assert isinstance(fault, SyntaxFault)
    assert (fault.line, fault.column) == (1, 15)


@pytest.mark.parametrize("language", LOOSE, ids=str)
def test_a_language_that_cannot_be_judged_is_unchecked_whatever_the_text(language: Language) -> None:
    assert isinstance(check_syntax("(((", language), Unchecked)
    assert isinstance(check_syntax("", language), Unchecked)


def test_newer_python_is_unchecked_or_parses_but_is_no_fault() -> None:
    for code in ("type A = int\n", "def f[T](x: T) -> T:\n    return x\n", "class A[T]:\n    pass\n", 'f"{d["k"]}"\n'):
        assert not isinstance(check_syntax(code, known("python")), SyntaxFault)


def test_a_fault_beside_newer_python_is_still_a_fault() -> None:
    assert isinstance(check_syntax("type A = int\nx = (\n", known("python")), SyntaxFault)


def test_a_warning_is_no_fault() -> None:
    assert check_syntax("assert (x, 'always true')\n", known("python")) == Parses()


def test_source_behind_a_preprocessor_is_unchecked_when_the_grammar_refuses_it() -> None:
    code = "#define BEGIN {\n#define END }\nint main(void) BEGIN return 0; END\n"
    assert isinstance(check_syntax(code, known("c")), Unchecked)


def test_a_byte_order_mark_and_carriage_returns_are_no_fault() -> None:
    assert check_syntax("\ufeffx = 1\r\ny = 2\r\n", known("python")) == Parses()
    assert check_syntax('\ufeff{"a": 1}\r\n', known("json")) == Parses()


def test_a_number_of_any_length_is_no_fault_of_json() -> None:
    assert check_syntax("9" * 10_000, known("json")) == Parses()


@pytest.mark.parametrize("language", STRICT, ids=str)
@pytest.mark.parametrize("character", ["\0", "\ud800"])
def test_what_no_file_can_hold_is_a_fault_at_its_place(language: Language, character: str) -> None:
    found = check_syntax(f"\n  {character}", language)
    assert isinstance(found, SyntaxFault)
    assert (found.line, found.column) == (2, 3)


@pytest.mark.parametrize("language", STRICT, ids=str)
@pytest.mark.parametrize("pair", ["[]", "()", "{}"])
def test_ten_thousand_brackets_are_survived(language: Language, pair: str) -> None:
    check_syntax(f"x = {pair[0] * 10_000}{pair[1] * 10_000}\n", language)


@pytest.mark.parametrize(
    "code", ["x = " + "-" * 100_000 + "1", "x = " + "1 + " * 100_000 + "1", "x = a" + ".b" * 100_000]
)
def test_python_nested_beyond_its_parser_is_unchecked(code: str) -> None:
    assert isinstance(check_syntax(code, known("python")), Unchecked)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("python", "x = foo(1, 2)\n"),
        ("javascript", "x = foo(1, 2);\n"),
        ("go", "var x = foo(1, 2)\n"),
        ("yaml", "- {a: 1}\n"),
        ("toml", "[[a]]\nb = 1\n"),
    ],
)
def test_a_megabyte_of_valid_source_parses(name: str, line: str) -> None:
    start = "package a\n" if name == "go" else ""
    assert check_syntax(start + line * (1_000_000 // len(line)), known(name)) == Parses()


def test_source_that_takes_a_grammar_too_long_is_unchecked_in_bounded_time() -> None:
    begun = time.monotonic()
    found = check_syntax("x = foo(1, 2)\n" * 75_000, known("java"))
    assert not isinstance(found, Parses)
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize("language", STRICT, ids=str)
@given(text=st.text())
def test_any_text_at_all_gets_an_answer(language: Language, text: str) -> None:
    assert isinstance(check_syntax(text, language), Parses | SyntaxFault | Unchecked)


@pytest.mark.parametrize("name", VALID)
@given(data=st.data())
def test_source_cut_or_stained_anywhere_gets_an_answer(name: str, data: st.DataObject) -> None:
    code = data.draw(st.sampled_from(VALID[name]))
    first = data.draw(st.integers(0, len(code)))
    last = data.draw(st.integers(first, len(code)))
    stained = code[:first] + data.draw(st.text("()[]{}\"'`<>\n #=;:/\\é", max_size=4)) + code[last:]
    found = check_syntax(stained, known(name))
    assert not isinstance(found, SyntaxFault) or 1 <= found.line <= stained.count("\n") + 2
