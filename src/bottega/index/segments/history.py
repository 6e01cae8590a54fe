"""Commit messages as postings, and which files each commit touched."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.index.segments.build import build_postings
from bottega.source.words import identifiers, tally

Arrays = dict[str, NDArray[Any]]
_HASH_BYTES = 32
_MOST_COUNTED = 65_535


def build_history(connection: sqlite3.Connection, old: Mapping[str, NDArray[Any]]) -> Arrays:
    """Build the arrays, newest commit first. Messages that `old` holds are not split into words again."""
    rows = connection.execute("SELECT id, hash, message FROM commits ORDER BY position").fetchall()
    bags = _build_bags(rows, old)
    at = np.concatenate([[0], np.cumsum([len(terms) for terms, _ in bags])]).astype(np.uint32)
    terms = np.concatenate([terms for terms, _ in bags]) if bags else np.zeros(0, np.uint64)
    counts = np.concatenate([counts for _, counts in bags]) if bags else np.zeros(0, np.uint16)
    documents = np.repeat(np.arange(len(rows)), np.diff(at))
    return {
        "commit": _pack_hashes([commit for _, commit, _ in rows]),
        "said.at": at,
        "said.term": terms,
        "said.count": counts,
        **build_postings("message", terms, documents, counts.astype(np.int64), len(rows)),
        **_build_touched(connection, {number: place for place, (number, _, _) in enumerate(rows)}),
    }


def _build_bags(
    rows: list[tuple[int, str, str]], old: Mapping[str, NDArray[Any]]
) -> list[tuple[NDArray[np.uint64], NDArray[np.uint16]]]:
    known = _index_commits(old)
    bags = []
    for _, commit, message in rows:
        place = known.get(_hash(commit))
        if place is None:
            counted = tally(identifiers(message))
            terms = np.fromiter(counted, np.uint64, len(counted))
            counts = np.fromiter((min(n, _MOST_COUNTED) for n in counted.values()), np.uint16, len(counted))
        else:
            low, high = old["said.at"][place], old["said.at"][place + 1]
            terms, counts = old["said.term"][low:high], old["said.count"][low:high]
        bags.append((terms, counts))
    return bags


def _index_commits(old: Mapping[str, NDArray[Any]]) -> dict[bytes, int]:
    if "commit" not in old:
        return {}
    data = old["commit"].tobytes()
    return {data[at : at + _HASH_BYTES]: at // _HASH_BYTES for at in range(0, len(data), _HASH_BYTES)}


def _build_touched(connection: sqlite3.Connection, places: Mapping[int, int]) -> Arrays:
    """Pairs of commit and path, sorted by commit; each path is stored once."""
    paths: dict[str, int] = {}
    pairs = [
        (places[commit], paths.setdefault(path, len(paths)))
        for commit, path in connection.execute("SELECT commit_id, current FROM file_commits ORDER BY commit_id, path")
    ]
    table = np.array(sorted(set(pairs)), np.int64).reshape(-1, 2)
    spelt = "\0".join(paths).encode()
    return {
        "touch.commit": table[:, 0].astype(np.uint32),
        "touch.path": table[:, 1].astype(np.uint32),
        "paths": np.frombuffer(spelt, np.uint8),
    }


def _pack_hashes(commits: list[str]) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(_hash(commit) for commit in commits), np.uint8)


def _hash(commit: str) -> bytes:
    return bytes.fromhex(commit).ljust(_HASH_BYTES, b"\0")
