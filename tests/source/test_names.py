from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.source import Language, find_defined_names, find_signatures, known_languages, language_named
from tests.source.offers import OFFERS


def known(name: str) -> Language:
    found = language_named(name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", OFFERS)
def test_the_names_a_caller_could_use_are_found(name: str) -> None:
    code, names = OFFERS[name]
    assert find_defined_names(code, known(name)) == names


@pytest.mark.parametrize("name", OFFERS)
def test_source_that_does_not_parse_offers_nothing_that_is_known(name: str) -> None:
    assert find_defined_names("class ((( {", known(name)) is None


@pytest.mark.parametrize("name", OFFERS)
def test_empty_source_offers_nothing_and_that_is_known(name: str) -> None:
    assert find_defined_names("", known(name)) == frozenset()


@pytest.mark.parametrize("language", [lang for lang in known_languages() if lang.name not in OFFERS], ids=str)
def test_what_other_languages_offer_is_not_known(language: Language) -> None:
    assert find_defined_names("", language) is None


def test_all_makes_a_variable_part_of_the_offer() -> None:
    assert find_defined_names("app = make()\n__all__ = ['app']\n", known("python")) == frozenset({"app", "__all__"})


def test_a_private_overload_does_not_hide_the_open_one() -> None:
    assert find_defined_names("class A { private void f() {} public void f(int a) {} }", known("java")) == frozenset(
        {"A", "f"}
    )


def test_a_long_chain_of_branches_is_followed() -> None:
    code = "if a:\n    pass\n" + "elif a:\n    pass\n" * 900 + "else:\n    def last(): ...\n"
    assert find_defined_names(code, known("python")) == frozenset({"last"})


def test_signatures_leave_out_annotations_and_keep_defaults() -> None:
    code = "def f(a: int, /, b: str = 'x', *c, d: int = 3, **e) -> None: ...\n"
    assert find_signatures(code, known("python")) == {"f": "(a, /, b='x', *c, d=3, **e)"}


def test_two_spellings_of_one_signature_are_equal() -> None:
    one = find_signatures("def f(a, b = (1,2)): ...\n", known("python"))
    other = find_signatures("def f(\n    a: 'int',\n    b: tuple = (1, 2),\n): ...\n", known("python"))
    assert one == other


def test_methods_have_signatures_under_their_class() -> None:
    code = "class C:\n    def __init__(self, a): ...\n    async def run(self, *, b=1): ...\n    def _own(self): ...\n"
    assert find_signatures(code, known("python")) == {"C.__init__": "(self, a)", "C.run": "(self, *, b=1)"}


def test_signatures_of_other_languages_and_of_broken_source_are_not_known() -> None:
    assert find_signatures("func f() {}", known("go")) is None
    assert find_signatures("def f(", known("python")) is None


@pytest.mark.parametrize("name", OFFERS)
@given(text=st.text())
def test_names_of_any_text_get_an_answer(name: str, text: str) -> None:
    found = find_defined_names(text, known(name))
    assert found is None or all(found)
    find_signatures(text, known(name))
