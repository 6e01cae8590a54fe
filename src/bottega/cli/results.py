"""Print what a run made, by the kind of its pipeline."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bottega.cli.plain import complain, json_text, one_line, put_data
from bottega.errors import GateFailed, Incomplete

if TYPE_CHECKING:
    from bottega.pipeline import Finished
    from bottega.write import Written


def render_code(result: Written, form: str) -> str:
    """The code alone, or `{"output": …, "checks": […]}`."""
    if form != "json":
        return result.output
    return json_text({"output": result.output, "checks": [check.model_dump() for check in result.checks]})


def conclude(result: Written) -> int:
    """Say what was checked; raise where the code does not compile or fails the request's own examples."""
    complain(f"bottega: {one_line(result.summary)}\n" if result.summary else "")
    hint = f"`bottega runs show {result.run_id}` tells how it came about."
    if result.fault:
        verb = next((check.what for check in result.checks if check.result == "failed" and check.detail), "parses")
        refusal = "compile" if verb == "compiles" else "parse"
        raise Incomplete(f"the code does not {refusal} as {result.language}: {result.fault}", hint=hint)
    if result.failed_examples:
        raise GateFailed(
            f"the code fails examples of the request: {one_line(result.failed_examples)}",
            hint=f"It is printed all the same. {hint}",
        )
    return 0


def deliver_finished(finished: Finished, form: str) -> int:
    from bottega.ask import AskState, answered
    from bottega.investigate import InvestigateState, investigated
    from bottega.review import ReviewState, reviewed
    from bottega.write import WriteState, written

    if isinstance(finished.state, AskState):
        from bottega.cli.answers import deliver

        return deliver(answered(finished), form)
    if isinstance(finished.state, ReviewState):
        from bottega.cli.reviews import deliver as deliver_review

        return deliver_review(reviewed(finished), finished.state.diff, form)
    if isinstance(finished.state, InvestigateState):
        from bottega.cli.investigations import deliver as deliver_investigation

        return deliver_investigation(investigated(finished), form)
    if not isinstance(finished.state, WriteState):
        sys.stdout.write(finished.state.model_dump_json(indent=2) + "\n")
        return 0
    result = written(finished)
    put_data(render_code(result, form), "the code")
    if "«masked:" in result.output:
        raise Incomplete(
            "the code holds «masked:…» where a secret stood: records keep no secrets",
            hint="Put the secret back by hand, or run `bottega write` anew.",
        )
    return conclude(result)
