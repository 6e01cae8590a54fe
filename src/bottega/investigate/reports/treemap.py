"""A tree map of a scan as SVG: nested by directory, coloured by language, sized by lines of code or by bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bottega.investigate.reports.layout import Box, lay_out
from bottega.investigate.reports.scanned import format_size
from bottega.pages import escape_name, render_table

Measure = Literal["code", "bytes"]

_WIDTH, _HEIGHT = 1000.0, 420.0
_LEAST_SIDE, _LABEL_WIDTH, _LABEL_HEIGHT, _HEAD = 3.0, 60.0, 14.0, 14.0
_COLOURS = 13
_MAX_DEPTH = 60
_OTHER = "other"
_CHECKED = ' checked="checked"'


@dataclass(slots=True)
class Amount:
    """Lines of code and bytes."""

    code: int = 0
    bytes: int = 0

    def add(self, other: Amount) -> None:
        self.code += other.code
        self.bytes += other.bytes

    def get(self, measure: Measure) -> int:
        return self.code if measure == "code" else self.bytes

    def __str__(self) -> str:
        return f"{format_lines(self.code)}, {format_size(self.bytes)}"


@dataclass(slots=True)
class _Node:
    """A directory: what lies directly in it by language, and the sums of all below it."""

    name: str
    path: str
    parts: dict[str, Amount] = field(default_factory=dict)
    below: dict[str, _Node] = field(default_factory=dict)
    total: Amount = field(default_factory=Amount)


def format_lines(count: int) -> str:
    return f"{count:,} line{'' if count == 1 else 's'} of code"


def render_maps(cells: Sequence[Mapping[str, Any]]) -> str:
    """A map by lines of code and one by bytes with the switch between them, a legend and a table; "" for no bytes.

    Where there is no code, there is only the map by bytes. The switch works without scripts.
    """
    root = _build_tree(cells)
    if not root.total.bytes:
        return ""
    languages = _sum_languages(root)
    names = [name for name in languages if name != _OTHER][:_COLOURS]
    colours = {name: f"area-{number}" for number, name in enumerate(names)}
    choices: list[tuple[Measure, str]] = [("code", "lines of code"), ("bytes", "bytes")]
    shown = [choice for choice in choices if root.total.get(choice[0])]
    switches = "".join(
        f'<input type="radio" name="measure" id="by-{measure}"{"" if at else _CHECKED}/>'
        f'<label for="by-{measure}">{words}</label>'
        for at, (measure, words) in enumerate(shown)
    )
    maps = "".join(
        _render_map(root, measure, words, colours) + _render_legend(languages, measure, colours)
        for measure, words in shown
    )
    return f'<div class="maps">{switches}{maps}{_render_rows(root)}</div>'


def _build_tree(cells: Sequence[Mapping[str, Any]]) -> _Node:
    """The directories of the cells; records of version 0.1 hold no lines of code."""
    root = _Node(".", ".")
    for cell in cells:
        parts = {name: Amount(bytes=size) for name, size in cell["kinds"] if size > 0}
        for name, lines in cell.get("code", ()):
            parts.setdefault(name, Amount()).code = lines
        own = Amount(sum(part.code for part in parts.values()), sum(part.bytes for part in parts.values()))
        node = root
        node.total.add(own)
        path = "" if cell["path"] == "." else cell["path"]
        for name in filter(None, path.split("/")):
            whole = f"{node.path}/{name}" if node.path != "." else name
            node = node.below.setdefault(name, _Node(name, whole))
            node.total.add(own)
        node.parts = parts
    return root


def _sum_languages(root: _Node) -> dict[str, Amount]:
    """Lines and bytes by language, those with the largest share of either first."""
    sums: dict[str, Amount] = {}
    for node in _walk(root):
        for name, part in node.parts.items():
            sums.setdefault(name, Amount()).add(part)
    code, size = root.total.code or 1, root.total.bytes or 1
    return dict(sorted(sums.items(), key=lambda pair: -max(pair[1].code / code, pair[1].bytes / size)))


def _walk(root: _Node) -> Iterator[_Node]:
    """A directory and all below it, each before what it holds."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(node.below.values()))


