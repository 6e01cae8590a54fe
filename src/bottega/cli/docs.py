"""`bottega docs`: the pages of the documentation, which are part of the package."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from bottega.cli.calling import write_output
from bottega.cli.output import Output, output_options
from bottega.cli.pages import arrange_pages, find_pages, read_title
from bottega.errors import InputError

_HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)
_CODE = re.compile(r"`([^`\n]+)`")
_MOST_LINES = 3
_NAME_WIDTH = 22
_HEADING_WEIGHT = 50


@click.command(short_help="Show the pages of the documentation.")
@click.argument("page", required=False)
@click.option(
    "-s", "--search", "words", metavar="WORDS", help="List the pages that contain these words, with the lines."
)
@output_options("text", "markdown")
def docs(page: str | None, words: str | None, output: Output) -> int:
    """Show PAGE of the documentation, or list the pages. A page is named as its file is: `search`, `decisions/0006`."""
    pages = find_pages()
    if words:
        text = _search(pages, words)
    elif page:
        text = _find(pages, page).read_text(encoding="utf-8")
        if output.has_colour:
            text = _paint(text)
    else:
        text = _list(pages)
    write_output(text, output)
    return 0 if text else 1


def _find(pages: Mapping[str, Path], page: str) -> Path:
    """The page with a name, or the only one whose name begins so."""
    wanted = page.removeprefix("docs/").removesuffix(".md")
    found = [name for name in pages if name == wanted] or [name for name in pages if name.startswith(wanted)]
    if len(found) == 1:
        return pages[found[0]]
    close = found or difflib.get_close_matches(wanted, pages)
    hint = f"Did you mean {', '.join(close)}?" if close else "`bottega docs` lists the pages."
    raise InputError(f"there is no page {page!r}" if not found else f"several pages begin with {page!r}", hint=hint)


def _list(pages: Mapping[str, Path]) -> str:
    """The pages by section, as `bottega --help` groups the verbs."""
    sections = arrange_pages(list(pages))
    return "\n".join(f"{title}:\n{_list_section(pages, names)}" for title, names in sections.items())


def _list_section(pages: Mapping[str, Path], names: Sequence[str]) -> str:
    width = max(_NAME_WIDTH, *map(len, names))
    return "".join(f"  {name:<{width}}  {read_title(name, pages[name])}\n" for name in names)


def _search(pages: Mapping[str, Path], words: str) -> str:
    """The pages that contain every word, each with its first lines that contain one."""
    wanted = words.lower().split()
    found = []
    for name, path in pages.items():
        text = path.read_text(encoding="utf-8")
        if all(word in text.lower() for word in wanted):
            found.append((_score(text.lower(), wanted), name, _choose_lines(text, wanted)))
    found.sort(key=lambda entry: (-entry[0], entry[1]))
    return "\n".join("".join([f"{name}\n", *(f"    {line}\n" for line in lines)]) for _, name, lines in found)


def _score(text: str, words: Sequence[str]) -> int:
    """Occurrences of the words, those in headings far above others."""
    headings = "\n".join(_HEADING.findall(text))
    return sum(text.count(word) + _HEADING_WEIGHT * headings.count(word) for word in words)


def _choose_lines(text: str, words: Sequence[str]) -> list[str]:
    """Lines with the most of the words, in their order."""
    lines = [line.strip() for line in text.splitlines()]
    ranked = sorted(range(len(lines)), key=lambda at: (-sum(word in lines[at].lower() for word in words), at))
    return [lines[at] for at in sorted(ranked[:_MOST_LINES]) if any(word in lines[at].lower() for word in words)]


def _paint(text: str) -> str:
    """Headings in bold, code in a colour; the content of code blocks is left alone."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    for at in range(0, len(parts), 2):
        parts[at] = _HEADING.sub("\x1b[1m\\g<0>\x1b[0m", _CODE.sub("\x1b[36m\\1\x1b[39m", parts[at]))
    return "".join(parts)
