"""Analyse one file with the queries of its language, or as plain text where it has none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bottega.index.analyse import sql
from bottega.index.analyse.budget import check_brackets, check_counts
from bottega.index.analyse.chunks import cut_chunks
from bottega.index.analyse.comments import CommentBlock, collect_comments, collect_docstrings, join_blocks
from bottega.index.analyse.imports import read_imports
from bottega.index.analyse.mentions import collect_names, collect_values, find_mentions
from bottega.index.analyse.outline import build_outline, collect_references
from bottega.index.analyse.prose import find_sections
from bottega.index.analyse.units import find_units
from bottega.index.analyse.values import Analysis, Depth
from bottega.index.analyse.vocabulary import UnitLines, count_words
from bottega.index.queries import SyntaxQueries, load_queries

if TYPE_CHECKING:
    import tree_sitter

_HEAD = 1500
# Bytes before a comment that are examined to see whether code precedes it on its line.
_WIDEST_MARGIN = 1000


def analyse(text: str, language: str, *, as_text: bool = False) -> Analysis:
    """Read symbols, uses, comments, chunks and words; `as_text` does not use the grammar.

    Raise `OverBudgetError` for a file that exceeds the limits for one file; no file does as text.
    """
    lines = _split_lines(text)
    if language == "SQL" and not as_text:
        return _analyse_sql(text, lines)
    queries = None if as_text else load_queries(language)
    if queries is None:
        return _analyse_text(text, lines, language)
    source = text.encode("utf-8", "replace")
    check_brackets(source)
    return _analyse_tree(text, lines, language, source, _parse(source, queries.grammar).root_node, queries)


def _analyse_text(text: str, lines: Sequence[str], language: str) -> Analysis:
    sections = find_sections(lines) if language == "Markdown" else ()
    cut = cut_chunks(lines, sections, {})
    units, owners = find_units(sections, {}, len(lines))
    counted = count_words(cut, text[:_HEAD], sections, UnitLines(units, owners, np.zeros(len(lines), bool)))
    return Analysis(
        Depth.PARSED if language == "Markdown" else Depth.TEXT,
        len(lines),
        symbols=sections,
        chunks=cut.chunks,
        words=counted.words,
        grams=counted.grams,
        units=units,
    )


def _analyse_tree(
    text: str, lines: Sequence[str], language: str, source: bytes, root: tree_sitter.Node, queries: SyntaxQueries
) -> Analysis:
    from tree_sitter import QueryCursor

    shape = build_outline(QueryCursor(queries.definitions).matches(root), source)
    uses = _sort_captures(QueryCursor(queries.uses).captures(root))
    blocks = join_blocks([_build_comment_block(node, source) for node in uses.get("comment", ())])
    above = {block.last + 1: block.first for block in blocks if block.alone}
    cut = cut_chunks(lines, shape.symbols, above)
    brought = tuple(read_imports(language, ((n.start_point.row + 1, _text(n, source)) for n in uses.get("import", ()))))
    docstring_nodes = uses.get("docstring", ())
    strings = [(node.start_byte, _text(node, source)) for node in docstring_nodes]
    names = collect_names(shape.symbols, brought)
    called = (*collect_references(uses, source, shape), *collect_values(uses, source, shape, names))
    check_counts(len(shape.symbols), len(called))
    units, owners = find_units(shape.symbols, above, len(lines))
    rows = [(node.start_point.row, node.end_point.row) for node in docstring_nodes]
    is_comment = _mark_comments(blocks, rows, len(lines))
    counted = count_words(cut, text[:_HEAD], shape.symbols, UnitLines(units, owners, is_comment))
    return Analysis(
        Depth.PARTLY if root.has_error else Depth.PARSED,
        len(lines),
        namespace=shape.namespace,
        symbols=shape.symbols,
        references=(*called, *find_mentions(lines, shape, cut, names, brought, called, blocks)),
        imports=brought,
        docstrings=collect_docstrings(strings, blocks, shape),
        comments=collect_comments(blocks, shape),
        chunks=cut.chunks,
        words=counted.words,
        grams=counted.grams,
        units=units,
    )


def _analyse_sql(text: str, lines: Sequence[str]) -> Analysis:
    script = sql.read(text)
    blocks = join_blocks(script.comment_blocks)
    symbols = script.outline.symbols
    check_counts(len(symbols), len(script.references))
    above = {block.last + 1: block.first for block in blocks if block.alone}
    cut = cut_chunks(lines, symbols, above)
    units, owners = find_units(symbols, above, len(lines))
    is_comment = _mark_comments(blocks, [], len(lines))
    counted = count_words(cut, text[:_HEAD], symbols, UnitLines(units, owners, is_comment))
    return Analysis(
        Depth.PARSED,
        len(lines),
        symbols=symbols,
        references=script.references,
        docstrings=collect_docstrings([], blocks, script.outline),
        comments=collect_comments(blocks, script.outline),
        chunks=cut.chunks,
        words=counted.words,
        grams=counted.grams,
        units=units,
    )


def _mark_comments(blocks: Sequence[CommentBlock], strings: Sequence[tuple[int, int]], lines: int) -> NDArray[np.bool_]:
    """Which lines hold only comments or docstrings; `strings` are the rows of docstrings, counted from 0."""
    marked = np.zeros(lines, bool)
    for block in blocks:
        if block.alone:
            marked[block.first - 1 : block.last] = True
    for first, last in strings:
        marked[first : last + 1] = True
    return marked


def _parse(source: bytes, grammar: str) -> tree_sitter.Tree:
    from tree_sitter import Parser

    from bottega.source.grammar import load_grammar

    return Parser(load_grammar(grammar)).parse(source)


def _split_lines(text: str) -> list[str]:
    """Lines end at a line feed alone, as the grammars count them."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _sort_captures(captures: dict[str, list[tree_sitter.Node]]) -> dict[str, list[tree_sitter.Node]]:
    """Sort captures by position: the binding returns them in any order."""
    return {name: sorted(nodes, key=lambda node: (node.start_byte, node.end_byte)) for name, nodes in captures.items()}


def _build_comment_block(node: tree_sitter.Node, source: bytes) -> CommentBlock:
    last = node.end_point.row + (1 if node.end_point.column else 0)
    first = node.start_point.row + 1
    column = node.start_point.column
    is_alone = column <= _WIDEST_MARGIN and not source[node.start_byte - column : node.start_byte].strip()
    return CommentBlock(node.start_byte, first, max(first, last), _text(node, source), is_alone)


def _text(node: tree_sitter.Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")
