"""Text is text: no NUL and no other control character in files, pages, help and settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bottega.cli import COMMANDS
from tests.cli.bottega import run

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "docs", "examples", "tests", "bench", "tools", "requirements", ".ci")
SUFFIXES = {".md", ".py", ".toml", ".yaml", ".yml", ".json", ".jsonl", ".sql", ".scm", ".css", ".js", ".html", ".txt"}
# Input that must be refused because of its characters.
REFUSED = ROOT / "tests" / "pipeline" / "refused"
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


def _list_texts() -> list[Path]:
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    top = [path for path in ROOT.iterdir() if path.suffix in SUFFIXES]
    hidden = {".bottega", "__pycache__"}
    chosen = [path for path in (*inside, *top) if not hidden & set(path.parts) and REFUSED not in path.parents]
    return [path for path in chosen if path.is_file()] + [ROOT / "Makefile", ROOT / "LICENSE", ROOT / "NOTICE"]


def _find_control(content: bytes) -> str:
    found = _CONTROL.search(content)
    if found is None:
        return ""
    line = content.count(b"\n", 0, found.start()) + 1
    return f"line {line}: {found.group()!r}"


def test_no_text_file_of_the_repository_holds_a_control_character() -> None:
    texts = _list_texts()
    assert len(texts) > 500
    assert {str(path): _find_control(path.read_bytes()) for path in texts if _find_control(path.read_bytes())} == {}


def test_no_page_holds_one_as_it_is_printed(tmp_path: Path) -> None:
    pages = [line.split()[0] for line in run("docs", cwd=tmp_path).out.splitlines() if line.startswith("  ")]
    assert len(pages) > 50
    for page in pages:
        shown = run("docs", page, cwd=tmp_path)
        assert (shown.code, _find_control(shown.out.encode())) == (0, ""), page


@pytest.mark.parametrize("verb", ["", *COMMANDS])
def test_no_help_holds_one(tmp_path: Path, verb: str) -> None:
    shown = run(*([verb] if verb else []), "--help", cwd=tmp_path)
    assert (shown.code, _find_control(shown.out.encode())) == (0, "")


def test_no_manual_page_holds_one(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    run("completion", "install", cwd=tmp_path)
    for page in (tmp_path / "home").rglob("*.1"):
        assert _find_control(page.read_bytes()) == "", page
