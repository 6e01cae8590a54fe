"""Whether source parses."""

from __future__ import annotations

from bottega.source.fault import Parses, Syntax, SyntaxFault, Unchecked, fault_at
from bottega.source.formats import json_syntax, toml_syntax, xml_syntax, yaml_syntax
from bottega.source.grammar import grammar_syntax
from bottega.source.languages import Language
from bottega.source.python import python_syntax

__all__ = ["Parses", "Syntax", "SyntaxFault", "Unchecked", "check_syntax"]

_OWN_PARSERS = {
    "Python": python_syntax,
    "JSON": json_syntax,
    "TOML": toml_syntax,
    "YAML": yaml_syntax,
    "XML": xml_syntax,
}


def check_syntax(code: str, language: Language) -> Syntax:
    """Say whether `code` parses, where it first does not, or that nothing here can tell.

    Never raises, whatever the text. A language without a parser that is exact enough is `Unchecked`, and so
    is source that is nested too deeply, takes too long, or hides behind a preprocessor.
    """
    if not language.strict:
        return Unchecked(f"no parser here is exact enough for {language}")
    text = code.removeprefix("\ufeff").replace("\r\n", "\n")
    unreadable = _unreadable(text)
    if unreadable is not None:
        return unreadable
    own = _OWN_PARSERS.get(language.name)
    return own(text) if own is not None else grammar_syntax(text, language)


def _unreadable(text: str) -> SyntaxFault | None:
    """Find what cannot stand in a source file of any language: half a character, or a NUL."""
    try:
        text.encode()
        at = text.find("\0")
    except UnicodeEncodeError as error:
        at = error.start
    if at < 0:
        return None
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return fault_at(text.replace("\0", "�"), line, column, f"the character U+{ord(text[at]):04X} is not text")
