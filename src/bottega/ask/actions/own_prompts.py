"""Prompts that a pipeline brings itself: a file, a role, and the name of the reply."""

from __future__ import annotations

from typing import Literal

from bottega.ask.contracts import ANSWER, PlainContract
from bottega.ask.prompting import format_evidence
from bottega.ask.state import AskState
from bottega.ask.tools import AskRun
from bottega.errors import InputError
from bottega.models import Request, parse_prompt

ModelRole = Literal["coding", "reasoning", "classifier", "judge", "reviewer", "router", "summarizer", "translator"]
# A reply of this name is the answer, and is checked like one.
ANSWER_OUTPUT = "answer"


def ask_own_prompt(state: AskState, run: AskRun, name: str, role: str, output: str) -> None:
    """Ask with a prompt file and keep the reply under a name; later prompts use it as `{{name}}`."""
    prompt = parse_prompt(name, run.effect("prompt", lambda: run.tools.read_prompt(name)))
    values = {
        **state.outputs,
        "question": state.question_en,
        "history": state.history,
        "evidence": format_evidence(state),
    }
    unknown = sorted(prompt.slots - values.keys())
    if unknown:
        raise InputError(
            f"the prompt {name} uses {{{{{unknown[0]}}}}}, which no step before it gives",
            hint=f"Known here: {', '.join(sorted(values))}.",
        )
    request = Request.of(
        prompt.fill(**values), system=prompt.fill_system(**values), stage=f"ask.{output}", prompt_version=prompt.version
    )
    text = run.ask(request, PlainContract(), role=role).value
    if output == ANSWER_OUTPUT:
        state.prefix, state.answer_en, state.is_checked = ANSWER, text.removeprefix(ANSWER).strip(), False
    else:
        state.outputs = {**state.outputs, output: text}
