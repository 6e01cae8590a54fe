"""`investigate`: explain an unknown directory and flag what its owner should know."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bottega.investigate.entries import SEVERITIES, Severity
    from bottega.investigate.report import InvestigationReport
    from bottega.investigate.result import FORMATS, InvestigateResult
    from bottega.investigate.scan_verb import SCAN, ScanRequest, ScanResult
    from bottega.investigate.state import InvestigateState
    from bottega.investigate.verb import (
        ESTIMATE,
        FORGET,
        INVESTIGATE,
        KIND,
        NOTE_REPORT,
        EstimateRequest,
        EstimateResult,
        ForgetRequest,
        InvestigateRequest,
        NoteReportRequest,
    )

__all__ = [
    "ESTIMATE",
    "FORGET",
    "FORMATS",
    "INVESTIGATE",
    "KIND",
    "NOTE_REPORT",
    "SCAN",
    "SEVERITIES",
    "EstimateRequest",
    "EstimateResult",
    "ForgetRequest",
    "InvestigateRequest",
    "InvestigateResult",
    "InvestigateState",
    "InvestigationReport",
    "NoteReportRequest",
    "ScanRequest",
    "ScanResult",
    "Severity",
]
_MODULES = {
    **dict.fromkeys(("SEVERITIES", "Severity"), "entries"),
    **dict.fromkeys(("FORMATS", "InvestigateResult"), "result"),
    **dict.fromkeys(("SCAN", "ScanRequest", "ScanResult"), "scan_verb"),
    "InvestigateState": "state",
    "InvestigationReport": "report",
}


def __getattr__(name: str) -> Any:
    """Nothing is imported before it is used: the processes that read files for a scan start through here."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"bottega.investigate.{_MODULES.get(name, 'verb')}"), name)
