"""One finding for each matter: every voice is kept, different bugs stay apart, and each reviewer counts once."""

from __future__ import annotations

from typing import Any

import pytest

from bottega.review.findings import Finding, Voice
from bottega.review.merging import mark_confirmed, merge_same, weigh_agreement
from bottega.source import Span


def said(reviewer: str, title: str, problem: str, **more: Any) -> Finding:
    given: dict[str, Any] = {
        "span": Span("a.py", 10, 10),
        "severity": "CRITICAL",
        "confidence": 80,
        "quotes": (),
        **more,
    }
    voice = Voice(
        reviewer=reviewer, title=title, problem=problem, quotes=given["quotes"], confidence=given["confidence"]
    )
    return Finding(id="", title=title, problem=problem, voices=(voice,), **given)


SQL = said(
    "security", "SQL injection in lookup", "the customer name is pasted into the query text", quotes=("q = f'…'",)
)
SQL_TOO = said(
    "logic",
    "query text built from customer name",
    "pasting the customer name into the query allows SQL injection",
    span=Span("a.py", 12, 13),
    severity="HARSHLY_CRITICAL",
    quotes=("cursor.execute(q)",),
)
LEAK = said(
    "general",
    "connection is never closed",
    "the database handle stays open after an error",
    span=Span("a.py", 14, 14),
)


def test_the_same_matter_becomes_one_with_every_voice() -> None:
    [one] = merge_same([SQL, SQL_TOO])
    assert one.severity == "HARSHLY_CRITICAL"
    assert one.reviewers == ("security", "logic")
    assert set(one.quotes) == {"q = f'…'", "cursor.execute(q)"}
    assert {voice.problem for voice in one.voices} == {SQL.problem, SQL_TOO.problem}
    assert one.span == Span("a.py", 10, 10)


def test_different_bugs_on_neighbouring_lines_stay_apart() -> None:
    assert len(merge_same([SQL, LEAK])) == 2
    assert len(merge_same([SQL, SQL_TOO, LEAK])) == 2


def test_the_same_words_far_away_are_another_finding() -> None:
    assert len(merge_same([SQL, SQL_TOO.model_copy(update={"span": Span("a.py", 60, 60)})])) == 2


def test_one_reviewer_that_reports_two_things_means_two() -> None:
    again = SQL_TOO.model_copy(update={"voices": SQL.voices})
    assert len(merge_same([SQL, again])) == 2
    assert len(merge_same([SQL, SQL])) == 1


SAW = {"security": True, "logic": True, "general": True, "api-contract": True}


class TestAgreement:
    def test_only_those_who_saw_the_place_are_counted(self) -> None:
        all_saw = weigh_agreement(SQL, SAW)
        two_saw = weigh_agreement(SQL, {**SAW, "general": False, "api-contract": False})
        assert (all_saw.confidence, two_saw.confidence) == (58, 68)
        assert two_saw.saw == ("logic", "security")

    def test_a_reviewer_that_says_it_three_times_is_one(self) -> None:
        thrice = SQL.model_copy(update={"voices": SQL.voices * 3})
        assert weigh_agreement(thrice, SAW).trace[-1].why.startswith("1 of 4")

    def test_a_long_change_does_not_dilute_agreement(self) -> None:
        """Four of four agree, whatever number of portions the change had."""
        voices = tuple(
            Voice(reviewer=name, title="t", problem=f"{name} says it in its own way", confidence=80) for name in SAW
        )
        together = SQL.model_copy(update={"voices": voices})
        assert weigh_agreement(together, SAW).confidence == 88

    def test_an_echo_is_one_voice(self) -> None:
        voices = tuple(Voice(reviewer=name, title="t", problem="just the same words") for name in SAW)
        assert "in the same words" in weigh_agreement(SQL.model_copy(update={"voices": voices}), SAW).trace[-1].why

    @pytest.mark.parametrize("source", ["rule", "tool", "parse"])
    def test_what_is_no_opinion_is_not_weighed(self, source: str) -> None:
        one = SQL.model_copy(update={"source": source})
        assert weigh_agreement(one, SAW) == one


class TestConfirmation:
    TOOL = Finding(
        id="",
        span=Span("a.py", 10, 10),
        title="S608 possible SQL injection",
        problem="ruff: S608 possible SQL injection: query text built from a customer name",
        severity="WARNING",
        confidence=90,
        source="tool",
        verified="ruff says so",
    )

    def test_the_same_lines_and_matter(self) -> None:
        assert mark_confirmed([self.TOOL, SQL])[1].verified == "ruff says so"

    def test_another_matter_or_other_lines_prove_nothing(self) -> None:
        assert not mark_confirmed([self.TOOL, LEAK.model_copy(update={"span": Span("a.py", 10, 10)})])[1].verified
        assert not mark_confirmed([self.TOOL, SQL_TOO])[1].verified
