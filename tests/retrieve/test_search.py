"""Questions of every size find their place, and say why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.index.store import IndexStore
from bottega.retrieve.search import SearchHits, SearchQuery, find_excerpt
from bottega.retrieve.search.weights import load_weights
from tests.retrieve.harbour import FILES, ISSUE, write_files
from tests.retrieve.reading import find, paths

QUESTIONS = ["high water", "find_berth", "Berth.admit", "where is a ship refused", "tide table", ISSUE]


def test_two_words_find_the_file_that_is_about_them(keeper: IndexStore) -> None:
    assert paths(find(keeper, SearchQuery("high water")).hits)[0] == "harbour/tides.py"
    assert paths(find(keeper, SearchQuery("tide table")).hits)[0] in {"web/tide.ts", "harbour/tides.py"}


@pytest.mark.parametrize(
    ("symbol", "path", "line"),
    [
        ("find_berth", "harbour/berths.py", 18),
        ("ShipTooDeep", "harbour/ships.py", 6),
        ("TideTable", "web/tide.ts", 4),
        ("write_entry", "harbour/log.py", 6),
        ("Berth.admit", "harbour/berths.py", 10),
    ],
)
def test_a_symbol_finds_its_definition(keeper: IndexStore, symbol: str, path: str, line: int) -> None:
    first = find(keeper, SearchQuery(symbol)).hits[0]
    assert first.span.path == path
    assert first.span.first <= line <= first.span.last


def test_a_whole_issue_finds_where_it_broke(keeper: IndexStore) -> None:
    found = paths(find(keeper, SearchQuery(ISSUE)).hits)
    assert set(found[:2]) == {"harbour/berths.py", "harbour/ships.py"}


def test_the_frames_of_a_traceback_count(keeper: IndexStore) -> None:
    shares = {hit.span.path: hit.shares for hit in find(keeper, SearchQuery(ISSUE)).hits}
    assert shares["harbour/berths.py"]["traceback_in_query"] > shares["harbour/ships.py"]["traceback_in_query"] > 0
    assert "traceback_in_query" not in shares["harbour/tides.py"]


def test_what_a_commit_said_leads_to_the_files_it_touched(keeper: IndexStore) -> None:
    shares = {hit.span.path: hit.shares for hit in find(keeper, SearchQuery("pilots asked")).hits}
    assert shares["harbour/ships.py"]["similar_commits"] > 0
    assert "similar_commits" not in shares.get("web/table.ts", {})


def test_a_word_in_another_form_is_the_same_word(keeper: IndexStore) -> None:
    assert "harbour/berths.py" in paths(find(keeper, SearchQuery("admitting", mode="bm25")).hits)


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda text: text[:20])
def test_every_span_exists_in_its_file(keeper: IndexStore, mode: str, question: str) -> None:
    found = find(keeper, SearchQuery(question, mode=mode)).hits
    assert found
    for hit in found:
        assert 1 <= hit.span.first <= hit.span.last <= FILES[hit.span.path].count("\n")
        assert hit.node
        assert hit.language


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda text: text[:20])
def test_the_shares_add_up_to_the_score(keeper: IndexStore, mode: str, question: str) -> None:
    for hit in find(keeper, SearchQuery(question, mode=mode)).hits:
        assert sum(hit.shares.values()) == pytest.approx(hit.score, abs=0.00005 * (len(hit.shares) + 1))


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda text: text[:20])
def test_better_places_come_first(keeper: IndexStore, mode: str, question: str) -> None:
    scores = [hit.score for hit in find(keeper, SearchQuery(question, mode=mode)).hits]
    assert scores == sorted(scores, reverse=True)


def test_a_file_is_shown_once_before_any_is_shown_twice(keeper: IndexStore) -> None:
    found = paths(find(keeper, SearchQuery("ship berth", limit=5)).hits)
    assert len(found) == len(set(found)) == 5


@pytest.mark.parametrize("limit", [1, 3, 1000])
def test_no_more_places_than_asked_for(keeper: IndexStore, limit: int) -> None:
    found = find(keeper, SearchQuery("ship", limit=limit)).hits
    assert 1 <= len(found) <= limit
    assert found == find(keeper, SearchQuery("ship", limit=1000)).hits[:limit]


@pytest.mark.parametrize("question", ["find berth", "admit a ship", "shallow ship admitted"])
def test_tests_stand_behind_code(keeper: IndexStore, question: str) -> None:
    found = paths(find(keeper, SearchQuery(question)).hits)
    assert found.index("harbour/berths.py") < found.index("tests/test_berths.py")


def test_tests_stand_back_no_longer_when_they_are_asked_for(keeper: IndexStore) -> None:
    plain, asked = (find(keeper, SearchQuery(text)).hits for text in ("shallow ship", "tests of a shallow ship"))
    before, after = (next(hit for hit in found if hit.span.path == "tests/test_berths.py") for found in (plain, asked))
    assert before.shares["test_penalty"] < 0
    assert "test" not in after.shares
    assert asked.index(after) < plain.index(before)


def test_the_whole_name_of_a_test_finds_it(keeper: IndexStore) -> None:
    assert paths(find(keeper, SearchQuery("test_a_shallow_ship_is_admitted")).hits)[0] == "tests/test_berths.py"


def test_prose_and_settings_come_when_they_are_asked_for(keeper: IndexStore) -> None:
    assert paths(find(keeper, SearchQuery("mooring depth documentation")).hits)[0] == "docs/mooring.md"
    assert paths(find(keeper, SearchQuery("quay settings toml")).hits)[0] == "settings.toml"
    assert paths(find(keeper, SearchQuery("mooring depth")).hits)[0] != "docs/mooring.md"


@pytest.mark.parametrize("language", ["TypeScript", "typescript", "ts"])
def test_only_files_of_a_language(keeper: IndexStore, language: str) -> None:
    assert set(paths(find(keeper, SearchQuery("table", language=language)).hits)) == {"web/table.ts", "web/tide.ts"}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("web", {"web/table.ts", "web/tide.ts"}),
        ("./web/", {"web/table.ts", "web/tide.ts"}),
        ("web/tide.ts", {"web/tide.ts"}),
        ("*.ts", {"web/table.ts", "web/tide.ts"}),
        ("*/ti*", {"web/tide.ts", "harbour/tides.py"}),
    ],
)
def test_only_places_below_a_path(keeper: IndexStore, place: str, expected: set[str]) -> None:
    assert set(paths(find(keeper, SearchQuery("tide table", path=place)).hits)) == expected


def test_a_place_is_a_whole_name_and_not_its_beginning(keeper: IndexStore) -> None:
    with pytest.raises(InputError, match="no indexed file is at 'we'"):
        find(keeper, SearchQuery("tide table", path="we"))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("test", {"tests/test_berths.py"}),
        ("docs", {"docs/mooring.md"}),
        ("config", {"settings.toml"}),
        ("code", {path for path in FILES if path.endswith((".py", ".ts", ".sql")) and not path.startswith("tests/")}),
    ],
)
def test_only_files_of_a_role(keeper: IndexStore, kind: str, expected: set[str]) -> None:
    found = set(paths(find(keeper, SearchQuery("ship depth", kind=kind, limit=50)).hits))
    assert found
    assert found <= expected


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize("kind", ["class", "function", "method"])
def test_only_symbols_of_a_kind_each_by_its_own_lines(keeper: IndexStore, mode: str, kind: str) -> None:
    found = find(keeper, SearchQuery("ship berth water", mode=mode, kind=kind)).hits
    assert {hit.kind for hit in found} == {kind}
    assert len({(hit.span.path, hit.span.first, hit.symbol) for hit in found}) == len(found)
    for hit in found:
        opening = FILES[hit.span.path].split("\n")[hit.span.first - 1]
        assert hit.symbol.split(".")[-1] in opening


def test_filters_hold_together(keeper: IndexStore) -> None:
    found = find(keeper, SearchQuery("water", language="python", path="harbour", kind="function")).hits
    assert {hit.symbol for hit in found} >= {"high_water", "low_water"}
    assert all(hit.span.path.startswith("harbour/") and hit.language == "Python" for hit in found)


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
def test_a_filter_that_leaves_nothing_finds_nothing(keeper: IndexStore, mode: str) -> None:
    assert find(keeper, SearchQuery("ship", mode=mode, language="rust")).hits == ()


def test_a_word_that_stands_nowhere_finds_nothing_by_words(keeper: IndexStore) -> None:
    assert find(keeper, SearchQuery("zzyzx", mode="bm25")).hits == ()


def test_a_word_that_stands_nowhere_finds_nothing(keeper: IndexStore) -> None:
    assert find(keeper, SearchQuery("zzyzx")).hits == ()


@pytest.mark.parametrize("text", ["", "   ", "\n\t\n"])
def test_an_empty_question_is_refused(keeper: IndexStore, text: str) -> None:
    with pytest.raises(InputError, match="nothing to search for"):
        find(keeper, SearchQuery(text))


@pytest.mark.parametrize("text", ["!!!", "?", "-- ++ //", "\x00\x01"])
def test_a_question_without_words_is_refused(keeper: IndexStore, text: str) -> None:
    with pytest.raises(InputError):
        find(keeper, SearchQuery(text))


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (SearchQuery("ship", mode="magic"), "there is no mode 'magic'"),
        (SearchQuery("ship", fusion="magic"), "there is no fusion 'magic'"),
        (SearchQuery("ship", language="klingon"), "'klingon' is not a language known here"),
        (SearchQuery("ship " * 100_000), "the query has 499,999 characters; at most 200,000 are read"),
        pytest.param(
            SearchQuery("ship", kind="banana"),
            "banana",
        ),
    ],
    ids=["mode", "fusion", "language", "length", "kind"],
)
def test_what_cannot_be_searched_for_is_refused_with_a_hint(
    keeper: IndexStore, order: SearchQuery, message: str
) -> None:
    with pytest.raises(InputError) as refused:
        find(keeper, order)
    assert message in str(refused.value)
    assert refused.value.hint


def test_the_longest_question_is_answered(keeper: IndexStore) -> None:
    assert find(keeper, SearchQuery(("high water " * 20_000)[:200_000])).hits


@pytest.mark.parametrize(
    "text",
    ["' OR 1=1 --", "%s{}$(x)`y`", "\u202eship", "船を係留する", "a" * 5000, "ship\x00berth", "\ud800 ship"],
)
def test_strange_questions_are_questions(keeper: IndexStore, text: str) -> None:
    assert isinstance(find(keeper, SearchQuery(text)), SearchHits)


def test_the_excerpt_shows_the_lines_that_speak_of_the_question(keeper: IndexStore) -> None:
    question = "refused because the dredger comes in spring"
    first = find(keeper, SearchQuery(question)).hits[0]
    shown = find_excerpt(keeper.root, first, question)
    assert len(shown) <= 3
    assert (12, "        # Refused because the dredger comes only in spring.") in shown
    lines = FILES[first.span.path].split("\n")
    assert all(lines[number - 1] == line for number, line in shown)


def test_the_excerpt_of_a_file_that_is_gone_is_empty(fresh: IndexStore) -> None:
    first = find(fresh, SearchQuery("TideTable")).hits[0]
    (fresh.root / first.span.path).unlink()
    assert find_excerpt(fresh.root, first, "TideTable") == []


def test_a_file_that_came_and_one_that_went_are_noticed(fresh: IndexStore) -> None:
    write_files(fresh.root, {"harbour/pilots.py": "def call_pilot(ship):\n    return ship\n"})
    (fresh.root / "web/tide.ts").unlink()
    fresh.refresh(workers=1)
    assert paths(find(fresh, SearchQuery("call_pilot")).hits)[0] == "harbour/pilots.py"
    assert "web/tide.ts" not in paths(find(fresh, SearchQuery("TideTable", limit=50)).hits)


def test_an_answer_says_how_fresh_it_is(fresh: IndexStore) -> None:
    write_files(fresh.root, {"harbour/pilots.py": "x = 1\n"})
    fresh.refresh(workers=1)
    fresh_now = find(fresh, SearchQuery("ship")).freshness
    assert (fresh_now.branch, fresh_now.dirty, fresh_now.dirty_count) == ("main", ("harbour/pilots.py",), 1)
    assert (fresh_now.files, fresh_now.ranked) == (len(FILES) + 1, len(FILES) + 1)
    assert fresh_now.is_current
    assert fresh_now.coverage["Python"].parsed == 7
    assert fresh_now.coverage["TOML"].as_text == 1
    assert "1 file differs from it" in str(fresh_now)


def test_every_signal_is_explained_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
    table = page.partition("| signal |")[2].partition("\n## ")[0]
    explained = set(re.findall(r"`([a-z_]+[a-z])`", table))
    assert explained == {*load_weights("short"), *load_weights("long")}
