"""Dismissals: a person says that a finding is no bug, and later reviews set it aside."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

from bottega.errors import InputError
from bottega.journal import Dismissal, DismissalStore, ReviewStore, now
from bottega.review.findings import Finding, Frozen, Severity, is_same_matter, normalize_blanks, rank_severity
from bottega.review.reading import parse_cached
from bottega.review.records import StoredReview, find_finding, read_review, split_name
from bottega.review.sides import WORKING_TREE, open_texts
from bottega.source import Span
from bottega.source.git import open_git
from bottega.source.gitignore import parse_pattern_lines


class DismissedFinding(Frozen):
    """A dismissal that was recorded. It counts only if `is_sealed`: then it is provably this person's own."""

    review: str
    finding: str
    span: Span
    title: str
    scope: str
    because: str
    who: str
    until: str
    is_sealed: bool
    note: str


class ActiveDismissal(Frozen):
    """What a review knows of a dismissal in force; the fields are those that runs record."""

    mark: str
    scope: str
    severity: str
    about: str
    said: str

    def covers(self, finding: Finding) -> bool:
        """The same line, the same matter, within the scope, and nothing graver than what was dismissed."""
        return (
            rank_severity(finding.severity)
            <= rank_severity(cast("Severity", self.severity))  # written by `dismiss_finding`
            and self.mark == finding.mark
            and is_same_matter(self.about, finding.about)
            and is_in_scope(finding.span.path, self.scope)
        )


def is_in_scope(path: str, scope: str) -> bool:
    """Whether a path is the scope itself, or matches it as a pattern of .gitignore."""
    return path == scope or bool(parse_pattern_lines([scope]).match_with_parents(path))


def dismiss_finding(
    name: str, *, because: str, days: int, root: Path, reviews: ReviewStore, dismissals: DismissalStore, scope: str = ""
) -> DismissedFinding:
    """Record that `REVIEW/FINDING` is no bug, for `days` from now, in its file or in `scope`.

    Raise `InputError` without a reason, for a scope that leaves the finding's file out, and for a finding whose lines
    have changed: that one looks fixed.
    """
    stored, finding = _read_finding(name, reviews)
    if not because.strip():
        raise InputError("a dismissal needs a reason", hint='--because "…"')
    if scope and not is_in_scope(finding.span.path, scope):
        raise InputError(f"--scope {scope} does not hold {finding.span.path}, which the finding is about")
    _refuse_fixed(finding, stored.diff, root)
    until = datetime.now(UTC) + timedelta(days=days)
    recorded = dismissals.add(
        Dismissal(
            mark=finding.mark,
            title=finding.title,
            scope=scope or finding.span.path,
            because=because.strip(),
            who=_name_person(root),
            at=now(),
            until=until.isoformat(),
            review=stored.report.id,
            severity=finding.severity,
            about=finding.about,
        )
    )
    return DismissedFinding(
        review=stored.report.id,
        finding=finding.id,
        span=finding.span,
        title=finding.title,
        scope=recorded.scope,
        because=recorded.because,
        who=recorded.who,
        until=recorded.until,
        is_sealed=bool(recorded.seal),
        note=str(recorded),
    )


def undo_dismissal(name: str, *, reviews: ReviewStore, dismissals: DismissalStore) -> bool:
    """Remove every dismissal of `REVIEW/FINDING`; False where there was none."""
    _, finding = _read_finding(name, reviews)
    return dismissals.remove(finding.mark)


def _read_finding(name: str, reviews: ReviewStore) -> tuple[StoredReview, Finding]:
    _, finding_id = split_name(name)
    if not finding_id:
        raise InputError(f"{name} names no finding", hint="Write ID/FINDING, e.g. last/f002.")
    stored = read_review(name, reviews=reviews)
    return stored, find_finding(stored.report, finding_id)


def _refuse_fixed(finding: Finding, diff_text: str, root: Path) -> None:
    """A quoted line that was added must still be there; one that was removed must still be missing."""
    text = open_texts(root, WORKING_TREE)(finding.span.path)
    present = [normalize_blanks(line) for line in (text or "").split("\n")]
    file = parse_cached(diff_text).file(finding.span.path)
    removed = {normalize_blanks(line.text) for hunk in (file.hunks if file else ()) for line in hunk.removed}
    quotes = [quote for quote in finding.quoted_lines if "«masked:" not in quote]
    unchanged = [any(quote in line for line in present) != any(quote in line for line in removed) for quote in quotes]
    if quotes and not any(unchanged):
        raise InputError(
            "the lines that this finding is about have changed: it looks fixed, and what is fixed was no false alarm",
            hint="Nothing needs to be dismissed.",
        )


def _name_person(root: Path) -> str:
    """The name and address that git signs commits with; without them, the name of the account."""
    git = open_git(root)
    settings = git.settings if git else {}
    name, email = settings.get("user.name", ""), settings.get("user.email", "")
    return f"{name} <{email}>" if name and email else (name or email or getpass.getuser())
