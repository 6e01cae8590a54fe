"""What a pipeline of the kind `review` can do."""

from __future__ import annotations

from bottega.pipeline import Action
from bottega.review.actions.discussing import discuss_findings
from bottega.review.actions.ending import (
    apply_dismissals,
    check_suggestions,
    decide_verdict,
    reward_models,
    write_report,
)
from bottega.review.actions.preparing import analyse_change, apply_rules, choose_panel, read_change
from bottega.review.actions.reviewing import call_reviewers, filter_findings, merge_findings

ACTIONS: dict[str, Action] = {
    one.name: one
    for one in (
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
