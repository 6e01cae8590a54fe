"""A review as it is kept: one versioned object, and the files of its folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field, ValidationError

from bottega.errors import StorageError
from bottega.review.findings import Dropped, Finding, Frozen, Severity, rank
from bottega.review.state import Checked, Discussion, LeftOut, Seen

SCHEMA: Literal["bottega.review.v1"] = "bottega.review.v1"
DIFF = "change.diff"
# Steps that gather or sort, and find nothing wrong by themselves.
_NO_JUDGE = frozenset({"classification", "rule files", "filter", "dismissals", "suggestions", "discussion"})


class ReviewerLine(Frozen):
    name: str
    model: str
    portions: int
    failed: int


class Report(Frozen):
    """Everything a reader of a review may want to know; `complete` is False when something did not happen."""

    schema_version: Literal["bottega.review.v1"] = SCHEMA
    id: str
    run: str
    at: str
    origin: str
    intent: str
    decision: Literal["ACCEPT", "REJECT", "NEEDS_HUMAN"]
    complete: bool
    gaps: tuple[str, ...]
    reasons: tuple[str, ...]
    questions: tuple[str, ...]
    independence: str
    remarks: tuple[str, ...] = ()
    static_only: bool
    seed: int
    fail_on: str = ""
    paths: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    classes: dict[str, str] = Field(default_factory=dict)
    checks: tuple[Checked, ...]
    around: tuple[str, ...] = ()
    panel: tuple[ReviewerLine, ...]
    portions: tuple[tuple[str, ...], ...] = ()
    seen: tuple[Seen, ...]
    findings: tuple[Finding, ...]
    dropped: tuple[Dropped, ...]
    discussions: tuple[Discussion, ...]
    freshness: str = ""

    def standing(self) -> list[Finding]:
        """Findings that somebody should look at, the gravest first."""
        open_ones = [finding for finding in self.findings if finding.triage in {"must-fix", "verify"}]
        return sorted(open_ones, key=_weight)

    def lesser(self) -> list[Finding]:
        return sorted((finding for finding in self.findings if finding.triage == "ignore"), key=_weight)

    def at_least(self, severity: Severity) -> list[Finding]:
        """What stands at or above a severity; a suggestion never stands, but a gate for suggestions counts it."""
        kept = self.standing()
        if severity == "SUGGESTION":
            kept += [one for one in self.lesser() if one.severity == "SUGGESTION" and not one.dismissal]
        return [finding for finding in kept if rank(finding.severity) >= rank(severity)]

    @property
    def checked_by(self) -> str:
        """Who looked, and whether by code or by opinion; it stands beside the verdict wherever that is shown."""
        judges = [one for one in self.checks if one.name not in _NO_JUDGE]
        code = [one.name for one in judges if one.standing == "ran"]
        missing = [one.name for one in judges if one.standing in {"not run", "failed"}]
        parts = [f"checked by code: {', '.join(code) or 'nothing'}"]
        parts += [f"not run: {', '.join(missing)}"] if missing else []
        read = sum(bool(line.portions) for line in self.panel)
        models = len({line.model for line in self.panel if line.portions})
        noun = "model" if models == 1 else "models"
        parts += [f"by opinion: {read} reviewers of {models} {noun}" if read else "by opinion: no model"]
        return "; ".join(parts)

    def as_json(self) -> dict[str, Any]:
        stored = {**self.model_dump(mode="json"), "checked_by": self.checked_by}
        for kept, finding in zip(stored["findings"], self.findings, strict=True):
            kept["fingerprint"] = finding.fingerprint
        return stored

    @classmethod
    def from_json(cls, text: str) -> Report:
        try:
            stored = json.loads(text)
            stored.pop("checked_by", None)
            for kept in stored["findings"]:
                kept.pop("fingerprint", None)
            return cls.model_validate(stored)
        except (ValueError, ValidationError, KeyError, TypeError, AttributeError, RecursionError):
            raise StorageError(
                "the record of this review is damaged, or of another version", hint="Review the change again."
            ) from None


def _weight(finding: Finding) -> tuple[int, int, int, str, int]:
    order = {"must-fix": 0, "verify": 1}.get(finding.triage, 2)
    return (order, -rank(finding.severity), -finding.confidence, finding.path, finding.first)


def folder_files(report: Report, diff: str, masked: Callable[[Any], str]) -> dict[str, str]:
    """The files of a review's folder by name: for people in Markdown, for programs as JSON."""
    from bottega.review.reports.markdown import markdown

    files = {
        "result.json": masked(report.as_json()) + "\n",
        DIFF: diff,
        "result.md": markdown(report),
        "report.md": _weighed(report),
        "metadata.json": masked(
            {"id": report.id, "run": report.run, "at": report.at, "origin": report.origin, "seed": report.seed}
        ),
        "suggestions.md": _listed("Suggestions", [one for one in report.lesser() if one.severity == "SUGGESTION"]),
    }
    for line in report.panel:
        said = [one for one in report.findings if line.name in one.reviewers]
        lost = [one.finding for one in report.dropped if line.name in one.finding.reviewers]
        files[f"reviews/{line.name}.md"] = _listed(f"{line.name} ({line.model})", [*said, *lost])
    for finding in report.lesser():
        if finding.severity != "SUGGESTION":
            files[f"unconfirmed/{finding.id}.md"] = _listed(finding.title, [finding])
    for one in report.discussions:
        files |= _discussion_files(one)
    return files


def _discussion_files(one: Discussion) -> dict[str, str]:
    rounds = sorted({argument.round for argument in one.arguments})
    files = {
        f"discussions/{one.id}/round-{number}.md": "\n\n".join(
            f"**{said.who}**, {said.role}, {said.stance}: {said.text}" for said in one.arguments if said.round == number
        )
        + "\n"
        for number in rounds
    }
    files[f"discussions/{one.id}/verdict.md"] = f"{one.outcome} ({one.settled_by}): {one.reason}\n"
    return files


def _listed(title: str, findings: list[Finding]) -> str:
    lines = [f"# {title}", ""]
    for one in findings:
        lines += [f"## {one.title}", "", f"{one.severity} · {one.place} · {one.confidence} %", "", one.problem, ""]
        lines += [f"> {quote}" for quote in one.quotes]
        lines += ["", one.suggestion, ""] if one.suggestion else [""]
    return "\n".join(lines) + ("" if findings else "Nothing.\n")


def _weighed(report: Report) -> str:
    """What happened to every finding on its way, step by step."""
    lines = [f"# How review {report.id} came to its findings", ""]
    for one in report.findings:
        lines += [f"## {one.id} {one.title}", "", f"{one.place} · {one.triage}: {one.why}", ""]
        lines += [f"- {step.stage}: {step.confidence} % {step.why}" for step in one.trace] + [""]
    for dropped in report.dropped:
        lines += [f"## removed: {dropped.finding.title}", "", f"{dropped.finding.place}: {dropped.reason}", ""]
    return "\n".join(lines) + "\n"
