"""From text to terms: what a person writes in a question meets what stands in the code."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.source.words import build_grams, identifiers, split_identifier, stem, tally, term, terms_of, whole_term


@pytest.mark.parametrize(
    ("identifier", "pieces"),
    [
        ("open_store", ["open", "store"]),
        ("openStore", ["open", "store"]),
        ("OpenStore", ["open", "store"]),
        ("OPEN_STORE", ["open", "store"]),
        ("HTTPServer", ["http", "server"]),
        ("parseHTTPResponse2", ["parse", "http", "response", "2"]),
        ("utf8_decode", ["utf", "8", "decode"]),
        ("__init__", ["init"]),
        ("x", ["x"]),
        ("_", []),
        ("日本語", ["日本", "本語"]),
        ("größe", ["größe"]),
        ("GrößeÄndern", ["größe", "ändern"]),
        ("ÄNDERUNG_Ort", ["änderung", "ort"]),
        ("имяФайла2", ["имя", "файла", "2"]),
        ("日本Test", ["日本", "test"]),
    ],
)
def test_identifiers_are_split_at_every_border(identifier: str, pieces: list[str]) -> None:
    assert split_identifier(identifier) == pieces


@pytest.mark.parametrize(
    "family",
    [
        ["dispatch", "dispatcher", "dispatching", "dispatched"],
        ["index", "indexes", "indexing", "indexed"],
        ["commit", "commits", "committing", "committed"],
        ["test", "tests"],
        ["run", "running"],
    ],
)
def test_forms_of_a_word_meet(family: list[str]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize(("one", "other"), [("class", "clas"), ("status", "stat"), ("bus", "bu"), ("pass", "pas")])
def test_words_that_only_look_like_forms_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_a_name_is_found_in_any_spelling() -> None:
    assert whole_term("JoinSet") == whole_term("join_set") == whole_term("joinSet") == whole_term("JOIN_SET")
    assert set(terms_of("JoinSet")) == set(terms_of("join_set"))
    assert set(terms_of("joinset")) != set(terms_of("join_set"))


def test_terms_are_the_same_in_every_process() -> None:
    """They are written to disk: a seed of the process must not enter them."""
    code = "from bottega.source.words import terms_of; print(terms_of('open_store'))"
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        assert done.stdout.decode().strip() == str(terms_of("open_store"))


def test_counting_adds_up_whichever_way_words_come() -> None:
    assert tally(["open", "open", "close"]) == tally({"open": 2, "close": 1})
    assert tally(["openStore", "open_store"])[whole_term("open_store")] == 2
    assert tally([]) == {}


def test_neighbouring_words_are_neighbours_across_blanks_signs_and_case() -> None:
    spelt = [build_grams(identifiers(text)) for text in ("open the store now", "openStore now", "open_store_now")]
    assert spelt[0][0].tolist() == spelt[1][0].tolist() == spelt[2][0].tolist()
    assert spelt[0][1].tolist() == spelt[1][1].tolist() == spelt[2][1].tolist()
    assert (len(spelt[0][0]), len(spelt[0][1])) == (2, 1)
    assert build_grams(identifiers("store open"))[0].tolist() != build_grams(identifiers("open store"))[0].tolist()


@pytest.mark.parametrize("words", [[], ["a"], ["the"], ["open"], ["open", "store"]])
def test_few_words_have_few_neighbours(words: list[str]) -> None:
    two, three = build_grams(words)
    assert (len(two), len(three)) == (int(len(words) == 2), 0)


@given(st.text())
def test_no_text_is_too_odd_for_words(text: str) -> None:
    names = identifiers(text)
    counted = tally(names)
    assert all(0 <= number < 2**64 and count > 0 for number, count in counted.items())
    two, three = build_grams(names)
    assert two.tolist() == sorted(set(two.tolist()))
    assert three.tolist() == sorted(set(three.tolist()))


@given(st.text(st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1))
def test_the_pieces_of_a_name_do_not_depend_on_how_it_is_framed(name: str) -> None:
    assert split_identifier(f"_{name}_") == split_identifier(name)


def test_half_a_sign_has_a_term() -> None:
    assert term("\ud800") != term("\udfff")
