"""Code comes back whole, whatever a model wraps around it, and never guessed between two pieces."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bottega.models import Code, CodeContract, ContractBroken, Reply
from bottega.source import language_named

from .doubles import steadily

PYTHON = CodeContract(language_named("python"))
ANY = CodeContract()
BODY = "import math\n\n\ndef area(r: float) -> float:\n    return math.pi * r**2\n"


def parsed(text: str, contract: CodeContract = PYTHON) -> Code:
    return contract.parse(Reply(text))


def refusal(text: str, finish: Literal["stop", "length"] = "stop") -> str:
    with pytest.raises(ContractBroken) as caught:
        PYTHON.parse(Reply(text, finish=finish))
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        pytest.param(f"```python\n{BODY}```", "python", id="fence"),
        pytest.param(f"Here it is:\n\n```py\n{BODY}```\n\nIt uses `math.pi`.", "py", id="prose around"),
        pytest.param(f"```\n{BODY}\n\n```", "", id="no tag"),
        pytest.param(f"~~~python\n{BODY}~~~\n", "python", id="tildes"),
        pytest.param(f"  ```Python title=area.py\n{BODY}  ```", "python", id="indented, with attributes"),
        pytest.param(f"``` {{.python}}\n{BODY}```", "python", id="attributes in braces"),
        pytest.param(f"```python\n{BODY}", "python", id="never closed"),
        pytest.param(BODY, "", id="bare"),
        pytest.param(f"\n\n{BODY}\n\n", "", id="bare, blank lines around"),
    ],
)
def test_one_piece_of_code_is_found(text: str, tag: str) -> None:
    assert parsed(text) == Code(BODY, tag)


def test_a_fence_with_windows_line_ends_closes() -> None:
    assert parsed("```python\r\nx = 1\r\n```\r\nDone.\r\n").text == "x = 1\n"


def test_a_fence_inside_a_docstring_belongs_to_the_code_when_the_outer_is_longer() -> None:
    inner = 'def f():\n    """Use it:\n\n```python\nf()\n```\n    """\n'
    assert parsed(f"````python\n{inner}````").text == inner
    assert parsed(f"~~~python\n{inner}~~~").text == inner


def test_a_fence_indented_as_deep_as_code_belongs_to_the_code() -> None:
    inner = 'def f():\n    """Use it:\n\n    ```\n    f()\n    ```\n    """\n'
    assert parsed(f"```python\n{inner}```").text == inner


def test_backticks_within_a_line_open_nothing() -> None:
    assert parsed(f"```f()``` is how to call it.\n\n```python\n{BODY}```").text == BODY


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"Here is the function:\n{BODY}", id="a line above"),
        pytest.param(f"Here is the function:\n\n{BODY}", id="a paragraph above"),
        pytest.param(f"{BODY}\nThis function computes the area of a circle.", id="a paragraph below"),
        pytest.param(f"Sure!\n{BODY}\nIt takes a radius.\nIt returns an area.", id="above and below"),
        pytest.param(f"**Solution:**\n\n{BODY}\n`area` wants a radius.", id="marked up"),
        pytest.param(f"以下是代码：\n\n{BODY}", id="another script"),
        pytest.param(f"Of course.\n\nHere it is:\n\n{BODY}\nNotes:\n\n- fast\n- exact\n", id="paragraphs and a list"),
    ],
)
def test_prose_around_bare_code_is_removed(text: str) -> None:
    assert parsed(text).text == BODY


def test_without_a_language_bare_text_is_left_whole() -> None:
    text = f"Here is the function:\n\n{BODY}"
    assert parsed(text, ANY).text == text


@pytest.mark.parametrize(
    "broken",
    [
        f"def broken(:\n    pass\n\n{BODY}",
        f"{BODY}\n\ndef broken(:\n    pass\n",
        f"import (os\n\n{BODY}",
        f"import os.\n\n{BODY}",
        f"class Broken(:\n\n    x = 1\n\n{BODY}",
        f"{BODY}\nprint area(2)\n",
    ],
)
def test_code_that_does_not_parse_is_not_thrown_away_as_prose(broken: str) -> None:
    assert parsed(broken).text == broken.strip("\n") + "\n"


@pytest.mark.parametrize("text", ["", "  \n\n", "```python\n```", "```python\n\n   \n```"])
def test_no_code_is_refused(text: str) -> None:
    assert refusal(text) in {"the reply is empty", "the reply holds no code"}


def test_two_blocks_are_refused_and_counted() -> None:
    assert refusal("```python\na = 1\n```\nor\n```python\nb = 2\n```").startswith("the reply has 2 fenced blocks")


@pytest.mark.parametrize("text", ["", "```python\ndef f(", f"```python\n{BODY}```", BODY])
def test_a_reply_cut_at_the_limit_is_refused_as_cut(text: str) -> None:
    assert refusal(text, "length") == "the reply was cut at the token limit before it ended"


def test_the_reminder_carries_the_error_and_names_the_language() -> None:
    reminder = PYTHON.reminder("the reply is empty")
    assert "refused: the reply is empty." in reminder
    assert "complete Python code" in reminder
    assert "complete code" in ANY.reminder("x")


LINES = st.text(st.characters(exclude_characters="`~", exclude_categories=["Cs"]))


@steadily
@given(
    before=LINES,
    body=LINES,
    after=LINES,
    fence=st.sampled_from(["```", "````", "~~~"]),
    tag=st.sampled_from(["", "py"]),
)
def test_code_in_one_fence_comes_back_from_any_prose(before: str, body: str, after: str, fence: str, tag: str) -> None:
    assume(body.strip())
    code = parsed(f"{before}\n{fence}{tag}\n{body}\n{fence}\n{after}", ANY)
    assert code == Code(body.strip("\n").rstrip() + "\n", tag)


@steadily
@given(st.text())
def test_any_text_is_code_or_a_refusal(text: str) -> None:
    try:
        assert parsed(text).text.strip()
    except ContractBroken:
        return
