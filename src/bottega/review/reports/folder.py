"""A review as a folder of files that a person can read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bottega.review.findings import Finding
from bottega.review.report import DIFF, ReviewReport
from bottega.review.reports.markdown import render_markdown
from bottega.review.state import Discussion


def build_files(report: ReviewReport, diff: str, masked: Callable[[Any], str]) -> dict[str, str]:
    """The files of a review's folder by name: for people in Markdown, for programs as JSON.

    `masked` writes JSON without secrets.
    """
    ignored = report.ignored_findings()
    suggestions = [finding for finding in ignored if finding.severity == "SUGGESTION"]
    files = {
        "result.json": masked(report.as_json()) + "\n",
        DIFF: diff,
        "result.md": render_markdown(report),
        "report.md": _render_steps(report),
        "metadata.json": masked(
            {"id": report.id, "run": report.run, "at": report.at, "origin": report.origin, "seed": report.seed}
        ),
        "suggestions.md": _render_findings("Suggestions", suggestions),
    }
    for line in report.panel:
        kept = [finding for finding in report.findings if line.name in finding.reviewers]
        removed = [dropped.finding for dropped in report.dropped if line.name in dropped.finding.reviewers]
        files[f"reviews/{line.name}.md"] = _render_findings(f"{line.name} ({line.model})", [*kept, *removed])
    for finding in ignored:
        if finding.severity != "SUGGESTION":
            files[f"unconfirmed/{finding.id}.md"] = _render_findings(finding.title, [finding])
    for discussion in report.discussions:
        files |= _build_discussion_files(discussion)
    return files


def _build_discussion_files(discussion: Discussion) -> dict[str, str]:
    folder = f"discussions/{discussion.id}"
    files = {f"{folder}/verdict.md": f"{discussion.outcome} ({discussion.settled_by}): {discussion.reason}\n"}
    for number in sorted({argument.round for argument in discussion.arguments}):
        arguments = [argument for argument in discussion.arguments if argument.round == number]
        text = "\n\n".join(f"**{said.who}**, {said.role}, {said.stance}: {said.text}" for said in arguments)
        files[f"{folder}/round-{number}.md"] = f"{text}\n"
    return files


def _render_findings(title: str, findings: list[Finding]) -> str:
    lines = [f"# {title}", ""]
    for finding in findings:
        head = f"{finding.severity} · {finding.span} · {finding.confidence} %"
        lines += [f"## {finding.title}", "", head, "", finding.problem, ""]
        lines += [f"> {quote}" for quote in finding.quotes]
        lines += ["", finding.suggestion, ""] if finding.suggestion else [""]
    return "\n".join(lines) + ("" if findings else "Nothing.\n")


def _render_steps(report: ReviewReport) -> str:
    """The steps that every finding went through."""
    lines = [f"# How review {report.id} came to its findings", ""]
    for finding in report.findings:
        lines += [f"## {finding.id} {finding.title}", "", f"{finding.span} · {finding.triage}: {finding.why}", ""]
        lines += [f"- {step.stage}: {step.confidence} % {step.why}" for step in finding.trace] + [""]
    for dropped in report.dropped:
        lines += [f"## removed: {dropped.finding.title}", "", f"{dropped.finding.span}: {dropped.reason}", ""]
    return "\n".join(lines) + "\n"
