"""Let a model judge what is retrieved for a task: files reranked by votes, symbols judged yes or no."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bottega.judge.contracts import Ballot
    from bottega.judge.reranking import fuse_votes, rerank, resolve_judge, shuffle_candidates
    from bottega.judge.trial import TRIAL, TRIAL_KIND, TrialRequest, has_earned_reranking
    from bottega.judge.verb import KIND, RETRIEVE

__all__ = [
    "KIND",
    "RETRIEVE",
    "TRIAL",
    "TRIAL_KIND",
    "Ballot",
    "TrialRequest",
    "fuse_votes",
    "has_earned_reranking",
    "rerank",
    "resolve_judge",
    "shuffle_candidates",
]
_MODULES = {
    **dict.fromkeys(("KIND", "RETRIEVE"), "verb"),
    **dict.fromkeys(("TRIAL", "TRIAL_KIND", "TrialRequest", "has_earned_reranking"), "trial"),
    "Ballot": "contracts",
    **dict.fromkeys(("fuse_votes", "rerank", "resolve_judge", "shuffle_candidates"), "reranking"),
}


def __getattr__(name: str) -> Any:
    """Import on first use: retrieving without a model needs no contracts and no prompts."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
