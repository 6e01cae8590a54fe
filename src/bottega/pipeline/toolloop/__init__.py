"""A model at work with tools: a bounded loop of turns that ends when the model submits a value.

    loop = ToolLoop(
        tools=[ToolSpec("read_lines", "Lines of a file.", ReadLines, read_lines)],
        submit=SubmitSpec("submit_answer", "End: the answer.", AnswerDraft),
        model=measure_profile(run, role="reasoning", stage="ask.explore"),
        max_turns=8,
    )
    request = Request.of(question, system=f"{rules} {loop.instructions()}", stage="ask.explore")
    result = loop.run(run, request, label="explore")
    result.submitted      # an AnswerDraft, or None with the reason in `result.reason`

In each turn the model is asked through `Run.ask`, the tools it calls are run, and their results go back to it. The
loop ends with an accepted submission, after `max_turns`, when the shared `TurnBudget` is used up, when the context
window is full, or when the model fails. A call that is refused or fails goes back to the model as `error: …`.

Tools are Python functions that only read: no tool runs a command or writes to the repository, and a tool that reads
files opens them through `bottega.source.confined`. Replies and tool results are recorded, so a resumed run pays for
nothing twice and a replayed run ends in the same value.
"""

from bottega.pipeline.toolloop.loop import CallRecord, LoopResult, ToolLoop
from bottega.pipeline.toolloop.profile import SMALL_WINDOW, Mode, ModelProfile, TurnBudget, measure_profile, tool_mode
from bottega.pipeline.toolloop.tools import LoopTool, SchemaSubmit, SchemaTool, Submission, SubmitSpec, ToolSpec
from bottega.pipeline.toolloop.turns import Turn, describe_call_format, describe_tools

__all__ = [
    "SMALL_WINDOW",
    "CallRecord",
    "LoopResult",
    "LoopTool",
    "Mode",
    "ModelProfile",
    "SchemaSubmit",
    "SchemaTool",
    "Submission",
    "SubmitSpec",
    "ToolLoop",
    "ToolSpec",
    "Turn",
    "TurnBudget",
    "describe_call_format",
    "describe_tools",
    "measure_profile",
    "tool_mode",
]
