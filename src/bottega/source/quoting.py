"""Quote untrusted text of a repository for a prompt: names on one line, invisible characters escaped."""

from __future__ import annotations

import re
import unicodedata

from bottega.amounts import plural

LONGEST_NAME = 300
_CUT = " […] "
# Categories of invisible characters: control, format (zero width, direction, tags), surrogates, separators.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_KEPT = frozenset("\n\t")
_MOST_ESCAPED = 4
_RETURN_AT_END = re.compile(r"\r(?=\n)")


def quote_name(name: str, longest: int = LONGEST_NAME) -> str:
    """A path, symbol, branch or subject on one line; ordinary names are unchanged.

    Line ends, control characters, direction marks, invisible characters and backticks are escaped, so that
    a name can neither end a line nor a fence. A long name keeps its beginning and its end.
    """
    if len(name) > longest:
        half = (longest - len(_CUT)) // 2
        name = name[:half] + _CUT + name[-half:]
    if name.isascii() and name.isprintable() and "`" not in name:
        return name
    return "".join(
        _escape(character) if character == "`" or _is_invisible(character) or character in _KEPT else character
        for character in name
    )


def quote_line(text: str, longest: int = 2000) -> str:
    """A sentence or a list entry on one line, with single blanks."""
    return quote_name(" ".join(text.split()), longest)


def show_invisible(text: str) -> str:
    """Text of several lines with its invisible characters escaped; a long run of them is replaced by its length."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    shown: list[str] = []
    run = ""
    for character in _RETURN_AT_END.sub("", text):
        if character not in _KEPT and _is_invisible(character):
            run += character
            continue
        if run:
            shown.append(_escape_run(run))
            run = ""
        shown.append(character)
    return "".join([*shown, _escape_run(run)] if run else shown)


def _escape_run(invisible: str) -> str:
    if len(invisible) > _MOST_ESCAPED:
        return f"[{plural(len(invisible), 'invisible character')}]"
    return "".join(map(_escape, invisible))


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE


def _escape(character: str) -> str:
    escaped = character.encode("unicode_escape", "surrogatepass").decode("ascii")
    return escaped if escaped != character else f"\\x{ord(character):02x}"


def escape_breaks(text: str) -> str:
    """Text as one line of a report, so that a name cannot imitate another line."""
    return text.replace("\n", "\\n").replace("\t", "\\t")
