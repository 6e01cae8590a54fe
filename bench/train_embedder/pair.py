"""Stage 2: from texts to what is learnt: a question, and the code that answers it.

    python -m bench.train_embedder.pair --work DIR --clones DIR [--clones DIR ...]

DIR/records/ gets a file for each package that was kept. A record is a function with its name and documentation, a
section under its heading, a function with the name of a test or a line of a change log about it, or a piece of a file
as search cuts it with a comment taken out of it. Functions near to one of the `--clones`, which are the projects that
figures are reported on, or of the running Python's library, are left out, as are questions that stand there.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from bench.train_embedder.collect import LANGUAGES, file_name, is_excluded, read_manifest
from bench.train_embedder.near import HASHES, Known, signature
from bench.train_embedder.near import bands as numbered

from bottega.index.analyse.comments import strip_marks
from bottega.index.analyse.file import analyse
from bottega.index.analyse.values import NOBODY, Analysis, Symbol
from bottega.index.vectors.wording import list_words
from bottega.source import language_of_path
from bottega.source.roles import Role, role_of_path
from bottega.source.text import decode
from bottega.source.words import identifiers

_KINDS = frozenset("function method class struct interface trait protocol module enum macro object record".split())
_BODY = 6000
_LEAST_WORDS, _LEAST_SAID = 6, 3
_FIRST, _WHOLE = 24, 60
_MOST = 6000
_MOST_TEXT = 2_500_000
_LEAST_NAME = 6
_CHANGES = re.compile(r"(?:^|/)(?:change|history|news|release)", re.IGNORECASE)
_CODE_NAME = re.compile(r"`([A-Za-z_][\w.:#]*)(?:\(\))?`")
_SENTENCE = re.compile(r"(?<=[.!?])\s|\n\s*\n|\n\s*[@:]\w")
_LEGAL = re.compile(r"copyright|licen[cs]e|all rights reserved|eslint-|pylint:|noqa|type: ?ignore|@ts-", re.IGNORECASE)
_MOST_COPIED = 0.5


@dataclass(slots=True)
class Found:
    """Records of a package, and the signatures of their code; `names` are functions by name."""

    records: list[dict[str, Any]] = field(default_factory=list)
    signatures: list[Any] = field(default_factory=list)
    names: dict[str, list[int]] = field(default_factory=dict)
    tests: list[list[str]] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--clones", type=Path, action="append", default=[], help="folders of files to keep away from")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    work: Path = options.work
    (work / "records").mkdir(exist_ok=True)
    if not (work / "known.npz").exists():
        _write_known(work / "known.npz", [*options.clones, Path(sysconfig.get_path("stdlib"))], options.processes)
    kept = [row for row in read_manifest(work / "manifest.jsonl") if not row["reason"] and not is_excluded(row["name"])]
    files = [file_name(row["registry"], row["name"]) for row in kept]
    wanted = [name for name in files if not (work / "records" / name).exists()]
    totals: Counter[str] = Counter()
    with ProcessPoolExecutor(options.processes) as pool:
        for done, counted in enumerate(pool.map(paired, [work] * len(wanted), wanted, chunksize=4), 1):
            totals.update(counted)
            if done % 100 == 0:
                sys.stderr.write(f"{done}/{len(wanted)} packages, {dict(totals)}\n")


@cache
def _known(path: Path) -> tuple[Known, frozenset[bytes]]:
    """Functions and questions to keep away from, read once in each process."""
    with np.load(path) as stored:
        said = stored["said"].tobytes()
        return Known(stored["bands"]), frozenset(said[at : at + 8] for at in range(0, len(said), 8))


def _write_known(path: Path, folders: Sequence[Path], processes: int) -> None:
    sources = [file for folder in folders for file in sorted(folder.rglob("*")) if _is_wanted(file)]
    sys.stderr.write(f"{len(sources)} files to keep away from\n")
    bands: list[Any] = []
    said: set[bytes] = set()
    with ProcessPoolExecutor(processes) as pool:
        for signatures, sentences in pool.map(_sketch, sources, chunksize=64):
            bands.append(signatures)
            said.update(sentences)
    whole = np.concatenate(bands) if bands else np.zeros((0, HASHES), np.uint32)
    np.savez(path, bands=np.unique(numbered(whole)), said=np.frombuffer(b"".join(sorted(said)), np.uint64))


def _is_wanted(file: Path) -> bool:
    language = language_of_path(file.name)
    return language is not None and language.name in LANGUAGES and not file.is_symlink() and file.is_file()


def _sketch(file: Path) -> tuple[Any, list[bytes]]:
    found = Found()
    language = language_of_path(file.name)
    text = decode(file.read_bytes()[:1_000_000])
    if text is not None and language is not None:
        _read(found, file.as_posix(), language.name, text)
    kept = [each for each in found.signatures if each is not None]
    sentences = [_hashed(record["d"]) for record in found.records if len(record["d"]) > _LEAST_SAID]
    return (np.stack(kept) if kept else np.zeros((0, HASHES), np.uint32)), sentences


def paired(work: Path, name: str) -> Counter[str]:
    """Write the records of one package; count what was kept and what was left out."""
    found = Found()
    with gzip.open(work / "texts" / name, "rt", encoding="utf-8") as lines:
        total = 0
        for line in lines:
            entry = json.loads(line)
            total += len(entry["text"])
            if total > _MOST_TEXT:
                break
            _read(found, entry["path"], entry["language"], entry["text"])
    _join_tests(found)
    _join_changes(found)
    kept, near, said = _apart(found, work / "known.npz")
    long_enough = sum(each is not None for each in found.signatures)
    if near > _MOST_COPIED * max(long_enough, 1):
        kept = []
    kept.sort(key=lambda record: _hashed([*record["b"], *record["d"], *record["n"]]))
    target = work / "records" / name
    beside = target.with_suffix(".new")
    with gzip.open(beside, "wt", encoding="utf-8", compresslevel=3) as out:
        out.write(json.dumps({"near": near, "said": said, "functions": long_enough, "kept": len(kept[:_MOST])}) + "\n")
        for record in kept[:_MOST]:
            out.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
    beside.replace(target)
    return Counter(record["k"] for record in kept[:_MOST]) + Counter(near=near, said=said)


def _apart(found: Found, path: Path) -> tuple[list[dict[str, Any]], int, int]:
    """Records that are near to nothing that is known."""
    known, questions = _known(path)
    is_near = np.zeros(len(found.records), bool)
    places = [place for place, each in enumerate(found.signatures) if each is not None]
    if places:
        is_near[places] = known.near(np.stack([found.signatures[place] for place in places]))
    kept, said = [], 0
    for record, near in zip(found.records, is_near, strict=True):
        was_said = len(record["d"]) > _LEAST_SAID and _hashed(record["d"]) in questions
        said += was_said
        if not near and not was_said:
            kept.append(record)
    return kept, int(is_near.sum()), said


def _hashed(words: Sequence[str]) -> bytes:
    return blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=8).digest()


def _read(found: Found, path: str, language: str, text: str) -> None:
    try:
        analysis = analyse(text, language)
    except (RecursionError, ValueError):
        return
    lines = text.split("\n")
    place = list_words(" ".join(Path(path).with_suffix("").parts[-2:]), 10)
    is_test = role_of_path(path) is Role.TEST
    if language == "Markdown":
        _read_sections(found, analysis, lines, place)
        if _CHANGES.search(path):
            found.changes += [line for line in lines if line.lstrip().startswith(("-", "*"))]
        return
    docs = {entry.symbol: entry.text for entry in analysis.docstrings}
    for number, symbol in enumerate(analysis.symbols):
        if is_test and symbol.name.lower().startswith("test"):
            found.tests.append(list_words(symbol.name)[1:])
        elif not is_test and symbol.kind in _KINDS and symbol.last > symbol.first:
            _add_function(found, symbol, docs.get(number, ""), lines, place, language)
    if not is_test:
        _read_pieces(found, analysis, docs, lines, place, language)


def _add_function(
    found: Found, symbol: Symbol, doc: str, lines: Sequence[str], place: list[str], language: str
) -> None:
    body = _without("\n".join(lines[symbol.first - 1 : symbol.last])[:_BODY], doc)
    words = list_words(body)
    if len(words) < _LEAST_WORDS:
        return
    doc = "" if _LEGAL.search(doc) else doc
    name = list_words(symbol.name, 8)
    first = _first_sentence(doc, symbol.name)
    if not first and not name:
        return
    found.names.setdefault(symbol.name, []).append(len(found.records))
    whole = list_words(doc, _WHOLE) if first else []
    record = {"k": "function", "l": language, "p": place, "n": name, "d": first, "D": whole, "b": words}
    found.records.append(record)
    found.signatures.append(signature(identifiers(body)))


def _first_sentence(doc: str, name: str) -> list[str]:
    plain = re.sub(rf"^\W*{re.escape(name)}\b\W*", "", doc.strip())
    said = list_words(_SENTENCE.split(plain, maxsplit=1)[0], _FIRST + 1)
    return said if _LEAST_SAID <= len(said) <= _FIRST else []


def _without(body: str, doc: str) -> str:
    """Without the lines that stand in the documentation."""
    said = {line.strip() for line in doc.split("\n") if line.strip()}
    if not said:
        return body
    long = [line for line in said if len(line) > 7]
    kept = (
        line
        for line in body.split("\n")
        if strip_marks(line).strip() not in said and not any(each in line for each in long)
    )
    return "\n".join(kept)


def _read_sections(found: Found, analysis: Analysis, lines: Sequence[str], place: list[str]) -> None:
    for symbol in analysis.symbols:
        words = list_words("\n".join(lines[symbol.first : symbol.last])[:_BODY])
        name = list_words(symbol.name, 12)
        if len(name) >= 2 and len(words) >= 12:
            record = {"k": "section", "l": "Markdown", "p": place, "n": name, "d": [], "D": [], "b": words}
            found.records.append(record)
            found.signatures.append(None)


def _read_pieces(
    found: Found, analysis: Analysis, docs: dict[int, str], lines: Sequence[str], place: list[str], language: str
) -> None:
    """A piece of the file, with one comment or one documentation in it taken out and asked for."""
    spans = [(analysis.symbols[at].first, analysis.symbols[at].last, text) for at, text in docs.items() if at != NOBODY]
    remarks = [
        (remark.line, remark.text)
        for remark in analysis.comments
        if remark.symbol != NOBODY and remark.kind != "license"
    ]
    for number, piece in enumerate(analysis.chunks):
        text = "\n".join(lines[piece.first - 1 : piece.last])
        asked = [said for first, last, said in spans if first >= piece.first and last <= piece.last]
        asked += [said for line, said in remarks if piece.first < line <= piece.last]
        asked = [said for said in asked if not _LEGAL.search(said) and _first_sentence(said, "")]
        if not asked:
            continue
        said = asked[number % len(asked)]
        words = list_words(_without(text, said))
        if len(words) >= 2 * _LEAST_WORDS:
            first = _first_sentence(said, "")
            whole = list_words(said, _WHOLE)
            record = {"k": "piece", "l": language, "p": place, "n": [], "d": first, "D": whole, "b": words}
            found.records.append(record)
            found.signatures.append(signature(identifiers(text)))


def _join_tests(found: Found) -> None:
    """The longest name of a function that stands in the name of a test is what it tests."""
    by_words: dict[tuple[str, ...], int] = {}
    for places in found.names.values():
        name = tuple(found.records[places[0]]["n"])
        if len(places) == 1 and len("".join(name)) >= _LEAST_NAME:
            by_words[name] = places[0]
    for words in found.tests:
        spans = ((end - start, start, end) for start in range(len(words)) for end in range(start + 1, len(words) + 1))
        for _, start, end in sorted(spans, reverse=True):
            place = by_words.get(tuple(words[start:end]))
            if place is not None and len(words) - (end - start) >= 2:
                _add_about(found, place, "test", words)
                break


def _join_changes(found: Found) -> None:
    for line in found.changes:
        for name in _CODE_NAME.findall(line):
            last = re.split(r"[.:#]", name)[-1]
            places = found.names.get(last, [])
            words = list_words(line, _FIRST)
            if len(places) == 1 and len(last) >= _LEAST_NAME and len(words) >= _LEAST_SAID + 1:
                _add_about(found, places[0], "change", words)
                break


def _add_about(found: Found, place: int, kind: str, words: list[str]) -> None:
    found.records.append({**found.records[place], "k": kind, "d": words, "D": []})
    found.signatures.append(found.signatures[place])


def records(path: Path) -> Iterator[dict[str, Any]]:
    """What a package gave; the line of its counts is left out."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            yield json.loads(line)


if __name__ == "__main__":
    main()
