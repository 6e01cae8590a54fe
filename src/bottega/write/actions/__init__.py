"""The actions of `write`, by the names that pipelines use."""

from bottega.pipeline import Action
from bottega.write.actions.coding import call_coder, call_coders, call_fixer
from bottega.write.actions.ending import finish
from bottega.write.actions.judging import call_judge, call_voters, choose_best, judge_candidates, judge_review
from bottega.write.actions.reading import load_history, parse_request, take_as_draft
from bottega.write.actions.reviewing import call_reviewer, check_syntax, mend_syntax
from bottega.write.actions.trying import call_tester, run_examples, run_tests, try_examples

ACTIONS: dict[str, Action] = {
    entry.name: entry
    for entry in (
        parse_request,
        load_history,
        take_as_draft,
        call_coder,
        call_coders,
        call_fixer,
        call_judge,
        call_voters,
        judge_review,
        judge_candidates,
        choose_best,
        call_reviewer,
        mend_syntax,
        check_syntax,
        call_tester,
        run_tests,
        run_examples,
        try_examples,
        finish,
    )
}
