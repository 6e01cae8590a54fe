"""Every question that may be asked of the index, over a small repository with a past."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

import pytest

from bottega.errors import InputError
from bottega.index.database import NAME
from bottega.index.knowledge import CoChange, DefinedAt, Dependency, KnowledgeBase, SymbolRow
from bottega.index.store import IndexStore
from bottega.source import Span
from tests.retrieve.harbour import FILES
from tests.retrieve.reading import snapshot_of


def _file(base: KnowledgeBase, path: str) -> int:
    found = base.get_file_by_path(path)
    assert found is not None
    return found.id


def _symbol(base: KnowledgeBase, node: str) -> SymbolRow:
    (found,) = base.get_symbols_by_node(node)
    return found


def test_files_are_listed_by_path(base: KnowledgeBase) -> None:
    assert [file.path for file in base.get_files()] == sorted(FILES)


def test_files_of_one_language_are_listed_whatever_its_case(base: KnowledgeBase) -> None:
    assert [file.path for file in base.get_files("typescript")] == ["web/table.ts", "web/tide.ts"]
    assert base.get_files("TypeScript") == base.get_files("typescript")
    assert base.get_files("COBOL") == []


def test_a_file_knows_what_it_is(base: KnowledgeBase) -> None:
    file = base.get_file_by_path("harbour/berths.py")
    assert file is not None
    assert (file.language, file.role, file.module) == ("Python", "code", "harbour.berths")
    text = FILES["harbour/berths.py"]
    assert (file.size, file.lines) == (len(text), text.count("\n"))
    assert base.get_file_by_id(file.id) == file


def test_a_file_that_is_not_there_is_none(base: KnowledgeBase) -> None:
    assert base.get_file_by_path("harbour/nowhere.py") is None
    assert base.get_file_by_path("harbour/journal.py") is None
    assert base.get_file_by_id(10_000) is None
    assert base.get_file_context(10_000) is None
    assert base.get_co_change_neighbors(10_000) == []
    assert base.get_recent_commits_for_file(10_000) == []


def test_symbols_of_a_file_stand_in_their_order(base: KnowledgeBase) -> None:
    found = base.get_symbols_for_file(_file(base, "harbour/berths.py"))
    assert [(s.kind, s.qualified, s.first, s.last) for s in found] == [
        ("class", "Berth", 7, 15),
        ("method", "Berth.admit", 10, 15),
        ("function", "find_berth", 18, 20),
    ]
    assert found[1].parent_id == found[0].id
    assert found[2].parent_id is None


def test_symbols_of_one_kind_are_listed(base: KnowledgeBase) -> None:
    file = _file(base, "harbour/ships.py")
    assert [s.name for s in base.get_symbols_for_file(file, "class")] == ["ShipTooDeep", "Ship", "Tanker"]
    assert base.get_symbols_for_file(file, "view") == []


def test_a_symbol_prints_its_place(base: KnowledgeBase) -> None:
    symbol = _symbol(base, "python:harbour.berths.find_berth|FUNCTION")
    assert symbol.signature == "def find_berth(ship: Ship) -> Berth:"
    assert symbol.span == Span("harbour/berths.py", 18, 20)
    assert base.get_symbol(symbol.id) == symbol
    assert base.get_symbol(0) is None


def test_names_are_found_by_a_part_of_them_whole_names_first(base: KnowledgeBase) -> None:
    found = [symbol.name for symbol in base.search_symbols_by_name("ship")]
    assert found == ["Ship", "ShipName", "ShipTooDeep", "test_a_shallow_ship_is_admitted"]
    assert len(base.search_symbols_by_name("ship", limit=2)) == 2


@pytest.mark.parametrize("pattern", ["%", "sh%p", "high\\water", "' OR 1=1 --"])
def test_signs_of_sql_in_a_name_mean_themselves(base: KnowledgeBase, pattern: str) -> None:
    assert base.search_symbols_by_name(pattern) == []


def test_an_underscore_in_a_name_is_an_underscore(base: KnowledgeBase) -> None:
    found = base.search_symbols_by_name("h_w")
    assert [symbol.name for symbol in found] == ["high_water"]


def test_a_node_leads_to_its_places(base: KnowledgeBase) -> None:
    assert _symbol(base, "dbo.Mooring|TABLE").path == "db/schema.sql"
    assert base.get_symbols_by_node("python:nothing|TYPE") == []


@pytest.mark.parametrize(
    ("line", "innermost"), [(1, None), (3, "DEEPEST"), (10, "Ship"), (14, "Ship.__init__"), (16, "Ship"), (99, None)]
)
def test_the_innermost_symbol_around_a_line_is_found(base: KnowledgeBase, line: int, innermost: str | None) -> None:
    found = base.get_symbol_at("harbour/ships.py", line)
    assert (found.qualified if found else None) == innermost


def test_what_uses_a_symbol_and_what_it_uses(base: KnowledgeBase) -> None:
    admit = _symbol(base, "python:harbour.berths.Berth.admit|METHOD")
    callers = base.get_symbol_neighbors(admit.id, "callers")
    assert {n.symbol.qualified for n in callers if n.symbol} == {"Ship.moor", "test_a_shallow_ship_is_admitted"}
    callees = base.get_symbol_neighbors(admit.id, "callees")
    assert [(n.kind, n.symbol.name if n.symbol else "", n.line, n.path) for n in callees] == [
        ("refers", "DEEPEST", 13, "harbour/ships.py"),
        ("calls", "ShipTooDeep", 14, "harbour/ships.py"),
        ("calls", "high_water", 13, "harbour/tides.py"),
    ]
    assert all(0 < neighbour.confidence <= 1 for neighbour in callers + callees)


def test_surer_neighbours_come_first(base: KnowledgeBase) -> None:
    admit = _symbol(base, "python:harbour.berths.Berth.admit|METHOD")
    sure = [neighbour.confidence for neighbour in base.get_symbol_neighbors(admit.id, "callees")]
    assert sure == sorted(sure, reverse=True)


def test_neighbours_are_narrowed_to_some_kinds(base: KnowledgeBase) -> None:
    tanker = _symbol(base, "python:harbour.ships.Tanker|TYPE")
    (found,) = base.get_symbol_neighbors(tanker.id, "callees", ["inherits"])
    assert found.symbol == _symbol(base, "python:harbour.ships.Ship|TYPE")
    assert base.get_symbol_neighbors(tanker.id, "callees", ["reads"]) == []


def test_definitions_are_found_by_their_whole_names_tests_left_out(base: KnowledgeBase) -> None:
    found = base.get_definitions(["Ship", "moor", "test_a_berth_is_found", "nothing"])
    moors = {base.get_symbol(number) for number in found["moor"]}
    assert {symbol.qualified for symbol in moors if symbol} == {"Ship.moor", "Tanker.moor"}
    assert found["Ship"] == [_symbol(base, "python:harbour.ships.Ship|TYPE").id]
    assert (found["test_a_berth_is_found"], found["nothing"]) == ([], [])
    assert base.get_definitions([]) == {}


def test_the_places_of_names_are_their_lines(base: KnowledgeBase) -> None:
    found = base.get_definition_lines(["find_berth", "test_a_berth_is_found", "ship"])
    assert found == {
        "find_berth": [DefinedAt(_file(base, "harbour/berths.py"), 18, "function", "find_berth")],
        "test_a_berth_is_found": [
            DefinedAt(_file(base, "tests/test_berths.py"), 9, "function", "test_a_berth_is_found")
        ],
        "ship": [],
    }
    assert base.get_definition_lines([]) == {}


def test_uses_from_other_files_are_added_up(base: KnowledgeBase) -> None:
    uses = base.get_symbol_uses()
    high_water = _symbol(base, "python:harbour.tides.high_water|FUNCTION").id
    low_water = _symbol(base, "python:harbour.tides.low_water|FUNCTION").id
    tanker = _symbol(base, "python:harbour.ships.Tanker|TYPE").id
    assert uses[high_water] == uses[low_water] > 0, "the call within the file does not count"
    assert tanker not in uses


def test_imports_go_both_ways(base: KnowledgeBase) -> None:
    berths = _file(base, "harbour/berths.py")
    assert [f.path for f in base.get_dependencies(berths, "imports")] == ["harbour/ships.py", "harbour/tides.py"]
    assert [f.path for f in base.get_dependencies(berths, "imported_by")] == ["tests/test_berths.py"]


@pytest.mark.parametrize("ask", ["get_symbol_neighbors", "get_dependencies"])
def test_an_unknown_direction_is_refused(base: KnowledgeBase, ask: str) -> None:
    with pytest.raises(InputError, match="'sideways' is not a direction") as refused:
        getattr(base, ask)(1, "sideways")
    assert refused.value.hint.startswith("It is ")


def test_the_subgraph_of_imports_grows_with_its_depth(base: KnowledgeBase) -> None:
    start = [_file(base, "harbour/log.py")]
    assert base.get_dependency_subgraph(start, 0) == []
    near = base.get_dependency_subgraph(start, 1)
    assert near == [Dependency("harbour/log.py", "harbour/tides.py", "imports")]
    wider = base.get_dependency_subgraph(start, 2)
    assert set(near) < set(wider)
    assert Dependency("harbour/berths.py", "harbour/tides.py", "imports") in wider
    everything = base.get_dependency_subgraph(start, 50)
    assert not any(edge.source.startswith("web/") for edge in everything)
    assert everything == sorted(set(everything))


def test_files_that_change_together_are_neighbours(base: KnowledgeBase) -> None:
    (found,) = base.get_co_change_neighbors(_file(base, "harbour/ships.py"))
    assert (found.path, found.times) == ("harbour/berths.py", 3)
    assert base.get_co_change_neighbors(_file(base, "harbour/ships.py"), min_count=4) == []
    (back,) = base.get_co_change_neighbors(_file(base, "harbour/berths.py"))
    assert back == CoChange("harbour/ships.py", 3, found.last_commit)


def test_docstrings_of_a_file_and_of_a_symbol(base: KnowledgeBase) -> None:
    found = base.get_docstrings_for_file(_file(base, "harbour/tides.py"))
    high_water = _symbol(base, "python:harbour.tides.high_water|FUNCTION")
    assert [(d.symbol_id, d.content) for d in found] == [
        (None, "The tide table."),
        (high_water.id, "Metres above the chart at high water."),
    ]
    assert base.get_docstring(high_water.id) == "Metres above the chart at high water."
    assert base.get_docstring(_symbol(base, "python:harbour.tides.low_water|FUNCTION").id) == ""


def test_comments_are_told_apart(base: KnowledgeBase) -> None:
    (todo,) = base.get_comments_for_file(_file(base, "harbour/ships.py"), "todo")
    assert (todo.line, todo.content, todo.is_rationale) == (19, "TODO count the mooring lines", False)
    assert todo.symbol_id == _symbol(base, "python:harbour.ships.Ship.moor|METHOD").id
    (why,) = base.get_rationale_comments(_file(base, "harbour/berths.py"))
    assert why.content == "Refused because the dredger comes only in spring."
    assert base.get_rationale_comments(_file(base, "harbour/ships.py")) == []


def test_commits_of_a_file_come_newest_first(base: KnowledgeBase) -> None:
    found = base.get_recent_commits_for_file(_file(base, "harbour/ships.py"))
    assert [(c.author, c.written[:10], c.message.split("\n")[0], c.files_changed) for c in found] == [
        ("Grace", "2026-03-04", "Moor tankers too", 2),
        ("Ada", "2026-03-02", "Refuse ships that draw too much water", 2),
        ("Ada", "2026-03-01", "Build the harbour", 11),
    ]
    assert len(base.get_recent_commits_for_file(_file(base, "harbour/ships.py"), 1)) == 1


def test_the_past_of_a_renamed_file_follows_it(base: KnowledgeBase) -> None:
    found = base.get_recent_commits_for_file(_file(base, "harbour/log.py"))
    assert [commit.message for commit in found] == ["Call the journal a log", "Build the harbour"]


def test_the_context_of_a_file_is_all_of_it(base: KnowledgeBase) -> None:
    number = _file(base, "harbour/berths.py")
    context = base.get_file_context(number)
    assert context is not None
    assert context.file == base.get_file_by_id(number)
    assert list(context.symbols) == base.get_symbols_for_file(number)
    assert list(context.docstrings) == base.get_docstrings_for_file(number)
    assert list(context.rationale) == base.get_rationale_comments(number)
    assert (context.imports, context.imported_by) == (
        ("harbour/ships.py", "harbour/tides.py"),
        ("tests/test_berths.py",),
    )
    assert list(context.co_changes) == base.get_co_change_neighbors(number)
    assert list(context.commits) == base.get_recent_commits_for_file(number)


def test_the_overview_counts_everything(base: KnowledgeBase) -> None:
    overview = base.get_repo_overview()
    assert (overview.files, overview.commits) == (len(FILES), 4)
    assert overview.languages == {"Python": 6, "TypeScript": 2, "Markdown": 1, "SQL": 1, "TOML": 1}
    assert overview.roles == {"code": 8, "config": 1, "docs": 1, "test": 1}
    assert overview.domains == {}
    assert overview.symbols == sum(len(base.get_symbols_for_file(file.id)) for file in base.get_files())
    counts = [count for _, count in overview.most_connected]
    assert counts == sorted(counts, reverse=True)
    assert dict(overview.most_connected).keys() >= {"harbour/ships.py", "harbour/tides.py"}
    assert "tests/test_berths.py" not in dict(overview.most_connected)


def test_tallies_add_up_to_the_overview(base: KnowledgeBase) -> None:
    overview, tallies = base.get_repo_overview(), base.get_tallies()
    assert sum(tallies["symbol_kinds"].values()) == overview.symbols
    assert sum(tallies["edge_kinds"].values()) == sum(tallies["edge_hows"].values()) == overview.edges
    assert tallies["symbol_kinds"]["class"] == 6
    assert tallies["edge_kinds"]["tests"] == 1


def _describe(keeper: IndexStore, path: str, digest: str, domain: str, concepts: Sequence[str]) -> None:
    with sqlite3.connect(keeper.location.folder / NAME) as connection:
        connection.execute(
            "INSERT INTO file_metadata VALUES (?, ?, 'Who may lie where.', 'Quay', ?, ?, '[\"Berth\"]', '', 'm', 'p')",
            (path, digest, domain, json.dumps(concepts)),
        )
    connection.close()


def test_what_a_model_wrote_is_found_by_domain_module_and_concept(fresh: IndexStore) -> None:
    with snapshot_of(fresh) as snapshot:
        file = KnowledgeBase(snapshot.connection).get_file_by_path("harbour/berths.py")
    assert file is not None
    _describe(fresh, file.path, file.hash, "Mooring", ["berth", "Draught"])
    with snapshot_of(fresh) as snapshot:
        base = KnowledgeBase(snapshot.connection)
        (found,) = base.search_files_by_metadata(domain="mooring")
        assert (found.path, found.concepts, found.public_api_surface) == (file.path, ("berth", "Draught"), ("Berth",))
        assert base.search_files_by_metadata(module="QUAY") == [found]
        assert base.search_files_by_metadata(concepts=["draught", "oil"]) == [found]
        assert base.search_files_by_metadata(domain="mooring", concepts=["oil"]) == []
        assert base.get_metadata([file.path]) == [found]
        assert base.get_metadata(["web/tide.ts"]) == []
        assert base.get_repo_overview().domains == {"Mooring": 1}


def test_what_was_written_about_an_older_content_does_not_count(fresh: IndexStore) -> None:
    _describe(fresh, "harbour/berths.py", "0" * 64, "Mooring", [])
    with snapshot_of(fresh) as snapshot:
        assert KnowledgeBase(snapshot.connection).get_metadata() == []


def test_metadata_is_asked_for_by_something(base: KnowledgeBase) -> None:
    with pytest.raises(InputError, match="name a domain, a module or concepts"):
        base.search_files_by_metadata()
    assert base.search_files_by_metadata(domain="mooring") == []


def test_the_newest_active_adapter_of_a_stage_is_found(fresh: IndexStore) -> None:
    rows = [("write.coder", "old", 1, 1), ("write.coder", "new", 2, 1), ("write.coder", "off", 3, 0)]
    with sqlite3.connect(fresh.location.folder / NAME) as connection:
        connection.executemany(
            "INSERT INTO adapter_metadata (stage_name, base_model, model_tag, version, active, deployed_at)"
            " VALUES (?, 'base', ?, ?, ?, '2026-03-01')",
            rows,
        )
    connection.close()
    with snapshot_of(fresh) as snapshot:
        base = KnowledgeBase(snapshot.connection)
        adapter = base.get_adapter_for_stage("write.coder")
        assert adapter is not None
        assert (adapter.model_tag, adapter.version, adapter.base_model) == ("new", 2, "base")
        assert base.get_adapter_for_stage("write.judge") is None


def test_the_knowledge_base_cannot_write(base: KnowledgeBase) -> None:
    with pytest.raises(sqlite3.OperationalError, match=r"readonly|read-only|query_only"):
        base._connection.execute("DELETE FROM files")
