"""A neighbourhood as one page to explore, which needs no network and no other file."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Any

from bottega.retrieve.picture.styles import EDGE_SHAPES, NODE_CLASSES, NODE_NAMES, draw_markers, read_asset

# In the order of their use; together they are one script.
_SCRIPTS = ("graph.js", "layers.js", "layout.js", "canvas.js", "camera.js", "details.js", "search.js", "main.js")


def as_html(data: Any, base: str = "") -> str:
    """A page with the JSON form of a result inside; `base` leads from the page to the root of the repository."""
    style = "\n" + read_asset("colours.css") + read_asset("page", "page.css")
    script = "\n" + "".join(read_asset("page", name) for name in _SCRIPTS)
    starts = ", ".join(node["name"] for node in data["nodes"] if node["depth"] == 0)
    parts = {
        "policy": _write_policy(style, script),
        "title": escape(f"{starts[:80]} · graph"),
        "style": style,
        "markers": "".join(draw_markers()),
        "data": _embed(data),
        "looks": _embed({"nodes": NODE_CLASSES, "names": NODE_NAMES, "edges": list(EDGE_SHAPES), "base": base}),
        "script": script,
    }
    # One pass, so that text of the data cannot name another part.
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], read_asset("page", "page.html"))


def _write_policy(style: str, script: str) -> str:
    """Nothing runs or is loaded but the style and the script of the page itself."""
    allowed = f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _embed(value: Any) -> str:
    """JSON that no HTML parser reads as markup."""
    return json.dumps(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
