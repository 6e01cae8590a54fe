from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.source import Language, defined_names, known_languages, language_named, signatures

OFFERS = {
    "Python": (
        "import os\nLIMIT = 1\ntotal = 2\nVector = list[float]\ndef f(): ...\nasync def g(): ...\nclass C:\n    def m(self): ...\n"
        "def _own(): ...\nsquare = lambda x: x\ntry:\n    import a\nexcept ImportError:\n    def fallback(): ...\n"
        "if __name__ == '__main__':\n    MAIN = 1\n",
        {"LIMIT", "Vector", "f", "g", "C", "square", "fallback"},
    ),
    "JavaScript": (
        "function f() {}\nfunction* gen() {}\nclass C { m() {} }\nconst arrow = () => 1;\nconst LIMIT = 1;\nconst local = 2;\n"
        "export const open = 3;\nexport { local as renamed };\nexports.h = 1;\nmodule.exports = { k };\n",
        {"f", "gen", "C", "arrow", "LIMIT", "open", "renamed", "h", "k"},
    ),
    "TypeScript": (
        "export interface I { a: string }\ntype T = string;\nenum E { A }\nexport abstract class B {}\nexport const f = (): void => {};\n",
        {"I", "T", "E", "B", "f"},
    ),
    "Go": (
        "package a\ntype S struct{}\ntype A = int\nfunc (s *S) Push() {}\nfunc F() { inner := 1; _ = inner }\nconst (\n\tX = 1\n\tY = 2\n)\n"
        "var z, w = 1, 2\n",
        {"S", "A", "Push", "F", "X", "Y", "z", "w"},
    ),
    "Java": (
        "class A { private void own() {} public int f() { return 1; } void g() {} class Inner { void no() {} } }\ninterface I { void h(); }\n"
        "enum E { X; void em() {} }\nrecord R(int x) {}\n",
        {"A", "f", "g", "I", "h", "E", "em", "R"},
    ),
    "Rust": (
        "pub fn f() {}\nstruct S;\nenum E {}\ntrait T {}\nconst C: i32 = 1;\ntype A = i32;\nimpl S { pub fn new() {} }\n"
        "#[cfg(test)]\nmod tests { fn t() {} }\n",
        {"f", "S", "E", "T", "C", "A"},
    ),
    "C": (
        "#define MAX 10\n#define DEBUG\nstatic char **f(int a) { return 0; }\nint declared(void);\nstruct P { int x; };\n"
        "typedef struct { int y; } Q;\nenum E { A };\nint table[2] = {1, 2};\n",
        {"MAX", "f", "P", "Q", "E", "table"},
    ),
    "C++": (
        "namespace n { class C { public: C() {} void m() {} }; template <typename T> T id(T x) { return x; } }\nint &r() { static int a; return a; }\n"
        "using A = int;\nconstexpr int K = 1;\n",
        {"C", "id", "r", "A", "K"},
    ),
    "C#": (
        "namespace X { public class A { public int F() => 1; private int G() => 2; } interface I { void M(); } }\nenum E { Z }\n",
        {"A", "F", "I", "M", "E"},
    ),
    "Ruby": (
        "module M\n  class Inner; end\nend\nclass C < B\n  def m; end\nend\ndef top(a); end\nLIMIT = 1\nlocal = 2\n",
        {"M", "C", "top", "LIMIT"},
    ),
    "PHP": (
        "<?php\nnamespace A;\nfunction f() {}\nclass C { const X = 1; function m() {} }\ninterface I {}\nconst K = 1;\n",
        {"f", "C", "I", "K"},
    ),
}


def known(name: str) -> Language:
    found = language_named(name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", OFFERS)
def test_the_names_a_caller_could_use_are_found(name: str) -> None:
    code, names = OFFERS[name]
    assert defined_names(code, known(name)) == names


@pytest.mark.parametrize("name", OFFERS)
def test_source_that_does_not_parse_offers_nothing_that_is_known(name: str) -> None:
    assert defined_names("class ((( {", known(name)) is None


@pytest.mark.parametrize("name", OFFERS)
def test_empty_source_offers_nothing_and_that_is_known(name: str) -> None:
    assert defined_names("", known(name)) == frozenset()


@pytest.mark.parametrize("language", [lang for lang in known_languages() if lang.name not in OFFERS], ids=str)
def test_what_other_languages_offer_is_not_known(language: Language) -> None:
    assert defined_names("", language) is None


def test_all_makes_a_variable_part_of_the_offer() -> None:
    assert defined_names("app = make()\n__all__ = ['app']\n", known("python")) == {"app", "__all__"}


def test_a_private_overload_does_not_hide_the_open_one() -> None:
    assert defined_names("class A { private void f() {} public void f(int a) {} }", known("java")) == {"A", "f"}


def test_a_long_chain_of_branches_is_followed() -> None:
    code = "if a:\n    pass\n" + "elif a:\n    pass\n" * 900 + "else:\n    def last(): ...\n"
    assert defined_names(code, known("python")) == {"last"}


def test_signatures_leave_out_annotations_and_keep_defaults() -> None:
    code = "def f(a: int, /, b: str = 'x', *c, d: int = 3, **e) -> None: ...\n"
    assert signatures(code, known("python")) == {"f": "(a, /, b='x', *c, d=3, **e)"}


def test_two_spellings_of_one_signature_are_equal() -> None:
    one = signatures("def f(a, b = (1,2)): ...\n", known("python"))
    other = signatures("def f(\n    a: 'int',\n    b: tuple = (1, 2),\n): ...\n", known("python"))
    assert one == other


def test_methods_have_signatures_under_their_class() -> None:
    code = "class C:\n    def __init__(self, a): ...\n    async def run(self, *, fast=False): ...\n    def _own(self): ...\n"
    assert signatures(code, known("python")) == {"C.__init__": "(self, a)", "C.run": "(self, *, fast=False)"}


def test_signatures_of_other_languages_and_of_broken_source_are_not_known() -> None:
    assert signatures("func f() {}", known("go")) is None
    assert signatures("def f(", known("python")) is None


@pytest.mark.parametrize("name", OFFERS)
@given(text=st.text())
def test_names_of_any_text_get_an_answer(name: str, text: str) -> None:
    found = defined_names(text, known(name))
    assert found is None or all(found)
    signatures(text, known(name))
