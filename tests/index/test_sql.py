"""What is read of SQL scripts beyond the small repository in `languages/sql`."""

from __future__ import annotations

import time

import pytest

from bottega.index.analyse import sql

HOSTILE = {
    "blanks after GO": "GO" + " " * 100_000 + "x",
    "blanks before a semicolon": "GO" + " " * 50_000 + ";" + " " * 50_000 + "x",
    "blanks in a comment": "/*\n" + " " * 100_000 + "x*/",
    "open subqueries": "SELECT * FROM " + "(SELECT * FROM " * 20_000,
    "open joins": "SELECT * FROM " + "(a JOIN " * 20_000,
    "open comments": "/*" * 50_000,
    "dollar quotes": "".join(f"$a{number}$ " for number in range(20_000)),
    "heads without a kind": "CREATE OR REPLACE " * 10_000,
    "delimiters": "DELIMITER $\n" * 5_000,
}


def definitions(text: str) -> list[tuple[str, str]]:
    return [(symbol.kind, symbol.qualified) for symbol in sql.read(text).outline.symbols if symbol.kind != "column"]


def uses(text: str) -> list[tuple[str, str]]:
    return [(use.kind, f"{use.receiver}.{use.name}".lstrip(".")) for use in sql.read(text).references]


def test_a_quoted_name_may_begin_with_an_at_sign() -> None:
    assert definitions("CREATE FUNCTION tSQLt.[@tSQLt:Skip]() RETURNS TABLE AS RETURN SELECT 1 AS a;\nGO\n") == [
        ("procedure", "tSQLt.@tSQLt:Skip")
    ]


@pytest.mark.parametrize("name", ["#rows", "[#rows]", "@rows", '""'])
def test_temporary_tables_variables_and_empty_names_are_no_definitions(name: str) -> None:
    assert definitions(f"CREATE TABLE {name} (id INT);") == []
    assert uses(f"INSERT INTO {name} VALUES (1);") == []


def test_a_write_to_a_temporary_table_renames_no_other_use() -> None:
    text = "UPDATE #rows SET a = 1 FROM dbo.Invoice AS i JOIN dbo.Line AS #rows ON 1 = 1;"
    assert uses(text) == [("read", "dbo.Invoice"), ("read", "dbo.Line")]


def test_statistics_refer_to_their_table_and_call_nothing() -> None:
    assert uses("CREATE STATISTICS total ON dbo.Invoice (Total);") == [("type", "dbo.Invoice")]


@pytest.mark.parametrize("text", ["CREATE TABLE b (LIKE a INCLUDING ALL);", "CREATE TABLE `b` LIKE `a`;"])
def test_a_table_like_another_refers_to_it(text: str) -> None:
    assert uses(text) == [("type", "a")]


def test_a_comparison_with_like_refers_to_nothing() -> None:
    assert uses("SELECT 1 FROM a WHERE name LIKE pattern;") == [("read", "a")]


def test_a_temporal_table_refers_to_its_history() -> None:
    text = "CREATE TABLE dbo.Price (Id INT) WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = [dbo].[Price_Archive]));"
    assert uses(text) == [("type", "dbo.Price_Archive")]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_scripts_are_read_in_linear_time(text: str) -> None:
    started = time.process_time()
    sql.read(text)
    assert time.process_time() - started < 5
