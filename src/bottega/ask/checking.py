"""The gate between an answer and its reader."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from bottega.ask.citations import Gate
from bottega.ask.claims import Checked
from bottega.ask.prompting import knowledge_of
from bottega.ask.state import AskState, Said, Source
from bottega.ask.tools import AskRun
from bottega.source import Span


def gate_of(state: AskState, run: AskRun, *, recorded: bool = True) -> Gate:
    """Re-reads what is cited; `recorded` reads are given again by resume and replay."""

    def lines(span: Span) -> str | None:
        def read() -> str | None:
            return knowledge_of(run).lines(span)

        found: str | None = run.effect(f"lines {span}", read) if recorded else read()
        return found

    def owner(span: Span) -> str:
        def named() -> str:
            return knowledge_of(run).owner(span)

        return str(run.effect(f"owner {span}", named) if recorded else named())

    numbered = {number: piece.span for number, piece in enumerate(state.pieces, 1)}
    names = {re.split(r"\W+", piece.symbol)[-1] for piece in state.pieces if piece.symbol}
    return Gate(lines, numbered, frozenset(name for name in names if _is_telling(name)), owner)


def take_checked(state: AskState, checked: Checked, dirty: frozenset[str]) -> None:
    """The answer as it may be seen, its sentences, its sources, and how far they match the lines they cite."""
    state.answer_en = checked.text.strip()
    state.grounding = checked.grounding
    state.said = tuple(
        Said(
            text=claim.text.strip(),
            standing=claim.standing,
            level=claim.level,
            citations=tuple(str(citation.span) for citation in claim.kept),
            weak=tuple(str(citation.span) for citation in claim.kept if citation.is_weak),
            moved=tuple(f"{one.written}: {one.problem}; moved to {claim.kept[0].span}" for one in claim.moved),
            dropped=tuple(f"{citation.written}: {citation.problem}" for citation in claim.dropped),
        )
        for claim in checked.claims
    )
    symbols = {piece.span: piece.symbol for piece in state.pieces}
    spans = dict.fromkeys(
        citation.span for claim in checked.claims for citation in claim.kept if citation.span is not None
    )
    state.sources = sources_of({span: symbols.get(span, "") for span in spans}, dirty)
    state.is_checked = True


def sources_of(symbols: Mapping[Span, str], dirty: Collection[str]) -> tuple[Source, ...]:
    """Places with what they are called, and whether their files differ from the commit."""
    return tuple(
        Source(path=span.path, first=span.first, last=span.last, symbol=symbol, changed=span.path in dirty)
        for span, symbol in symbols.items()
    )


def _is_telling(name: str) -> bool:
    """A name that is no word of a language: it has a capital inside, or a digit."""
    return len(name) > 3 and name != name.lower() and name != name.capitalize() and name != name.upper()
