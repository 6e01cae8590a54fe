"""Match the table of dangerous calls against the added lines of a change."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.amounts import plural
from bottega.review.checks import CheckResult
from bottega.review.dangers import Danger, find_danger_language, find_dangers
from bottega.review.findings import Finding
from bottega.review.tree import Tree
from bottega.source import FileChange, Hunk, Language, Span
from bottega.source.roles import Role, role_of_path

NAME = "dangerous calls"
_CONFIDENCE = 90
_LARGEST = 1_000_000


def check_dangers(files: Sequence[FileChange], tree: Tree) -> CheckResult:
    """One finding for each rule and place that an added line is part of; unchanged lines are not looked at."""
    findings: list[Finding] = []
    read, unread = 0, []
    for file in files:
        text = tree.text(file.path) if file.status != "deleted" else None
        language = find_danger_language(file.path, (text or "").split("\n", 1)[0])
        if language is None or file.status == "deleted":
            continue
        found = _find_matches(file, text, language)
        if found is None:
            unread.append(file.path)
            continue
        read += 1
        findings += [_make_finding(file, danger, line) for danger, line in found]
    if unread:
        detail = f"{unread[0]} could not be parsed in time" + (f", nor {len(unread) - 1} more" if unread[1:] else "")
        return CheckResult(NAME, "failed", detail, tuple(findings))
    if not read:
        return CheckResult(NAME, "not run", "no changed file is in a language of the table")
    return CheckResult(NAME, "ran", f"{len(findings)} on added lines of {plural(read, 'file')}", tuple(findings))


def _find_matches(file: FileChange, text: str | None, language: Language) -> list[tuple[Danger, int]] | None:
    """In the whole file where it can be read, otherwise in each hunk by itself; `None` where nothing can be parsed."""
    added = {line.new for hunk in file.hunks for line in hunk.added}
    whole = find_dangers(text, language) if text is not None and len(text) <= _LARGEST else None
    if whole is not None:
        found = [(danger, danger.lines) for danger in whole]
    else:
        parts = [_find_in_hunk(hunk, language) for hunk in file.hunks]
        if any(part is None for part in parts):
            return None
        found = [match for part in parts for match in part or ()]
    touched = [(danger, [line for line in lines if line in added]) for danger, lines in found]
    return [(danger, lines[0]) for danger, lines in touched if lines]


def _find_in_hunk(hunk: Hunk, language: Language) -> list[tuple[Danger, tuple[int, ...]]] | None:
    lines = [line for line in hunk.lines if line.new]
    found = find_dangers("\n".join(line.text for line in lines), language)
    if found is None:
        return None
    return [
        (danger, tuple(lines[number - 1].new for number in danger.lines if number <= len(lines))) for danger in found
    ]


def _make_finding(file: FileChange, danger: Danger, at: int) -> Finding:
    rule = danger.rule
    quote = next(line.text.strip() for hunk in file.hunks for line in hunk.added if line.new == at)
    source = " The value comes from a request." if danger.from_request else ""
    return Finding(
        id="",
        title=rule.title,
        span=Span(file.path, at, at),
        severity="SUGGESTION" if role_of_path(file.path) is Role.TEST else danger.severity,
        problem=f"{rule.why}{source} Matched by the rule {rule.id} on an added line; whether it can be exploited"
        " here was not checked.",
        confidence=_CONFIDENCE,
        source="danger",
        quotes=(quote,) if quote else (),
        suggestion=rule.instead,
        verified=f"matched by the rule {rule.id}",
    )
