"""One report from what is known of all directories; without a model, or when it fails, by rule."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from bottega.errors import InputError
from bottega.investigate import toolset
from bottega.investigate.actions.scanning import looking_of, means_of, meter_of
from bottega.investigate.actions.surveying import contract_text, survey_text
from bottega.investigate.desk import Desk
from bottega.investigate.entries import DirEntry, Flag
from bottega.investigate.flags import merged, scan_flags
from bottega.investigate.loop import Means, converse
from bottega.investigate.state import Component, InvestigateState, Synthesis, Used
from bottega.investigate.tools import InvestigateRun
from bottega.investigate.turns import told
from bottega.investigate.units import key_of, named
from bottega.investigate.words import first_sentence, is_echo, names_directory, shares_words
from bottega.models import Request, ToolCall, fenced, load_prompt
from bottega.pipeline import DONE, action

STAGE = "investigate.synthesis"
MOST_TURNS = 5
FILE = "synthesis.json"
_FEW_FILES = 5
_LONGEST_BRIEF, _LONGEST_DETAILED, _LONGEST_LINE, _MOST_LINES = 1500, 12_000, 300, 20


@action(DONE)
def synthesize(state: InvestigateState, run: InvestigateRun) -> str:
    """Say what the target is as a whole; there is always a report, if need be by rule."""
    flags = [flag for entry in state.entries.values() for flag in entry.flags]
    state.dropped_flags = sum(entry.dropped_flags for entry in state.entries.values())
    state.flags = merged([*scan_flags(state.scan), *flags])
    if not state.entries:
        state.synthesis = mechanical(state, "no directory was investigated")
        return DONE
    prompt = load_prompt("bottega.investigate", "synthesis")
    means = means_of(state, run)
    room = int(means.window * means.chars_per_token * 0.45)
    request = Request.of(
        prompt.fill(
            introduction=fenced(state.introduction or "(it has none)"),
            survey=fenced(survey_text(state.survey)),
            directories=fenced(_summaries(state.entries, room)),
            flags=fenced(_flags_text(_worth_telling(state, means), room // 6)),
            facts=fenced(_facts(state)),
        ),
        system=prompt.fill_system(
            contract=contract_text(means.mode), tools=told(toolset.SYNTHESIS) if means.mode == "json" else ""
        ),
        stage=STAGE,
        prompt_version=prompt.version,
    )
    key = _key(prompt.version, state)
    kept = run.effect("known synthesis", lambda: run.tools.investigations.read(state.investigation, FILE))
    known = _known(kept, key)
    if known is not None:
        state.synthesis, extra = known
        state.flags = merged([*state.flags, *extra])
        run.decide("synthesis", "kept", "every summary is as it was")
        return DONE
    _ask(state, run, request, means, key)
    return DONE


def _key(version: str, state: InvestigateState) -> str:
    """Made of all that is known, not of what fits into a window: how much that is, is measured anew at every run.

    Facts count, their order does not: one more line can put a language before another.
    """
    said = [f"{path}\0{one.summary}\0{one.partial}\0{one.confidence}" for path, one in state.entries.items()]
    flags = [flag.model_dump_json() for flag in state.flags]
    known = (state.introduction, survey_text(state.survey), *sorted(_facts(state).replace(", ", "\n").split("\n")))
    return key_of(version, state.model, *known, *said, "flags", *flags)


def _ask(state: InvestigateState, run: InvestigateRun, request: Request, means: Means, key: str) -> None:
    desk = Desk(
        state.units[0],
        looking_of(state, run),
        run.effect,
        state.began,
        {path: frozenset(lines) for path, lines in state.orders.items()},
    )
    found: list[Synthesis] = []
    told_so: list[str] = []

    def use(call: ToolCall, room: int) -> str:
        if call.name == toolset.SUBMIT_SYNTHESIS.name:
            synthesis = _synthesis(call.arguments, desk, state)
            if synthesis is None:
                return "error: brief and detailed are needed"
            part = _part_meant(synthesis.brief, state)
            if part and not told_so:
                told_so.append(part)
                return f"error: that is {named(part)} alone. The brief is about the tree as a whole."
            found.append(_completed(_of_the_whole(synthesis, part, state) if part else synthesis, state))
            return "submitted"
        if call.name in {"read_cache", "list_cache"}:
            return _from_cache(call.name, call.arguments, state, room)
        return desk.use(call, room) if call.name == "flag" else f"error: there is no tool {call.name[:40]!r}"

    meter = meter_of(state, run)
    ended = converse(
        run,
        request,
        toolset.SYNTHESIS,
        label="synthesis",
        means=means,
        most_turns=MOST_TURNS,
        meter=meter,
        use=use,
        is_done=lambda: bool(found),
    )
    state.turns, state.tokens = meter.turns, meter.tokens
    state.used = (
        *state.used,
        Used(
            label="(synthesis)",
            tier="synthesis",
            turns_allotted=MOST_TURNS,
            turns_used=ended.turns,
            tokens=ended.tokens,
            reason=ended.reason,
        ),
    )
    state.flags = merged([*state.flags, *desk.flags])
    state.dropped_flags += desk.dropped
    if not found:
        state.synthesis = mechanical(state, ended.reason)
        state.gaps = (*state.gaps, f"the report is put together by rule: {ended.reason}")
        return
    state.synthesis = found[0]
    value = {
        "key": key,
        "synthesis": found[0].model_dump(mode="json"),
        "flags": [flag.model_dump(mode="json") for flag in desk.flags],
    }
    run.effect("keep synthesis", lambda: run.tools.investigations.write(state.investigation, FILE, value))


def mechanical(state: InvestigateState, reason: str) -> Synthesis:
    """A report from the entries and the scan alone."""
    entries, scan = state.entries, state.scan
    root = entries.get("")
    languages = [one["language"] for one in scan["languages"][:8]]
    mostly = ", ".join(languages[:3]) or "no source code"
    facts = f"{scan['files']} files in {scan['directories']} directories, {scan['bytes']} bytes: {mostly}."
    if state.introduction:
        facts += f" Its readme says: {state.introduction}"
    told = root.summary[:_LONGEST_BRIEF] if root is not None and not _part_meant(root.summary, state) else ""
    detailed = "\n\n".join(f"{named(path) or '.'}: {entry.summary}" for path, entry in entries.items())
    top = [path for path in entries if path.count("/") == 1]
    return Synthesis(
        brief=told or _introduced(state) or facts,
        detailed=(detailed or facts)[:_LONGEST_DETAILED],
        components=tuple(
            Component(name=named(path.rstrip("/")), path=path.rstrip("/"), role=entries[path].summary[:_LONGEST_LINE])
            for path in top[:12]
        ),
        entry_points=tuple(one["path"] for one in scan["entry_points"][:12]),
        technologies=tuple(languages),
        concerns=tuple(flag.finding[:_LONGEST_LINE] for flag in state.flags if flag.severity != "info")[:12],
        made_by="rules",
        reason=reason,
    )


def _introduced(state: InvestigateState) -> str:
    """What the readme says of the target, as a brief: from the sentence that says what it is; "" without a readme."""
    said = state.introduction
    defined = re.search(
        rf"\b{re.escape(Path(state.target).name)}\b[^.!?]{{0,40}}\b(?:is|are|provides|lets)\b", said, re.I
    )
    start = max(said.rfind(mark, 0, defined.start()) for mark in ".!?") + 1 if defined else 0
    return f"Its readme says: {said[start:].strip()}"[:_LONGEST_BRIEF] if said else ""


def _worth_telling(state: InvestigateState, means: Means) -> tuple[Flag, ...]:
    """A model with a small window takes a remark for the matter itself, so it is told only of what should be mended."""
    return tuple(flag for flag in state.flags if flag.severity != "info") if means.is_small else state.flags


def _part_meant(brief: str, state: InvestigateState) -> str:
    """The file or directory that a brief is about, when it says no more than what is said of that one; "" for none."""
    files = state.scan["files"]
    if files < _FEW_FILES:
        return ""
    parts = {unit.path for unit in state.units if unit.path and unit.total_files < files / 2}
    said = [(path, entry.summary) for path, entry in state.entries.items() if path in parts]
    said += [(path, entry.summary) for path, entry in state.files.items() if "/" in path]
    echoed = next((path for path, summary in said if is_echo(brief, summary)), "")
    return echoed or _part_named(brief, parts, state)


def _part_named(brief: str, parts: Collection[str], state: InvestigateState) -> str:
    """The part that the first sentence names, when it says nothing of the target itself or of what its readme says."""
    first = first_sentence(brief)
    name = Path(state.target).name
    of_the_whole = f"{name} {state.introduction}"
    if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", first, re.IGNORECASE):
        return ""
    mentioned = [path for path in sorted(parts) if path.count("/") == 1 and names_directory(first, path.rstrip("/"))]
    large = [unit.path for unit in state.units if unit.path and unit.path not in parts]
    if len(mentioned) != 1 or any(names_directory(first, path.rstrip("/")) for path in large):
        return ""
    return "" if shares_words(first, of_the_whole) else mentioned[0]


def _of_the_whole(synthesis: Synthesis, part: str, state: InvestigateState) -> Synthesis:
    """The rest of a report, under a brief by rule."""
    reason = f"its brief was about {named(part)} alone, so what is said of the target stands in"
    by_rule = mechanical(state, reason)
    by_rule = by_rule.model_copy(update={"brief": _introduced(state) or by_rule.brief})
    is_same = is_echo(synthesis.detailed, synthesis.brief)
    detailed = by_rule.detailed if is_same else synthesis.detailed
    return synthesis.model_copy(update={"brief": by_rule.brief, "detailed": detailed, "reason": reason})


def _completed(synthesis: Synthesis, state: InvestigateState) -> Synthesis:
    """Parts and technologies that a model left out are there all the same."""
    by_rule = mechanical(state, "")
    missing = {name: getattr(by_rule, name) for name in ("components", "technologies") if not getattr(synthesis, name)}
    filled = [name for name, value in missing.items() if value]
    if not filled:
        return synthesis
    reason = "; ".join(filter(None, [synthesis.reason, f"{' and '.join(filled)} by rule"]))
    return synthesis.model_copy(update={**missing, "reason": reason})


def _known(kept: Any, key: str) -> tuple[Synthesis, list[Flag]] | None:
    if not isinstance(kept, dict) or kept.get("key") != key:
        return None
    try:
        flags = [Flag.model_validate(one) for one in kept.get("flags", [])]
        return Synthesis.model_validate(kept.get("synthesis")), flags
    except (ValueError, TypeError):
        return None


def _summaries(entries: Mapping[str, DirEntry], room: int) -> str:
    """Every directory with one line, shallow ones in full; what does not fit is counted."""
    ranked = sorted(entries, key=lambda path: (path.count("/"), path))
    each = max(120, room // max(1, len(ranked)))
    lines: dict[str, str] = {}
    left = room
    for path in ranked:
        entry = entries[path]
        marks = [
            *(["partly investigated"] if entry.partial else []),
            *([f"confidence {entry.confidence}"] if entry.confidence is not None else []),
        ]
        mark = f" ({', '.join(marks)})" if marks else ""
        line = f"{named(path) or '.'}{mark}: {entry.summary[: max(each, 400 if path.count('/') < 2 else each)]}"
        if len(line) > left:
            continue
        lines[path] = line
        left -= len(line) + 1
    more = [f"… and {len(ranked) - len(lines)} directories more"] if len(lines) < len(ranked) else []
    return "\n".join([*(lines[path] for path in sorted(lines)), *more])


def _flags_text(flags: Sequence[Flag], room: int) -> str:
    lines: list[str] = []
    for flag in flags:
        line = f"{flag.severity} {named(flag.path)}: {flag.finding}"[:_LONGEST_LINE]
        if sum(map(len, lines)) + len(line) > room:
            return "\n".join([*lines, f"… and {len(flags) - len(lines)} more"])
        lines.append(line)
    return "\n".join(lines) or "(none)"


def _facts(state: InvestigateState) -> str:
    """Names and kinds; no counts of lines or bytes, which any edit changes."""
    scan = state.scan
    languages = ", ".join(one["language"] for one in scan["languages"][:8]) or "(none)"
    entries = ", ".join(named(one["path"]) for one in scan["entry_points"][:12]) or "(none)"
    licences = ", ".join(f"{named(one['path'])} ({one['licence']})" for one in scan["licences"][:6]) or "(none)"
    return f"languages: {languages}\nways in: {entries}\nlicences: {licences}"


def _from_cache(name: str, given: Mapping[str, Any], state: InvestigateState, room: int) -> str:
    said = given.get("path")
    path = said.strip().strip("/") if isinstance(said, str) else ""
    path = "" if path == "." else path
    if name == "list_cache":
        found = [one for one in state.files if one.startswith(path)]
        return fenced("\n".join(found)[:room] or "(nothing)")
    entry = state.files.get(path) or state.entries.get(f"{path}/" if path else "")
    return fenced(entry.summary[:room]) if entry else f"error: nothing is kept about {path or '.'}"


def _synthesis(given: Mapping[str, Any], desk: Desk, state: InvestigateState) -> Synthesis | None:
    """What a model submitted; parts and ways in that are not there are dropped and counted."""
    brief, detailed = _text(given.get("brief"), _LONGEST_BRIEF), _text(given.get("detailed"), _LONGEST_DETAILED)
    if not brief:
        return None
    dropped = 0
    components = []
    for one in _list(given.get("components")):
        part = one if isinstance(one, dict) else {}
        name, path = _text(part.get("name"), 100), _text(part.get("path"), 500)
        if name and _is_there(path, desk):
            components.append(Component(name=name, path=path, role=_text(part.get("role"), _LONGEST_LINE)))
        else:
            dropped += 1
    ways_in = [_text(one, 500) for one in _list(given.get("entry_points"))]
    real = [path for path in ways_in if path and _is_there(path, desk)]
    return Synthesis(
        brief=brief,
        detailed=detailed or brief,
        components=tuple(components),
        entry_points=tuple(real),
        technologies=_lines(given.get("technologies")),
        datasets=_lines(given.get("datasets")),
        concerns=_lines(given.get("concerns")),
        made_by=state.model,
        dropped=dropped + len(ways_in) - len(real),
    )


def _is_there(path: str, desk: Desk) -> bool:
    try:
        desk.exists(path)
    except InputError:
        return False
    return True


def _text(value: Any, most: int) -> str:
    return value.strip()[:most] if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value[:_MOST_LINES] if isinstance(value, list) else []


def _lines(value: Any) -> tuple[str, ...]:
    found = (" ".join(_text(one, _LONGEST_LINE).split()) for one in _list(value))
    return tuple(dict.fromkeys(one for one in found if one))
