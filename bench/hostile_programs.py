"""Hostile programs, read from `bench/hostile/*.txt`: a heading `=== group | name | how it must end`, then the program.

`bench/attack_sandbox.py` runs all of them, the tests some.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "hostile"
_HEADING = re.compile(r"^=== (.+?) \| (.+?) \| (\w+)\n", re.M)


@dataclass(frozen=True, slots=True)
class Attack:
    """A program that prints BREACH where a wall gives way.

    `ends` says how it must end: by `itself` (refused, out of room), by the `clock`, by an `overrun` limit, or `any`.
    Of a solution, that it `fails`.
    """

    group: str
    name: str
    ends: str
    code: str


def read_attacks(name: str) -> list[Attack]:
    _, *parts = _HEADING.split((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    fields = zip(parts[0::4], parts[1::4], parts[2::4], parts[3::4], strict=True)
    return [Attack(group, title, ends, code) for group, title, ends, code in fields]


SANDBOX_ATTACKS = read_attacks("sandbox")
LAYER_ATTACKS = read_attacks("layer")
"""Run in a layer over a project, whose path is the second argument."""
SOLUTION_ATTACKS = read_attacks("solutions")
"""Code that does not do what `double(n)` is to do, and would like to pass its tests."""
