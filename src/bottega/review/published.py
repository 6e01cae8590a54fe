"""The JSON form of a review that doors print: the stored report, with what is worked out from it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, create_model

from bottega.review.findings import Finding, Frozen
from bottega.review.report import ReviewReport


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    return {name: (field.annotation, field) for name, field in model.model_fields.items()}


# A finding and a report work these values out; their JSON forms hold them as fields beside the others.
_finding: dict[str, Any] = {**_fields(Finding), "fingerprint": (str, ...)}
PublishedFinding: Any = create_model("PublishedFinding", __base__=Frozen, **_finding)
_report: dict[str, Any] = {
    **_fields(ReviewReport),
    "findings": (tuple[PublishedFinding, ...], ...),
    "checked_by": (str, ...),
}
PublishedReport: type[BaseModel] = create_model("PublishedReport", __base__=Frozen, **_report)


def publish(report: ReviewReport) -> dict[str, Any]:
    return PublishedReport.model_validate(report.as_json()).model_dump(mode="json")
