"""A review as SARIF 2.1.0, for code hosts and editors."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from bottega import __version__
from bottega.review.findings import Finding
from bottega.review.report import ReviewReport

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"HARSHLY_CRITICAL": "error", "CRITICAL": "error", "WARNING": "warning", "SUGGESTION": "note"}
_SCORES = {"HARSHLY_CRITICAL": "9.0", "CRITICAL": "8.0", "WARNING": "5.0", "SUGGESTION": "1.0"}
_NAMES = {
    "HARSHLY_CRITICAL": "Loses data or opens the system",
    "CRITICAL": "Wrong or dangerous in normal use",
    "WARNING": "Wrong in rare cases, or will hurt later",
    "SUGGESTION": "Would be nicer",
}
_RULES = {severity: f"BTG{number:03}" for number, severity in enumerate(_LEVELS, 1)}


def render_sarif(report: ReviewReport) -> str:
    """Open findings as results; dismissed findings as suppressed results."""
    shown = [*report.open_findings(), *(finding for finding in report.ignored_findings() if finding.dismissal)]
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "bottega",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_build_rule(severity) for severity in _LEVELS],
                    }
                },
                "automationDetails": {"id": f"bottega/review/{report.id}"},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"ROOT": {"description": {"text": "The root of the repository."}}},
                "invocations": [
                    {
                        "executionSuccessful": report.complete,
                        "toolExecutionNotifications": [
                            {"level": "warning", "message": {"text": gap}} for gap in report.gaps
                        ],
                    }
                ],
                "results": [_build_result(finding) for finding in shown],
                "properties": {
                    "decision": report.decision,
                    "checkedBy": report.checked_by,
                    "complete": report.complete,
                    "static": report.static_only,
                },
            }
        ],
    }
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _build_rule(severity: str) -> dict[str, Any]:
    return {
        "id": _RULES[severity],
        "name": severity.title().replace("_", ""),
        "shortDescription": {"text": _NAMES[severity]},
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {"security-severity": _SCORES[severity]},
    }


def _build_result(finding: Finding) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": _RULES[finding.severity],
        "ruleIndex": list(_LEVELS).index(finding.severity),
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.title}\n\n{finding.problem}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(finding.span.path), "uriBaseId": "ROOT"},
                    "region": {"startLine": finding.span.first, "endLine": finding.span.last},
                }
            }
        ],
        "partialFingerprints": {"bottegaFinding/v1": finding.fingerprint},
        "rank": float(finding.confidence),
        "properties": {"triage": finding.triage, "verified": finding.verified, "reviewers": list(finding.reviewers)},
    }
    if finding.dismissal:
        result["suppressions"] = [{"kind": "external", "justification": finding.dismissal}]
    return result
