"""The knowledge base of a repository, refreshed incrementally; a test proves that the result equals a rebuild.

Other packages use the names that are exported here and do not import its modules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bottega.index.analyse import Analysis, Symbol
    from bottega.index.analyse.definitions import exact_term, kind_weight, loose_term
    from bottega.index.bounds import guard_arrays
    from bottega.index.freshness import Freshness
    from bottega.index.graph import Edge, Graph, Neighbourhood, Node
    from bottega.index.handle import Knowledge, TreeSize, existing_knowledge, index_exists, measure_tree, open_knowledge
    from bottega.index.ignore import RULE_FILES, IgnoreRules, load_outer_rules
    from bottega.index.knowledge import File, KnowledgeBase, Neighbour, SymbolRow
    from bottega.index.metadata import newest_descriptions
    from bottega.index.outlines import analyse_files
    from bottega.index.reader import KnowledgeReader
    from bottega.index.refresh_result import Progress
    from bottega.index.resolve.resolution import AMBIGUOUS
    from bottega.index.rows import file_key
    from bottega.index.segments.build import stem_term
    from bottega.index.segments.links import LINK_KINDS
    from bottega.index.segments.units import expand_ranges, find_unit_pairs, find_unit_words, measure_units
    from bottega.index.snapshot import Part, Snapshot
    from bottega.index.store import open_store
    from bottega.index.vectors import NO_VECTOR, Embedder, VectorStore, open_embedder
    from bottega.index.vectors.embedder import path_names
    from bottega.index.vectors.embedding import FileChunks, embed_files, embed_in_workers

_MODULES = {
    "analyse": "Analysis Symbol",
    "analyse.definitions": "exact_term kind_weight loose_term",
    "freshness": "Freshness",
    "graph": "Edge Graph Neighbourhood Node",
    "handle": "Knowledge TreeSize existing_knowledge index_exists measure_tree open_knowledge",
    "ignore": "IgnoreRules RULE_FILES load_outer_rules",
    "store": "open_store",
    "knowledge": "File KnowledgeBase Neighbour SymbolRow",
    "metadata": "newest_descriptions",
    "outlines": "analyse_files",
    "reader": "KnowledgeReader",
    "refresh_result": "Progress",
    "resolve.resolution": "AMBIGUOUS",
    "rows": "file_key",
    "segments.build": "stem_term",
    "bounds": "guard_arrays",
    "segments.links": "LINK_KINDS",
    "segments.units": "expand_ranges find_unit_pairs find_unit_words measure_units",
    "snapshot": "Part Snapshot",
    "vectors": "Embedder NO_VECTOR VectorStore open_embedder",
    "vectors.embedding": "FileChunks embed_files embed_in_workers",
    "vectors.embedder": "path_names",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "AMBIGUOUS",
    "LINK_KINDS",
    "NO_VECTOR",
    "RULE_FILES",
    "Analysis",
    "Edge",
    "Embedder",
    "File",
    "FileChunks",
    "Freshness",
    "Graph",
    "IgnoreRules",
    "Knowledge",
    "KnowledgeBase",
    "KnowledgeReader",
    "Neighbour",
    "Neighbourhood",
    "Node",
    "Part",
    "Progress",
    "Snapshot",
    "Symbol",
    "SymbolRow",
    "TreeSize",
    "VectorStore",
    "analyse_files",
    "embed_files",
    "embed_in_workers",
    "exact_term",
    "existing_knowledge",
    "expand_ranges",
    "file_key",
    "find_unit_pairs",
    "find_unit_words",
    "guard_arrays",
    "index_exists",
    "kind_weight",
    "load_outer_rules",
    "loose_term",
    "measure_tree",
    "measure_units",
    "newest_descriptions",
    "open_embedder",
    "open_knowledge",
    "open_store",
    "path_names",
    "stem_term",
]


def __getattr__(name: str) -> Any:
    """Import on first use: worker processes import this package, and their start must be fast."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
