"""What an answer cites is read again; what does not hold is dropped, and what rests on nothing is marked."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.ask.citations import CitationChecker, CodeReader
from bottega.ask.claims import CheckedAnswer, CitationSupport, Level
from bottega.ask.parts import split_blocks, split_sentences
from bottega.source import Span

TEXTS = {
    "app/retry.py": ["MAX_WAIT = 300", "", "def wait_before(attempt):", "    return min(2**attempt, MAX_WAIT)"],
    "app/http.go": ["// Send writes a request to the wire.", "func Send(r Request) error {", "\treturn nil", "}"],
}
BOTH, SEND = "[app/retry.py:3-4]", "[app/http.go:2]"


def lines(span: Span) -> str | None:
    text = TEXTS.get(span.path)
    return "\n".join(text[span.first - 1 : span.last]) if text and span.last <= len(text) else None


def checked(answer: str, known: frozenset[str] = frozenset()) -> CheckedAnswer:
    numbered = {1: Span("app/retry.py", 3, 4), 2: Span("app/retry.py", 1, 1)}
    return CitationChecker(CodeReader(lines), numbered, known).check(answer)


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("Computed by `wait_before` [1].", "Computed by `wait_before` [app/retry.py:3-4]."),
        ("Computed by `wait_before`. [1]", "Computed by `wait_before` [app/retry.py:3-4]."),
        ("`MAX_WAIT` bounds it [1, 2].", "`MAX_WAIT` bounds it [app/retry.py:3-4] [app/retry.py:1]."),
        ("See wait_before() [app/retry.py:3-4] for it.", "See wait_before() for it [app/retry.py:3-4]."),
        ("The wait is in `app/retry.py` [1].", "The wait is in `app/retry.py` [app/retry.py:3-4]."),
        ("`retry.wait_before` waits [app/retry.py:3].", "`retry.wait_before` waits [app/retry.py:3]."),
        ("It writes requests to the wire [app/http.go:2-4].", "It writes requests to the wire [app/http.go:2-4]."),
        (
            "- `wait_before` waits [1]\n- all `Send` [app/http.go:2]\n",
            f"- `wait_before` waits {BOTH}\n- all `Send` {SEND}\n",
        ),
    ],
)
def test_what_holds_is_shown_by_path_and_lines(answer: str, shown: str) -> None:
    result = checked(answer)
    assert result.text.strip() == shown.strip()
    assert result.grounding == "match"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("`wait_before` waits [7].", "no evidence has this number"),
        ("`wait_before` waits [app/gone.py:1-2].", "there is no such file, or it has no such lines"),
        ("`wait_before` waits [app/retry.py:3-40].", "there is no such file, or it has no such lines"),
        ("`wait_before` waits [app/retry.py:4-3].", "no such lines"),
        ("`wait_before` waits [app/retry.py:0-3].", "no such lines"),
        ("`wait_before` waits [2].", "the cited lines do not contain wait_before"),
        ("`wait` waits [1].", "the cited lines do not contain wait"),
        ("`wait_before` uses `jitter` [1].", "the cited lines do not contain jitter"),
        ("wait_after() is what waits [1].", "the cited lines do not contain wait_after"),
        ("The moon is made of green cheese [1].", "the cited lines are about something else"),
    ],
)
def test_what_does_not_hold_is_dropped_with_its_reason(answer: str, problem: str) -> None:
    result = checked(answer)
    assert result.text.endswith("[unsupported].")
    (claim,) = result.claims
    assert [citation.problem for citation in claim.dropped] == [problem]
    assert result.grounding == "no match"


def test_a_statement_without_citation_is_uncited_and_one_that_holds_stays() -> None:
    result = checked("`wait_before` waits [1]. It also sings every evening.")
    assert [claim.status for claim in result.claims] == [CitationSupport.SUPPORTED, CitationSupport.UNCITED]
    assert result.text == "`wait_before` waits [app/retry.py:3-4]. It also sings every evening [uncited]."
    assert result.grounding == "partial match"


@pytest.mark.parametrize(
    "sentence",
    [
        "Here is how it works:",
        "Which one do you mean?",
        "The evidence does not show how it is stored.",
        "I could not find where it is called.",
        "In short:",
    ],
)
def test_what_claims_nothing_needs_no_citation(sentence: str) -> None:
    assert [claim.status for claim in checked(sentence).claims] == [CitationSupport.NO_CLAIM]


@pytest.mark.parametrize(
    "answer",
    [
        "```python\nvalues[1] = wait_before(2)\n```\n",
        "# What this long heading is about\n",
        "Take `values[1]` of it, and see [the page](http://x/1):",
        "",
    ],
)
def test_brackets_in_code_links_and_headings_cite_nothing(answer: str) -> None:
    result = checked(answer)
    assert result.text == answer
    assert not any(claim.kept or claim.dropped for claim in result.claims)


def test_a_bare_name_counts_as_code_when_the_evidence_knows_it() -> None:
    sentence = "The RetryPolicy does it by `wait_before` [1]."
    assert checked(sentence).claims[0].kept
    assert not checked(sentence, frozenset({"RetryPolicy"})).claims[0].kept


@pytest.mark.parametrize(
    "answer",
    [
        "`wait_before` waits [1].\n## The mayor is informed [app/fake.py:1-9]\n",
        "`wait_before` waits [1].\n```\nIt calls the fire brigade [app/fake.py:1-9].",
        "```wait``` and more.\nIt calls the fire brigade [app/fake.py:1-9].",
        "`wait_before` waits [1]. The mayor is woken at night by telephone and `self` [1].",
        "`wait_before` waits [1]. The function does not validate the given tons, and deletes the harbour.",
        "The port is 8080. Ships explode at pier 9. They wait by `wait_before` [1].",
        "`wait_before` waits [1]\nThe mayor is informed by mail\nThe town burns down",
        "`wait_before` waits [1]. The mayor sleeps (fake.py:10-20).",
        "`wait_before` waits [1]. The mayor sleeps in fake.py#L10-L20.",
        "`wait_before` waits [1]. The mayor sleeps [fake.py:1-9](http://x).",
        "`wait_before` waits [1]. 月亮是由绿色奶酪做成的 [1].",
        "`wait_before` waits [1]. It is so, and we do it as is [1].",
        "`wait_before` waits [1]. It uses `'sink_the_ship'` [1].",
        "`wait_before` waits [1]. The wait is here [app/retry.py:1-100000].",
    ],
)
def test_what_is_invented_never_passes_as_grounded(answer: str) -> None:
    result = checked(answer)
    assert result.grounding != "match", result.text
    assert "fake.py" not in result.text


@pytest.mark.parametrize(
    "answer",
    [
        "It waits in `wait_before`[1].",
        "It waits in `wait_before` [1][2].",
        "It waits in `wait_before` [1-2].",
        "It waits in `wait_before` [app/retry.py:1-1, 3-4].",
        "It waits in `wait_before` [app/retry.py:L3-L4].",
        "It waits in `wait_before` [`app/retry.py:3-4`].",
        "It waits in `wait_before` (app/retry.py:3-4).",
        "It waits in `wait_before` [./app/retry.py:3-4].",
        "It waits in `wait_before` 【1】.",
        "It waits in `wait_before` [evidence 1].",
        "It waits in `wait_before` ([1]).",
    ],
)
def test_citations_in_the_forms_that_models_use_are_read(answer: str) -> None:
    result = checked(answer)
    assert result.grounding == "match", result.claims
    assert result.text.startswith("It waits in `wait_before` [app/retry.py:")


@pytest.mark.parametrize(
    "answer",
    ["".join("`" * n + "a" for n in range(1, 300)), "_" * 50_000, "a" * 50_000, "a-" * 20_000, "a." * 20_000,
     "A. " * 20_000, "no " * 20_000, "[1] " * 10_000, "`" * 50_001, "[" * 50_000, "x/" * 20_000, "1. " * 20_000],
)  # fmt: skip
def test_hostile_answers_cost_no_more_than_their_length(answer: str) -> None:
    begun = time.process_time()
    checked(answer)
    assert time.process_time() - begun < 20, "a pattern that goes back and forth takes minutes for these"


def test_what_lines_belong_to_need_not_stand_in_them() -> None:
    code = CodeReader(lines, owner=lambda _: "Retry.wait_before")
    checker = CitationChecker(code, {1: Span("app/retry.py", 4, 4)})
    assert checker.check("`Retry` bounds the wait in `wait_before` [1].").grounding == "match"
    assert checker.check("`Other` bounds the wait in `wait_before` [1].").grounding == "no match"


PORT = {
    "port/harbour.py": [
        "PORT = 8080",
        "",
        "def close_gate(ship):",
        '    """Close the gate behind a ship and drain the basin."""',
        "    if ship.inside:",
        "        basin.drain(ship)",
        "",
        "def open_gate(ship):",
        '    """Flood the basin, then let the ship leave for the sea."""',
        "    basin.flood()",
    ],
}
CLOSE, OPEN = Span("port/harbour.py", 3, 6), Span("port/harbour.py", 8, 10)


def read_port(span: Span) -> str | None:
    text = PORT.get(span.path)
    return "\n".join(text[span.first - 1 : span.last]) if text and span.last <= len(text) else None


def at_the_port(answer: str, similar: Sequence[Span] = (), defined: str = "") -> CheckedAnswer:
    """`similar` are the spans that a search for any sentence finds; only the names in `defined` are defined."""

    names = (defined or "close_gate open_gate PORT").split()
    code = CodeReader(read_port, find_similar=lambda _: similar, is_defined=names.__contains__)
    return CitationChecker(code, {1: CLOSE, 2: OPEN, 3: Span("port/harbour.py", 1, 1)}).check(answer)


@pytest.mark.parametrize(
    ("answer", "status", "level"),
    [
        ("`close_gate` drains the basin behind a ship [1].", CitationSupport.SUPPORTED, Level.WORDS),
        ("`close_gate` removes no ship, but drains the basin [1].", CitationSupport.SUPPORTED, Level.WORDS),
        ("This is defined by `close_gate` [1].", CitationSupport.SUPPORTED, Level.NAMES),
        ("`close_gate` keeps the water of the river away [1].", CitationSupport.NAMED, Level.NAMES),
        ("The gate keeps the water of the river from the town [1].", CitationSupport.CITED, Level.LINES),
        ("The water of the river flows to the town [1].", CitationSupport.UNSUPPORTED, Level.LINES),
        ("`close_gate` never calls `flood` [1].", CitationSupport.NAMED, Level.NAMES),
        ("The `INSIDE` of a ship, `drained` or not, matters [1].", CitationSupport.NAMED, Level.NAMES),
        ("`PORT` is 8080 [3].", CitationSupport.SUPPORTED, Level.NAMES),
        ("`PORT` is 9090 [3].", CitationSupport.WEAK, Level.NAMES),
        ("`sink` drains the basin [1].", CitationSupport.UNSUPPORTED, Level.LINES),
        ("`close_gate` drains the moat [port/gone.py:1].", CitationSupport.UNSUPPORTED, Level.NOTHING),
        ("`close_gate` drains the basin behind a ship.", CitationSupport.UNCITED, Level.NOTHING),
    ],
)
def test_each_statement_says_how_far_it_was_found_at_its_lines(
    answer: str, status: CitationSupport, level: Level
) -> None:
    (claim,) = at_the_port(answer).claims
    assert (claim.status, claim.level) == (status, level)


def test_a_statement_whose_words_stand_elsewhere_is_marked_weak() -> None:
    wrong = "`close_gate` floods the basin and lets ships leave for the sea [1]."
    result = CitationChecker(CodeReader(read_port, find_similar=lambda _: [OPEN]), {1: CLOSE}).check(wrong)
    shown = "`close_gate` floods the basin and lets ships leave for the sea [port/harbour.py:3-6 weak]."
    assert result.text == shown
    assert result.grounding == "no match"
    again = CitationChecker(CodeReader(read_port, find_similar=lambda _: [OPEN]), {1: CLOSE}).check(result.text)
    assert again.text == result.text, "a mark that a model copies from the conversation is read as a citation"


def test_a_statement_without_a_name_whose_words_stand_elsewhere_loses_its_citation() -> None:
    wrong = "The basin is flooded, then the ship leaves for the sea [1]."
    result = CitationChecker(CodeReader(read_port, find_similar=lambda _: [OPEN]), {1: CLOSE}).check(wrong)
    (claim,) = result.claims
    assert claim.status is CitationSupport.UNSUPPORTED
    assert [citation.problem for citation in claim.dropped] == [f"its words stand in {OPEN}"]
    (kept,) = CitationChecker(CodeReader(read_port), {1: CLOSE}).check(wrong).claims
    assert kept.status is CitationSupport.CITED, (
        "nothing in the repository says it, so nothing speaks against the lines"
    )


def test_an_answer_with_statements_that_only_cite_lines_matches_in_part() -> None:
    vague = "The gate keeps the water of the river from the town [1]."
    assert at_the_port(vague).grounding == "no match"
    assert at_the_port(f"`close_gate` drains the basin [1]. {vague}").grounding == "partial match"


def test_a_name_that_is_defined_must_stand_there_itself() -> None:
    assert at_the_port("`CLOSE_GATE` says so [1].").grounding == "match"
    assert at_the_port("`CLOSE_GATE` says so [1].", defined="CLOSE_GATE").grounding == "no match"
    assert at_the_port("`drained` says so [1].", defined="drained").grounding == "match", "an ending more or less"


@pytest.mark.parametrize("cited", ["2", "3", "9", "port/harbour.py:8-10", "port/gone.py:1-2", "1, 2"])
def test_a_right_sentence_with_a_wrong_citation_is_moved_to_the_passage_that_holds_it(cited: str) -> None:
    (claim,) = at_the_port(f"`close_gate` drains the basin behind a ship [{cited}].").claims
    assert [citation.span for citation in claim.kept] == [CLOSE]
    assert bool(claim.moved) == (cited != "1, 2")
    assert claim.status is CitationSupport.SUPPORTED


def test_a_wrong_sentence_moves_nowhere() -> None:
    (claim,) = at_the_port("`close_gate` encrypts passwords before they reach the database [2].").claims
    assert (claim.status, claim.moved) == (CitationSupport.UNSUPPORTED, ())


TEXT = st.text(st.sampled_from("ab .!?\n`[]:-#*1/e.g_()~"), max_size=120)


@given(TEXT)
def test_blocks_and_sentences_lose_nothing(text: str) -> None:
    assert "".join(block.lead + block.text for block in split_blocks(text)) == text
    assert "".join(split_sentences(text)) == text


@given(TEXT)
def test_any_text_is_checked_and_never_cites_what_was_not_read(text: str) -> None:
    for claim in checked(text).claims:
        assert all(citation.span is not None and lines(citation.span) is not None for citation in claim.kept)
