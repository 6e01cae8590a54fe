"""The actions of `ask`, by the names that pipelines use."""

from bottega.ask.actions.calling import call_model, check_context_budget
from bottega.ask.actions.ending import (
    answer_with_evidence,
    check_citations,
    explain_what_is_missing,
    finalize,
    persist_turn_and_finalize,
)
from bottega.ask.actions.gathering import (
    expand_dependency_tree,
    fetch_more_context,
    fetch_node_texts,
    loop_guard,
    trim_evidence,
)
from bottega.ask.actions.recalling import load_conversation_history
from bottega.ask.actions.reranking import rerank_files
from bottega.ask.actions.routing import handle_prefix, route_by_rule, take_given_mode
from bottega.ask.actions.translating import translate_in_if_needed
from bottega.pipeline import Action

ACTIONS: dict[str, Action] = {
    entry.name: entry
    for entry in (
        translate_in_if_needed,
        load_conversation_history,
        check_context_budget,
        take_given_mode,
        route_by_rule,
        call_model,
        handle_prefix,
        rerank_files,
        fetch_more_context,
        expand_dependency_tree,
        fetch_node_texts,
        trim_evidence,
        loop_guard,
        check_citations,
        explain_what_is_missing,
        answer_with_evidence,
        finalize,
        persist_turn_and_finalize,
    )
}
