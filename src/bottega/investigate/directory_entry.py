"""The entry that is stored about a directory when its loop has ended, or by rule without a loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bottega.amounts import plural
from bottega.investigate.containers import summarize_container
from bottega.investigate.entries import LOW_CONFIDENCE, Coverage, DirEntry, Flag
from bottega.investigate.exploration import Exploration
from bottega.investigate.flagging import count_refused
from bottega.investigate.state import InvestigateState
from bottega.investigate.stored import compute_directory_key
from bottega.investigate.units import Unit
from bottega.investigate.words import is_echo
from bottega.pipeline.toolloop import LoopResult
from bottega.source import quote_name

_MAX_REASON_CHARS, _MAX_SUMMARY_CHARS = 500, 2000


def build_explored_entry(
    exploration: Exploration, result: LoopResult[Any], entries: Mapping[str, DirEntry], state: InvestigateState
) -> DirEntry:
    """The entry of an explored directory; without a submitted summary, one is put together from what was read."""
    unit = exploration.unit
    exploration.refused_flags += count_refused(result.calls)
    summaries = [exploration.summary, *(file.summary for file in exploration.files.values())]
    summaries += [entries[path].summary for path in unit.children if path in entries]
    flags = tuple(flag for flag in exploration.flagging.flags if not _only_describes(flag, summaries))
    reason = _describe_incompleteness(exploration, result)
    return DirEntry(
        relative_path=unit.path,
        key=compute_directory_key(unit, state),
        child_count=unit.count + len(unit.children),
        summary=exploration.summary or exploration.own_summary or _compose_summary(exploration, entries),
        dominant_category=unit.dominant_kind,
        notable_files=tuple(path for path, file in exploration.files.items() if file.notable),
        confidence=exploration.confidence,
        confidence_reason=_describe_doubt(exploration),
        completeness=exploration.completeness,
        partial=bool(reason),
        partial_reason=reason[:_MAX_REASON_CHARS],
        coverage=exploration.reads.coverage() if result.replies else Coverage(files=unit.count, bytes=unit.bytes),
        flags=flags,
        dropped_flags=exploration.refused_flags + len(exploration.flagging.flags) - len(flags),
        turns_used=result.turns,
        model=state.model,
        cached_at=state.began,
    )


def build_container_entry(unit: Unit, entries: Mapping[str, DirEntry], state: InvestigateState) -> DirEntry:
    """The entry of a directory that holds nothing but directories, made from theirs without a model."""
    below = [entries[path] for path in unit.children if path in entries]
    summary, reason = summarize_container(unit, entries)
    return DirEntry(
        relative_path=unit.path,
        key=compute_directory_key(unit, state),
        child_count=len(unit.children),
        summary=summary,
        dominant_category=below[0].dominant_category if below else "empty",
        confidence=below[0].confidence if len(below) == 1 and unit.is_pass_through else None,
        partial=bool(reason),
        partial_reason=reason,
        model="rules",
        cached_at=state.began,
    )


def _describe_incompleteness(exploration: Exploration, result: LoopResult[Any]) -> str:
    """Why the entry is partial: a file changed under it, or the loop ended without a submission; "" otherwise."""
    changed = sorted(set(exploration.reads.changed))[:3]
    return f"{', '.join(changed)} changed while it was investigated" if changed else result.reason


def _describe_doubt(exploration: Exploration) -> str:
    """Why the summary should not be trusted; "" when nothing speaks against it."""
    if exploration.is_submitted and not exploration.summary:
        return "put together by rule: the model repeated what is said of the whole tree"
    if exploration.invented_names:
        return f"names what is not there: {', '.join(exploration.invented_names)}"
    is_sure = exploration.confidence is not None and exploration.confidence >= LOW_CONFIDENCE
    return "" if is_sure else exploration.confidence_reason


def _only_describes(flag: Flag, summaries: Sequence[str]) -> bool:
    """Whether an `info` flag says nothing that a summary does not say; other severities are always kept."""
    return flag.severity == "info" and any(is_echo(flag.finding, summary) for summary in summaries)


def _compose_summary(exploration: Exploration, entries: Mapping[str, DirEntry]) -> str:
    unit = exploration.unit
    parts = [file.summary for file in exploration.files.values()]
    for path in unit.children:
        entry = entries.get(path)
        if entry is not None and (not entry.partial or entry.coverage.files_read):
            parts.append(f"{quote_name(path)}: {entry.summary}")
    if parts:
        return " ".join(parts)[:_MAX_SUMMARY_CHARS]
    held = f"{plural(unit.count, 'file')} and {plural(len(unit.children), 'directory')}"
    return f"{held}, mostly {unit.dominant_kind}; not looked into."
