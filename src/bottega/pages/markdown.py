"""A subset of Markdown as HTML: headings, paragraphs, lists, quotes, code, tables; no raw HTML, no images."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import unescape

from bottega.pages.escaping import escape_name, escape_text
from bottega.pages.highlighting import highlight_code, highlight_lines
from bottega.pages.inline import Inline, normalize_label

_DEPTH = 6
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*")
_TAGGED_HEADING = re.compile(r"\s*<h([1-6])\b[^<>]{0,300}>(.*?)(?:</h\1>)?\s*", re.I)
_UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*")
_RULE = re.compile(r" {0,3}([-*_])\s*(?:\1\s*){2,}")
_ITEM = re.compile(r"( {0,3})([-*+]|\d{1,9}[.)])( {1,4}|$)")
_QUOTE = re.compile(r" {0,3}> ?")
_COLUMNS = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_CELL = re.compile(r"(?:\\.|`[^`]{0,300}`|[^|\\])+|\\")
_DEFINITION = re.compile(r" {0,3}\[([^\[\]]{1,100})\]:\s*<?(\S{1,1000}?)>?(?:\s+[\"'(].*)?")
_ALERT = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*", re.I)
_TAG = re.compile(r"<[^<>]*>")
_SLUG = re.compile(r"[^\w\s-]")
_MARKDOWN = ("", "md", "markdown", "mdown", "mkd")
_MOST_CELLS = 50


def render_readme(text: str, path: str, *, prefix: str = "readme-") -> str:
    """The readme of a repository. Tags are dropped, images are shown as their words, headings begin at the third level.

    What is not Markdown is shown as it is, highlighted as its language.
    """
    name = path.rpartition("/")[2]
    if name.rpartition(".")[2].lower() not in _MARKDOWN and "." in name:
        return "".join(['<pre class="plain">', "\n".join(highlight_lines(text, path)), "</pre>"])
    lines = _normalize(text)
    found = (_DEFINITION.fullmatch(line) for line in lines)
    references = {normalize_label(match[1]): match[2] for match in found if match}
    inline = Inline(has_links=True, drops_tags=True, prefix=prefix, references=references)
    anchors = frozenset(_Blocks(inline).list_anchors(lines))
    return "\n".join(_Blocks(replace(inline, anchors=anchors)).render(lines))


def render_prose(text: str) -> str:
    """What a model or a tool wrote: tags are shown as text, links with their address, and none can be followed."""
    return "\n".join(_Blocks(Inline()).render(_normalize(text)))


def render_line(text: str) -> str:
    """A title or a sentence of a model or a tool: code and emphasis alone."""
    return Inline().render(" ".join(text.split()))


def _normalize(text: str) -> list[str]:
    return text.replace("\r\n", "\n").expandtabs(4).split("\n")


class _Blocks:
    """Renders blocks; `_anchors` counts the ids of headings by their words."""

    def __init__(self, inline: Inline) -> None:
        self._inline = inline
        self._anchors: Counter[str] = Counter()

    def list_anchors(self, lines: Sequence[str]) -> list[str]:
        """The ids of all headings."""
        for _ in self.render(lines):
            pass
        found = ((slug, at) for slug, count in self._anchors.items() for at in range(count))
        return [f"{self._inline.prefix}{slug}-{at}" if at else f"{self._inline.prefix}{slug}" for slug, at in found]

    def render(self, lines: Sequence[str], depth: int = 0) -> Iterator[str]:
        at = 0
        while at < len(lines):
            shown, at = self._render_block(lines, at, depth)
            if shown:
                yield shown

    def _render_block(self, lines: Sequence[str], at: int, depth: int) -> tuple[str, int]:
        """The block that begins at a line, and the line after it."""
        line = lines[at]
        if not line.strip():
            return "", at + 1
        if fence := _FENCE.match(line):
            return _render_fenced(lines, at, fence)
        if self._inline.drops_tags and line.lstrip().startswith("<!--"):
            return "", next((n + 1 for n in range(at, len(lines)) if "-->" in lines[n]), len(lines))
        if heading := _HEADING.fullmatch(line) or (self._inline.drops_tags and _TAGGED_HEADING.fullmatch(line)):
            level = int(heading[1]) if heading[1].isdigit() else len(heading[1])
            return self._render_heading(heading[2], level), at + 1
        if _RULE.fullmatch(line):
            return "<hr>", at + 1
        if line.startswith("    ") and not line.lstrip().startswith("<"):
            return _render_indented(lines, at)
        return self._render_container(lines, at, depth)

    def _render_container(self, lines: Sequence[str], at: int, depth: int) -> tuple[str, int]:
        line = lines[at]
        if depth < _DEPTH and _QUOTE.match(line):
            end = _find_end(lines, at, lambda text: bool(_QUOTE.match(text)))
            inner = [_QUOTE.sub("", text, count=1) for text in lines[at:end]]
            if alert := _ALERT.fullmatch(inner[0]):
                inner[0] = f"**{alert[1].capitalize()}:**"
            return f"<blockquote>{''.join(self.render(inner, depth + 1))}</blockquote>", end
        if depth < _DEPTH and _ITEM.match(line):
            return self._render_list(lines, at, depth)
        if "|" in line and at + 1 < len(lines) and "|" in lines[at + 1] and _COLUMNS.fullmatch(lines[at + 1]):
            return self._render_table(lines, at)
        if _DEFINITION.fullmatch(line) and self._inline.has_links:
            return "", at + 1
        return self._render_paragraph(lines, at)

    def _render_heading(self, text: str, level: int) -> str:
        shown = self._inline.render(text)
        if not shown.strip():
            return ""
        if not self._inline.prefix:
            return f"<p><strong>{shown}</strong></p>"
        slug = _SLUG.sub("", unescape(_TAG.sub("", shown)).strip().lower()).replace(" ", "-")[:100]
        count = self._anchors[slug]
        self._anchors[slug] += 1
        anchor = f"{self._inline.prefix}{slug}-{count}" if count else f"{self._inline.prefix}{slug}"
        level = min(6, level + 2)
        return f'<h{level} id="{escape_name(anchor)}">{shown}</h{level}>'

    def _render_paragraph(self, lines: Sequence[str], at: int) -> tuple[str, int]:
        end = at + 1
        while end < len(lines) and lines[end].strip() and not self._ends_paragraph(lines[end]):
            if (rule := _UNDERLINE.fullmatch(lines[end])) and end > at:
                text = " ".join(line.strip() for line in lines[at:end])
                return self._render_heading(text, 1 if rule[1][0] == "=" else 2), end + 1
            end += 1
        text = "\n".join(line.strip() for line in lines[at:end])
        shown = self._inline.render(text).strip()
        return (f"<p>{shown}</p>" if shown else ""), end

    def _ends_paragraph(self, line: str) -> bool:
        item = _ITEM.match(line)
        return bool(
            _FENCE.match(line)
            or _HEADING.fullmatch(line)
            or _QUOTE.match(line)
            or (item and (not item[2][0].isdigit() or item[2][:-1] == "1"))
            or (_RULE.fullmatch(line) and not _UNDERLINE.fullmatch(line))
        )

    def _render_list(self, lines: Sequence[str], at: int, depth: int) -> tuple[str, int]:
        first = _ITEM.match(lines[at])
        assert first is not None
        is_numbered = first[2][0].isdigit()
        items: list[str] = []
        while at < len(lines) and (item := _ITEM.match(lines[at])) and item[2][0].isdigit() == is_numbered:
            indent = max(2, item.end())
            end = _find_item_end(lines, at, indent)
            inner = [lines[at][item.end() :], *(line[min(indent, _get_indent(line)) :] for line in lines[at + 1 : end])]
            items.append(f"<li>{self._render_item(inner, depth)}</li>")
            at = end
        if is_numbered:
            start = int(first[2][:-1])
            return f'<ol start="{start}">{"".join(items)}</ol>', at
        return f"<ul>{''.join(items)}</ul>", at

    def _render_item(self, lines: Sequence[str], depth: int) -> str:
        """An item; one that is a paragraph alone, or begins with one before a list, has no margins."""
        parts = list(self.render(lines, depth + 1))
        if parts and parts[0].startswith("<p>") and all(not part.startswith("<p>") for part in parts[1:]):
            parts[0] = parts[0].removeprefix("<p>").removesuffix("</p>")
        return "".join(parts)

    def _render_table(self, lines: Sequence[str], at: int) -> tuple[str, int]:
        end = _find_end(lines, at + 2, lambda text: "|" in text)
        head = "".join(f'<th scope="col">{self._inline.render(cell)}</th>' for cell in _split_row(lines[at]))
        rows = "".join(
            "<tr>" + "".join(f"<td>{self._inline.render(cell)}</td>" for cell in _split_row(line)) + "</tr>"
            for line in lines[at + 2 : end]
        )
        return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>', end


def _render_fenced(lines: Sequence[str], at: int, fence: re.Match[str]) -> tuple[str, int]:
    """A fenced block, to its closing fence or the end of the text."""
    closing = re.compile(rf"\s*{fence[1][0]}{{{len(fence[1])},}}\s*")
    end = next((number for number in range(at + 1, len(lines)) if closing.fullmatch(lines[number])), len(lines))
    indent = _get_indent(lines[at])
    code = "\n".join(line[min(indent, _get_indent(line)) :] for line in lines[at + 1 : end])
    return f"<pre><code>{highlight_code(code, fence[2])}</code></pre>", end + 1


def _render_indented(lines: Sequence[str], at: int) -> tuple[str, int]:
    end = _find_end(lines, at, lambda line: line.startswith("    ") or not line.strip())
    code = "\n".join(line[4:] for line in lines[at:end]).rstrip()
    return f"<pre><code>{escape_text(code)}</code></pre>", end


def _find_end(lines: Sequence[str], at: int, belongs: Callable[[str], bool]) -> int:
    """The first line from `at` on that does not belong."""
    return next((number for number in range(at, len(lines)) if not belongs(lines[number])), len(lines))


def _find_item_end(lines: Sequence[str], at: int, indent: int) -> int:
    """The line after a list item: a new item, or a line after a blank one that is not indented as far."""
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if not line.strip() or _get_indent(line) >= indent:
            continue
        if not lines[number - 1].strip() or _ITEM.match(line) or _HEADING.fullmatch(line) or _FENCE.match(line):
            return number
    return len(lines)


def _get_indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _split_row(line: str) -> list[str]:
    cells = [found[0].strip() for found in _CELL.finditer(line.strip().strip("|"))]
    return cells[:_MOST_CELLS]
