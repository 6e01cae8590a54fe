from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bottega.journal import Masker

from .shapes import ORDINARY, SHAPES

VALUES = ("hunter2hunter2", "masked:env", "masked:password", "p»q«r-0123", 'quote"and\\slash')
PIECES = [planted.text for planted in SHAPES.values()]
FRAGMENTS = [
    *("token=", '"', "'", "sk-", "eyJ", ".", "-", "=", ":", "://", "@", "\n", " ", "«masked:", "«", "»", "Bearer "),
    *("password", "API_KEY", "SECRET", "export ", "-----BEGIN PRIVATE KEY-----", "AKIA", "abcdef", "ABCDEF0123456789"),
]
texts = st.lists(
    st.one_of(st.sampled_from(PIECES), st.sampled_from(FRAGMENTS), st.sampled_from(VALUES), st.text()), max_size=12
).map("".join)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_secret_of_every_known_shape_is_masked(shape: str) -> None:
    text, secret = SHAPES[shape]
    masked = Masker()(text)
    assert secret not in masked
    assert "«masked:" in masked


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_code_and_prose_is_left_as_it_is(text: str) -> None:
    assert Masker()(text) == text


def test_what_stands_around_a_secret_stays() -> None:
    mask = Masker(["hunter2hunter2"])
    assert mask('x = 1\napi_key = "w7Kd02mXp9"  # why\n') == 'x = 1\napi_key = "«masked:value»"  # why\n'
    assert mask("A=1\nDB_PASSWORD=w7Kd02mXp9\n\n\nB=2") == "A=1\nDB_PASSWORD=«masked:value»\n\n\nB=2"
    assert mask("postgres://app:S3cr3t@db/app") == "postgres://app:«masked:password»@db/app"
    assert mask("login('hunter2hunter2')") == "login('«masked:env»')"


def test_short_values_are_not_masked_wherever_they_occur() -> None:
    assert Masker(["", "a", "main", "1234567"])("a main 1234567") == "a main 1234567"


def test_the_longer_of_two_values_is_masked_whole() -> None:
    assert Masker(["hunter2h", "hunter2hunter2"])("hunter2hunter2") == "«masked:env»"


@settings(deadline=None)
@given(text=texts)
def test_masking_twice_is_masking_once(text: str) -> None:
    for mask in (Masker(), Masker(VALUES)):
        once = mask(text)
        assert mask(once) == once


@settings(deadline=None)
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=6,
    )
)
def test_masked_json_stays_json_and_is_the_masked_value(value: Any) -> None:
    mask = Masker(VALUES)
    stored = mask.json(value)
    assert json.loads(stored) == mask.masked(value)
    assert mask.json(json.loads(stored)) == stored
    stored.encode("utf-8")


def test_keys_of_tables_are_masked_as_well() -> None:
    _, secret = SHAPES["github"]
    assert secret not in Masker().json({secret: {"nested": [{secret: 1}]}})


def test_values_under_a_key_that_speaks_of_secrets_are_masked() -> None:
    value = {"api_key": "w7Kd02mXp9", "token": "identifier", "max_tokens": 4096, "api_key_env": "OPENAI_API_KEY"}
    assert Masker().masked([value]) == [{**value, "api_key": "«masked:value»"}]


HOSTILE = (
    *("\n", " ", "\t", "a", "-", ".", "_", "=", '"', "A", "0", "«", "\ud800"),
    *("eyJ-", "eyJhbGciOiJI.", "eyJhbGciOiJIUzI1.eyJhbGciOiJIUzI1-", "sk-", "sk-a", "a.a-", "AKIA", "xoxb-", "ghp_"),
    *("://a:", "://", "://:", "bearer ", "bearer a", "token", "token ", "token: a ", "token=", "token='", 'key="a'),
    *("TOKEN\n", "A_TOKEN=\n", "-----BEGIN ", "export ", "+ ", "-----BEGIN PRIVATE KEY-----"),
)


@pytest.mark.timeout(100)
def test_no_text_makes_masking_take_forever() -> None:
    """Quadratic work on any of these stretches would take minutes; masking all of them takes seconds."""
    stretch = 5_000_000 // len(HOSTILE)
    text = "\n".join(piece * (stretch // len(piece)) for piece in HOSTILE)
    masked = Masker(["hunter2hunter2", "aaaaaaab"])(f"{text}\n{SHAPES['private key without its end'].text}")
    assert masked.endswith("-----BEGIN PRIVATE KEY-----\n«masked:private-key»\n«masked:private-key»")
