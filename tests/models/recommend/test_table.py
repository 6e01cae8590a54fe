"""A file of one's own adds rows to the table of models; mistakes in it are named with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from bottega.errors import SettingsError
from bottega.models.recommend import find_known_model, load_table, user_table_file

ROW = """["ollama/mine:13b"]
size_gb = 8.1
context_window = 65536
licence = "MIT"
roles = ["coding", "judge"]
good_for = "our own dialect of COBOL"
source = "our model server's page"
checked = 2026-11-19
"""


def environ(tmp_path: Path, text: str) -> dict[str, str]:
    found = {"HOME": str(tmp_path)}
    file = user_table_file(found)
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return found


def test_own_rows_come_first_and_replace_ours(tmp_path: Path) -> None:
    replaced = ROW.replace("ollama/mine:13b", "ollama/gpt-oss:20b")
    table = load_table(environ(tmp_path, ROW + replaced))
    assert list(table)[:2] == ["ollama/mine:13b", "ollama/gpt-oss:20b"]
    assert table["ollama/gpt-oss:20b"].good_for == "our own dialect of COBOL"
    assert "embedded/qwen2.5-coder-1.5b" in table


def test_a_model_that_nobody_knows_is_none(tmp_path: Path) -> None:
    assert find_known_model("ollama/nobody", {"HOME": str(tmp_path)}) is None


@pytest.mark.parametrize(
    ("changed", "message", "hint"),
    [
        (("licence =", "license ="), "models.toml:4: ollama/mine:13b.license: no such key", "Did you mean licence?"),
        (("size_gb = 8.1\n", ""), "models.toml:1: ollama/mine:13b.size_gb: is required", "docs models"),
        (("8.1", '"8 GB"'), "models.toml:2: ollama/mine:13b.size_gb: input should be a valid number", "docs models"),
        (('"judge"', '"jugde"'), "models.toml:5: ollama/mine:13b.roles: input should be", "docs models"),
        (("ollama/mine:13b", "mine"), "models.toml:1: mine", "docs models"),
    ],
)
def test_mistakes_are_named_with_their_line(tmp_path: Path, changed: tuple[str, str], message: str, hint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_table(environ(tmp_path, ROW.replace(*changed)))
    assert message in str(caught.value)
    assert hint in caught.value.hint


def test_every_row_of_ours_names_its_source_and_its_day(tmp_path: Path) -> None:
    for row in load_table({"HOME": str(tmp_path)}).values():
        assert row.source
        assert row.checked.year >= 2026
