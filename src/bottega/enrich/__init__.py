"""`enrich`: have a model describe files; a description is stored for the file's content."""

from __future__ import annotations

from bottega.enrich.state import DescribedFile, Description, EnrichState, FileToDescribe
from bottega.enrich.tools import EnrichTools, FileContent
from bottega.enrich.verb import (
    ENRICH,
    ENRICH_ESTIMATE,
    ENRICH_PROMOTE,
    KIND,
    EnrichEstimate,
    EnrichEstimateRequest,
    EnrichRequest,
    EnrichResult,
    PromoteRequest,
    PromoteResult,
)

__all__ = [
    "ENRICH",
    "ENRICH_ESTIMATE",
    "ENRICH_PROMOTE",
    "KIND",
    "DescribedFile",
    "Description",
    "EnrichEstimate",
    "EnrichEstimateRequest",
    "EnrichRequest",
    "EnrichResult",
    "EnrichState",
    "EnrichTools",
    "FileContent",
    "FileToDescribe",
    "PromoteRequest",
    "PromoteResult",
]
