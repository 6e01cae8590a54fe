"""What a model says to itself is not what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.models.thinking import split_thinking

from .doubles import steadily

PROSE = st.text(st.characters(exclude_characters="<>", exclude_categories=["Cs"]))


@pytest.mark.parametrize("tag", ["think", "thinking", "reasoning", "THINK"])
def test_a_block_before_the_answer_is_thinking(tag: str) -> None:
    assert split_thinking(f"<{tag}>\ntwo and two\n</{tag}>\n\nfour\n") == ("four", "two and two")


def test_an_answer_without_thinking_is_left_as_it_is() -> None:
    assert split_thinking("\n  four\n\n") == ("\n  four\n\n", "")


def test_blocks_one_after_the_other_are_all_thinking() -> None:
    assert split_thinking("<think>a</think>\n<think>b</think>\nfour") == ("four", "a\n\nb")


def test_an_empty_block_is_removed() -> None:
    assert split_thinking("<think>\n\n</think>\n\nfour") == ("four", "")


def test_a_block_that_is_never_closed_leaves_no_answer() -> None:
    assert split_thinking("<think>two and two and") == ("", "two and two and")


def test_a_lone_closing_tag_ends_thinking_that_the_template_opened() -> None:
    assert split_thinking("two and two\n</think>\n\nfour") == ("four", "two and two")
    assert split_thinking("two and two.</think>\nfour") == ("four", "two and two.")


@pytest.mark.parametrize(
    "code",
    [
        'OPEN = re.compile(r"<think>")\nprint(OPEN)\n',
        'text = text.split("</think>")[1]\n',
        'text = "<think>" + thought + "</think>" + answer\n',
        'XML = """\n<think>\na\n</think>\n"""\n',
        "The tag <think> opens a block.\n",
    ],
)
def test_tags_inside_the_answer_belong_to_the_answer(code: str) -> None:
    assert split_thinking(code) == (code, "")
    assert split_thinking(f"<think>hm</think>\n{code}") == (code.strip("\n"), "hm")


@steadily
@given(PROSE, PROSE)
def test_any_thought_and_any_answer_come_apart(thought: str, answer: str) -> None:
    assert split_thinking(f"<think>{thought}</think>{answer}") == (answer.strip("\n"), thought.strip())


@steadily
@given(st.text())
def test_no_text_makes_it_fail(text: str) -> None:
    split_thinking(text)
