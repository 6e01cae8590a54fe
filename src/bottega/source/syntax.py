"""Check whether source code parses."""

from __future__ import annotations

from bottega.source.fault import Parses, Syntax, SyntaxFault, Unchecked, locate_fault
from bottega.source.formats import check_json, check_toml, check_xml, check_yaml
from bottega.source.grammar import check_with_grammar
from bottega.source.languages import Language
from bottega.source.python import check_python

__all__ = ["Parses", "Syntax", "SyntaxFault", "Unchecked", "check_syntax"]

_OWN_PARSERS = {
    "Python": check_python,
    "JSON": check_json,
    "TOML": check_toml,
    "YAML": check_yaml,
    "XML": check_xml,
}


def check_syntax(code: str, language: Language) -> Syntax:
    """Return whether `code` parses, its first fault, or `Unchecked`; never raises.

    `Unchecked` is returned for a language without a parser that is exact enough, and for source that is nested
    too deeply, takes too long, or depends on a preprocessor.
    """
    if not language.strict:
        return Unchecked(f"no parser here is exact enough for {language}")
    text = code.removeprefix("\ufeff").replace("\r\n", "\n")
    unreadable = _find_unreadable(text)
    if unreadable is not None:
        return unreadable
    own = _OWN_PARSERS.get(language.name)
    return own(text) if own is not None else check_with_grammar(text, language)


def _find_unreadable(text: str) -> SyntaxFault | None:
    """Find what no source file may contain: a lone surrogate, or a NUL."""
    try:
        text.encode()
        at = text.find("\0")
    except UnicodeEncodeError as error:
        at = error.start
    if at < 0:
        return None
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return locate_fault(text.replace("\0", "�"), line, column, f"the character U+{ord(text[at]):04X} is not text")
