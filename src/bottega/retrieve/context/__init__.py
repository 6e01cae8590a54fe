"""Assemble what a model may read for a task: whole symbols within a token budget, each with its reason."""

from __future__ import annotations

import time

from bottega.index import KnowledgeReader, guard_arrays
from bottega.retrieve.context.assembly import HEADING_TOKENS, Assembly, assemble, order_units
from bottega.retrieve.context.callers import SURE
from bottega.retrieve.context.candidates import collect_candidates
from bottega.retrieve.context.joining import join_units
from bottega.retrieve.context.outlines import FileOutline, SymbolText, outline_files, outline_symbols
from bottega.retrieve.context.refinement import RefinementRequest, refine_task
from bottega.retrieve.context.request import ContextTask
from bottega.retrieve.context.task import TaskSignals, read_task
from bottega.retrieve.context.texts import Count, FileTexts
from bottega.retrieve.context.trials import Trial, find_first_file, list_trials
from bottega.retrieve.context.values import (
    VALUES,
    BudgetConfig,
    ContextPackage,
    ContextUnit,
    Decision,
    DetailLevel,
    Tier,
)
from bottega.retrieve.shared import get_searcher
from bottega.source import estimate_tokens

__all__ = [
    "HEADING_TOKENS",
    "SURE",
    "VALUES",
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
    "Trial",
    "assemble_context",
    "find_first_file",
    "join_units",
    "list_trials",
    "outline_candidates",
    "read_task",
    "refine_task",
]


def assemble_context(
    task: ContextTask, reader: KnowledgeReader, tokens: int, count: Count = estimate_tokens
) -> ContextPackage:
    """What a model may read for a task, within so many tokens. Raise `InputError` for a task without words."""
    started = time.perf_counter()
    with guard_arrays(reader.snapshot):
        searcher = get_searcher(reader)
        candidates = collect_candidates(task, searcher, reader.base)
        ranked = time.perf_counter()
        wanted = frozenset(candidates.query.terms)
        assembly = Assembly(FileTexts(reader), reader.base, searcher.corpus, wanted, count, tokens, task.refused)
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
    with guard_arrays(reader.snapshot):
        searcher = get_searcher(reader)
        candidates = collect_candidates(task, searcher, reader.base)
        return outline_files(candidates, searcher.corpus), outline_symbols(candidates, FileTexts(reader))
