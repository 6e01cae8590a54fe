"""Tags and modes: the defects that users of the seed met are the cases."""

from __future__ import annotations

import pytest

from bottega.errors import InputError
from bottega.write import parse_request


@pytest.mark.parametrize(
    ("text", "mode", "prompt"),
    [
        ("add two numbers", "code_reviewed", "add two numbers"),
        ("///raw\nadd two numbers", "code_raw", "add two numbers"),
        ("///raw Write a hello world in C", "code_raw", "Write a hello world in C"),
        ("///RAW x", "code_raw", "x"),
        ("///raw x\nand y", "code_raw", "x\nand y"),
        ("  \n///ctx now with types", "code_reviewed_ctx", "now with types"),
        ("///continue\r\nmore\r\nlines", "code_reviewed_ctx", "more\nlines"),
        ("///review-only\nx = 1", "review_only", "x = 1"),
        ("\ufeff///raw x", "code_raw", "x"),
        ("////raw is a path", "code_reviewed", "///raw is a path"),
        ("/// A doc comment\nfn main() {}", "code_reviewed", "/// A doc comment\nfn main() {}"),
        ("explain ///raw tags", "code_reviewed", "explain ///raw tags"),
    ],
)
def test_a_tag_on_the_first_line_chooses_the_mode_and_keeps_the_text(text: str, mode: str, prompt: str) -> None:
    parsed = parse_request(text)
    assert (parsed.mode, parsed.prompt) == (mode, prompt)


@pytest.mark.parametrize("text", ["///rawest x", "///review x", "///unknown\nx", "///ctx: x", "///raw/x"])
def test_an_unknown_tag_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="unknown tag"):
        parse_request(text)


def test_the_refusal_suggests_the_tag_that_was_meant() -> None:
    with pytest.raises(InputError) as caught:
        parse_request("///reviewonly x")
    assert "review-only" in caught.value.hint


@pytest.mark.parametrize("text", ["", "   \n\t ", "///raw", "///raw   \n  ", "\ufeff"])
def test_an_empty_request_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="empty"):
        parse_request(text)


def test_the_flag_does_what_the_tag_does() -> None:
    assert parse_request("x = 1", mode="review-only").mode == "review_only"
    assert parse_request("///raw x", mode="raw").prompt == "x"


def test_a_tag_that_contradicts_the_flag_is_refused() -> None:
    with pytest.raises(InputError, match="--mode"):
        parse_request("///raw x", mode="ctx")


def test_with_a_flag_code_that_starts_with_a_doc_comment_is_text() -> None:
    assert parse_request("///Adds.\nfn add() {}", mode="review-only").prompt == "///Adds.\nfn add() {}"


def test_an_unknown_mode_is_refused_with_a_suggestion() -> None:
    with pytest.raises(InputError) as caught:
        parse_request("x", mode="revew-only")
    assert caught.value.hint == "Did you mean review-only?"
