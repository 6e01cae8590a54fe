"""Print what a run made, by the kind of its pipeline."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bottega.cli.plain import json_text
from bottega.errors import Incomplete

if TYPE_CHECKING:
    from bottega.pipeline import Finished


def rendered(output: str, form: str) -> str:
    """The code alone, or exactly `{"output": …}`."""
    return json_text({"output": output}) if form == "json" else output


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
    sys.stdout.write(rendered(result.output, form))
    sys.stdout.flush()
    if "«masked:" in result.output:
        raise Incomplete(
            "the code holds «masked:…» where a secret stood: records keep no secrets",
            hint="Put the secret back by hand, or run `bottega write` anew.",
        )
    if result.fault:
        raise Incomplete(f"the code does not parse as {result.language}: {result.fault}")
    return 0
