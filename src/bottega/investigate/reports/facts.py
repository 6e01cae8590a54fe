"""What a scan found, on a page: the readme, the tree map, and tables of languages, sizes, licences and the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from typing import Any

from bottega.investigate.reports.scanned import format_size
from bottega.investigate.reports.treemap import render_maps
from bottega.pages import escape_name, render_bar, render_readme, render_table

_MAX_ROWS, _MAX_GROUPS = 12, 6


def read_style() -> str:
    return (resources.files("bottega.investigate.reports") / "page.css").read_text(encoding="utf-8")


def render_readme_box(scan: Mapping[str, Any]) -> str:
    """The readme in a box of its own; "" without one, as in records of version 0.1."""
    readme = scan.get("readme")
    if not readme:
        return ""
    name = escape_name(readme["path"])
    cut = '<p class="soft">The rest is left out.</p>' if readme["is_cut"] else ""
    return (
        f'<section class="readme" aria-label="{name}"><h2>{name}</h2>'
        f'<div class="prose" tabindex="0" role="region" aria-label="Text of {name}">'
        f"{render_readme(readme['text'], readme['path'])}{cut}</div></section>"
    )


def render_map(scan: Mapping[str, Any]) -> Iterator[str]:
    drawn = render_maps(scan["cells"])
    if drawn:
        yield f'<section id="map"><h2>Sizes by directory and language</h2>{drawn}</section>'


def render_facts(scan: Mapping[str, Any]) -> Iterator[str]:
    yield '<section id="facts"><h2>Facts of the scan</h2><div class="facts">'
    yield _render_languages(scan)
    large = ((format_size(file["bytes"]), file["path"]) for file in scan["large"][:_MAX_ROWS])
    yield _render_pairs("Large files", "Size", large, scan["large_count"])
    licences = ((licence["licence"], licence["path"]) for licence in scan["licences"][:_MAX_ROWS])
    yield _render_pairs("Licences", "Licence", licences, len(scan["licences"]))
    entries = ((entry["why"], entry["path"]) for entry in scan["entry_points"][:_MAX_ROWS])
    yield _render_pairs("Entry points", "Why", entries, scan["entry_count"])
    copies = map(_describe_copies, scan["duplicates"][:_MAX_GROUPS])
    yield _render_pairs("Copies", "Wasted", copies, len(scan["duplicates"]))
    left_out = map(_describe_left_out, scan["left_out"][:_MAX_ROWS])
    yield _render_pairs("Not looked into", "Why", left_out, len(scan["left_out"]))
    yield "</div></section>"


def render_suspects(scan: Mapping[str, Any]) -> Iterator[str]:
    """Likely secrets and orders to assistants, which an investigation has as flags."""
    for title, key in (("Likely secrets", "secrets"), ("Orders to assistants", "orders")):
        lines = scan[key]
        rows = ((f"{line['kind']}{' (test)' if line['is_test'] else ''}", _name_place(line)) for line in lines)
        yield _render_pairs(title, "Kind", rows, scan["secret_count"] if key == "secrets" else len(lines))


def _render_languages(scan: Mapping[str, Any]) -> str:
    if not scan["languages"]:
        return ""
    most = max(row["code"] for row in scan["languages"]) or 1
    rows = (
        (
            escape_name(row["language"]),
            *(f"{row[name]:,}" for name in ("files", "code", "comment", "blank")),
            render_bar(row["code"] / most, ""),
        )
        for row in scan["languages"][:_MAX_ROWS]
    )
    head = ("Language", "Files", "Code", "Comment", "Blank", "")
    table = render_table("Languages with their lines", head, rows, numbers=(1, 2, 3, 4))
    rest = _count_rest(len(scan["languages"]), _MAX_ROWS)
    return f"<section><h3>Languages</h3>{table}{rest}</section>"


def _render_pairs(title: str, what: str, pairs: Iterable[tuple[str, str]], count: int = 0) -> str:
    """A table of pairs, and how many of `count` it leaves out."""
    rows = [(escape_name(left), f"<code>{escape_name(right)}</code>") for left, right in pairs]
    table = f"{render_table(title, (what, 'Path'), rows)}{_count_rest(count, len(rows))}"
    return f"<section><h3>{title}</h3>{table}</section>" if rows else ""


def _count_rest(count: int, shown: int) -> str:
    return f'<p class="soft">… and {count - shown:,} more</p>' if count > shown else ""


def _describe_copies(group: Mapping[str, Any]) -> tuple[str, str]:
    return f"{format_size(group['wasted'])} in {group['copies']}", ", ".join(group["paths"])


def _describe_left_out(entry: Mapping[str, Any]) -> tuple[str, str]:
    return f"{entry['why']}, {format_size(entry['bytes'])}", entry["path"]


def _name_place(line: Mapping[str, Any]) -> str:
    return f"{line['span']['path']}:{line['span']['first']}"
