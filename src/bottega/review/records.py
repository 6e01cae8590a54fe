"""Stored reviews by name: one of them, one of its findings, or a list of all."""

from __future__ import annotations

from dataclasses import dataclass

from bottega.errors import InputError, StorageError
from bottega.journal import ReviewStore
from bottega.review.deciding import Decision
from bottega.review.findings import Finding, Frozen
from bottega.review.report import DIFF, ReviewReport


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A report and the text of the diff that it is about."""

    report: ReviewReport
    diff: str


class ReviewSummary(Frozen):
    """One line of a list; `open_findings` counts what is to be fixed or verified."""

    id: str
    at: str
    decision: Decision
    complete: bool
    open_findings: int
    origin: str


class UnreadableReview(Frozen):
    id: str
    reason: str


class ReviewList(Frozen):
    """The reviews of a repository, oldest first; a record that cannot be read is named beside them."""

    reviews: tuple[ReviewSummary, ...]
    unreadable: tuple[UnreadableReview, ...] = ()


def split_name(name: str) -> tuple[str, str]:
    """The review and the finding of `last`, `2026-01-01/001`, `last/f001`; the finding is "" where none is named."""
    review, slash, finding = name.rpartition("/")
    return (review, finding) if slash and finding.startswith("f") else (name, "")


def read_review(name: str, *, reviews: ReviewStore) -> StoredReview:
    """A review by its id, by the number at the end of its id, or by `last`; a finding in the name is ignored."""
    found = reviews.find(split_name(name)[0])
    return StoredReview(ReviewReport.from_json(reviews.read(found)), reviews.read(found, DIFF))


def list_reviews(*, reviews: ReviewStore) -> ReviewList:
    summaries: list[ReviewSummary] = []
    unreadable: list[UnreadableReview] = []
    for name in reviews.ids():
        try:
            summaries.append(_summarize(ReviewReport.from_json(reviews.read(name))))
        except StorageError as error:
            unreadable.append(UnreadableReview(id=name, reason=str(error)))
    return ReviewList(reviews=tuple(summaries), unreadable=tuple(unreadable))


def _summarize(report: ReviewReport) -> ReviewSummary:
    return ReviewSummary(
        id=report.id,
        at=report.at,
        decision=report.decision,
        complete=report.complete,
        open_findings=len(report.open_findings()),
        origin=report.origin,
    )


def find_finding(report: ReviewReport, finding_id: str) -> Finding:
    """Raise `InputError` naming the findings that the review has."""
    for finding in report.findings:
        if finding.id == finding_id:
            return finding
    known = ", ".join(finding.id for finding in report.findings)
    raise InputError(
        f"review {report.id} has no finding {finding_id!r}", hint=f"There are {known}." if known else "It has none."
    )
