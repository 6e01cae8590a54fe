"""Directories whose summary a model is not sure of, and which of them are worth a second look."""

from __future__ import annotations

from collections.abc import Mapping

from bottega.investigate.entries import LOW_CONFIDENCE, DirEntry

# A second look is taken at a tenth of the directories, and at three in any case.
_LEAST_SECOND_LOOKS, _SECOND_LOOK_DIVISOR = 3, 10


def low_confidence_entries(entries: Mapping[str, DirEntry], threshold: float = LOW_CONFIDENCE) -> list[DirEntry]:
    """Entries below a confidence, the least sure first; one without a confidence counts as 0."""
    unsure = [entry for entry in entries.values() if (entry.confidence or 0.0) < threshold]
    return sorted(unsure, key=lambda entry: (entry.confidence or 0.0, entry.relative_path))


def choose_second_looks(entries: Mapping[str, DirEntry]) -> list[DirEntry]:
    """The least sure of the entries that a model has just made and of which it has not seen everything."""
    candidates = [entry for entry in low_confidence_entries(entries) if not entry.partial and _has_more_to_see(entry)]
    return candidates[: max(_LEAST_SECOND_LOOKS, len(entries) // _SECOND_LOOK_DIVISOR)]


def _has_more_to_see(entry: DirEntry) -> bool:
    return entry.coverage.files_read < entry.coverage.files or entry.coverage.cut > 0
