"""How long functions and files may be: the tail is what makes code hard to read (CONTRIBUTING)."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = sorted((Path(__file__).parents[2] / "src").rglob("*.py"))
LONGEST_FUNCTION, LONG_FILE = 60, 220


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{file.name}:{node.lineno} {node.name}"
        for file in SOURCE
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno >= LONGEST_FUNCTION
    ]
    assert long == []


def test_nine_files_of_ten_are_short() -> None:
    lengths = sorted(file.read_text(encoding="utf-8").count("\n") for file in SOURCE)
    assert lengths[int(0.9 * len(lengths))] <= LONG_FILE