def _render_map(root: _Node, measure: Measure, words: str, colours: Mapping[str, str]) -> str:
    title = escape_name(f"Directories by {words}: {root.total}. The table below has the same figures.")
    shapes = "".join(_draw(root, Box(0, 0, _WIDTH, _HEIGHT), measure, colours, 0))
    return (
        f'<div class="scroll by-{measure}"><svg class="map" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="img"'
        f' aria-label="{title}">{shapes}</svg></div>'
    )


def _draw(node: _Node, box: Box, measure: Measure, colours: Mapping[str, str], depth: int) -> Iterator[str]:
    if box.side < _LEAST_SIDE or depth > _MAX_DEPTH:
        return
    inner = box
    if depth and node.below and box.height > 3 * _HEAD and box.width > _LABEL_WIDTH:
        yield _draw_area(box, "group", f"{node.path}: {node.total}")
        yield _draw_label(box, node.name, "head")
        inner = Box(box.x + 1, box.y + _HEAD, box.width - 2, box.height - _HEAD - 1)
    parts: list[tuple[int, _Node | tuple[str, Amount]]] = [
        (child.total.get(measure), child) for child in node.below.values()
    ]
    parts += [(part.get(measure), (name, part)) for name, part in node.parts.items()]
    parts = sorted((part for part in parts if part[0] > 0), key=lambda part: -part[0])
    for (_, part), place in zip(parts, lay_out([float(size) for size, _ in parts], inner), strict=True):
        if isinstance(part, _Node):
            yield from _draw(part, place, measure, colours, depth + 1)
        elif place.side >= 1:
            name, amount = part
            yield _draw_area(place, colours.get(name, "area-other"), f"{node.path}: {name}, {amount}")
            if place.width > _LABEL_WIDTH and place.height > _LABEL_HEIGHT:
                is_language = not depth or node.below or (place.x, place.y) != (inner.x, inner.y)
                yield _draw_label(place, name if is_language else node.name, "leaf")


def _draw_area(box: Box, name: str, title: str) -> str:
    return (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" class="{name}">'
        f"<title>{escape_name(title)}</title></rect>"
    )


def _draw_label(box: Box, text: str, name: str) -> str:
    room = int(box.width / 6.5)
    shown = text if len(text) <= room else text[: max(1, room - 1)] + "…"
    return f'<text x="{box.x + 3:.1f}" y="{box.y + 11:.1f}" class="{name}">{escape_name(shown)}</text>'


def _render_legend(languages: Mapping[str, Amount], measure: Measure, colours: Mapping[str, str]) -> str:
    entries = {name: (amount.get(measure), colours[name]) for name, amount in languages.items() if name in colours}
    rest = sum(amount.get(measure) for name, amount in languages.items() if name not in colours)
    ranked = sorted(entries.items(), key=lambda entry: -entry[1][0])
    shown = "".join(
        f'<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" class="{colour}"/></svg>'
        f"{escape_name(name)} <small>{format_size(size) if measure == 'bytes' else f'{size:,}'}</small></li>"
        for name, (size, colour) in [*ranked, (_OTHER, (rest, "area-other"))]
        if size
    )
    return f'<ul class="legend by-{measure}" aria-label="Colours">{shown}</ul>'


def _render_rows(root: _Node) -> str:
    """The figures of the maps: a row for each directory, with all that is below it."""
    rows = (
        (
            f"<code>{escape_name(node.path)}</code>",
            escape_name(_find_main_language(node)),
            f"{node.total.code:,}",
            f"{node.total.bytes:,}",
        )
        for node in _walk(root)
    )
    head = ("Directory", "Most of its own files", "Lines of code", "Bytes")
    table = render_table("Directories with lines of code and bytes", head, rows, numbers=(2, 3))
    return f'<details class="aside"><summary>The figures as a table</summary>{table}</details>'


def _find_main_language(node: _Node) -> str:
    return max(node.parts, key=lambda name: (node.parts[name].code, node.parts[name].bytes), default="")
