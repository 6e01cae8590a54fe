"""One bounded loop for each directory, children before parents, side by side as far as the server allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bottega.investigate.actions.planning import EVALUATION, directory_key
from bottega.investigate.actions.scanning import STAGE, looking_of, means_of, meter_of
from bottega.investigate.actions.surveying import contract_text, survey_text
from bottega.investigate.desk import Desk
from bottega.investigate.entries import LOW_CONFIDENCE, Coverage, DirEntry, FileEntry, Flag, entry_of
from bottega.investigate.firstlook import show_first
from bottega.investigate.holding import what_it_holds
from bottega.investigate.loop import Ended, Means, Meter, converse
from bottega.investigate.plans import Allotment
from bottega.investigate.state import InvestigateState, Used
from bottega.investigate.tools import InvestigateRun
from bottega.investigate.toolset import LOOKS, without
from bottega.investigate.turns import Turn, told
from bottega.investigate.units import Unit, named, within
from bottega.investigate.words import is_echo
from bottega.journal import now
from bottega.models import Request, Tool, fenced, load_prompt
from bottega.pipeline import DONE, action, fan_in

# Of a window: the listing, what is known already, and what is shown before anything is asked for.
_LISTING_SHARE, _CHILDREN_SHARE, _SHOWN_SHARE = 0.06, 0.08, 0.2
_LONGEST_LISTED = 120
# Of what a model sends, the log keeps where it looked; its words are kept where they belong.
_LOGGED = frozenset({"path", "first", "last", "line", "kind", "severity", "completeness", "confidence", "show_hidden"})


@dataclass(frozen=True, slots=True)
class _Explored:
    entry: DirEntry
    files: dict[str, FileEntry]
    used: Used


@action(DONE)
def explore_directories(state: InvestigateState, run: InvestigateRun) -> str:
    """Investigate every directory that is not known already; whatever fails leaves a partial entry behind."""
    units = {unit.path: unit for unit in state.units}
    todo = [one for one in state.allotted if one.tier != "skip"]
    meter = meter_of(state, run)
    means = means_of(state, run)
    by_path = {one.path: one for one in todo}
    entries = dict(state.entries)
    names = _names(state)

    def explore(path: str) -> _Explored:
        place = list(by_path).index(path) + 1
        run.say(f"directory {place} of {len(by_path)}: {named(path) or '.'} ({by_path[path].turns} turns)")
        explored = _explore(units[path], by_path[path], entries, state, run, means, meter, names)
        entries[path] = explored.entry
        run.say(f"{named(path) or '.'}: {explored.used.turns_used} turns; {_spent(state, meter)}")
        return explored

    needs = {path: units[path].children for path in by_path}
    used = []
    files = dict(state.files)
    for landed in fan_in(list(by_path), needs, explore, limit=state.parallel):
        explored = landed.value()
        files |= explored.files
        used.append(explored.used)
    state.entries = {path: entries[path] for path in sorted(entries)}
    state.files = _all_files(state, run, files)
    state.used = (*state.used, *used)
    state.turns, state.tokens = meter.turns, meter.tokens
    partial = [named(path) or "." for path, entry in state.entries.items() if entry.partial]
    if partial:
        state.gaps = (*state.gaps, f"{len(partial)} directories are only partly investigated: {', '.join(partial[:5])}")
    if used:
        evaluation = _evaluation(state)
        run.effect("evaluate plan", lambda: run.tools.investigations.write(state.investigation, EVALUATION, evaluation))
    return DONE


def _explore(
    unit: Unit,
    allotment: Allotment,
    entries: dict[str, DirEntry],
    state: InvestigateState,
    run: InvestigateRun,
    means: Means,
    meter: Meter,
    names: frozenset[str],
) -> _Explored:
    store = run.tools.investigations
    if unit.needs_no_model(is_small=means.is_small):
        return _by_rule(unit, allotment, entries, state, run)
    desk = Desk(
        unit,
        looking_of(state, run),
        run.effect,
        state.began,
        {path: frozenset(lines) for path, lines in state.orders.items()},
        common=_common(unit, state),
        names=names,
    )
    kept = run.effect(f"{unit.shown}: kept files", lambda: _kept_files(unit, state, run))
    for value in kept:
        known = FileEntry.model_validate(value)
        desk.files[known.relative_path] = known
    tools = without(state.survey.hides if state.survey else (), slim=means.is_small)
    request = _request(desk, allotment, entries, state, run, means, tools)

    def note(turn: int, said: Turn) -> None:
        desk.turned()
        lines = [_log_line(unit, turn, call.name, call.arguments) for call in said.calls]
        run.effect(f"{unit.shown}: log {turn}", lambda: _logged(state, run, lines))

    ended = converse(
        run,
        request,
        tools,
        label=unit.shown,
        means=means,
        most_turns=allotment.turns,
        meter=meter,
        use=desk.use,
        is_done=lambda: desk.is_submitted,
        on_turn=note,
        recap=desk.recap,
        looks=LOOKS,
        has_seen_all=desk.has_seen_all(),
    )
    entry = _entry(desk, ended, entries, state)
    files = {path: one for path, one in desk.files.items() if path not in desk.changed}

    def keep() -> None:
        for path, one in files.items():
            store.put(state.investigation, "files", path, one.model_dump(mode="json"))
        store.put(state.investigation, "dirs", unit.path, entry.model_dump(mode="json"))
        for flag in entry.flags:
            store.append(state.investigation, "flags.jsonl", flag.model_dump(mode="json"))

    run.effect(f"{unit.shown}: keep", keep)
    used = Used(
        label=unit.path,
        tier=allotment.tier,
        turns_allotted=allotment.turns,
        turns_used=ended.turns,
        tokens=ended.tokens,
        completeness=entry.completeness,
        reason=entry.partial_reason,
    )
    return _Explored(entry, files, used)


def _names(state: InvestigateState) -> frozenset[str]:
    """Every file by its name alone; none where not all of them are known."""
    if state.left_directories or any(unit.count > len(unit.files) for unit in state.units):
        return frozenset()
    return frozenset(file.name.lower() for unit in state.units for file in unit.files)


def _common(unit: Unit, state: InvestigateState) -> tuple[str, ...]:
    """What is said of the whole tree, which a small model likes to repeat; the target itself may be called so."""
    if not unit.path:
        return ()
    survey = state.survey
    texts = [state.plan.notes if state.plan else "", *((survey.description, survey.domain_notes) if survey else ())]
    return tuple(text for text in (*texts, " ".join(texts)) if text)


def _by_rule(
    unit: Unit, allotment: Allotment, entries: dict[str, DirEntry], state: InvestigateState, run: InvestigateRun
) -> _Explored:
    """A directory that holds nothing but others is what those are; no model needs to say so."""
    below = [entries[path] for path in unit.children if path in entries]
    summary, reason = what_it_holds(unit, entries)
    entry = DirEntry(
        relative_path=unit.path,
        key=directory_key(unit, state),
        child_count=len(unit.children),
        summary=summary,
        dominant_category=below[0].dominant_category if below else "empty",
        confidence=below[0].confidence if len(below) == 1 and unit.is_passed_on else None,
        partial=bool(reason),
        partial_reason=reason,
        model="rules",
        cached_at=state.began,
    )
    value = entry.model_dump(mode="json")
    run.effect(
        f"{unit.shown}: keep", lambda: run.tools.investigations.put(state.investigation, "dirs", unit.path, value)
    )
    used = Used(label=unit.path, tier=allotment.tier, turns_allotted=0, turns_used=0, tokens=0)
    return _Explored(entry, {}, used)


def _request(
    desk: Desk,
    allotment: Allotment,
    entries: dict[str, DirEntry],
    state: InvestigateState,
    run: InvestigateRun,
    means: Means,
    tools: Sequence[Tool],
) -> Request:
    prompt = load_prompt("bottega.investigate", "directory")
    unit = desk.unit
    chars = means.window * means.chars_per_token
    shown = show_first(desk, run.effect, int(chars * _SHOWN_SHARE))
    if means.is_small and desk.has_seen_all():
        tools = [tool for tool in tools if tool.name not in LOOKS]
    return Request.of(
        prompt.fill(
            directory=fenced(unit.shown),
            turns=str(allotment.turns),
            listing=fenced(_listing(unit, int(chars * _LISTING_SHARE))),
            children=_children(unit, entries, state, int(chars * _CHILDREN_SHARE)),
            known=_known(desk, int(chars * _CHILDREN_SHARE)),
            shown=shown,
        ),
        system=prompt.fill_system(
            contract=contract_text(means.mode),
            tools=told(tools) if means.mode == "json" else "",
            survey=fenced(_survey(unit, state, means)),
            notes=fenced((state.plan.notes if state.plan else "") or "(none)"),
        ),
        stage=STAGE,
        prompt_version=prompt.version,
    )


def _survey(unit: Unit, state: InvestigateState, means: Means) -> str:
    """A model with a small window takes what is said of the whole for what is said of its part, so it is not told."""
    return "(many directories; this is one of them)" if means.is_small and unit.path else survey_text(state.survey)


def _listing(unit: Unit, room: int) -> str:
    lines = [
        f"{named(file.name)[:_LONGEST_LISTED]} ({file.size} bytes, {file.language or file.category})"
        for file in unit.files
    ]
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(line) > room:
            break
        kept.append(line)
    if unit.count > len(kept):
        kept.append(f"… and {unit.count - len(kept)} more files")
    return "\n".join(kept) or "(no files of its own: it is what the directories in it are together)"


def _children(unit: Unit, entries: dict[str, DirEntry], state: InvestigateState, room: int) -> str:
    if not unit.children:
        return "(none: this is a leaf)"
    skipped = {one.path for one in state.allotted if one.tier == "skip"}
    each = max(80, room // len(unit.children))
    lines = []
    for path in unit.children:
        if path in entries:
            mark = " (only partly looked at)" if entries[path].partial else ""
            lines.append(f"- {named(path)}{mark}: {entries[path].summary[:each]}")
        else:
            lines.append(f"- {named(path)}: (not investigated{': the plan skips it' if path in skipped else ''})")
    kept = lines[: max(1, room // 90)]
    more = [f"- … and {len(lines) - len(kept)} more"] if len(lines) > len(kept) else []
    return fenced("\n".join([*kept, *more]))


def _known(desk: Desk, room: int) -> str:
    """Summaries of files whose content has not changed since they were made."""
    lines = [f"- {named(path)}: {entry.summary}"[:300] for path, entry in desk.files.items()]
    return fenced(within("\n".join(lines), room)) if lines else "(nothing)"


def _entry(desk: Desk, ended: Ended, entries: dict[str, DirEntry], state: InvestigateState) -> DirEntry:
    """What is kept of a directory; without a submitted summary it is put together from what was learnt."""
    unit = desk.unit
    reason = ended.reason
    if desk.changed:
        reason = f"{', '.join(sorted(set(desk.changed))[:3])} changed while it was investigated"
    confidence = desk.confidence
    why = desk.confidence_reason if confidence is None or confidence < LOW_CONFIDENCE else ""
    if desk.is_submitted and not desk.summary:
        why = "put together by rule: the model repeated what is said of the whole tree"
    elif desk.made_up:
        why = f"names what is not there: {', '.join(desk.made_up)}"
    said = [desk.summary, *(file.summary for file in desk.files.values())]
    said += [entries[path].summary for path in unit.children if path in entries]
    flags = tuple(flag for flag in desk.flags if not _only_describes(flag, said))
    return DirEntry(
        relative_path=unit.path,
        key=directory_key(unit, state),
        child_count=unit.count + len(unit.children),
        summary=desk.summary or desk.own_summary or _gathered(desk, entries),
        dominant_category=unit.dominant,
        notable_files=tuple(path for path, one in desk.files.items() if one.notable),
        confidence=confidence,
        confidence_reason=why,
        completeness=desk.completeness,
        partial=bool(reason),
        partial_reason=reason[:500],
        coverage=desk.coverage() if ended.answered else Coverage(files=unit.count, bytes=unit.bytes),
        flags=flags,
        dropped_flags=desk.dropped + len(desk.flags) - len(flags),
        turns_used=ended.turns,
        model=state.model,
        cached_at=state.began,
    )


def _only_describes(flag: Flag, summaries: Sequence[str]) -> bool:
    """Whether a remark says nothing that a summary does not say; whatever should be mended stands all the same."""
    return flag.severity == "info" and any(is_echo(flag.finding, said) for said in summaries)


def _gathered(desk: Desk, entries: dict[str, DirEntry]) -> str:
    unit = desk.unit
    said = [entry.summary for entry in desk.files.values()]
    below = [(path, entries[path]) for path in unit.children if path in entries]
    said += [
        f"{named(path)}: {entry.summary}" for path, entry in below if not entry.partial or entry.coverage.files_read
    ]
    if said:
        return " ".join(said)[:2000]
    return f"{unit.count} files and {len(unit.children)} directories, mostly {unit.dominant}; not looked into."


def _kept_files(unit: Unit, state: InvestigateState, run: InvestigateRun) -> list[dict[str, Any]]:
    found = []
    for file in unit.files:
        path = f"{unit.path}{file.name}"
        entry = entry_of(FileEntry, run.tools.investigations.entry(state.investigation, "files", path))
        if entry is not None and entry.digest == file.digest and entry.relative_path == path:
            found.append(entry.model_dump(mode="json"))
    return found


def _all_files(state: InvestigateState, run: InvestigateRun, fresh: dict[str, FileEntry]) -> dict[str, FileEntry]:
    """Also those of directories that were known already."""
    known = [unit for unit in state.units if unit.path in state.cached]
    kept = run.effect("kept files", lambda: [one for unit in known for one in _kept_files(unit, state, run)])
    found = {str(value["relative_path"]): FileEntry.model_validate(value) for value in kept}
    return dict(sorted({**found, **fresh}.items()))


def _log_line(unit: Unit, turn: int, tool: str, arguments: Any) -> dict[str, Any]:
    told_arguments = {
        str(key)[:40]: str(value)[:200] if key in _LOGGED else f"({len(str(value))} characters)"
        for key, value in dict(arguments).items()
    }
    return {"directory": unit.shown, "turn": turn, "timestamp": now(), "tool": tool[:40], "args": told_arguments}


def _logged(state: InvestigateState, run: InvestigateRun, lines: list[dict[str, Any]]) -> None:
    for line in lines:
        run.tools.investigations.append(state.investigation, "investigation.log", line)


def _evaluation(state: InvestigateState) -> dict[str, Any]:
    """How the plan turned out; the next plan reads it."""
    loops = [one for one in state.used if one.label in state.entries]
    allotted = sum(one.turns_allotted for one in loops)
    used = sum(one.turns_used for one in loops)
    return {
        "plan_order": state.plan.order if state.plan else "leaf-first",
        "total_dirs_investigated": len(loops),
        "total_turns_allocated": allotted,
        "total_turns_used": used,
        "overall_utilization": round(used / allotted, 2) if allotted else 0.0,
        "per_directory": [
            {
                "dir": one.label or ".",
                "planned_tier": one.tier,
                "turns_allocated": one.turns_allotted,
                "turns_used": one.turns_used,
                "utilization": round(one.turns_used / one.turns_allotted, 2) if one.turns_allotted else 0.0,
                "completeness": one.completeness,
                "confidence": state.entries[one.label].confidence,
                "reason": one.reason,
            }
            for one in loops
        ],
        "evaluated_at": state.began,
    }


def _spent(state: InvestigateState, meter: Meter) -> str:
    words = f"{meter.turns} turns, {meter.tokens} tokens so far"
    if not state.price or not any(state.price):
        return words
    # Prompts are nearly all of it: the sum is told at their price, and exactly in the report.
    return f"{words}, about ${meter.tokens * state.price[0] / 1e6:.2f}"
