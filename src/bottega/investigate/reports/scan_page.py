"""A scan as one HTML page: the tree, the readme, the tree map, the facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bottega.investigate.reports.facts import (
    read_style,
    render_facts,
    render_map,
    render_readme_box,
    render_suspects,
)
from bottega.investigate.reports.scanned import format_size
from bottega.pages import escape_name, escape_text, render_figures, render_page


def render_scan_page(scan: Mapping[str, Any], tree: str) -> str:
    name = scan["target"].rstrip("/").rpartition("/")[2] or "/"
    parts = [*_render_head(scan, name, tree), *render_map(scan), *render_facts(scan)]
    return render_page(f"{name} · scan", parts, kind="bottega scan", skip_to="map", style=read_style())


def _render_head(scan: Mapping[str, Any], name: str, tree: str) -> Iterator[str]:
    yield f'<header><h1>{escape_name(name)}</h1><p class="soft">{escape_name(scan["target"])}</p></header>'
    yield render_figures(
        [
            ("", f"{scan['files']:,}", "files"),
            ("", f"{scan['directories']:,}", "directories"),
            ("", f"{sum(row['code'] for row in scan['languages']):,}", "lines of code"),
            ("", format_size(scan["bytes"]), "size"),
            ("", format_size(scan["disk_bytes"]), "on disk"),
            ("worst" if scan["secret_count"] else "", f"{scan['secret_count']:,}", "likely secrets"),
        ]
    )
    if scan["remark_count"]:
        yield f'<p class="gaps"><strong>{scan["remark_count"]:,} paths could not be read.</strong></p>'
    suspects = "".join(render_suspects(scan))
    if suspects:
        yield f'<div class="facts">{suspects}</div>'
    shown = f'<pre class="tree-text" tabindex="0">{escape_text(tree)}</pre>'
    yield f'<div class="intro"><section><h2>Tree</h2>{shown}</section>{render_readme_box(scan)}</div>'
