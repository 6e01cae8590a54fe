"""The pages of the documentation: where they are, and the sections that list them by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bottega.cli.commands import COMMANDS, GROUPS
from bottega.errors import StorageError

SECTIONS: Mapping[str, Sequence[str]] = {
    "Start": ("quickstart", "install", "terminal", "glossary"),
    **{group: tuple(commands) for group, commands in GROUPS.items()},
    "Extend": ("gallery", "prompts", "extending", "testing"),
    "Reference": ("settings", "errors", "sandbox", "security"),
    "How well it works": (
        "benchmarks",
        "embedder",
        "transcript",
        "ask-transcript",
        "review-transcript",
        "investigate-transcript",
    ),
    "Project": ("changelog", "frictions", "architecture"),
}
"""Pages by task. Pages in a folder, such as `decisions/`, are a section of their own."""

# Files of the checkout that the wheel has among its pages.
_BESIDE = {"changelog": "CHANGELOG.md"}
# Projects for the examples of the pages, no pages themselves.
_EXAMPLES = "examples"


def find_pages() -> dict[str, Path]:
    """Every page by its name: `search`, `decisions/0006-the-index`. Raise `StorageError` when there are none."""
    package = Path(__file__).parents[1]
    for folder in (package / "docs", package.parents[1] / "docs"):
        if (folder / "quickstart.md").is_file():
            return _list_pages(folder)
    raise StorageError("the pages are not part of this installation", hint="Install the wheel, which has them.")


def _list_pages(folder: Path) -> dict[str, Path]:
    pages = {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.md")}
    beside = {name: folder.parent / file for name, file in _BESIDE.items() if (folder.parent / file).is_file()}
    return {name: path for name, path in sorted((beside | pages).items()) if not name.startswith(f"{_EXAMPLES}/")}


def arrange_pages(names: Sequence[str]) -> dict[str, list[str]]:
    """The names by section; what no section lists comes last, by folder."""
    sections = {title: [name for name in listed if name in names] for title, listed in SECTIONS.items()}
    placed = {name for listed in sections.values() for name in listed}
    for name in names:
        if name not in placed:
            folder = name.rpartition("/")[0]
            sections.setdefault(folder.capitalize() or "More", []).append(name)
    return {title: listed for title, listed in sections.items() if listed}


def read_title(name: str, path: Path) -> str:
    """What a list says about a page: the help of its verb, or its heading."""
    if name in COMMANDS:
        return COMMANDS[name].help
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").strip().replace("`", "")
