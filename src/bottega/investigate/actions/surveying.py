"""A look at the whole before any of its parts."""

from __future__ import annotations

from bottega.investigate import toolset
from bottega.investigate.actions.scanning import is_tiny, means_of
from bottega.investigate.actions.submitting import submitted
from bottega.investigate.plans import Survey, survey_of
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.tools import InvestigateRun
from bottega.investigate.turns import told
from bottega.investigate.units import key_of, named
from bottega.models import Request, fenced, load_prompt
from bottega.pipeline import DONE, action

STAGE = "investigate.survey"
_FILE = "survey.json"


@action(DONE)
def survey_target(state: InvestigateState, run: InvestigateRun) -> str:
    """Say what the target is and how to go about it; without a survey the directories have all tools."""
    if not run.settings_as(InvestigateSettings).survey or is_tiny(state):
        run.decide("survey", "none", "the target is tiny" if is_tiny(state) else "switched off")
        return DONE
    prompt = load_prompt("bottega.investigate", "survey")
    means = means_of(state, run)
    request = Request.of(
        prompt.fill(
            signals=fenced(signals_text(state)),
            tree=fenced(_top(state.tree)),
            introduction=fenced(state.introduction or "(it has none)"),
            tools=told(toolset.DIRECTORY[:-1]),
        ),
        system=prompt.fill_system(contract=contract_text(means.mode)),
        stage=STAGE,
        prompt_version=prompt.version,
    )
    key = key_of(prompt.version, state.model, request.text())
    store = run.tools.investigations
    kept = run.effect("known survey", lambda: store.read(state.investigation, _FILE))
    if isinstance(kept, dict) and kept.get("key") == key:
        known = survey_of(kept.get("survey"), toolset.NAMES)
        if known is not None:
            state.survey = known
            run.decide("survey", "kept", "the same names and the same introduction as at the last time")
            return DONE
    survey, why_not = submitted(
        state,
        run,
        request,
        toolset.SUBMIT_SURVEY,
        label="survey",
        read=lambda call: survey_of(call.arguments, toolset.NAMES),
        wanted="call submit_survey with a description of the target",
    )
    if survey is None:
        state.gaps = (*state.gaps, f"no survey: {why_not}")
        return DONE
    state.survey = survey
    run.say(f"survey: {survey.description[:200]}")
    value = {"key": key, "survey": survey.model_dump(mode="json")}
    run.effect("keep survey", lambda: store.write(state.investigation, _FILE, value))
    return DONE


def signals_text(state: InvestigateState) -> str:
    """Names and counts, no sizes and no contents: an edit inside a file leaves them as they are."""
    signals = state.scan["signals"]
    if not signals["total_files"]:
        return "(no files)"
    lines = [f"{signals['total_files']} files in {state.scan['directories']} directories"]
    for title, pairs in (("endings", signals["extensions"]), ("types by content", signals["descriptions"])):
        if pairs:
            lines.append(f"{title}: " + ", ".join(f"{named(name)} {count}" for name, count in pairs))
    lines.append("some files:")
    return "\n".join([*lines, *map(named, signals["samples"])])


def survey_text(survey: Survey | None) -> str:
    if survey is None:
        return "(no survey)"
    lines = [f"Description: {survey.description}"]
    if survey.approach:
        lines.append(f"Approach: {survey.approach}")
    if survey.relevant_tools:
        lines.append(f"Lean on: {', '.join(survey.relevant_tools)}")
    if survey.domain_notes:
        lines.append(f"Notes: {survey.domain_notes}")
    return "\n".join(lines)


def contract_text(mode: str) -> str:
    """How tools are called, for models that get them through JSON."""
    if mode == "native":
        return "Use the tools you are given; several calls in one turn are welcome."
    return (
        'Reply with one JSON object and nothing else: {"calls": [{"tool": "NAME", …its arguments…}, …]}.'
        " Several calls in one reply are welcome."
    )


def _top(tree: str) -> str:
    """Two levels are enough to tell what something is."""
    kept = [line for line in tree.split("\n") if (len(line) - len(line.lstrip())) <= 4]
    return "\n".join(kept[:120])
