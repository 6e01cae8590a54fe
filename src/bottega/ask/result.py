"""The result of `ask`: an answer, how far it matches the code, and how it is rendered."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from pydantic import Field

from bottega.ask.claims import NO_MATCH, CitationSupport
from bottega.ask.state import DIRECT, EVIDENCE_ONLY, AskState, CheckedSentence, Source
from bottega.ask.summary import summarize
from bottega.pipeline import Finished
from bottega.source import escape_breaks
from bottega.verbs import Gate, VerbResult


class AskResult(VerbResult):
    """`grounding` is match, partial match, no match, not in this repository, or evidence only where no model was asked.

    "Not in this repository" is what the model says after the searches in `queries`; no line can show it.

    A match compares names and words; it does not say that a statement is true. `unsupported` statements have only
    citations that were dropped, `uncited` ones have none; a moved citation was replaced by lines that support it.
    """

    formats: ClassVar[tuple[str, ...]] = ("text", "json", "markdown")

    run: str
    answer: str
    grounding: str
    sources: tuple[Source, ...]
    sentences: tuple[CheckedSentence, ...]
    mode: str
    queries: tuple[str, ...]
    remarks: tuple[str, ...]
    freshness: str
    checked: str = Field(
        description="one line: how many statements were compared with their cited lines, and the results"
    )
    supported: int
    named: int = Field(0, description="statements whose cited lines contain their names and few of their other words")
    cited: int = Field(0, description="statements without a name: the cited lines exist and share few words")
    weak: int
    unsupported: int
    uncited: int
    moved_citations: int
    dropped_citations: int

    @property
    def gate(self) -> Gate:
        return "incomplete" if self.grounding == NO_MATCH else "passed"

    @property
    def gate_reason(self) -> str:
        is_no_match = self.grounding == NO_MATCH
        return f"nothing in the answer was found at the lines it cites: {self.checked}" if is_no_match else ""

    @property
    def gate_hint(self) -> str:
        if self.mode == DIRECT:
            return "--mode hybrid searches the repository without asking the router."
        return f"`bottega runs show {self.run}` shows the steps of the run; `bottega search` searches without a model."

    @property
    def notes(self) -> tuple[str, ...]:
        checked = [] if self.grounding in {NO_MATCH, EVIDENCE_ONLY} else [self.checked]
        fresh = [f"index: {self.freshness}"] if self.freshness else []
        return (*checked, *(f"bottega: {remark}" for remark in self.remarks), *fresh)

    def render(self, form: str = "text") -> str:
        if form == "markdown":
            return self._markdown()
        return f"{self.answer}\n{self.render_sources()}"

    def render_sources(self) -> str:
        """The list of sources below the answer; empty for an answer of evidence only, which lists its spans itself."""
        if not self.sources or self.grounding == EVIDENCE_ONLY:
            return ""
        return "\nSources:\n" + "".join(f"  {_format_source(source)}\n" for source in self.sources)

    def _markdown(self) -> str:
        sources = "".join(f"- `{source.span}`{_format_symbol(source)}\n" for source in self.sources)
        listed = f"\n## Sources\n\n{sources}" if sources else ""
        is_evidence = self.grounding == EVIDENCE_ONLY
        checked = "no model answered: evidence only" if is_evidence else self.checked
        return f"{self.answer}\n{listed}\n*{checked}. Index: {self.freshness}.*\n"


def read_result(finished: Finished) -> AskResult:
    state = finished.state
    assert isinstance(state, AskState)
    counts = Counter(sentence.status for sentence in state.said)
    return AskResult(
        run=finished.run_id,
        answer=state.answer,
        grounding=state.grounding,
        sources=state.sources,
        sentences=state.said,
        remarks=state.remarks,
        freshness=state.freshness,
        mode=state.mode,
        queries=state.asked,
        checked=summarize(state.said),
        supported=counts[CitationSupport.SUPPORTED],
        named=counts[CitationSupport.NAMED],
        cited=counts[CitationSupport.CITED],
        weak=counts[CitationSupport.WEAK],
        unsupported=counts[CitationSupport.UNSUPPORTED],
        uncited=counts[CitationSupport.UNCITED],
        moved_citations=sum(len(sentence.moved) for sentence in state.said),
        dropped_citations=sum(len(sentence.dropped) for sentence in state.said),
    )


def _format_source(source: Source) -> str:
    return escape_breaks(f"{source.span}{_format_symbol(source)}")


def _format_symbol(source: Source) -> str:
    changed = " (not committed)" if source.changed else ""
    return f"  {source.symbol}{changed}" if source.symbol else changed
