"""Small parts that pages share: figures, bars, badges, tables, and the buttons that fold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bottega.pages.escaping import escape_name

# Severities differ by shape and word, not by colour alone.
_SHAPES = {
    "worst": "M3 0h6l3 3v6l-3 3H3L0 9V3z",
    "grave": "M6 0l6 6-6 6-6-6z",
    "warning": "M6 1l6 10H0z",
    "slight": "M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1z",
    "good": "M1 6l3 4 7-8",
    "unknown": "M1 6h10",
}


def render_badge(weight: str, words: str) -> str:
    """A word with a shape before it; `weight` is worst, grave, warning, slight, good or unknown."""
    shape = f'<svg viewBox="0 0 12 12" aria-hidden="true"><path d="{_SHAPES[weight]}"/></svg>'
    return f'<span class="badge {weight}">{shape}{escape_name(words)}</span>'


def render_bar(share: float, words: str) -> str:
    """A share from 0 to 1 as a bar with words beside it."""
    width = round(100 * min(1.0, max(0.0, share)))
    drawn = (
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="100" height="8"/><rect class="full" width="{width}" height="8"/></svg>'
    )
    return f"{drawn} {escape_name(words)}" if words else drawn


def render_figures(figures: Iterable[tuple[str, str, str]]) -> str:
    """Figures side by side: (class, value, what it counts)."""
    cells = "".join(
        f'<div class="{name}"><dt>{escape_name(words)}</dt><dd>{escape_name(value)}</dd></div>'
        for name, value, words in figures
    )
    return f'<dl class="figures">{cells}</dl>'


def render_folding(hint: str = "") -> str:
    """The buttons that fold and unfold all parts of the section around them; they appear where scripts run."""
    buttons = '<button type="button">Unfold all</button> <button type="button">Fold all</button>'
    return f'<p class="folding" hidden>{buttons} <small>{escape_name(hint)}</small></p>'


def render_table(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()
) -> str:
    """A table with a caption for screen readers; cells are HTML, and `numbers` are the columns set to the right."""
    titles = "".join(f'<th scope="col"{_align(at, numbers)}>{escape_name(title)}</th>' for at, title in enumerate(head))
    body = "".join(
        "<tr>" + "".join(f"<td{_align(at, numbers)}>{cell}</td>" for at, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll"><table><caption class="unseen">{escape_name(caption)}</caption>'
        f"<thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _align(column: int, numbers: Sequence[int]) -> str:
    return ' class="number"' if column in numbers else ""
