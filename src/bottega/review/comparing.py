"""Two reviews compared: what is fixed since the first, what is still there, and what is new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bottega.errors import InputError
from bottega.journal import ReviewStore
from bottega.review.deciding import Decision
from bottega.review.findings import Finding, Frozen, Severity, is_same_matter, normalize_blanks
from bottega.review.reading import parse_cached
from bottega.review.records import read_review, split_name
from bottega.review.report import ReviewReport
from bottega.source import Span


class ComparedFinding(Frozen):
    """A finding in a comparison; its id is that of the review that it comes from."""

    id: str
    span: Span
    severity: Severity
    title: str


class Comparison(Frozen):
    """What became of the findings of the review `before`, and what `review` added to them.

    Of findings that are gone, `fixed` are those whose quoted lines are no longer in the change; `not_found_again` are
    those whose lines are still there, or that quote none; `not_looked_at_again` are those of files that the second
    review did not read to the end with a model.
    """

    review: str
    before: str
    decision: Decision
    decision_before: Decision
    fixed: tuple[ComparedFinding, ...] = ()
    not_found_again: tuple[ComparedFinding, ...] = ()
    not_looked_at_again: tuple[ComparedFinding, ...] = ()
    still_there: tuple[ComparedFinding, ...] = ()
    new: tuple[ComparedFinding, ...] = ()


def compare_with_previous(name: str, *, reviews: ReviewStore) -> Comparison:
    """Compare a review with the one before it. Raise `InputError` where there is none."""
    ids = reviews.ids()
    found = reviews.find(split_name(name)[0])
    position = ids.index(found)
    if position == 0:
        raise InputError(f"review {found} is the first: there is none before it")
    old, new = read_review(ids[position - 1], reviews=reviews), read_review(found, reviews=reviews)
    return compare_reviews(old.report, new.report, new.diff)


def compare_reviews(old: ReviewReport, new: ReviewReport, diff_text: str) -> Comparison:
    """Group the findings of both reviews; `diff_text` is the change of the new one. Ignored findings do not count."""
    before = [finding for finding in old.findings if finding.triage != "ignore"]
    after = [finding for finding in new.findings if finding.triage != "ignore"]
    changed_lines = _lines_by_path(diff_text)
    is_thorough = new.complete and not new.static_only
    gone = [finding for finding in before if not _is_among(finding, after)]
    read_again = [finding for finding in gone if is_thorough and finding.span.path in new.paths]
    fixed = [finding for finding in read_again if finding.quotes and not _is_quoting(finding, changed_lines)]
    return Comparison(
        review=new.id,
        before=old.id,
        decision=new.decision,
        decision_before=old.decision,
        fixed=_summarize(fixed),
        not_found_again=_summarize([finding for finding in read_again if finding not in fixed]),
        not_looked_at_again=_summarize([finding for finding in gone if finding not in read_again]),
        still_there=_summarize([finding for finding in after if _is_among(finding, before)]),
        new=_summarize([finding for finding in after if not _is_among(finding, before)]),
    )


def _is_among(finding: Finding, others: Sequence[Finding]) -> bool:
    return any(
        finding.fingerprint == other.fingerprint and is_same_matter(finding.about, other.about) for other in others
    )


def _lines_by_path(diff_text: str) -> dict[str, set[str]]:
    """The lines that a change adds to or removes from each file, their blanks normalized."""
    return {
        file.path: {normalize_blanks(line.text) for hunk in file.hunks for line in hunk.lines if line.kind != " "}
        for file in parse_cached(diff_text).files
    }


def _is_quoting(finding: Finding, lines: Mapping[str, set[str]]) -> bool:
    """Whether a line that the finding quotes is still among the changed lines of its file."""
    return any(quote in line for quote in finding.quoted_lines for line in lines.get(finding.span.path, ()))


def _summarize(findings: Sequence[Finding]) -> tuple[ComparedFinding, ...]:
    return tuple(
        ComparedFinding(
            id=finding.id,
            span=finding.span,
            severity=finding.severity,
            title=finding.title,
        )
        for finding in findings
    )
