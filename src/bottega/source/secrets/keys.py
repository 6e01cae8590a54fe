"""Private keys: PEM, OpenSSH, PGP and PuTTY blocks, whole or cut off, in files and in escaped strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

RULE = "private-key"
TITLE = "private key"
ANCHORS = ("PRIVATE KEY", "Private-Lines: ")
_HEADER = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-Lines: \d{1,3}(?=\s)")
_FOOTER = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_RUN = re.compile(r"[A-Za-z0-9+/=]{32}|^[ \t+>|]{0,20}[A-Za-z0-9+/]{12,}={0,2}[ \t]{0,20}$", re.MULTILINE)
_BETWEEN = r"(?:\\[nrt]|[\s\"',>|#*+-]){0,60}+"
_OPEN_BODY = re.compile(
    rf"(?:{_BETWEEN}(?:[A-Za-z0-9+/=]{{32,}}+|[A-Z][A-Za-z-]{{2,20}}: [^\n«»]{{1,100}}))+"
    rf"(?:{_BETWEEN}[A-Za-z0-9+/]{{1,63}}+={{0,2}})?"
)
_LONGEST = 40_000
_LINE = re.compile(r"[^\r\n]+")


def find_keys(text: str) -> Iterator[tuple[int, int]]:
    """The positions of private key bodies; a header without a body, as in source code, is not a key."""
    headers = list(_HEADER.finditer(text))
    following = (*(header.start() for header in headers[1:]), len(text))
    for header, limit in zip(headers, following, strict=False):
        start = header.end()
        end = _find_end_of_body(text, start, min(limit, start + _LONGEST))
        if _RUN.search(text, start, end):
            yield start, end


def _find_end_of_body(text: str, start: int, limit: int) -> int:
    footer = text.find("-----END ", start, limit + 9)
    if footer >= 0 and _FOOTER.match(text, footer):
        return footer
    body = _OPEN_BODY.match(text, start, limit)
    return body.end() if body else start


def mask_lines(text: str, start: int, end: int, mark: str) -> str:
    """Replace every line of a key's body by the mark; a prefix of the header's line, such as `+` in a diff, stays."""
    header = text.rfind("-----BEGIN", max(0, start - 80), start)
    line = text.rfind("\n", max(0, header - 80), header) + 1 if header >= 0 else start
    margin = text[line:header] if header >= 0 and not text[line:header].strip(" \t+->|#*/") else ""
    return _LINE.sub(lambda match: _mask_line(match[0], margin, mark), text[start:end])


def _mask_line(line: str, margin: str, mark: str) -> str:
    kept = margin if margin and line.startswith(margin) else line[: len(line) - len(line.lstrip())]
    return kept + mark if line[len(kept) :].strip() else line
