"""Which files are considered for a task, in tiers; a file belongs to the lowest tier that applies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bottega.index import KnowledgeBase
from bottega.retrieve.context.values import Tier
from bottega.retrieve.search import ParsedQuery
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.places import is_same_file
from bottega.retrieve.search.rank import ScoredFiles

# Files whose imports, importers and companions are looked at: the named ones, and the best of the search.
_CENTRES = 5
_MOST_DEPENDENCIES, _MOST_CO_CHANGES, _MOST_DESCRIBED = 30, 20, 20
_LEAST_CO_CHANGES = 2
# A path that names more files is no name.
_MOST_OF_A_PATH = 3
_LEAST_CONCEPTS = 2


@dataclass(frozen=True, slots=True)
class ScopedFile:
    """A file by number, with the tier and the reason for which it is considered."""

    number: int
    tier: int
    reason: str


def expand_scope(
    query: ParsedQuery,
    named: Sequence[str],
    seeds: Sequence[int],
    scored: ScoredFiles,
    corpus: Corpus,
    base: KnowledgeBase,
) -> list[ScopedFile]:
    """Files by tier; inside of a tier by how much they have to do with the seeds, then by the rank of the search.

    `named` are paths that a caller or the task names, `seeds` the best files of the search.
    """
    found: dict[int, ScopedFile] = {}
    for number in _find_named(named, corpus):
        found.setdefault(number, ScopedFile(number, Tier.NAMED, "the task names it"))
    for rank, number in enumerate(seeds, 1):
        found.setdefault(number, ScopedFile(number, Tier.SEED, f"rank {rank} of the search"))
    centres = list(found)[:_CENTRES]
    for file in (
        *_list_dependencies(centres, scored, corpus),
        *_list_co_changes(centres, corpus, base),
        *_list_described(query, scored, corpus),
    ):
        found.setdefault(file.number, file)
    return list(found.values())


def _find_named(named: Sequence[str], corpus: Corpus) -> Iterator[int]:
    """The files that paths name; a path that names many, as `__init__.py` does, says nothing."""
    for path in named:
        written = path.replace("\\", "/")
        same_name = corpus.tails.get(written.rsplit("/", 1)[-1], ())
        files = [number for number in same_name if is_same_file(written, corpus.paths[number])]
        if len(files) <= _MOST_OF_A_PATH:
            yield from files


def _list_dependencies(centres: Sequence[int], scored: ScoredFiles, corpus: Corpus) -> list[ScopedFile]:
    """What the centres import, and what imports them; those with most links first."""
    links: Counter[int] = Counter()
    source, target, _ = corpus.links("imports")
    for centre in centres:
        links.update(target[source == centre].tolist())
        links.update(source[target == centre].tolist())
    order = sorted(links, key=lambda number: (-links[number], -scored.total[number], number))
    return [
        ScopedFile(number, Tier.DEPENDENCY, f"imports or is imported by {links[number]} of the first files")
        for number in order[:_MOST_DEPENDENCIES]
    ]


def _list_co_changes(centres: Sequence[int], corpus: Corpus, base: KnowledgeBase) -> list[ScopedFile]:
    """Files that often changed in the same commits as a centre."""
    numbers = {path: number for number, path in enumerate(corpus.paths)}
    times: Counter[int] = Counter()
    for centre in centres:
        for change in base.get_co_change_neighbors(corpus.snapshot.files[centre].id, _LEAST_CO_CHANGES):
            if change.path in numbers:
                times[numbers[change.path]] += change.times
    return [
        ScopedFile(number, Tier.CO_CHANGE, f"changed {count} times together with the first files")
        for number, count in times.most_common(_MOST_CO_CHANGES)
    ]


def _list_described(query: ParsedQuery, scored: ScoredFiles, corpus: Corpus) -> list[ScopedFile]:
    """Files whose description by a model shares words with the task."""
    wanted = frozenset(query.terms)
    shared = {number: len(wanted & words) for number, words in corpus.described.items()}
    order = sorted(shared, key=lambda number: (-shared[number], -scored.total[number], number))
    return [
        ScopedFile(number, Tier.DESCRIPTION, f"its description shares {shared[number]} words with the task")
        for number in order[:_MOST_DESCRIBED]
        if shared[number] >= _LEAST_CONCEPTS
    ]
