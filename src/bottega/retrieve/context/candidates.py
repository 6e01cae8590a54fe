"""Which symbols may enter a package: the units of the considered files by rank, and what the task names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bottega.index import KnowledgeBase, SymbolRow
from bottega.retrieve.context.request import ContextTask
from bottega.retrieve.context.scope import ScopedFile, expand_scope
from bottega.retrieve.context.task import read_task
from bottega.retrieve.search import Hit, ParsedQuery, Searcher, SearchQuery
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.find import is_unknown
from bottega.retrieve.search.rank import ScoredFiles, select_files
from bottega.retrieve.search.signals import HISTORY_SIGNALS
from bottega.retrieve.search.symbols import RankedSymbol, rank_symbols, read_traceback

# Files of the search whose symbols are ranked. Of more files only signatures are shown.
_SEEDS = 20
# Further files whose symbols are ranked: those that are named, and what a traceback calls.
_MOST_CALLED = 3
# A name with more definitions says too little, and of many names the first count.
_MOST_DEFINITIONS, _MOST_NAMED = 3, 12
# Chunks that other modes than the weighted one find, and how much each rank loses.
_HITS, _RANK_DECAY = 60, 0.1
# A file for which a model votes with certainty comes before the best one for which it does not.
_VOTE_WEIGHT = 1.5
_SEPARATOR = re.compile(r"::|->|#")


@dataclass(frozen=True, slots=True)
class RankedCandidates:
    """The files in scope by tier, the ranked units of the first of them, and definitions that the task names."""

    query: ParsedQuery
    scope: Sequence[ScopedFile]
    units: Sequence[RankedSymbol]
    named: Sequence[SymbolRow]
    tiers: Mapping[int, ScopedFile]


def collect_candidates(task: ContextTask, searcher: Searcher, base: KnowledgeBase) -> RankedCandidates:
    """Rank the units of the files that a task is about. Raise `InputError` for a task without words."""
    query = SearchQuery(task.text, task.mode, fusion=task.fusion)
    parsed, signals = query.parse(), read_task(task.text)
    corpus = searcher.corpus
    scored = searcher.score_files(parsed)
    if (query.mode, query.fusion) != ("hybrid", "weighted"):
        scored = _score_by_hits(scored, searcher.hits(replace(query, limit=_HITS)), corpus)
    if not task.by_history:
        scored = drop_history(scored)
    if task.votes:
        scored = add_votes(scored, task.votes, corpus)
    seeds = [] if is_unknown(parsed, scored) else select_files(scored, corpus, _SEEDS)
    traceback = read_traceback(parsed, corpus)
    seeds = list(dict.fromkeys([*seeds, *traceback.called_files[:_MOST_CALLED]]))
    scope = expand_scope(parsed, [*task.files, *signals.paths], seeds, scored, corpus, base)
    tiers = {file.number: file for file in scope}
    ranked_files = [file.number for file in scope if file.tier <= 1]
    units = rank_symbols(parsed, corpus, scored, ranked_files, traceback)
    named = find_named_definitions([*task.symbols, *signals.symbols], base)
    return RankedCandidates(parsed, scope, units, named, tiers)


def _score_by_hits(scored: ScoredFiles, hits: Sequence[Hit], corpus: Corpus) -> ScoredFiles:
    """File scores from the ranks of chunks, for modes that rank chunks."""
    numbers = {path: number for number, path in enumerate(corpus.paths)}
    total = np.full(len(scored.total), -np.inf)
    for rank, hit in enumerate(hits):
        number = numbers[hit.span.path]
        total[number] = max(total[number], 1 / (1 + _RANK_DECAY * rank))
    return scored._replace(total=total)


def drop_history(scored: ScoredFiles) -> ScoredFiles:
    """The scores without what commit messages add."""
    history = [scored.signals.files[name] * scored.weights[name] for name in HISTORY_SIGNALS if name in scored.weights]
    return scored._replace(total=scored.total - sum(history, np.zeros(len(scored.total))))


def add_votes(scored: ScoredFiles, votes: Mapping[str, float], corpus: Corpus) -> ScoredFiles:
    """Scores relative to the best file, raised by the votes of a model; nothing loses its score."""
    total = scored.total / max(float(scored.total.max(initial=0.0)), 1e-9)
    added = np.array([votes.get(path, 0.0) for path in corpus.paths])
    return scored._replace(total=total + _VOTE_WEIGHT * added)


def find_named_definitions(names: Sequence[str], base: KnowledgeBase) -> list[SymbolRow]:
    """The definitions of names as code writes them; of `Class.method` only those in that class."""
    parts = [_SEPARATOR.sub(".", name).split(".") for name in dict.fromkeys(names)]
    ids = base.get_definitions([part[-1] for part in parts if part[-1]]) if parts else {}
    found: dict[int, SymbolRow] = {}
    for part in parts:
        rows = [row for number in ids.get(part[-1], ()) if (row := base.get_symbol(number)) is not None]
        if len(part) > 1:
            rows = [row for row in rows if row.qualified.split(".")[-2:] == part[-2:]]
        if len(rows) <= _MOST_DEFINITIONS:
            found.update((row.id, row) for row in rows)
    return list(found.values())[:_MOST_NAMED]
