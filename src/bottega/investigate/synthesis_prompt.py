"""The request for the report, and the key of everything the report depends on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bottega.investigate import toolset
from bottega.investigate.entries import DirEntry, Flag
from bottega.investigate.imports import DirectoryImport, describe_import
from bottega.investigate.prompt_text import describe_survey
from bottega.investigate.state import InvestigateState
from bottega.investigate.synthesis_rules import MAX_LINE_CHARS
from bottega.investigate.units import fit_lines, format_path, hash_key
from bottega.models import Request, fenced, load_prompt
from bottega.pipeline.toolloop import ModelProfile, describe_call_format, describe_tools
from bottega.source import quote_line, quote_name

STAGE = "investigate.synthesis"
_WINDOW_SHARE = 0.45
_MIN_SUMMARY_CHARS, _MIN_TOP_SUMMARY_CHARS = 120, 400


def build_synthesis_request(state: InvestigateState, model: ModelProfile) -> Request:
    prompt = load_prompt("bottega.investigate", "synthesis")
    room = int(model.window_chars * _WINDOW_SHARE)
    tools = [*toolset.SYNTHESIS, toolset.SUBMIT_SYNTHESIS]
    return Request.of(
        prompt.fill(
            introduction=fenced(state.introduction or "(it has none)"),
            survey=fenced(describe_survey(state.survey)),
            directories=fenced(_describe_directories(state.entries, room)),
            imports=fenced(_describe_imports(state.imports, room // 8)),
            flags=fenced(_describe_flags(_select_flags(state, model), room // 6)),
            facts=fenced(_describe_facts(state)),
        ),
        system=prompt.fill_system(
            contract=describe_call_format(model.mode), tools=describe_tools(tools) if model.mode == "json" else ""
        ),
        stage=STAGE,
        prompt_version=prompt.version,
    )


def compute_synthesis_key(version: str, state: InvestigateState) -> str:
    """The hash of all summaries, flags and facts, not of the request: how much fits into it is measured at every run.

    Facts are sorted, because one more line of code can put a language before another.
    """
    entries = [f"{path}\0{entry.summary}\0{entry.partial}\0{entry.confidence}" for path, entry in state.entries.items()]
    flags = [flag.model_dump_json() for flag in state.flags]
    imports = sorted(f"{edge.source} imports {edge.target}" for edge in state.imports)
    facts = sorted(_describe_facts(state).replace(", ", "\n").split("\n"))
    return hash_key(
        version,
        state.model,
        state.introduction,
        describe_survey(state.survey),
        *facts,
        *imports,
        *entries,
        "flags",
        *flags,
    )


def _select_flags(state: InvestigateState, model: ModelProfile) -> tuple[Flag, ...]:
    """A model with a small window takes an `info` flag for the main matter, so it is not shown any."""
    return tuple(flag for flag in state.flags if flag.severity != "info") if model.is_small else state.flags


def _describe_directories(entries: Mapping[str, DirEntry], room: int) -> str:
    """One line for each directory, sorted by path; shallow ones get more room, and what does not fit is counted."""
    ranked = sorted(entries, key=lambda path: (path.count("/"), path))
    share = max(_MIN_SUMMARY_CHARS, room // max(1, len(ranked)))
    lines: dict[str, str] = {}
    for path in ranked:
        chars = max(share, _MIN_TOP_SUMMARY_CHARS) if path.count("/") < 2 else share
        line = f"{format_path(path)}{_render_marks(entries[path])}: {entries[path].summary[:chars]}"
        if len(line) <= room:
            lines[path] = line
            room -= len(line) + 1
    rest = [f"… and {len(ranked) - len(lines)} directories more"] if len(lines) < len(ranked) else []
    return "\n".join([*(lines[path] for path in sorted(lines)), *rest])


def _render_marks(entry: DirEntry) -> str:
    marks = ["partly investigated"] if entry.partial else []
    if entry.confidence is not None:
        marks.append(f"confidence {entry.confidence}")
    return f" ({', '.join(marks)})" if marks else ""


def _describe_flags(flags: Sequence[Flag], room: int) -> str:
    lines: list[str] = []
    for flag in flags:
        line = f"{flag.severity} {quote_name(flag.path)}: {flag.finding}"[:MAX_LINE_CHARS]
        if sum(map(len, lines)) + len(line) > room:
            return "\n".join([*lines, f"… and {len(flags) - len(lines)} more"])
        lines.append(line)
    return "\n".join(lines) or "(none)"


def _describe_imports(imports: Sequence[DirectoryImport], room: int) -> str:
    return fit_lines("\n".join(quote_line(describe_import(edge)) for edge in imports), room) or "(not known)"


def _describe_facts(state: InvestigateState) -> str:
    """Names and kinds without counts of lines or bytes, which any edit changes."""
    scan = state.scan
    languages = ", ".join(language["language"] for language in scan["languages"][:8])
    entry_points = ", ".join(quote_name(entry_point["path"]) for entry_point in scan["entry_points"][:12])
    licences = ", ".join(f"{quote_name(licence['path'])} ({licence['licence']})" for licence in scan["licences"][:6])
    return f"languages: {languages or '(none)'}\nways in: {entry_points or '(none)'}\nlicences: {licences or '(none)'}"
