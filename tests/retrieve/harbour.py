"""A small harbour with a past: Python, TypeScript, SQL, prose, settings and tests, in four commits."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

SHIPS = '''\
"""Ships and what they may carry."""

DEEPEST = 12


class ShipTooDeep(Exception):
    """The keel would touch the ground."""


class Ship:
    """Anything that floats and has a name."""

    def __init__(self, name, draught):
        self.name = name
        self.draught = draught

    def moor(self, berth):
        """Lay the ship alongside a berth."""
        # TODO count the mooring lines
        return berth.admit(self)


class Tanker(Ship):
    """A ship that carries oil."""

    def moor(self, berth):
        return super().moor(berth)
'''
BERTHS = '''\
"""Berths: who may lie where."""

from harbour.ships import DEEPEST, Ship, ShipTooDeep
from harbour.tides import high_water


class Berth:
    """A place at the quay."""

    def admit(self, ship):
        """Let a ship in, unless it draws too much water."""
        # Refused because the dredger comes only in spring.
        if ship.draught > DEEPEST + high_water(1):
            raise ShipTooDeep(ship.name)
        return ship.name


def find_berth(ship: Ship) -> Berth:
    """The first berth that is free."""
    return Berth()
'''
TIDES = '''\
"""The tide table."""


def high_water(day):
    """Metres above the chart at high water."""
    return 3 + day % 2


def low_water(day):
    return high_water(day) - 2
'''
LOG = '''\
"""What happened at the quay."""

from harbour.tides import low_water


def write_entry(text):
    """Append a line to the harbour log."""
    return f"{low_water(1)} {text}"
'''
TABLE = """\
/** Rows of anything. */
export class Table {
  rows: string[] = [];
  addRow(row: string): void {
    this.rows.push(row);
  }
}
"""
TIDE_TABLE = """\
import { Table } from './table';

/** Today's tides as a page shows them. */
export class TideTable extends Table {
  showTide(metres: number): void {
    this.addRow(String(metres));
  }
}
"""
SCHEMA = """\
CREATE TABLE dbo.Mooring (
  Id int PRIMARY KEY,
  ShipName varchar(80)
);

CREATE VIEW dbo.OpenMoorings AS SELECT Id FROM dbo.Mooring;
"""
TESTS = """\
from harbour.berths import Berth, find_berth
from harbour.ships import Ship


def test_a_shallow_ship_is_admitted():
    assert Berth().admit(Ship("Ada", 4)) == "Ada"


def test_a_berth_is_found():
    assert find_berth(Ship("Ada", 4))
"""
PROSE = """\
# Mooring

How a ship is moored at a berth.

## Depth

A ship that draws too much water is refused.
"""
SETTINGS = '[harbour]\nquay = "north"\ndepth = 12\n'

FILES: Mapping[str, str] = {
    "harbour/__init__.py": '"""A harbour."""\n',
    "harbour/ships.py": SHIPS,
    "harbour/berths.py": BERTHS,
    "harbour/tides.py": TIDES,
    "harbour/log.py": LOG,
    "web/table.ts": TABLE,
    "web/tide.ts": TIDE_TABLE,
    "db/schema.sql": SCHEMA,
    "tests/test_berths.py": TESTS,
    "docs/mooring.md": PROSE,
    "settings.toml": SETTINGS,
}
ISSUE = """\
Tanker is refused although there is enough water

When our tanker comes in at high water, `Berth.admit` raises and the pilot has to turn around.

```
Traceback (most recent call last):
  File "/srv/app/harbour/ships.py", line 20, in moor
    return berth.admit(self)
  File "/srv/app/harbour/berths.py", line 14, in admit
    raise ShipTooDeep(ship.name)
harbour.ships.ShipTooDeep: Ada
```

I expected it to moor.
"""


def write_files(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def build(root: Path) -> Path:
    """The harbour with its history, not yet indexed."""
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    written = {path: text for path, text in FILES.items() if path != "harbour/log.py"}
    write_files(root, {**written, "harbour/ships.py": "", "harbour/berths.py": "", "harbour/journal.py": LOG})
    commit(root, "Build the harbour", day=1)
    write_files(root, {"harbour/ships.py": "DEEPEST = 12\n", "harbour/berths.py": "class Berth:\n    pass\n"})
    commit(root, "Refuse ships that draw too much water", day=2)
    git(root, "mv", "harbour/journal.py", "harbour/log.py")
    commit(root, "Call the journal a log", day=3)
    write_files(root, FILES)
    commit(root, "Moor tankers too\n\nThe pilots asked for it.", day=4, author="Grace")
    return root


def commit(root: Path, message: str, *, day: int, author: str = "Ada") -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message, day=day, author=author)


def git(root: Path, *arguments: str, day: int = 1, author: str = "Ada") -> None:
    """Dates and names are fixed, so that hashes are too."""
    when = f"2026-03-{day:02}T12:00:00+00:00"
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(root),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (
            ("NAME", author), ("EMAIL", "harbour@example.org"), ("DATE", when))},
    }  # fmt: skip
    subprocess.run(["git", *arguments], cwd=root, env=environ, check=True, capture_output=True)
