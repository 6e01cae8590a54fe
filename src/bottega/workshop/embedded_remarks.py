"""What a person is told about embedded models: how fast one was in a run, and once what a larger one would change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bottega.amounts import plural
from bottega.workshop.model_choice import names_model

if TYPE_CHECKING:
    from bottega.journal import CallRecord, Journal
    from bottega.models import Roster
    from bottega.settings import Settings

PREFIX = "embedded/"
LARGER_MODEL = (
    "embedded models write short functions, and judge hardly better than chance (docs/benchmarks.md):"
    " `bottega models recommend` names larger ones that fit here"
)
_TOLD = "larger_model_told"


def tell_embedded_speed(
    run_id: str, journal: Journal, roster: Roster, settings: Settings, remark: Callable[[str], None]
) -> None:
    """One line for each embedded model that worked in the run.

    Where bottega chose the model by itself, the first run in a repository also tells of larger ones.
    """
    calls = [call for call in journal.calls.of_run(run_id) if call.model.startswith(PREFIX) and call.latency_ms]
    for model in sorted({call.model for call in calls}):
        remark(f"{model}: {_describe_speed([call for call in calls if call.model == model])}")
    is_chosen_here = not names_model(settings) and bool(roster.router.list_choices())
    if calls and is_chosen_here and not journal.facts.get(calls[0].model, _TOLD):
        journal.facts.put(calls[0].model, _TOLD, True)
        remark(LARGER_MODEL)


def _describe_speed(calls: Sequence[CallRecord]) -> str:
    seconds = sum(call.latency_ms or 0 for call in calls) / 1000
    read = sum(call.prompt_tokens or 0 for call in calls)
    written = sum(call.completion_tokens or 0 for call in calls)
    return (
        f"{plural(read + written, 'token')} in {seconds:.1f} s ({read:,} read, {written:,} written),"
        f" {(read + written) / seconds:.0f} tokens/s"
    )
