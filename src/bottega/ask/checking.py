"""Check the answer of a run, and store in its state the text, sentences and sources that may be shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from bottega.ask.citations import MOST_LINES, CitationChecker, CodeReader
from bottega.ask.claims import CheckedAnswer, Claim
from bottega.ask.prompting import get_repository
from bottega.ask.state import AskState, CheckedSentence, Source
from bottega.ask.tools import AskRun, RepositoryView
from bottega.retrieve.context import VALUES, ContextUnit, DetailLevel
from bottega.source import Span


def create_checker(state: AskState, run: AskRun, *, recorded: bool = True) -> CitationChecker:
    """A checker over the evidence of a run; `recorded` reads are journaled, so that resume and replay repeat them."""
    numbered = {number: unit.span for number, unit in enumerate(state.units, 1)}
    parts = {number: unit.spans for number, unit in enumerate(state.units, 1) if _is_several(unit)}
    known = distinctive_names(unit.symbol for unit in state.units)
    return CitationChecker(_read_code(run, recorded=recorded), numbered, known, parts)


def _read_code(run: AskRun, *, recorded: bool) -> CodeReader:
    """The repository of a run as the checker reads it."""

    def record(name: str, read: Callable[[RepositoryView], Any]) -> Any:
        return run.effect(name, lambda: read(get_repository(run))) if recorded else read(get_repository(run))

    def find_similar(sentence: str) -> list[Span]:
        found = record("similar lines", lambda view: list(map(str, view.find_similar(sentence))))
        return [Span.parse(span) for span in found]

    return CodeReader(
        lines=lambda span: record(f"lines {span}", lambda view: view.lines(span)),
        owner=lambda span: str(record(f"owner {span}", lambda view: view.owner(span))),
        find_similar=find_similar,
        is_defined=lambda name: bool(record(f"defined {name}", lambda view: view.is_defined(name))),
        extend=lambda span: Span.parse(record(f"signature {span}", lambda view: str(view.extend(span)))),
    )


def _is_several(unit: ContextUnit) -> bool:
    """Whether a number stands for the lines that are shown: of a long symbol, or of several."""
    is_list = unit.level is DetailLevel.TYPE_CONTEXT or unit.kind == VALUES
    return bool(unit.parts) and (is_list or unit.last - unit.first >= MOST_LINES)


def store_checked_answer(state: AskState, checked: CheckedAnswer, dirty: frozenset[str]) -> None:
    """Store the checked text, its sentences, their sources, and how far they match the cited lines."""
    state.answer_en = checked.text.strip()
    state.grounding = checked.grounding
    state.said = tuple(map(_read_sentence, checked.claims))
    symbols = {unit.span: unit.symbol for unit in state.units}
    spans = dict.fromkeys(
        citation.span for claim in checked.claims for citation in claim.kept if citation.span is not None
    )
    state.sources = list_sources({span: symbols.get(span, "") for span in spans}, dirty)
    state.is_checked = True


def _read_sentence(claim: Claim) -> CheckedSentence:
    return CheckedSentence(
        text=claim.text.strip(),
        status=claim.status,
        level=claim.level,
        citations=tuple(citation.span for citation in claim.kept if citation.span),
        weak=tuple(citation.span for citation in claim.kept if citation.span and citation.is_weak),
        note=claim.note,
        moved=tuple(f"{moved.written}: {moved.problem}; moved to {claim.kept[0].span}" for moved in claim.moved),
        dropped=tuple(f"{citation.written}: {citation.problem}" for citation in claim.dropped),
    )


def list_sources(symbols: Mapping[Span, str], dirty: Collection[str]) -> tuple[Source, ...]:
    """Spans with their symbols, marked where the file has uncommitted changes."""
    return tuple(Source(span=span, symbol=symbol, changed=span.path in dirty) for span, symbol in symbols.items())


def distinctive_names(symbols: Iterable[str]) -> frozenset[str]:
    """The last parts of qualified names that can be no English words."""
    names = {re.split(r"\W+", symbol)[-1] for symbol in symbols if symbol}
    return frozenset(name for name in names if _is_distinctive(name))


def _is_distinctive(name: str) -> bool:
    """Whether a name can be no English word: it is long enough and has a capital letter inside."""
    return len(name) > 3 and name != name.lower() and name != name.capitalize() and name != name.upper()
