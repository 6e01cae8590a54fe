"""Symbols and edges of an index as lines a reviewer reads."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from bottega.index import open_store
from bottega.index.database import NAME

_SYMBOLS = """
SELECT f.path, s.first_line, s.last_line, s.kind, s.qualified, s.signature, s.node
FROM symbols s JOIN files f ON f.id = s.file_id ORDER BY f.path, s.ordinal
"""
_EDGES = """
SELECT coalesce(ss.node, sf.path), e.kind, coalesce(ts.node, tf.path), e.how, e.confidence, e.line, e.count
FROM edges e
JOIN files sf ON sf.id = e.source_file JOIN files tf ON tf.id = e.target_file
LEFT JOIN symbols ss ON ss.id = e.source_symbol LEFT JOIN symbols ts ON ts.id = e.target_symbol
"""
_REMARKS = """
SELECT f.path, d.format, coalesce(s.qualified, ''), d.content FROM docstrings d JOIN files f ON f.id = d.file_id
LEFT JOIN symbols s ON s.id = d.symbol_id ORDER BY f.path, s.ordinal
"""


def indexed_copy(source: Path, place: Path) -> Path:
    root = place / source.name
    shutil.copytree(source, root)
    open_store(root).refresh(workers=1)
    return root


def symbols(root: Path) -> str:
    """One line for each symbol, one more for its documentation."""
    with sqlite3.connect(root / ".bottega" / NAME) as connection:
        rows = connection.execute(_SYMBOLS).fetchall()
        documented = connection.execute(_REMARKS).fetchall()
    lines = [f"{path}:{a}-{z} {kind} {name} | {node} | {text}" for path, a, z, kind, name, text, node in rows]
    lines += ["", *(f"{path} {style} {name}: {text.splitlines()[0]}" for path, style, name, text in documented)]
    return "\n".join(lines) + "\n"


def edges(root: Path) -> str:
    with sqlite3.connect(root / ".bottega" / NAME) as connection:
        rows = connection.execute(_EDGES).fetchall()
    lines = [
        f"{a} --{kind}--> {b} ({how}, {sure:g}) line {line} x{count}" for a, kind, b, how, sure, line, count in rows
    ]
    return "\n".join(sorted(lines)) + "\n"
