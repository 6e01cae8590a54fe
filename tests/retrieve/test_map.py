"""A map of the repository stays within its budget and shows what others lean on."""

from __future__ import annotations

from pathlib import Path

import pytest

from bottega.index import open_store
from bottega.index.snapshot import Snapshot
from bottega.retrieve.overview import repository_map
from bottega.source import estimate_tokens
from tests.retrieve.harbour import write_files
from tests.retrieve.reading import snapshot_of


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty files in a row, each using the one before it."""
    root = tmp_path_factory.mktemp("town")
    files = {"town/__init__.py": "", "town/house_0.py": "class House0:\n    def open_door_0(self):\n        return 0\n"}
    for n in range(1, 40):
        files[f"town/house_{n}.py"] = (
            f"from town.house_{n - 1} import House{n - 1}\n\n\n"
            f"class House{n}(House{n - 1}):\n    def open_door_{n}(self):\n        return self.open_door_{n - 1}()\n"
        )
    write_files(root, files)
    open_store(root).refresh(workers=1)
    return root


@pytest.mark.parametrize("tokens", [64, 100, 257, 1024, 100_000])
def test_a_map_counts_no_more_tokens_than_it_may(town: Path, tokens: int) -> None:
    with snapshot_of(open_store(town)) as snapshot:
        drawn = repository_map(snapshot, tokens=tokens)
    assert drawn.files
    assert drawn.tokens <= tokens
    assert len(drawn.files) + drawn.left_out == 41


@pytest.mark.parametrize(
    "tokens",
    [pytest.param(tokens) for tokens in (64, 65, 100_000)],
)
def test_a_map_as_printed_stays_within_its_budget(town: Path, tokens: int) -> None:
    with snapshot_of(open_store(town)) as snapshot:
        assert estimate_tokens(str(repository_map(snapshot, tokens=tokens))) <= tokens


def test_more_tokens_show_more(town: Path) -> None:
    with snapshot_of(open_store(town)) as snapshot:
        shown = [repository_map(snapshot, tokens=tokens) for tokens in (64, 200, 800, 100_000)]
    counts = [len(drawn.files) for drawn in shown]
    assert counts == sorted(set(counts))
    assert shown[-1].left_out == 0
    assert f"… and {shown[0].left_out} more files\n" in str(shown[0])
    assert "…" not in str(shown[-1])


def test_a_map_shows_code_that_others_use_and_nothing_else(snapshot: Snapshot) -> None:
    drawn = repository_map(snapshot)
    shown = {file.path: [symbol.name for symbol in file.symbols] for file in drawn.files}
    assert list(shown) == sorted(shown)
    assert not shown.keys() & {"tests/test_berths.py", "docs/mooring.md", "settings.toml"}
    assert {"ShipTooDeep", "Ship"} <= set(shown["harbour/ships.py"])
    assert "Tanker" not in shown["harbour/ships.py"]
    assert shown["harbour/tides.py"] == ["high_water", "low_water"]
    weights = {file.path: file.weight for file in drawn.files}
    assert weights["harbour/tides.py"] > weights["harbour/log.py"]


def test_a_map_of_a_folder_stays_in_it(snapshot: Snapshot) -> None:
    assert {file.path for file in repository_map(snapshot, folder="web/").files} == {"web/table.ts", "web/tide.ts"}
    assert repository_map(snapshot, folder="we").files == ()


def test_a_map_is_the_same_every_time(snapshot: Snapshot) -> None:
    assert repository_map(snapshot) == repository_map(snapshot)
    assert str(repository_map(snapshot)).splitlines().count("harbour/tides.py") == 1


def test_a_long_signature_is_cut(tmp_path: Path) -> None:
    arguments = ", ".join(f"argument_{n}" for n in range(60))
    write_files(tmp_path, {"a.py": f"def wide({arguments}):\n    return 1\n", "b.py": "from a import wide\n\nwide()\n"})
    keeper = open_store(tmp_path)
    keeper.refresh(workers=1)
    with snapshot_of(keeper) as snapshot:
        assert max(len(line) for line in str(repository_map(snapshot)).splitlines()) < 130
