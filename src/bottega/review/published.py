"""The JSON form of a review that doors print: the stored report with its computed fields."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, create_model

from bottega.review.findings import Finding, Frozen
from bottega.review.report import ReviewReport


def _copy_fields(model: type[BaseModel]) -> dict[str, Any]:
    return {name: (field.annotation, field) for name, field in model.model_fields.items()}


# Computed properties that the JSON forms of a finding and a report hold as fields.
_finding: dict[str, Any] = {**_copy_fields(Finding), "fingerprint": (str, ...)}
PublishedFinding: Any = create_model("PublishedFinding", __base__=Frozen, **_finding)
_report: dict[str, Any] = {
    **_copy_fields(ReviewReport),
    "findings": (tuple[PublishedFinding, ...], ...),
    "checked_by": (str, ...),
}
PublishedReport: type[BaseModel] = create_model("PublishedReport", __base__=Frozen, **_report)


def publish(report: ReviewReport) -> dict[str, Any]:
    return PublishedReport.model_validate(report.as_json()).model_dump(mode="json")
