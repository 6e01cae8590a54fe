"""The verdict: a decision from findings and completeness alone. docs/review.md shows it as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bottega.amounts import plural
from bottega.review.findings import Finding, Triage

Decision = Literal["ACCEPT", "REJECT", "NEEDS_HUMAN"]

SURE = 60
LIKELY = 50
_STRICT_WARNINGS = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reasons` are sorted by weight; `questions` are for a person to answer."""

    decision: Decision
    findings: tuple[Finding, ...]
    reasons: tuple[str, ...]
    questions: tuple[str, ...]


def triage(finding: Finding) -> Finding:
    """A copy marked must-fix, verify or ignore, by the first row of the table that applies."""
    chosen, why = _match_first_row(finding)
    return finding.model_copy(update={"triage": chosen, "why": why})


def _match_first_row(finding: Finding) -> tuple[Triage, str]:
    if finding.dismissal:
        return "ignore", finding.dismissal
    return _triage_grave(finding) if finding.is_grave else _triage_unconfirmed(finding)


def _triage_grave(finding: Finding) -> tuple[Triage, str]:
    if finding.verified:
        return "must-fix", f"confirmed: {finding.verified}"
    if finding.outcome == "dismissed":
        if finding.severity == "HARSHLY_CRITICAL":
            return "verify", "the discussion does not believe it, but it would be too grave to be wrong about"
        return "ignore", "the discussion does not believe it"
    if finding.outcome == "undecided":
        return "verify", "the discussion did not settle it"
    if finding.outcome == "unconfirmed":
        return "verify", "discussed by models of one family alone: no confirmation"
    if finding.confidence >= SURE:
        how = "upheld in discussion" if finding.outcome == "upheld" else "not discussed"
        return "must-fix", f"{how}, {finding.confidence} % sure"
    return "verify", f"only {finding.confidence} % sure"


def _triage_unconfirmed(finding: Finding) -> tuple[Triage, str]:
    if finding.severity == "SUGGESTION":
        return "ignore", "a suggestion"
    if finding.verified:
        return "verify", f"confirmed: {finding.verified}"
    if finding.outcome == "dismissed":
        return "ignore", "the discussion does not believe it"
    if finding.confidence > LIKELY:
        return "verify", f"{finding.confidence} % sure"
    return "ignore", f"only {finding.confidence} % sure"


def decide(findings: Sequence[Finding], *, gaps: Sequence[str], reviewers: int, strict: bool = False) -> Verdict:
    """Decide. `gaps` lists what failed or was skipped; `reviewers` counts the reviewers that answered."""
    triaged = tuple(triage(finding) for finding in findings)
    must = [finding for finding in triaged if finding.triage == "must-fix"]
    open_grave = [finding for finding in triaged if finding.triage == "verify" and finding.is_grave]
    warnings = [finding for finding in triaged if finding.triage == "verify" and not finding.is_grave]
    reasons: list[str] = [f"{finding.span} {finding.title}: {finding.why}" for finding in must]
    questions = tuple(f"{finding.span} {finding.title}: is it so? ({finding.why})" for finding in open_grave)
    doubts = _list_doubts(gaps, open_grave, reviewers, warnings if strict else ())
    if not must and not doubts:
        return Verdict("ACCEPT", triaged, (_describe_acceptance(warnings),), questions)
    return Verdict("REJECT" if must else "NEEDS_HUMAN", triaged, (*reasons, *doubts), questions)


def _list_doubts(
    gaps: Sequence[str], open_grave: Sequence[Finding], reviewers: int, strict_warnings: Sequence[Finding]
) -> list[str]:
    """Why a person has to look, by the first row of the table that applies."""
    if gaps:
        return [f"incomplete: {gap}" for gap in gaps]
    if open_grave:
        return [plural(len(open_grave), "grave finding is not settled", "grave findings are not settled")]
    if not reviewers:
        return ["no model looked at the change: tools, rules and history alone cannot say that it is right"]
    if len(strict_warnings) >= _STRICT_WARNINGS:
        return [f"{plural(len(strict_warnings), 'warning')}, and the settings are strict"]
    return []


def _describe_acceptance(warnings: Sequence[Finding]) -> str:
    return (
        f"nothing grave was found; {plural(len(warnings), 'warning')} to look at"
        if warnings
        else "nothing grave was found"
    )
