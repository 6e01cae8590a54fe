"""The request that begins the loop of one directory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bottega.investigate.context import DIRECTORY_STAGE
from bottega.investigate.entries import DirEntry
from bottega.investigate.exploration import Exploration
from bottega.investigate.firstlook import show_first_look
from bottega.investigate.prompt_text import describe_survey
from bottega.investigate.state import InvestigateState
from bottega.investigate.toolset import EXPLORING
from bottega.investigate.units import Unit, fit_lines
from bottega.models import Request, Tool, fenced, load_prompt
from bottega.pipeline.toolloop import ModelProfile, describe_call_format, describe_tools
from bottega.source import quote_name

# Shares of the context window: the listing, what is known already, and the first look.
_LISTING_SHARE, _KNOWN_SHARE, _FIRST_LOOK_SHARE = 0.06, 0.08, 0.2
_MAX_NAME_CHARS = 120
_SECOND_LOOK = """You described this directory before and were not sure of it:
{doubt}
Read what you have not seen yet, then say again what it is, with the confidence that you have now."""
_MIN_SUMMARY_CHARS, _CHARS_PER_CHILD, _MAX_KNOWN_CHARS = 80, 90, 300


def build_directory_request(
    exploration: Exploration,
    entries: Mapping[str, DirEntry],
    state: InvestigateState,
    *,
    turns: int,
    model: ModelProfile,
    tools: Sequence[Tool],
) -> Request:
    """A request with everything known about a directory; `entries` are those of the directories in it."""
    prompt = load_prompt("bottega.investigate", "directory")
    unit = exploration.unit
    chars = model.window_chars
    first_look = show_first_look(exploration, int(chars * _FIRST_LOOK_SHARE))
    if model.is_small and exploration.has_read_all():
        tools = [tool for tool in tools if tool.name not in EXPLORING]
    return Request.of(
        prompt.fill(
            directory=fenced(unit.label),
            turns=str(turns),
            listing=fenced(_list_files(unit, int(chars * _LISTING_SHARE))),
            children=_describe_children(unit, entries, state, int(chars * _KNOWN_SHARE)),
            known=_describe_known(exploration, int(chars * _KNOWN_SHARE)),
            shown=first_look,
        ),
        system=prompt.fill_system(
            contract=describe_call_format(model.mode),
            tools=describe_tools(tools) if model.mode == "json" else "",
            survey=fenced(_describe_tree(unit, state, model)),
            notes=fenced((state.plan.notes if state.plan else "") or "(none)"),
        ),
        stage=DIRECTORY_STAGE,
        prompt_version=prompt.version,
    )


def ask_for_second_look(request: Request, entry: DirEntry) -> Request:
    """The same request for a directory that the model has described without being sure."""
    doubt = f"{entry.summary}\n{entry.confidence_reason}".rstrip()
    last = request.messages[-1]
    text = f"{last.text}\n\n{_SECOND_LOOK.format(doubt=fenced(doubt))}"
    return replace(request, messages=(*request.messages[:-1], replace(last, text=text)))


def _describe_tree(unit: Unit, state: InvestigateState, model: ModelProfile) -> str:
    """A model with a small window repeats what it is told about the whole tree for every part, so it is not told."""
    if model.is_small and unit.path:
        return "(many directories; this is one of them)"
    return describe_survey(state.survey)


def _list_files(unit: Unit, room: int) -> str:
    lines: list[str] = []
    for file in unit.files:
        kind = file.language or file.category
        line = f"{quote_name(file.name)[:_MAX_NAME_CHARS]} ({file.size} bytes, {kind})"
        if sum(map(len, lines)) + len(line) > room:
            break
        lines.append(line)
    if unit.count > len(lines):
        lines.append(f"… and {unit.count - len(lines)} more files")
    return "\n".join(lines) or "(no files of its own: it is what the directories in it are together)"


def _describe_children(unit: Unit, entries: Mapping[str, DirEntry], state: InvestigateState, room: int) -> str:
    if not unit.children:
        return "(none: this is a leaf)"
    skipped = {allotment.path for allotment in state.allotted if allotment.tier == "skip"}
    summary_chars = max(_MIN_SUMMARY_CHARS, room // len(unit.children))
    lines = []
    for path in unit.children:
        if path in entries:
            mark = " (only partly looked at)" if entries[path].partial else ""
            lines.append(f"- {quote_name(path)}{mark}: {entries[path].summary[:summary_chars]}")
        else:
            reason = ": the plan skips it" if path in skipped else ""
            lines.append(f"- {quote_name(path)}: (not investigated{reason})")
    shown = lines[: max(1, room // _CHARS_PER_CHILD)]
    rest = [f"- … and {len(lines) - len(shown)} more"] if len(lines) > len(shown) else []
    return fenced("\n".join([*shown, *rest]))


def _describe_known(exploration: Exploration, room: int) -> str:
    """Summaries of files whose content has not changed since they were made."""
    known = exploration.files.items()
    lines = [f"- {quote_name(path)}: {entry.summary}"[:_MAX_KNOWN_CHARS] for path, entry in known]
    return fenced(fit_lines("\n".join(lines), room)) if lines else "(nothing)"
