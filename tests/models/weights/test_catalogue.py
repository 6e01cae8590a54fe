from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from bottega.errors import InputError
from bottega.models.weights import Part, Weights, find, list_weights


@pytest.mark.parametrize("weights", list_weights(), ids=lambda weights: weights.name)
def test_every_entry_says_what_a_person_must_know_before_pulling(weights: Weights) -> None:
    assert weights.licence == "Apache-2.0"
    assert urlsplit(weights.licence_url).scheme == urlsplit(weights.hub).scheme == "https"
    assert weights.hub.endswith(f"/{weights.file}")
    assert weights.context == 32768
    assert len(weights.sha256) == 64
    assert len({part.sha256 for part in weights.parts}) == len(weights.parts) > 1


def test_a_name_or_an_alias_finds_the_weights_in_any_case() -> None:
    assert find("qwen2.5-coder-1.5b") is find("QWEN2.5-Coder-1.5B") is find("qwen2.5-coder:1.5b")
    assert find("0.5b").name == "qwen2.5-coder-0.5b"


def test_names_and_aliases_are_used_once() -> None:
    words = [word for weights in list_weights() for word in (weights.name, *weights.aliases)]
    assert sorted(set(words)) == sorted(words)


def test_a_misspelt_name_is_answered_with_a_close_one() -> None:
    with pytest.raises(InputError, match=r"qwen2\.5-codr-0\.5b") as caught:
        find("qwen2.5-codr-0.5b")
    assert "Did you mean qwen2.5-coder-0.5b" in caught.value.hint


def test_an_unknown_name_is_answered_with_all_there_are() -> None:
    with pytest.raises(InputError) as caught:
        find("zzz")
    assert caught.value.hint == "There are qwen2.5-coder-1.5b and qwen2.5-coder-0.5b."


def test_a_part_prints_as_the_line_it_was_read_from() -> None:
    line = f"some-part1==0.2.0 --hash=sha256:{'0' * 64}"
    assert str(Part.parse(line)) == line


@pytest.mark.parametrize("line", ["some-part1==0.2.0", "--index-url https://example.org", "some-part1 --hash=sha256:0"])
def test_a_part_without_a_pin_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a pinned part"):
        Part.parse(line)
