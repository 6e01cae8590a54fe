"""`investigate`: what is this directory, and should anything worry its owner."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bottega.investigate.entries import Severity
    from bottega.investigate.order import KIND, Order, investigate, investigated
    from bottega.investigate.report import Report
    from bottega.investigate.state import InvestigateState

__all__ = ["KIND", "InvestigateState", "Order", "Report", "Severity", "investigate", "investigated"]
_HOMES = {"InvestigateState": "state", "Report": "report", "Severity": "entries"}


def __getattr__(name: str) -> Any:
    """Nothing is imported before it is used: the processes that read files for a scan start through here."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"bottega.investigate.{_HOMES.get(name, 'order')}"), name)
