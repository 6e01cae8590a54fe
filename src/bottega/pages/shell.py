"""The frame of a page: its head, its content security policy, its style sheets and its scripts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from importlib import resources
from typing import Literal

from bottega.pages.escaping import escape_name

PageScript = Literal["filter.js", "tree.js"]
FILTER: PageScript = "filter.js"
TREE: PageScript = "tree.js"
_ALWAYS = ("theme.js", "unfold.js")


def render_page(
    title: str, parts: Iterable[str], *, kind: str, skip_to: str, style: str = "", scripts: tuple[PageScript, ...] = ()
) -> str:
    """A whole page. `parts` is trusted HTML, `style` the package's own sheet after the shared one.

    `kind` is what the page is, shown in its bar; `skip_to` is the id that the first link leads to.
    """
    sheet = _read("page.css") + style
    script = "".join(_read(name) for name in (*_ALWAYS, *scripts))
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_build_policy(sheet, script)}">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape_name(title)}</title>\n<style>{sheet}</style>\n</head>\n"
        f'<body>\n<a class="skip" href="#{escape_name(skip_to)}">Skip to the content</a>\n'
        f'<div class="topbar"><span>{escape_name(kind)}</span>'
        '<button type="button" class="theme" hidden>Dark</button></div>\n'
        f'<main>\n{body}\n</main>\n<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _build_policy(sheet: str, script: str) -> str:
    """Nothing is loaded; this sheet and this script are applied, and neither attributes nor other elements are."""
    return (
        f"default-src 'none'; style-src '{_hash(sheet)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def _read(name: str) -> str:
    return (resources.files("bottega.pages") / name).read_text(encoding="utf-8")
