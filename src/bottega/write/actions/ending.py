"""The end of a run: the result, its outcome and its line in the history."""

from __future__ import annotations

from bottega.errors import Incomplete
from bottega.journal import now
from bottega.pipeline import action
from bottega.write.checks import collect_checks, summarize
from bottega.write.state import Check, JudgeResult, WriteState
from bottega.write.tools import WriteRun


@action()
def finish(state: WriteState, run: WriteRun) -> str:
    """Settle on the result and write it to the history."""
    if not state.current.strip():
        raise Incomplete("the pipeline came to its end without any code", hint="It needs a step that writes some.")
    state.output = state.current
    state.checks = collect_checks(state, run)
    worst = next((result for result in ("failed", "passed") if result in {c.result for c in state.checks}), "not run")
    summary = summarize(state.checks, state.language, state.judged_review or state.judged_draft)
    run.outcome("checked", worst, summary.removeprefix("checked: "))
    for check in state.checks:
        run.outcome(_choose_outcome_name(check), check.result, "; ".join(filter(None, (check.by, check.detail))))
    run.outcome("escalated", "yes" if state.escalated else "no", state.escalation_reason)
    moment = str(run.effect("time", now))
    run.effect("history", lambda: _append_to_history(state, run, moment))
    return ""


def _choose_outcome_name(check: Check) -> str:
    if check.is_about_examples:
        return "examples"
    return "syntax" if check.what in ("parses", "compiles") else "made-up inputs"


def _append_to_history(state: WriteState, run: WriteRun, moment: str) -> bool:
    run.tools.history.append(
        {
            "ts": moment,
            "mode": state.mode,
            "original_prompt": state.original_prompt,
            "normalized_prompt": state.prompt,
            "coder_output": None if state.mode == "review_only" else state.draft,
            "reviewer_output": state.reviewed,
            "final_output": state.output,
            "escalated": state.escalated,
            "escalation_reason": state.escalation_reason,
            "judge": _format_judge_entry(state),
        }
    )
    return True


def _format_judge_entry(state: WriteState) -> dict[str, object]:
    """The scores of the draft, and under `review` those of the reviewer's code."""
    draft = (state.judged_draft or JudgeResult()).model_dump()
    return {**draft, "review": state.judged_review.model_dump() if state.judged_review else None}
