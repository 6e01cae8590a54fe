"""The survey and the scan in words, as several prompts show them."""

from __future__ import annotations

from bottega.investigate.plans import Survey
from bottega.investigate.state import InvestigateState
from bottega.source import quote_name


def describe_signals(state: InvestigateState) -> str:
    """Names and counts, without sizes and contents: an edit inside a file changes nothing here."""
    signals = state.scan["signals"]
    if not signals["total_files"]:
        return "(no files)"
    lines = [f"{signals['total_files']} files in {state.scan['directories']} directories"]
    for title, pairs in (("endings", signals["extensions"]), ("types by content", signals["descriptions"])):
        if pairs:
            lines.append(f"{title}: " + ", ".join(f"{quote_name(name)} {count}" for name, count in pairs))
    lines.append("some files:")
    return "\n".join([*lines, *map(quote_name, signals["samples"])])


def describe_survey(survey: Survey | None) -> str:
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
