"""The verbs about stored reviews: list, show, explain, compare, dismiss."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bottega.errors import InputError
from bottega.journal import ReviewStore
from bottega.pipeline import House
from bottega.review.comparing import Comparison, compare_with_previous
from bottega.review.dismissing import DismissedFinding, dismiss_finding, undo_dismissal
from bottega.review.explaining import Explanation, explain_review
from bottega.review.records import ReviewSummary, UnreadableReview, list_reviews, read_review, split_name
from bottega.review.reports.explanation import render_comparison, render_explanation
from bottega.review.result import ReviewResult
from bottega.source import escape_breaks
from bottega.verbs import Gate, Verb, VerbRequest, VerbResult


class ReviewListRequest(VerbRequest):
    """List the reviews of a repository."""

    verb: ClassVar[str] = "review.list"
    uses_models: ClassVar[bool] = False


class ReviewListResult(VerbResult):
    """Oldest first; a record that cannot be read is named beside them."""

    reviews: tuple[ReviewSummary, ...]
    unreadable: tuple[UnreadableReview, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(f"bottega: {review.id}: {review.reason}" for review in self.unreadable)

    def render(self, form: str = "text") -> str:
        del form
        return "".join(escape_breaks(_render_summary(summary)) + "\n" for summary in self.reviews)


class ReviewShowRequest(VerbRequest):
    """Show an earlier review."""

    verb: ClassVar[str] = "review.show"
    uses_models: ClassVar[bool] = False

    name: str = Field("last", description="its id, the number at the end of its id, or `last`")


class ShownReview(ReviewResult):
    """An earlier review; its gate always passes."""

    @property
    def gate(self) -> Gate:
        return "passed"

    @property
    def notes(self) -> tuple[str, ...]:
        return ()


class ReviewExplainRequest(VerbRequest):
    """Explain why each finding was kept or removed."""

    verb: ClassVar[str] = "review.explain"
    uses_models: ClassVar[bool] = False

    name: str = Field("last", description="a review, or one of its findings as in `last/f002`")


class ReviewExplainResult(Explanation, VerbResult):
    def render(self, form: str = "text") -> str:
        del form
        return render_explanation(self)


class ReviewCompareRequest(VerbRequest):
    """Compare the findings of a review with those of the review before it."""

    verb: ClassVar[str] = "review.compare"
    uses_models: ClassVar[bool] = False

    name: str = Field("last", description="the later of the two reviews")


class ReviewCompareResult(Comparison, VerbResult):
    def render(self, form: str = "text") -> str:
        del form
        return render_comparison(self)


class ReviewDismissRequest(VerbRequest):
    """Dismiss a finding as no bug, or undo its dismissal."""

    verb: ClassVar[str] = "review.dismiss"
    uses_models: ClassVar[bool] = False

    name: str = Field(description="ID/FINDING, for example `last/f002`")
    because: str = Field("", description="why it is no bug; needed unless `undo`")
    scope: str = Field("", description="where it holds, as in .gitignore; the file itself where it is empty")
    days: int = Field(0, ge=0, le=3650, description="for how long; 0 is the setting review.dismissal_days")
    undo: bool = Field(False, description="take dismissals of this finding back")


class ReviewDismissResult(VerbResult):
    """`dismissed` is missing where a dismissal was undone; `undone` says whether there was one."""

    dismissed: DismissedFinding | None = None
    undone: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        if self.dismissed is None or self.dismissed.is_sealed:
            return ()
        return ("bottega: your cache cannot be written, so this dismissal cannot be proved yours and does not count",)

    def render(self, form: str = "text") -> str:
        del form
        dismissed = self.dismissed
        if dismissed is None:
            return "taken back\n" if self.undone else "it was not dismissed\n"
        line = f"{dismissed.span} {dismissed.title}: {dismissed.note}, until {dismissed.until[:10]}"
        return escape_breaks(line) + "\n"


def list_all(request: ReviewListRequest, house: House) -> ReviewListResult:
    del request
    if not house.has_journal:
        return ReviewListResult(reviews=(), unreadable=())
    found = list_reviews(reviews=house.journal.reviews)
    return ReviewListResult(reviews=found.reviews, unreadable=found.unreadable)


def show(request: ReviewShowRequest, house: House) -> ShownReview:
    stored = read_review(request.name, reviews=_open_reviews(request.name, house))
    return ShownReview(report=stored.report, diff=stored.diff)


def explain(request: ReviewExplainRequest, house: House) -> ReviewExplainResult:
    report = read_review(request.name, reviews=_open_reviews(request.name, house)).report
    explained = explain_review(report, split_name(request.name)[1])
    return ReviewExplainResult(review=explained.review, findings=explained.findings, removed=explained.removed)


def compare(request: ReviewCompareRequest, house: House) -> ReviewCompareResult:
    return ReviewCompareResult(**dict(compare_with_previous(request.name, reviews=_open_reviews(request.name, house))))


def dismiss(request: ReviewDismissRequest, house: House) -> ReviewDismissResult:
    journal = house.journal
    if request.undo:
        undone = undo_dismissal(request.name, reviews=journal.reviews, dismissals=journal.dismissals)
        return ReviewDismissResult(undone=undone)
    dismissed = dismiss_finding(
        request.name,
        because=request.because,
        scope=request.scope,
        days=request.days or house.settings.review.dismissal_days,
        root=house.root,
        reviews=journal.reviews,
        dismissals=journal.dismissals,
    )
    return ReviewDismissResult(dismissed=dismissed)


def _open_reviews(name: str, house: House) -> ReviewStore:
    """Looking creates no journal."""
    if not house.has_journal:
        raise InputError(f"there is no review {name!r}", hint="Nothing was reviewed here yet.")
    return house.journal.reviews


def _render_summary(summary: ReviewSummary) -> str:
    state = summary.decision if summary.complete else f"{summary.decision}, incomplete"
    return f"{summary.id}  {state:<24} {summary.open_findings:>3} to look at  {summary.origin}"


REVIEW_LIST = Verb(ReviewListRequest, ReviewListResult, list_all)
REVIEW_SHOW = Verb(ReviewShowRequest, ShownReview, show)
REVIEW_EXPLAIN = Verb(ReviewExplainRequest, ReviewExplainResult, explain)
REVIEW_COMPARE = Verb(ReviewCompareRequest, ReviewCompareResult, compare)
REVIEW_DISMISS = Verb(ReviewDismissRequest, ReviewDismissResult, dismiss)
