"""The table of docs/review.md, a test for each of its rows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bottega.review.deciding import Verdict, decide, triage
from bottega.review.findings import Finding
from bottega.source import Span

DOCS = Path(__file__).parents[2] / "docs" / "review.md"

HARSH, GRAVE, WARNING, SUGGESTION = "HARSHLY_CRITICAL", "CRITICAL", "WARNING", "SUGGESTION"


def one(severity: str = GRAVE, confidence: int = 80, **more: Any) -> Finding:
    given: dict[str, Any] = {"id": "f001", "title": "t", "span": Span("a.py", 1, 1), "problem": "p"}
    return Finding(**given, severity=severity, confidence=confidence, **more)


TRIAGE = [
    ("dismissed by a person", one(verified="x", dismissal="by Ada"), "ignore"),
    ("grave, confirmed", one(confidence=1, verified="ruff says so", outcome="dismissed"), "must-fix"),
    ("HARSHLY_CRITICAL, dismissed in discussion", one(HARSH, outcome="dismissed"), "verify"),
    ("CRITICAL, dismissed in discussion", one(outcome="dismissed"), "ignore"),
    ("grave, discussion undecided", one(confidence=99, outcome="undecided"), "verify"),
    ("grave, discussed by one family of models", one(confidence=99, outcome="unconfirmed"), "verify"),
    ("grave, upheld, at least 60 %", one(confidence=60, outcome="upheld"), "must-fix"),
    ("grave, not discussed, at least 60 %", one(confidence=60), "must-fix"),
    ("grave, below 60 %", one(confidence=59, outcome="upheld"), "verify"),
    ("WARNING, confirmed", one(WARNING, confidence=1, verified="mypy says so", outcome="dismissed"), "verify"),
    ("WARNING, dismissed in discussion", one(WARNING, outcome="dismissed"), "ignore"),
    ("WARNING, discussed by one family of models, above 50 %", one(WARNING, outcome="unconfirmed"), "verify"),
    ("WARNING, above 50 %", one(WARNING, confidence=51), "verify"),
    ("WARNING, at most 50 %", one(WARNING, confidence=50), "ignore"),
    ("SUGGESTION", one(SUGGESTION, confidence=100, verified="x"), "ignore"),
]


@pytest.mark.parametrize(("row", "finding", "expected"), TRIAGE, ids=[row for row, *_ in TRIAGE])
def test_triage(row: str, finding: Finding, expected: str) -> None:
    triaged = triage(finding)
    assert triaged.triage == expected
    assert triaged.why


def verdict(*findings: Finding, **more: Any) -> Verdict:
    return decide(findings, **{"gaps": (), "reviewers": 4, **more})


MUST, OPEN, WARN = one(), one(confidence=10), one(WARNING)
DECISIONS = [
    ("a must-fix", verdict(MUST), "REJECT"),
    ("a must-fix, incomplete", verdict(MUST, gaps=["logic: timeout"]), "REJECT"),
    ("a must-fix, no model", verdict(MUST, reviewers=0), "REJECT"),
    ("incomplete", verdict(gaps=["logic: timeout"]), "NEEDS_HUMAN"),
    ("a grave finding to verify", verdict(OPEN), "NEEDS_HUMAN"),
    ("no model looked", verdict(reviewers=0), "NEEDS_HUMAN"),
    ("strict, three warnings", verdict(WARN, WARN, WARN, strict=True), "NEEDS_HUMAN"),
    ("strict, two warnings", verdict(WARN, WARN, strict=True), "ACCEPT"),
    ("warnings", verdict(WARN, WARN, WARN), "ACCEPT"),
    ("nothing found", verdict(), "ACCEPT"),
]


@pytest.mark.parametrize(("row", "got", "decision"), DECISIONS, ids=[row for row, *_ in DECISIONS])
def test_decision(row: str, got: Verdict, decision: str) -> None:
    assert got.decision == decision
    assert got.reasons


def test_open_questions_are_asked() -> None:
    assert verdict(OPEN).questions == ("a.py:1 t: is it so? (only 10 % sure)",)


def test_a_lone_true_finding_can_block() -> None:
    """Being alone does not keep what is confirmed from blocking."""
    assert verdict(one(confidence=5, verified="the parser says so")).decision == "REJECT"


def test_the_page_prints_exactly_these_rows() -> None:
    page = DOCS.read_text(encoding="utf-8")
    printed = re.findall(r"^\| ([^|]+) \| (must-fix|verify|ignore|ACCEPT|REJECT|NEEDS_HUMAN) \|$", page, re.MULTILINE)
    known = [(row, triage) for row, _, triage in TRIAGE] + [(row, decision) for row, _, decision in DECISIONS]
    assert printed == known
