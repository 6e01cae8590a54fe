"""Ignore patterns of one file. `tests/index/test_ignore.py` compares their meaning with git's."""

from __future__ import annotations

import time

import pytest

from bottega.source.gitignore import MAX_PATTERNS, parse_patterns


def test_the_last_matching_pattern_decides() -> None:
    patterns = parse_patterns(b"*.log\n!keep.log\n/src/keep.log\n")
    assert patterns.match("a.log") is True
    assert patterns.match("docs/keep.log") is False
    assert patterns.match("src/keep.log") is True
    assert patterns.match("a.py") is None


def test_a_pattern_for_directories_matches_no_file() -> None:
    patterns = parse_patterns(b"build/\n")
    assert patterns.match("build/") is True
    assert patterns.match("build") is None


def test_parents_decide_only_where_they_are_asked_for() -> None:
    patterns = parse_patterns(b"made/\n!made/deep/\n!b.py\n")
    assert patterns.match("made/a.py") is None
    assert patterns.match_with_parents("made/a.py") is True
    assert patterns.match_with_parents("made/deep/a.py") is False
    assert patterns.match_with_parents("made/b.py") is False
    assert patterns.match_with_parents("src/a.py") is None


def test_a_directory_is_excluded_with_one_above_it() -> None:
    patterns = parse_patterns(b"made/\n!made/deep/\n")
    assert patterns.excludes_directory("src/made/deep/")
    assert not patterns.excludes_directory("src/")


def test_a_question_mark_matches_one_byte() -> None:
    assert parse_patterns(b"?.md").match("é.md") is None
    assert parse_patterns(b"??.md").match("é.md") is True


@pytest.mark.parametrize("line", ["", "   ", "# remark", "!", "/", "[a", "a\\", "a//b", "[[:nothing:]]", "a" * 2000])
def test_a_line_that_matches_nothing_leaves_the_others_in_force(line: str) -> None:
    patterns = parse_patterns(f"{line}\nx.py\n".encode())
    assert patterns.match("x.py") is True
    assert patterns.match("a") is None


def test_a_file_of_too_many_patterns_is_truncated() -> None:
    lines = [f"name{number}\n" for number in range(MAX_PATTERNS)]
    assert not parse_patterns("".join(lines).encode()).is_truncated
    patterns = parse_patterns("".join([*lines, "last\n"]).encode())
    assert patterns.is_truncated
    assert patterns.match("last") is None


def test_a_file_says_whether_a_pattern_of_it_includes() -> None:
    assert parse_patterns(b"a\n!b\n").has_inclusion
    assert not parse_patterns(b"a\nb\n").has_inclusion


@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 490 + "*b",
        "*[a]" * 200 + "*b",
        "*?" * 400 + "b",
        "**/a/" * 190 + "b",
        "a*a*a*a/**/" * 80 + "b",
        "**/" + "a/" * 450 + "b",
    ],
)
def test_no_pattern_makes_a_match_backtrack(pattern: str) -> None:
    patterns = parse_patterns(pattern.encode())
    started = time.process_time()
    for path in ("a" * 255, "a/" * 2000 + "c", f"{'a' * 255}/" * 15 + "c"):
        assert patterns.match(path) is None
    assert time.process_time() - started < 1
