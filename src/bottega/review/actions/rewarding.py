"""What later reviews learn from this one: which models reported findings that held."""

from __future__ import annotations

from collections import defaultdict

from bottega.pipeline import DONE, action
from bottega.review.actions.subject import get_settings
from bottega.review.findings import Finding
from bottega.review.specificity import measure_specificity
from bottega.review.state import ReviewState
from bottega.review.tools import ReviewRun

_UPHELD_SHARE, _SHARED_SHARE, _SPECIFIC_SHARE = 0.45, 0.35, 0.2
_WINNING_SCORE = 0.5


@action(DONE)
def reward_models(state: ReviewState, run: ReviewRun) -> str:
    """Record for each model whether its findings held; one that reported nothing is neither rewarded nor punished."""
    if not get_settings(run).learning or not state.panel:
        return DONE
    scores = _score_models(state)

    def reward() -> dict[str, float]:
        for model, score in scores.items():
            run.tools.bandit.reward(model, won=score >= _WINNING_SCORE)
        return scores

    rewarded = run.effect("reward", reward)
    for model, score in sorted(rewarded.items()):
        run.decide("reward", model, f"{score:.2f}")
    return DONE


def _score_models(state: ReviewState) -> dict[str, float]:
    """The mean score of each model's findings, from 0 to 1; a finding that the filter removed scores 0."""
    models = {call.reviewer: call.model for call in state.seen if not call.failure}
    scores: dict[str, list[float]] = defaultdict(list)
    for finding in state.findings:
        for voice in finding.voices:
            if voice.reviewer in models:
                share = _SPECIFIC_SHARE * measure_specificity(voice)
                scores[models[voice.reviewer]].append(_score_finding(finding) + share)
    for dropped in state.dropped:
        for voice in dropped.finding.voices:
            if voice.reviewer in models:
                scores[models[voice.reviewer]].append(0.0)
    return {model: sum(values) / len(values) for model, values in scores.items()}


def _score_finding(finding: Finding) -> float:
    """How far the verdict upheld a finding, and how far others did."""
    is_upheld = finding.triage in {"must-fix", "verify"}
    is_shared = len(finding.reviewers) > 1 or finding.outcome == "upheld" or bool(finding.verified)
    return _UPHELD_SHARE * is_upheld + _SHARED_SHARE * is_shared
