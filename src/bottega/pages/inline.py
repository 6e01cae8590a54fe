"""Inline Markdown as HTML: code, emphasis, links. Nothing is loaded, and only web addresses become links."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

from bottega.pages.escaping import escape_name, escape_text

_DEPTH = 4
_LONGEST = 20_000
# Bounded repetitions keep hostile text from taking quadratic time.
_LABEL = r"\[(?P<{0}>(?:[^\[\]]|\[[^\[\]]{{0,300}}\](?:\([^()]{{0,300}}\))?){{0,400}}+)\]"
_TARGET = (
    r"\(\s{{0,9}}<?(?P<{0}>(?:[^\s()<>]|\([^\s()]{{0,200}}\)){{0,1000}}+)>?"
    r"(?:\s{{1,9}}(?:\"[^\"]{{0,300}}\"|'[^']{{0,300}}'))?\s{{0,9}}\)"
)
_TOKEN = re.compile(
    "|".join(
        [
            r"(?P<escape>\\[!-/:-@\[-`{-~])",
            r"(?<!`)(?P<ticks>`{1,4})(?!`)(?P<code>.{1,1000}?)(?<!`)(?P=ticks)(?!`)",
            rf"(?P<picture>!{_LABEL.format('alt')}(?:{_TARGET.format('source')}|\[[^\[\]]{{0,100}}\]))",
            rf"(?P<link>{_LABEL.format('label')}(?:{_TARGET.format('target')}|\[(?P<reference>[^\[\]]{{0,100}})\])?)",
            r"<(?P<auto>https?://[^\s<>]{1,1000})>",
            r"(?P<bare>\bhttps?://[^\s<>\"'`\])]{1,1000})",
            r"(?P<tag></?[A-Za-z][^<>]{0,1000}>|<!--.{0,300}?-->)",
            r"\*\*(?P<strong>[^\s*](?:[^*]{0,500}[^\s*])?)\*\*",
            r"(?<!\w)__(?P<strong_line>[^\s_](?:[^_]{0,500}[^\s_])?)__(?!\w)",
            r"(?<![\w*])\*(?P<emphasis>[^\s*](?:[^*]{0,500}[^\s*])?)\*(?![\w*])",
            r"(?<!\w)_(?P<emphasis_line>[^\s_](?:[^_]{0,500}[^\s_])?)_(?!\w)",
        ]
    ),
    re.S,
)
_ELEMENTS = {"strong": "strong", "strong_line": "strong", "emphasis": "em", "emphasis_line": "em"}
_ALT = re.compile(r"""\balt\s{0,9}=\s{0,9}(?:"([^"]{0,300})"|'([^']{0,300})')""", re.I)
_WEB = re.compile(r"https?://[^\s<>\"'\\]{1,2000}", re.I)
_END = ".,;:!?*_"
# A joiner between characters that are not ASCII is part of an emoji or of a script that needs it.
_JOINER = re.compile("(?<=[^\x00-\x7f])([\u200c\u200d])(?=[^\x00-\x7f])")


@dataclass(frozen=True, slots=True)
class Inline:
    """How inline Markdown is rendered.

    Without `has_links` an address is shown as text. With `drops_tags` HTML tags are removed, otherwise they are shown.
    `anchors` are the ids that links within the text may lead to, `references` the addresses of named links.
    """

    has_links: bool = False
    drops_tags: bool = False
    prefix: str = ""
    anchors: frozenset[str] = frozenset()
    references: dict[str, str] = field(default_factory=dict)

    def render(self, text: str, depth: int = 0) -> str:
        if depth >= _DEPTH or len(text) > _LONGEST:
            return escape_prose(text)
        parts: list[str] = []
        at = 0
        for match in _TOKEN.finditer(text):
            parts += [escape_prose(text[at : match.start()]), self._render_token(match, depth)]
            at = match.end()
        return "".join([*parts, escape_prose(text[at:])])

    def _render_token(self, match: re.Match[str], depth: int) -> str:
        if match["escape"]:
            return escape_text(match[0][1])
        if match["code"] is not None:
            return f"<code>{escape_text(_trim_code(match['code']))}</code>"
        if match["picture"]:
            return self._render_image(match["alt"], match[0])
        if match["link"]:
            return self._render_link(match, depth)
        if address := match["auto"] or match["bare"]:
            return self._render_address(address)
        if match["tag"]:
            return self._render_tag(match[0])
        name = next(name for name in _ELEMENTS if match[name] is not None)
        return f"<{_ELEMENTS[name]}>{self.render(match[name], depth + 1)}</{_ELEMENTS[name]}>"

    def _render_link(self, match: re.Match[str], depth: int) -> str:
        label, target = match["label"], match["target"]
        if target is None:
            target = self.references.get(normalize_label(match["reference"] or label))
        if target is None:
            return f"[{self.render(label, depth + 1)}]{escape_prose(match[0][len(label) + 2 :])}"
        shown = self.render(label, depth + 1)
        target = unescape(target)
        if not self.has_links:
            return f"{shown} ({escape_name(target)})" if target != label else shown
        if "<a " in shown:
            return shown
        return self._link(shown, target)

    def _link(self, shown: str, target: str) -> str:
        """A link to the web or within the text; what else it names is shown when pointed at.

        A path is no link: the page may lie anywhere, and what it would open is a file of the repository.
        """
        if _WEB.fullmatch(target):
            address = escape_name(target)
            return f'<a href="{address}" title="{address}" rel="noopener noreferrer nofollow">{shown}</a>'
        if target.startswith("#"):
            anchor = f"{self.prefix}{target[1:].lower()}"
            return f'<a href="#{escape_name(anchor)}">{shown}</a>' if anchor in self.anchors else shown
        is_path = ":" not in target.split("/")[0] and not target.startswith(("//", "\\"))
        return f'<span class="path" title="{escape_name(target)}">{shown}</span>' if is_path and target else shown

    def _render_address(self, address: str) -> str:
        rest = address[len(address.rstrip(_END)) :]
        address = address.removesuffix(rest) if rest else address
        shown = escape_name(address)
        return (self._link(shown, address) if self.has_links else shown) + escape_text(rest)

    def _render_tag(self, tag: str) -> str:
        if not self.drops_tags:
            return escape_prose(tag)
        alt = _ALT.search(tag) if tag[:4].lower() == "<img" else None
        return self._render_image(alt[1] or alt[2] or "", tag) if alt else ""

    def _render_image(self, alt: str, source: str) -> str:
        """The words of an image in its place: images are not loaded."""
        if not self.drops_tags:
            return escape_prose(source)
        return f'<span class="image">{escape_prose(alt)}</span>' if alt.strip() else ""


def normalize_label(label: str) -> str:
    return " ".join(label.lower().split())


def escape_prose(text: str) -> str:
    """Escape text whose character references are Markdown's own; joiners within words stay."""
    return "".join(part if at % 2 else escape_text(part) for at, part in enumerate(_JOINER.split(unescape(text))))


def _trim_code(code: str) -> str:
    code = code.replace("\n", " ")
    return code[1:-1] if len(code) > 2 and code[0] == code[-1] == " " and code.strip() else code
