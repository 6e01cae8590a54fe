"""Arrays beside the index: written whole, read by name, joined without a change of meaning."""

from __future__ import annotations

import contextlib
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bottega.errors import StorageError
from bottega.index import open_store
from bottega.index.segments.container import map_arrays, write_arrays
from bottega.index.snapshot import take_snapshot
from bottega.index.verify import digest_words
from bottega.source.words import stem, term

from .trees import ask, differences, refreshed, settled, write

NAME = "0123456789abcdef0123.seg"


@pytest.mark.parametrize("kind", ["uint8", "uint16", "uint32", "uint64", "int32", "int64", "float32"])
@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 1000])
def test_arrays_come_back_as_they_were_written(tmp_path: Path, kind: str, size: int) -> None:
    arrays = {"one": np.arange(size).astype(kind), "empty": np.zeros(0, kind), "ünï.code": np.ones(3, kind)}
    write_arrays(tmp_path / NAME, arrays)
    found = map_arrays(tmp_path / NAME)
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert found[name].tolist() == array.tolist()
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_mapped_arrays_cannot_be_written_to(tmp_path: Path) -> None:
    write_arrays(tmp_path / NAME, {"one": np.arange(3)})
    with pytest.raises(ValueError, match="read-only"):
        map_arrays(tmp_path / NAME)["one"][0] = 5


def test_a_file_that_is_replaced_does_not_disturb_those_who_read_the_old_one(tmp_path: Path) -> None:
    write_arrays(tmp_path / NAME, {"one": np.arange(5)})
    old = map_arrays(tmp_path / NAME)
    write_arrays(tmp_path / NAME, {"one": np.arange(5) * 7})
    assert old["one"].tolist() == [0, 1, 2, 3, 4]
    assert map_arrays(tmp_path / NAME)["one"].tolist() == [0, 7, 14, 21, 28]


