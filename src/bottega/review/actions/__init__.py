"""The actions of `review`, by the names that pipelines use."""

from __future__ import annotations

from bottega.pipeline import Action
from bottega.review.actions.amending import apply_dismissals, check_suggestions
from bottega.review.actions.analysing import analyse_change, apply_rules
from bottega.review.actions.discussing import discuss_findings
from bottega.review.actions.ending import decide_verdict, write_report
from bottega.review.actions.filtering import filter_findings, merge_findings
from bottega.review.actions.panel import choose_panel
from bottega.review.actions.preparing import read_change
from bottega.review.actions.reviewing import call_reviewers
from bottega.review.actions.rewarding import reward_models

ACTIONS: dict[str, Action] = {
    entry.name: entry
    for entry in (
        read_change,
        analyse_change,
        apply_rules,
        choose_panel,
        call_reviewers,
        filter_findings,
        merge_findings,
        apply_dismissals,
        check_suggestions,
        discuss_findings,
        decide_verdict,
        reward_models,
        write_report,
    )
}
