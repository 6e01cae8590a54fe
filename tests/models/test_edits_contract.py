"""Edits are typed operations in an envelope that no file content closes by accident."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bottega.models import ContractBroken, Edit, EditsContract, Reply

from .doubles import steadily

MARK = "q7x9"
CONTRACT = EditsContract(MARK)
TEXT = st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: MARK not in text)


def parsed(text: str) -> tuple[Edit, ...]:
    return CONTRACT.parse(Reply(text))


def refusal(text: str, finish: Literal["stop", "length"] = "stop") -> str:
    with pytest.raises(ContractBroken) as caught:
        CONTRACT.parse(Reply(text, finish=finish))
    return str(caught.value)


def test_all_four_operations_are_read_in_order_and_prose_between_them_is_passed_over() -> None:
    text = (
        "I change four files.\n\n"
        "@@q7x9 replace src/a.py\nold = 1\n@@q7x9 with\nnew = 1\n@@q7x9 end\n\n"
        "And a new one:\n"
        "@@q7x9 create docs/new file.md\n# New\n\n@@q7x9 end\n"
        "@@q7x9 delete b.py  \n@@q7x9 end\n"
        "@@q7x9 rename c.py -> lib/d.py\n@@q7x9 end"
    )
    assert parsed(text) == (
        Edit("replace", "src/a.py", "old = 1\n", "new = 1\n"),
        Edit("create", "docs/new file.md", replacement="# New\n\n"),
        Edit("delete", "b.py"),
        Edit("rename", "c.py", new_path="lib/d.py"),
    )


def test_the_form_shown_to_the_model_is_a_form_it_accepts() -> None:
    assert [edit.operation for edit in parsed(CONTRACT.form())] == ["replace", "create", "delete", "rename"]


def test_content_that_looks_like_an_envelope_with_another_mark_is_content() -> None:
    content = "@@abcd replace x\nsearch\n@@abcd with\n@@abcd end\n@@q7x9y end\n"
    assert parsed(f"@@q7x9 create notes.txt\n{content}@@q7x9 end\n") == (
        Edit("create", "notes.txt", replacement=content),
    )


def test_a_replacement_may_be_empty_and_what_is_searched_for_may_not() -> None:
    assert parsed("@@q7x9 replace a\nold\n@@q7x9 with\n@@q7x9 end")[0].replacement == ""
    assert "searches for nothing" in refusal("@@q7x9 replace a\n \n@@q7x9 with\nnew\n@@q7x9 end")


def test_windows_line_ends_are_kept_in_the_content() -> None:
    text = "@@q7x9 replace a.py\r\nold\r\n@@q7x9 with\r\nnew\r\n@@q7x9 end\r\n"
    assert parsed(text) == (Edit("replace", "a.py", "old\r\n", "new\r\n"),)


@pytest.mark.parametrize("path", ["/etc/passwd", "../outside", "a/../../b", "a\\b", "..", ".", "./", "C:\\x", "a\0b"])
@pytest.mark.parametrize("operation", ["create {}", "delete {}", "rename {} -> b", "rename b -> {}"])
def test_a_path_outside_the_repository_is_refused(path: str, operation: str) -> None:
    assert "is not a path inside the repository" in refusal(f"@@q7x9 {operation.format(path)}\n@@q7x9 end")


def test_a_path_is_written_in_its_shortest_form() -> None:
    assert parsed("@@q7x9 delete ./a//b.py\n@@q7x9 end")[0].path == "a/b.py"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("No change is needed.", "the reply holds no edit that opens with @@q7x9"),
        ("@@q7x9 create a\nx\n", "the edit of a is not closed with @@q7x9 end"),
        ("@@q7x9 create a\nx\n@@q7x9 delete b\n@@q7x9 end", "the edit of a is not closed with @@q7x9 end"),
        ("@@q7x9 replace a\nold\n@@q7x9 end", "the edit of a needs exactly one line @@q7x9 with"),
        (
            "@@q7x9 replace a\nold\n@@q7x9 with\nx\n@@q7x9 with\ny\n@@q7x9 end",
            "the edit of a needs exactly one line @@q7x9 with",
        ),
        ("@@q7x9 rename a b\n@@q7x9 end", "rename needs `old -> new`, not a b"),
        ("@@q7x9 create a\nx\n@@q7x9 with\ny\n@@q7x9 end", "the create of a has no place for a line @@q7x9 with"),
    ],
)
def test_a_broken_envelope_is_refused_with_its_reason(text: str, reason: str) -> None:
    assert refusal(text) == reason


@pytest.mark.parametrize("stray", ["@@q7x9 move b -> c", "@@q7x9 replace", "@@q7x9 end", "@@q7x9"])
def test_an_operation_that_is_not_understood_is_not_passed_over(stray: str) -> None:
    good = "@@q7x9 delete a\n@@q7x9 end\n"
    assert refusal(f"{good}{stray}\n") == f"the line {stray} opens no edit"
    assert "not closed" in refusal(f"@@q7x9 create a\n{stray} x\n@@q7x9 end\n")


def test_a_reply_cut_at_the_limit_is_refused_even_when_its_last_edit_is_whole() -> None:
    assert "cut at the token limit" in refusal("@@q7x9 delete a\n@@q7x9 end\n", "length")


@pytest.mark.parametrize("mark", ["", "abc", "with space", "a" * 33, "abc$", "äöüß"])
def test_a_mark_is_a_plain_word(mark: str) -> None:
    with pytest.raises(ValueError, match="letters and digits"):
        EditsContract(mark)


def test_the_reminder_carries_the_error_and_the_form() -> None:
    assert CONTRACT.reminder("too short") == (
        f"Your reply was refused: too short.\nAnswer again with edits in exactly this form:\n\n{CONTRACT.form()}"
    )


@steadily
@given(TEXT, TEXT)
def test_any_text_that_lacks_the_mark_comes_back(search: str, replacement: str) -> None:
    assume(search.strip())
    search, replacement = f"{search}\n", f"{replacement}\n"
    text = (
        f"@@q7x9 replace a.py\n{search}@@q7x9 with\n{replacement}@@q7x9 end\n"
        f"@@q7x9 create b.py\n{replacement}@@q7x9 end\n"
    )
    assert parsed(text) == (
        Edit("replace", "a.py", search, replacement),
        Edit("create", "b.py", replacement=replacement),
    )
