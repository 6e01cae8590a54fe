"""The embedder that comes with the package."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from bottega.errors import StorageError
from bottega.index.vectors import Embedder, embedding, open_embedder
from bottega.index.vectors.tokenizer import SPECIAL, UNKNOWN, WordPieceTokenizer
from bottega.index.vectors.wording import list_words
from bottega.index.worker import content_hash

MODEL = Path(str(resources.files("bottega.index.vectors") / "model"))
TEXTS = [
    ("shop/basket.py", "def add_item(basket, item):\n    basket.items.append(item)\n    return basket.total()\n"),
    ("net/http.go", "func (c *Client) Do(req *Request) (*Response, error) { return c.send(req, c.deadline()) }"),
    ("web/tide.ts", "export const tide = (hour: number) => table.find(row => row.hour === hour)"),
    ("docs/words.md", "word " * 400 + " ".join(f"name{n}" for n in range(300))),
    ("x", ""),
    ("日本/語.py", "def 合計(値): return sum(値)  # übergröße"),
]


def test_a_question_is_nearest_to_the_code_that_does_it() -> None:
    embedder = open_embedder()
    rows = embedder.embed(TEXTS)
    asked = {"put an article into the cart": 0, "send a request before a deadline": 1, "find the row of an hour": 2}
    for question, place in asked.items():
        assert int(np.argmax(rows @ embedder.embed_query(question))) == place


def test_vectors_have_the_length_one_and_the_same_bits_every_time() -> None:
    rows = open_embedder().embed(TEXTS)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)
    assert Embedder(MODEL).embed(TEXTS).tobytes() == rows.tobytes()


def test_what_is_embedded_beside_a_text_does_not_matter() -> None:
    embedder = open_embedder()
    rows = embedder.embed(TEXTS)
    many = embedder.embed([*TEXTS[::-1], *TEXTS * 9])[: len(TEXTS)][::-1]
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert many == pytest.approx(rows, abs=1e-6)
    assert alone == pytest.approx(rows, abs=1e-6)


def test_nothing_is_embedded_into_nothing() -> None:
    assert open_embedder().embed([]).shape == (0, 256)
    assert np.isfinite(open_embedder().embed_query("")).all()


def test_the_fingerprint_is_that_of_the_weights() -> None:
    described = json.loads((MODEL / "weights.json").read_text())
    found = sha256((MODEL / "weights.bin").read_bytes()).hexdigest()
    assert described["fingerprint"] == f"bottega-{found[:12]}"
    assert described["fingerprint"] in open_embedder().fingerprint


def test_all_of_it_stays_under_sixteen_megabytes() -> None:
    assert sum(file.stat().st_size for file in MODEL.iterdir()) < 16_000_000


def test_a_text_is_read_as_its_words_once_each() -> None:
    text = "def getUserName(user_id): return HTTPServer.user(user_id, 1234567, 'x') or getUserName(None)"
    assert list_words(text) == "def get user name id return http server or none".split()
    assert len(list_words(" ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(500)))) == 140


def test_words_are_cut_into_the_longest_pieces() -> None:
    cut = WordPieceTokenizer([*SPECIAL, "un", "##do", "undo", "##ne", "##d"])
    assert cut(["undo", "undone", "undod"]) == [6, 6, 7, 6, 8]
    assert cut(["xyz"]) == [UNKNOWN]


@pytest.fixture
def files(tmp_path: Path) -> list[embedding.FileChunks]:
    found = []
    for number in range(40):
        text = f"def call_{number}(x):\n    return open_door(x, {number})\n\n\ndef close_{number}():\n    pass\n"
        (tmp_path / f"f{number}.py").write_text(text)
        spans = ((1, 3), (4, 6))
        found.append(embedding.FileChunks(f"f{number}.py", content_hash(text.encode()), (number, -number), spans))
    return found


def test_many_files_on_all_cores_give_what_one_process_gives(tmp_path: Path, files: list[embedding.FileChunks]) -> None:
    (tmp_path / "f3.py").write_text("changed = True\n")
    (tmp_path / "f4.py").unlink()
    alone = embedding.embed_files(tmp_path, files, open_embedder())
    assert [place for place, rows in enumerate(alone) if rows is None] == [3, 4]
    shared = [pair for batch in embedding.embed_in_workers(tmp_path, files, workers=2) for pair in batch]
    assert [file for file, _ in shared] == files
    for one, (_, other) in zip(alone, shared, strict=True):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert one.shape == (2, 256)
            assert other == pytest.approx(one, abs=1e-5)


def test_a_process_that_ends_is_told_of(
    tmp_path: Path, files: list[embedding.FileChunks], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHOME", str(tmp_path / "nowhere"))  # a Python that cannot start
    with pytest.raises(StorageError, match="a process that embeds ended"):
        list(embedding.embed_in_workers(tmp_path, files, workers=1))
