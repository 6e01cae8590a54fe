"""Text of a repository inside a prompt: names stay on one line, and what nobody can see becomes visible."""

from __future__ import annotations

import re
import unicodedata

LONGEST_NAME = 300
_CUT = " […] "
# Categories without a sign of their own: control, format (zero width, direction, tags), surrogates, separators.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_KEPT = frozenset("\n\t")
_MOST_ESCAPED = 4
_RETURN_AT_END = re.compile(r"\r(?=\n)")


def quote_name(name: str, longest: int = LONGEST_NAME) -> str:
    """A path, symbol, branch or subject on one line; usual names come out as they are.

    Line ends, control characters, marks that turn text around, invisible characters and backticks are escaped, so that
    a name can neither end a line nor a fence. A long name keeps its beginning and its end.
    """
    if len(name) > longest:
        half = (longest - len(_CUT)) // 2
        name = name[:half] + _CUT + name[-half:]
    if name.isascii() and name.isprintable() and "`" not in name:
        return name
    return "".join(_escape(sign) if sign == "`" or _is_invisible(sign) or sign in _KEPT else sign for sign in name)


def quote_line(text: str, longest: int = 2000) -> str:
    """A sentence or a list entry on one line, its blanks made single."""
    return quote_name(" ".join(text.split()), longest)


def show_invisible(text: str) -> str:
    """Text of several lines with its invisible characters escaped; a long run of them is counted instead."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    shown: list[str] = []
    run = ""
    for sign in _RETURN_AT_END.sub("", text):
        if sign not in _KEPT and _is_invisible(sign):
            run += sign
            continue
        if run:
            shown.append(_run(run))
            run = ""
        shown.append(sign)
    return "".join([*shown, _run(run)] if run else shown)


def _run(invisible: str) -> str:
    if len(invisible) > _MOST_ESCAPED:
        return f"[{len(invisible)} invisible characters]"
    return "".join(map(_escape, invisible))


def _is_invisible(sign: str) -> bool:
    return unicodedata.category(sign) in _INVISIBLE


def _escape(sign: str) -> str:
    escaped = sign.encode("unicode_escape", "surrogatepass").decode("ascii")
    return escaped if escaped != sign else f"\\x{ord(sign):02x}"
