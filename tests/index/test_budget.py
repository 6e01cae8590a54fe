"""Indexing is bounded by content: what costs more than its length is kept as text, and that is said."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from bench.hostile.families import hostile_file
from bench.hostile.spellings import SPELLINGS

from bottega.index.analyse import Depth
from bottega.index.analyse.budget import (
    DEEPEST_BRACKETS,
    DEEPEST_DEFINITIONS,
    MOST_SYMBOLS,
    OverBudgetError,
    check_brackets,
    compute_time_limit,
)
from bottega.index.analyse.chunks import cut_chunks
from bottega.index.analyse.comments import detect_style, strip_marks
from bottega.index.analyse.file import analyse
from bottega.index.analyse.imports import read_imports
from bottega.index.analyse.prose import find_sections
from bottega.index.readers import ReadTask, read_files
from bottega.source.words import identifiers, read_identifier

from .trees import ask, bottega, differences, refreshed, settled, write

PARSED = [spelling.language for spelling in SPELLINGS if spelling.language not in {"Markdown", "SQL"}]
SIZE = 40_000


def index_hostile(root: Path, family: str, language: str, size: int = SIZE) -> str:
    """Index one hostile file; return its path."""
    tree = hostile_file(family, language, size)
    assert tree is not None
    write(root, tree.files)
    refreshed(root)
    return next(iter(tree.files))


def edges(root: Path) -> int:
    return int(ask(root, "SELECT count(*) FROM edges")[0][0])


@pytest.mark.parametrize("language", ["Python", "C#", "JavaScript", "Go", "C", "Ruby", "PHP", "Haskell", "Bash", "SQL"])
def test_equal_names_give_edges_as_their_sum_and_not_as_their_product(root: Path, language: str) -> None:
    index_hostile(root, "equal definitions and uses", language)
    symbols = int(ask(root, "SELECT count(*) FROM symbols")[0][0])
    assert symbols > 500
    assert edges(root) <= 4 * symbols


@pytest.mark.parametrize("language", ["Go", "Rust", "Zig", "Swift"])
def test_equal_members_give_edges_as_their_sum(root: Path, language: str) -> None:
    index_hostile(root, "equal members", language)
    symbols = int(ask(root, "SELECT count(*) FROM symbols")[0][0])
    assert edges(root) <= 17 * symbols


def test_a_name_with_too_many_meanings_has_one_ambiguous_edge(root: Path) -> None:
    types = "".join(f"class T{number} {{ public static void same() {{}} }}\n" for number in range(40))
    write(root, {"b.h": types, "a.cpp": '#include "b.h"\nvoid user() { same(); }\n'})
    refreshed(root)
    found = ask(root, "SELECT how, confidence FROM edges WHERE kind = 'calls' AND source_symbol > 0")
    assert len(found) <= 1
    assert all(how == "ambiguous" and confidence < 0.05 for how, confidence in found)


def test_a_few_definitions_of_one_name_are_all_meant(root: Path) -> None:
    overloads = "".join(f"  void Add(T{number} a) {{}}\n" for number in range(5))
    write(root, {"a.cs": f"class Basket {{\n{overloads}  void Fill() {{ Add(1); }}\n}}\n"})
    refreshed(root)
    found = ask(root, "SELECT how, confidence FROM edges WHERE kind = 'calls'")
    assert found == [("same file", 0.95)] * 5


@pytest.mark.parametrize("language", PARSED)
@pytest.mark.parametrize("family", ["open parentheses", "nested calls"])
def test_deep_brackets_are_kept_as_text_before_they_are_parsed(family: str, language: str) -> None:
    tree = hostile_file(family, language, SIZE)
    assert tree is not None
    (content,) = tree.files.values()
    with pytest.raises(OverBudgetError, match=f"brackets nest more than {DEEPEST_BRACKETS} deep"):
        analyse(content.decode(), language)
    assert analyse(content.decode(), language, as_text=True).depth is Depth.TEXT


def test_brackets_that_close_again_are_counted_by_their_depth() -> None:
    check_brackets(b"f(a[0], {1: (2)})\n" * 100_000)
    check_brackets(b")]}" * 100_000)
    check_brackets(b")" * 1000 + b"(" * DEEPEST_BRACKETS)
    with pytest.raises(OverBudgetError):
        check_brackets(b")" * 1000 + b"(" * (DEEPEST_BRACKETS + 1))


def test_definitions_that_nest_too_deeply_are_over_the_budget() -> None:
    depth = DEEPEST_DEFINITIONS + 2
    text = "".join(f"class K{level}\n" for level in range(depth)) + "end\n" * depth
    with pytest.raises(OverBudgetError, match="definitions nest"):
        analyse(text, "Ruby")
    assert analyse(text.replace("K0", "L"), "Ruby", as_text=True).depth is Depth.TEXT


def test_more_definitions_than_a_person_writes_are_over_the_budget() -> None:
    with pytest.raises(OverBudgetError, match="more than 50,000 definitions"):
        analyse("f(){ :;}\n" * (MOST_SYMBOLS + 1), "Bash")


def test_a_file_kept_as_text_is_found_by_its_words_and_named_everywhere(root: Path) -> None:
    write(root, {"deep.py": "wombat = " + "(" * 2000 + "\n", "good.py": "def badger(): pass\n"})
    ended = bottega(root, "index")
    assert "bottega: 1 file kept as text, without symbols: deep.py (" in ended.err
    assert "deep.py:1-1" in bottega(root, "search", "wombat").out
    again = json.loads(bottega(root, "index", "--format", "json").out)
    assert again["kept_as_text"] == [["deep.py", "brackets nest more than 500 deep"]]
    stats = bottega(root, "stats")
    assert "kept as text, over the budget of one file: 1\n  deep.py: brackets nest more than 500 deep\n" in stats.out
    told = json.loads(bottega(root, "stats", "--format", "json").out)
    assert told["kept_as_text"] == [["deep.py", "brackets nest more than 500 deep"]]


def test_what_is_kept_as_text_is_the_same_after_a_change_as_after_a_rebuild(root: Path) -> None:
    deep = "wombat = " + "(" * 2000 + "\n"
    write(root, {"a.py": deep, "b.py": "def badger(): pass\n", "c.py": "from b import badger\nbadger()\n"})
    settled(root)
    write(root, {"b.py": deep, "a.py": "def badger(): pass\n"})
    settled(root)
    assert differences(root) == ""
    write(root, {"b.py": "def badger(): pass\n"})
    settled(root)
    assert differences(root) == ""


def test_equal_names_resolve_the_same_after_a_change_as_after_a_rebuild(root: Path) -> None:
    many = "".join(
        f"class T{number}:\n    def same(self): self.same()\n\n\ndef same(): same()\n" for number in range(40)
    )
    write(root, {"z.py": many, "a.py": "from z import same\nsame()\n"})
    settled(root)
    write(root, {"b.py": many, "a.py": "from b import *\nfrom z import *\nsame()\nT3.same()\n"})
    settled(root)
    assert differences(root) == ""
    write(root, {"z.py": many.replace("T3:", "T3(T2):")})
    settled(root)
    assert differences(root) == ""


def test_processor_time_beyond_the_budget_ends_only_the_grammar(root: Path) -> None:
    """The TSX grammar reads these eleven signs for ever: the watchdog of processor time ends it, not the patience."""
    write(root, {"view.tsx": "(()a<!--]]#\n", "other.tsx": "export const A = 1;\n"})
    began = time.monotonic()
    answers = list(read_files(root, [ReadTask(name, "TSX", "code") for name in ("view.tsx", "other.tsx")], workers=1))
    assert time.monotonic() - began < 25  # the patience is 30 s
    assert {answer.task.path: answer.reason for answer in answers} == {"view.tsx": "takes too long", "other.tsx": ""}


def test_the_budget_of_time_grows_with_the_file() -> None:
    assert compute_time_limit(2_000_000) > 10 * compute_time_limit(0) > 10


def test_many_headings_and_many_symbols_are_cut_in_one_sweep() -> None:
    lines = [f"{'#' * (1 + number % 6)} Title {number}\n" for number in range(40_000)]
    began = time.monotonic()
    sections = find_sections(lines)
    cut = cut_chunks(lines, sections, {})
    assert time.monotonic() - began < 20  # takes a fifth of a second; the square of it takes minutes
    assert len(sections) == 40_000
    assert sections[0].last == 6
    assert {chunk.symbol for chunk in cut.chunks} != {-1}


def test_a_section_reaches_to_the_next_heading_of_its_level() -> None:
    found = find_sections(["# A\n", "text\n", "## B\n", "## C\n", "text\n", "# D\n", "text\n"])
    assert [(s.name, s.first, s.last, s.qualified) for s in found] == [
        *(("A", 1, 5, "A"), ("B", 3, 3, "A / B"), ("C", 4, 5, "A / C"), ("D", 6, 7, "D"))
    ]


def test_blanks_in_comments_and_documentation_cost_no_square() -> None:
    began = time.monotonic()
    for _ in range(50):
        strip_marks("#" + " " * 3900 + "x")
        detect_style("Parameters" + "\n" * 3900 + "x")
    assert time.monotonic() - began < 10  # takes a hundredth of a second; the square of it takes a minute


@pytest.mark.parametrize("language", ["Java", "Go", "Lua", "Scala", "JavaScript", "Rust", "PHP", "Zig", "C", "Haskell"])
def test_hostile_import_statements_are_read_in_bounded_time(language: str) -> None:
    units = ("a", "a.", "a::{", " ", "\n", "{", "/*", ",", '"', "import ", "const a ", "#include <", "include ", "a b")
    statements = [(1, f"{start}{unit * (20_000 // len(unit))}") for unit in units for start in ("import ", "use ")]
    began = time.monotonic()
    list(read_imports(language, statements))
    assert time.monotonic() - began < 20  # takes under a second


def test_a_long_word_counts_as_several() -> None:
    assert [len(word) for word in identifiers("w" * 1000 + " short")] == [256, 256, 256, 232, 5]
    assert read_identifier("aB_9" * 60).terms


@pytest.mark.parametrize("family", ["noise", "late NULs", "invalid UTF-8", "mixed line endings", "confusables"])
@pytest.mark.parametrize("language", ["Python", "TypeScript", "C++", "Ruby", "SQL", "Markdown"])
def test_odd_bytes_are_analysed(family: str, language: str) -> None:
    tree = hostile_file(family, language, 8_000)
    assert tree is not None
    (content,) = tree.files.values()
    assert analyse(content.decode("utf-8", "replace"), language).lines > 0


def test_files_kept_as_text_are_named_on_one_line_and_only_when_they_are_new(root: Path) -> None:
    write(root, {f"deep{number}.py": "x = " + "(" * 2000 + "\n" for number in range(7)})
    ended = bottega(root, "index")
    line = "bottega: 7 files kept as text, without symbols: deep0.py, deep1.py, deep2.py and 4 more ("
    assert ended.err.count(line) == 1
    assert ended.err.count("deep") == 3
    write(root, {"good.py": "def badger(): pass\n"})
    assert "kept as text" not in bottega(root, "index").err
    write(root, {"deeper.py": "x = " + "(" * 2000 + "\n"})
    assert "1 file kept as text, without symbols: deeper.py (" in bottega(root, "index").err
    assert "… and 3 more (`bottega stats --all`)" in bottega(root, "stats").out
    assert bottega(root, "stats", "--all").out.count("brackets nest") == 8