@settings(deadline=None, derandomize=True, max_examples=200)
@given(data=st.data())
def test_a_file_of_arrays_that_was_tampered_with_is_refused_or_read_within_its_bounds(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("arrays") / NAME
    write_arrays(path, {"one": np.arange(20), "two": np.ones(9, np.uint8)})
    spoilt = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        del spoilt[data.draw(st.integers(0, len(spoilt) - 1)) :]
    else:
        for _ in range(data.draw(st.integers(1, 4))):
            spoilt[data.draw(st.integers(0, len(spoilt) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(spoilt)
    with contextlib.suppress(StorageError):
        for array in map_arrays(path).values():
            array.sum()


def spelt(header: object, rest: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return (struct.pack("<8sQ", b"bottega\x01", len(text)) + text).ljust(256, b" ") + rest


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"bottega\x01",
        b"bottega\x02" + struct.pack("<Q", 2) + b"{}",
        struct.pack("<8sQ", b"bottega\x01", 2**63) + b"{}",
        spelt([]),
        spelt(5),
        spelt({"one": None}),
        spelt({"one": ["int64", 1]}),
        spelt({"one": ["int64", 1, 0, 0]}),
        spelt({"one": ["object", 1, 0]}, b"\0" * 64),
        spelt({"one": ["int64", -1, 0]}, b"\0" * 64),
        spelt({"one": ["int64", 1, -64]}, b"\0" * 64),
        spelt({"one": ["int64", 10**9, 0]}, b"\0" * 64),
        spelt({"one": ["int64", 1, 10**9]}, b"\0" * 64),
        spelt({"one": ["int64", 1.5, 0]}, b"\0" * 64),
        spelt({"one": ["int64", 10**30, 0]}, b"\0" * 64),
        spelt({"one": [["int64"], 1, 0]}, b"\0" * 64),
        b"bottega\x01" + struct.pack("<Q", 50_000) + b"[" * 50_000,
    ],
)
def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(StorageError, match=f"^{NAME} is damaged: "):
        map_arrays(tmp_path / NAME)


def test_a_link_or_a_name_from_elsewhere_is_refused(tmp_path: Path) -> None:
    write_arrays(tmp_path / NAME, {"one": np.arange(5)})
    (tmp_path / "aaaaaaaaaaaaaaaaaaaa.seg").symlink_to(tmp_path / NAME)
    (tmp_path / "other.seg").write_bytes((tmp_path / NAME).read_bytes())
    for path in (tmp_path / "aaaaaaaaaaaaaaaaaaaa.seg", tmp_path / "other.seg", tmp_path / "x" / ".." / "other.seg"):
        with pytest.raises(StorageError):
            map_arrays(path)


def counts(root: Path, field: str, word: str) -> dict[str, int]:
    """How often files hold a term, whatever segment they lie in."""
    snapshot = take_snapshot(root, open_store(root).location)
    assert snapshot is not None
    found: dict[str, int] = {}
    for arrays, places in snapshot.parts:
        for at in np.flatnonzero(arrays[f"{field}.term"] == np.uint64(term(stem(word)))):
            low, high = arrays[f"{field}.at"][at], arrays[f"{field}.at"][at + 1]
            for document, count in zip(
                arrays[f"{field}.doc"][low:high], arrays[f"{field}.count"][low:high], strict=True
            ):
                if places[document] >= 0:
                    found[snapshot.files[places[document]].path] = int(count)
    snapshot.connection.close()
    return found


def test_words_are_counted_by_file(root: Path) -> None:
    write(root, {"a.py": "wombat = 1\nwombat = wombat\n", "b.md": "# Wombat\n\nwombats\n", "c.png": b"wombat"})
    refreshed(root)
    assert counts(root, "file", "wombat") == {"a.py": 3, "b.md": 2}
    assert counts(root, "path", "wombat") == {}


def test_words_of_changed_and_removed_files_do_not_linger(root: Path) -> None:
    write(root, {"a.py": "wombat = 1\n", "b.py": "wombat = 2\n", "c.py": "wombat = 3\n"})
    settled(root)
    write(root, {"a.py": "badger = 1\n"})
    (root / "b.py").unlink()
    refreshed(root)
    assert counts(root, "file", "wombat") == {"c.py": 1}
    assert counts(root, "file", "badger") == {"a.py": 1}
    assert differences(root) == ""


def test_joining_segments_changes_no_word(root: Path) -> None:
    """One file at a time makes a segment each, until they are joined; all at once makes one."""
    files = {f"m{n:02}.py": f"def wombat_{n}():\n    return 'badger {n % 3}'\n\n# because {n}\n" for n in range(12)}
    apart = root.parent / "apart"
    apart.mkdir()
    for path, text in files.items():
        write(apart, {path: text})
        refreshed(apart)
    write(root, files)
    refreshed(root)
    assert ask(root, "SELECT count(*) FROM segments") == [(1,)]
    digests = []
    for tree in (root, apart):
        snapshot = take_snapshot(tree, open_store(tree).location)
        assert snapshot is not None
        digests.append(digest_words(snapshot))
        snapshot.connection.close()
    assert digests[0] == digests[1]
    assert differences(apart) == ""


def test_a_segment_of_mostly_dead_files_is_rewritten(root: Path) -> None:
    write(root, {f"m{n:02}.py": f"def f{n}(): pass\n" for n in range(20)})
    settled(root)
    for n in range(12):
        (root / f"m{n:02}.py").unlink()
    refreshed(root)
    assert ask(root, "SELECT documents FROM segments") == [(8,)]
    assert differences(root) == ""


def test_segments_that_no_index_names_are_removed(root: Path) -> None:
    write(root, {"a.py": "A = 1\n"})
    settled(root)
    for turn in range(3):
        write(root, {"a.py": f"A = {turn + 2}\n"})
        refreshed(root)
    named = {name for (name,) in ask(root, "SELECT name FROM segments")}
    named |= {name for (name,) in ask(root, "SELECT value FROM meta WHERE key IN ('links', 'history')")}
    assert {path.name for path in (root / ".bottega" / "segments").iterdir()} == named
