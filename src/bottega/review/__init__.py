"""`review`: a panel, a filter for what it invents, a discussion, one verdict."""

from __future__ import annotations

from bottega.review.change import Change, ChangeSelection, mask_change, read_change, read_raw_change
from bottega.review.findings import SEVERITIES, Finding, Severity
from bottega.review.record_verbs import (
    REVIEW_COMPARE,
    REVIEW_DISMISS,
    REVIEW_EXPLAIN,
    REVIEW_LIST,
    REVIEW_SHOW,
    ReviewCompareRequest,
    ReviewDismissRequest,
    ReviewExplainRequest,
    ReviewListRequest,
    ReviewShowRequest,
)
from bottega.review.report import ReviewReport
from bottega.review.result import FORMATS, ReviewResult
from bottega.review.state import ReviewSettings, ReviewState
from bottega.review.tools import ReviewTools
from bottega.review.verb import KIND, REVIEW, ReviewRequest

__all__ = [
    "FORMATS",
    "KIND",
    "REVIEW",
    "REVIEW_COMPARE",
    "REVIEW_DISMISS",
    "REVIEW_EXPLAIN",
    "REVIEW_LIST",
    "REVIEW_SHOW",
    "SEVERITIES",
    "Change",
    "ChangeSelection",
    "Finding",
    "ReviewCompareRequest",
    "ReviewDismissRequest",
    "ReviewExplainRequest",
    "ReviewListRequest",
    "ReviewReport",
    "ReviewRequest",
    "ReviewResult",
    "ReviewSettings",
    "ReviewShowRequest",
    "ReviewState",
    "ReviewTools",
    "Severity",
    "mask_change",
    "read_change",
    "read_raw_change",
]
