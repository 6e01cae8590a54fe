from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bottega.journal import HISTORY_FIELDS, HistoryStore, Masker

from .entries import RECORD, history, record, sealed_folder


def lines(root: Path) -> list[bytes]:
    files = sorted((root / ".bottega" / "history").glob("history_*.jsonl"))
    return [line for path in files for line in path.read_bytes().split(b"\n") if line]


def prompts(found: HistoryStore) -> list[str]:
    return [entry["original_prompt"] for entry in found.newest()]


def test_a_record_has_exactly_these_fields_in_this_order(tmp_path: Path) -> None:
    history(tmp_path).append(RECORD)
    (line,) = lines(tmp_path)
    assert tuple(json.loads(line)) == HISTORY_FIELDS
    assert json.loads(line) == RECORD


@pytest.mark.parametrize(
    "wrong",
    [{}, {**RECORD, "more": 1}, dict(list(RECORD.items())[:-1]), dict(reversed(RECORD.items()))],
    ids=["nothing", "one more", "one less", "another order"],
)
def test_any_other_record_is_refused_and_nothing_is_written(tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="a history record has the fields"):
        history(tmp_path).append(wrong)
    assert not (tmp_path / ".bottega").exists()


def test_the_next_file_begins_when_one_is_full(tmp_path: Path) -> None:
    found = history(tmp_path, max_entries=3)
    for n in range(7):
        found.append(record(original_prompt=str(n)))
    folder = tmp_path / ".bottega" / "history"
    assert {path.name: path.read_text().count("\n") for path in folder.glob("*.jsonl")} == {
        "history_000001.jsonl": 3,
        "history_000002.jsonl": 3,
        "history_000003.jsonl": 1,
    }
    assert prompts(found) == ["6", "5", "4", "3", "2", "1", "0"]


def test_older_files_are_removed_beyond_the_number_to_keep(tmp_path: Path) -> None:
    found = history(tmp_path, max_entries=2, max_files=2)
    for n in range(9):
        found.append(record(original_prompt=str(n)))
    names = sorted(path.name for path in (tmp_path / ".bottega" / "history").glob("*.jsonl"))
    assert names == ["history_000004.jsonl", "history_000005.jsonl"]
    assert prompts(found) == ["8", "7", "6"]


def test_files_are_taken_by_number_and_a_persons_own_copies_are_left_alone(tmp_path: Path) -> None:
    found = history(tmp_path, max_entries=1, max_files=2)
    folder = sealed_folder(tmp_path) / "history"
    folder.mkdir()
    for name in ("history_999999.jsonl", "history_old.jsonl", "history_000001 (copy).jsonl"):
        (folder / name).write_text(json.dumps(record(original_prompt=name)) + "\n")
    found.append(record(original_prompt="new"))
    found.append(record(original_prompt="newer"))
    assert prompts(found) == ["newer", "new"]
    assert sorted(path.name for path in folder.glob("*.jsonl")) == [
        "history_000001 (copy).jsonl",
        "history_1000000.jsonl",
        "history_1000001.jsonl",
        "history_old.jsonl",
    ]


def test_the_identical_record_is_kept_once_also_when_it_filled_its_file(tmp_path: Path) -> None:
    found = history(tmp_path, max_entries=2)
    for prompt in ("a", "b", "b", "b"):
        found.append(record(original_prompt=prompt))
    assert prompts(found) == ["b", "a"]


def test_the_torn_last_line_of_a_killed_writer_swallows_nothing(tmp_path: Path) -> None:
    found = history(tmp_path)
    found.append(record(original_prompt="before"))
    path = tmp_path / ".bottega" / "history" / "history_000001.jsonl"
    path.write_bytes(path.read_bytes() + '{"ts": "2026", "mode": "é'.encode()[:-1])
    found.append(record(original_prompt="after"))
    assert prompts(found) == ["after", "before"]
    assert [line[:7] for line in lines(tmp_path)] == [b'{"ts": '] * 3


def test_a_whole_line_that_only_lacks_its_end_is_not_written_twice(tmp_path: Path) -> None:
    found = history(tmp_path)
    found.append(record())
    path = tmp_path / ".bottega" / "history" / "history_000001.jsonl"
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    found.append(record())
    found.append(record(original_prompt="next"))
    assert prompts(found) == ["next", "sort a list"]


@pytest.mark.parametrize(
    "rubbish",
    [b"{", b"null", b"[]", b'{"ts": 1}', b"\xff\xfe\x00", b"", b"[" * 100_000, b"9" * 5000, b'"' + b"\\ud800" * 9],
)
def test_lines_that_are_no_records_are_passed_over(tmp_path: Path, rubbish: bytes) -> None:
    found = history(tmp_path)
    found.append(record(original_prompt="1"))
    path = tmp_path / ".bottega" / "history" / "history_000001.jsonl"
    path.write_bytes(rubbish + b"\n" + path.read_bytes() + rubbish + b"\n")
    found.append(record(original_prompt="2"))
    assert prompts(found) == ["2", "1"]


def test_no_history_is_no_records(tmp_path: Path) -> None:
    assert list(history(tmp_path).newest()) == []


def test_a_record_of_a_megabyte_is_kept(tmp_path: Path) -> None:
    found = history(tmp_path)
    found.append(record(final_output="é" * 1_000_000))
    assert next(found.newest())["final_output"] == "é" * 1_000_000


def test_lone_surrogates_do_no_harm(tmp_path: Path) -> None:
    found = history(tmp_path)
    found.append(record(original_prompt="cut \ud83d", final_output="\udcff"))
    assert next(found.newest()) == record(original_prompt="cut \ufffd", final_output="\ufffd")


@settings(deadline=None)
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=5, unique=True))
def test_every_text_comes_back_on_one_line(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    """Among them the line separators of Unicode, which JSON leaves as they are."""
    root = tmp_path_factory.mktemp("texts")
    found = history(root)
    for n, text in enumerate([*texts, "a\u2028b\u2029c\x85d\x0be\x1cf\r\ng"]):
        found.append(record(ts=str(n), original_prompt=text))
    expected = [Masker()(text) for text in [*texts, "a\u2028b\u2029c\x85d\x0be\x1cf\r\ng"]]
    assert prompts(found) == expected[::-1]
    assert len(lines(root)) == len(expected)
