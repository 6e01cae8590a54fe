"""The report's text by rule: what stands in when a model wrote none, or wrote about one part only."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from bottega.investigate.state import Component, InvestigateState, Synthesis
from bottega.investigate.units import format_path
from bottega.investigate.words import extract_first_sentence, is_echo, names_directory, shares_words
from bottega.source import quote_name

MAX_BRIEF_CHARS, MAX_DETAILED_CHARS, MAX_LINE_CHARS = 1500, 12_000, 300
_MAX_ROWS, _MAX_LANGUAGES = 12, 8
# In a smaller target a brief about one file may well be about the whole.
_MIN_FILES = 5


def synthesize_by_rule(state: InvestigateState, reason: str) -> Synthesis:
    """A report from the entries and the scan alone."""
    entries, scan = state.entries, state.scan
    languages = [language["language"] for language in scan["languages"][:_MAX_LANGUAGES]]
    facts = _describe_facts(state, languages)
    root = entries.get("")
    brief = root.summary[:MAX_BRIEF_CHARS] if root is not None and not find_described_part(root.summary, state) else ""
    detailed = "\n\n".join(f"{format_path(path)}: {entry.summary}" for path, entry in entries.items())
    top = [path for path in entries if path.count("/") == 1]
    return Synthesis(
        brief=brief or _quote_readme(state) or facts,
        detailed=(detailed or facts)[:MAX_DETAILED_CHARS],
        components=tuple(_build_component(path, entries[path].summary) for path in top[:_MAX_ROWS]),
        entry_points=tuple(entry_point["path"] for entry_point in scan["entry_points"][:_MAX_ROWS]),
        technologies=tuple(languages),
        concerns=tuple(flag.finding[:MAX_LINE_CHARS] for flag in state.flags if flag.severity != "info")[:_MAX_ROWS],
        made_by="rules",
        reason=reason,
    )


def replace_brief(synthesis: Synthesis, part: str, state: InvestigateState) -> Synthesis:
    """A model's report whose brief was about `part` alone, with a brief by rule."""
    reason = f"its brief was about {quote_name(part)} alone, so what is said of the target stands in"
    by_rule = synthesize_by_rule(state, reason)
    detailed = by_rule.detailed if is_echo(synthesis.detailed, synthesis.brief) else synthesis.detailed
    brief = _quote_readme(state) or by_rule.brief
    return synthesis.model_copy(update={"brief": brief, "detailed": detailed, "reason": reason})


def fill_gaps(synthesis: Synthesis, state: InvestigateState) -> Synthesis:
    """A model's report, with components and technologies by rule where it named none."""
    by_rule = synthesize_by_rule(state, "")
    missing = {name: getattr(by_rule, name) for name in ("components", "technologies") if not getattr(synthesis, name)}
    filled = [name for name, value in missing.items() if value]
    if not filled:
        return synthesis
    reason = "; ".join(filter(None, [synthesis.reason, f"{' and '.join(filled)} by rule"]))
    return synthesis.model_copy(update={**missing, "reason": reason})


def find_described_part(brief: str, state: InvestigateState) -> str:
    """The file or small directory that a brief is about instead of the whole target; "" when it is about the whole.

    A brief is about a part when it repeats the summary of that part, or when its first sentence names only that part.
    """
    files = state.scan["files"]
    if files < _MIN_FILES:
        return ""
    small = {unit.path for unit in state.units if unit.path and unit.total_files < files / 2}
    summaries = [(path, entry.summary) for path, entry in state.entries.items() if path in small]
    summaries += [(path, entry.summary) for path, entry in state.files.items() if "/" in path]
    echoed = next((path for path, summary in summaries if is_echo(brief, summary)), "")
    return echoed or _find_named_part(brief, small, state)


def _find_named_part(brief: str, small: Collection[str], state: InvestigateState) -> str:
    """The one small directory that the first sentence names, if that says nothing of the target or its readme."""
    sentence = extract_first_sentence(brief)
    target = Path(state.target).name
    if re.search(rf"(?<![\w.-]){re.escape(target)}(?![\w-])", sentence, re.IGNORECASE):
        return ""
    named = [path for path in sorted(small) if path.count("/") == 1 and names_directory(sentence, path.rstrip("/"))]
    large = [unit.path for unit in state.units if unit.path and unit.path not in small]
    if len(named) != 1 or any(names_directory(sentence, path.rstrip("/")) for path in large):
        return ""
    return "" if shares_words(sentence, f"{target} {state.introduction}") else named[0]


def _describe_facts(state: InvestigateState, languages: list[str]) -> str:
    scan = state.scan
    mostly = ", ".join(languages[:3]) or "no source code"
    facts = f"{scan['files']} files in {scan['directories']} directories, {scan['bytes']} bytes: {mostly}."
    return f"{facts} Its readme says: {state.introduction}" if state.introduction else facts


def _build_component(path: str, summary: str) -> Component:
    name = path.rstrip("/")
    return Component(name=quote_name(name), path=name, role=summary[:MAX_LINE_CHARS])


def _quote_readme(state: InvestigateState) -> str:
    """The readme from the sentence that says what the target is; "" without a readme."""
    text = state.introduction
    name = re.escape(Path(state.target).name)
    definition = re.search(rf"\b{name}\b[^.!?]{{0,40}}\b(?:is|are|provides|lets)\b", text, re.IGNORECASE)
    start = max(text.rfind(mark, 0, definition.start()) for mark in ".!?") + 1 if definition else 0
    return f"Its readme says: {text[start:].strip()}"[:MAX_BRIEF_CHARS] if text else ""
