"""The survey: what the target is, before any directory is read."""

from __future__ import annotations

from bottega.investigate import toolset
from bottega.investigate.actions.submitting import ask_to_submit
from bottega.investigate.context import get_model_profile, is_tiny
from bottega.investigate.plans import Survey, parse_survey
from bottega.investigate.prompt_text import describe_signals
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.stored import SURVEY
from bottega.investigate.tools import InvestigateRun
from bottega.investigate.units import hash_key
from bottega.models import Request, fenced, load_prompt
from bottega.pipeline import DONE, action
from bottega.pipeline.toolloop import describe_call_format, describe_tools

STAGE = "investigate.survey"
_TREE_INDENT, _TREE_LINES = 4, 120


@action(DONE)
def survey_target(state: InvestigateState, run: InvestigateRun) -> str:
    """Say what the target is and how to investigate it; without a survey the directories have all tools."""
    if not run.settings_as(InvestigateSettings).survey or is_tiny(state):
        run.decide("survey", "none", "the target is tiny" if is_tiny(state) else "switched off")
        return DONE
    request = _build_request(state, run)
    key = hash_key(request.prompt_version, state.model, request.text())
    store = run.tools.investigations
    known = _parse_stored(run.effect("known survey", lambda: store.read(state.investigation, SURVEY)), key)
    if known is not None:
        state.survey = known
        run.decide("survey", "kept", "the same names and the same introduction as at the last time")
        return DONE
    survey, reason = ask_to_submit(
        state,
        run,
        request,
        toolset.SUBMIT_SURVEY,
        label="survey",
        parse=lambda arguments: parse_survey(arguments, toolset.NAMES),
        reminder="call submit_survey with a description of the target",
    )
    if survey is None:
        state.gaps = (*state.gaps, f"no survey: {reason}")
        return DONE
    state.survey = survey
    run.say(f"survey: {survey.description[:200]}")
    value = {"key": key, "survey": survey.model_dump(mode="json")}
    run.effect("keep survey", lambda: store.write(state.investigation, SURVEY, value))
    return DONE


def _build_request(state: InvestigateState, run: InvestigateRun) -> Request:
    prompt = load_prompt("bottega.investigate", "survey")
    return Request.of(
        prompt.fill(
            signals=fenced(describe_signals(state)),
            tree=fenced(_cut_tree(state.tree)),
            introduction=fenced(state.introduction or "(it has none)"),
            tools=describe_tools(toolset.DIRECTORY),
        ),
        system=prompt.fill_system(contract=describe_call_format(get_model_profile(state, run).mode)),
        stage=STAGE,
        prompt_version=prompt.version,
    )


def _parse_stored(stored: object, key: str) -> Survey | None:
    """The survey of an earlier run, if it was made from the same request."""
    if not isinstance(stored, dict) or stored.get("key") != key:
        return None
    return parse_survey(stored.get("survey"), toolset.NAMES)


def _cut_tree(tree: str) -> str:
    """The first two levels of a tree, which are enough to recognise what it is."""
    lines = [line for line in tree.split("\n") if len(line) - len(line.lstrip()) <= _TREE_INDENT]
    return "\n".join(lines[:_TREE_LINES])
