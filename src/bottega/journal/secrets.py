"""Mask secrets in whatever is stored: keys, tokens, private keys, values of `.env` files and of key variables.

Masking is stable and idempotent, so a request hashes the same before and after it was stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "private-key",
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|\Z)", re.S
        ),
    ),
    ("api-key", re.compile(r"\bsk-[A-Za-z0-9_-]{16,}")),
    ("github-token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})")),
    ("gitlab-token", re.compile(r"\bglpat-[A-Za-z0-9_-]{16,}")),
    ("aws-key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    ("google-key", re.compile(r"\bAIza[A-Za-z0-9_-]{30,}")),
    ("slack-token", re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,}")),
    ("hub-token", re.compile(r"\b(?:hf|npm|pypi|dckr_pat|glsa|shpat|sq0atp)[_-][A-Za-z0-9_-]{20,}")),
    ("jwt", re.compile(r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}")),
    ("password", re.compile(r"(?<=://)[^\s/:@\"'«»]{1,100}:[^\s/@\"'«»]{3,200}(?=@)")),
    ("bearer", re.compile(r"(?i)(?<=\bbearer )[A-Za-z0-9._~+/-]{16,}=*")),
)
_ASSIGNED = re.compile(
    r"""(?ix)\b([a-z0-9_.-]{0,60}(?:secret|token|passwd|password|api_?key|access_?key|private_?key|credential)[a-z0-9_-]{0,20})
        (["']?\s*[:=]\s*)(["'])([^"'\s«»]{6,400})\3"""
)
_ENV_LINE = re.compile(r"""(?m)^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*["']?([^\r\n"']+)["']?\s*$""")
_ENV_BARE = re.compile(
    r"(?m)^(\s*(?:export\s+)?[A-Z0-9_]{0,60}(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[A-Z0-9_]{0,20}\s*=\s*)"
    r"([^\s\"'«»()\[\]{}]{6,400})\s*$"
)
_SECRET_NAME = re.compile(r"(?i)(secret|token|passw|api_?key|access_?key|private|credential|auth)")
_SHORTEST_VALUE = 8


class Masker:
    """Masks the known shapes, and the literal values it was given."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        literal = sorted({value for value in values if len(value) >= _SHORTEST_VALUE}, key=len, reverse=True)
        self._literal = re.compile("|".join(map(re.escape, literal))) if literal else None

    def __call__(self, text: str) -> str:
        if self._literal is not None:
            text = self._literal.sub("«masked:env»", text)
        for name, shape in _SHAPES:
            text = shape.sub(f"«masked:{name}»", text)
        text = _ASSIGNED.sub(r"\1\2\3«masked:value»\3", text)
        return _ENV_BARE.sub(r"\1«masked:value»", text)

    def json(self, value: Any) -> str:
        """JSON text of a value whose texts are masked one by one, so that no mask can break the JSON."""
        return json.dumps(self.masked(value), ensure_ascii=False)

    def masked(self, value: Any) -> Any:
        if isinstance(value, str):
            return self(value)
        if isinstance(value, Mapping):
            return {key: self.masked(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.masked(inner) for inner in value]
        return value


def masker_for(root: Path, environ: Mapping[str, str]) -> Masker:
    """Knows the values of the repository's `.env` files and of variables whose names speak of secrets."""
    values = [value for name, value in environ.items() if _SECRET_NAME.search(name)]
    for path in sorted(root.glob(".env*")):
        if path.is_file() and path.stat().st_size < 1_000_000:
            values += [value.strip() for _, value in _ENV_LINE.findall(path.read_text("utf-8", "replace"))]
    return Masker(value for value in values if not _is_plain(value))


def _is_plain(value: str) -> bool:
    """A path, a number or a dictionary word is configuration, and masking it would shred ordinary text."""
    return value.startswith(("/", "~", ".")) or value.replace(".", "").isdigit() or value.isalpha()
