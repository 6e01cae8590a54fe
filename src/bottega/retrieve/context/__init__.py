"""Assemble what a model may read for a task: whole symbols within a token budget, each with its reason."""

from __future__ import annotations

import time

from bottega.index import KnowledgeReader, guard_arrays
from bottega.retrieve.context.assembly import Assembly, assemble, order_units
from bottega.retrieve.context.callers import SURE
from bottega.retrieve.context.candidates import RankedCandidates, collect_candidates
from bottega.retrieve.context.joining import join_units
from bottega.retrieve.context.outlines import FileOutline, SymbolText, outline_files, outline_symbols
from bottega.retrieve.context.refinement import RefinementRequest, refine_task
from bottega.retrieve.context.request import ContextTask
from bottega.retrieve.context.task import TaskSignals, read_task
from bottega.retrieve.context.texts import Count, FileTexts
from bottega.retrieve.context.values import BudgetConfig, ContextPackage, ContextUnit, Decision, DetailLevel, Tier
from bottega.retrieve.search import ParsedQuery, SearchQuery
from bottega.retrieve.shared import get_searcher
from bottega.source import estimate_tokens

__all__ = [
    "SURE",
    "BudgetConfig",
    "ContextPackage",
    "ContextTask",
    "ContextUnit",
    "Decision",
    "DetailLevel",
    "FileOutline",
    "RefinementRequest",
    "SymbolText",
    "TaskSignals",
    "Tier",
    "assemble_context",
    "join_units",
    "outline_candidates",
    "read_task",
    "refine_task",
]


def assemble_context(
    task: ContextTask, reader: KnowledgeReader, tokens: int, count: Count = estimate_tokens
) -> ContextPackage:
    """What a model may read for a task, within so many tokens. Raise `InputError` for a task without words."""
    query = SearchQuery(task.text, task.mode, fusion=task.fusion)
    query.parse()
    started = time.perf_counter()
    with guard_arrays(reader.snapshot):
        candidates = _collect(task, query, reader)
        ranked = time.perf_counter()
        wanted = frozenset(ParsedQuery(task.text).terms)
        corpus = get_searcher(reader).corpus
        assembly = Assembly(FileTexts(reader), reader.base, corpus, wanted, count, tokens, task.refused)
        assemble(candidates, assembly)
    finished = time.perf_counter()
    return ContextPackage(
        task.text,
        tuple(order_units(assembly.units)),
        tuple(assembly.decisions),
        assembly.spent,
        tokens,
        len(candidates.scope),
        stage_ms={"rank": (ranked - started) * 1000, "assemble": (finished - ranked) * 1000},
    )


def outline_candidates(task: ContextTask, reader: KnowledgeReader) -> tuple[list[FileOutline], list[SymbolText]]:
    """The first files as outlines and the first symbols with their texts, as a model judges them."""
    query = SearchQuery(task.text, task.mode, fusion=task.fusion)
    with guard_arrays(reader.snapshot):
        candidates = _collect(task, query, reader)
        corpus = get_searcher(reader).corpus
        return outline_files(candidates, corpus), outline_symbols(candidates, FileTexts(reader), query.parse())


def _collect(task: ContextTask, query: SearchQuery, reader: KnowledgeReader) -> RankedCandidates:
    searcher = get_searcher(reader)
    signals = read_task(task.text)
    return collect_candidates(query, signals, task.files, task.symbols, task.votes, searcher, reader.base)
