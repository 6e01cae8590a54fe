"""Which language a piece of code in a request is written in, from marks that are hard to mistake."""

from __future__ import annotations

import re

from bottega.source.languages import Language, language_named, language_of_path
from bottega.source.wording import is_format

FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\n(.*?)(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_FILE_NAME = re.compile(r"(?<![\w@/:.-])(?:[\w.-]{1,80}/){0,20}[\w-]{1,80}(?:\.[\w-]{1,80}){0,4}\.[A-Za-z]\w{0,4}\b")

# The first mark that matches decides, so the narrower language stands above the wider one.
_MARKS = tuple(
    (name, re.compile(mark, re.MULTILINE))
    for name, mark in (
        ("PHP", r"<\?php"),
        ("Bash", r"^#!.*\b(?:ba|z)?sh\b|^[ \t]*if \[\[? .* \]\]?; then"),
        ("Python", r"^#!.*\bpython"),
        ("C#", r"^[ \t]*using System\b|\bConsole\.WriteLine\("),
        ("Java", r"\bpublic static void main\(String|\bSystem\.out\.print|^[ \t]*import java\."),
        ("C++", r"#include <(?:iostream|vector|string|map|memory|algorithm)>|\bstd::\w+"),
        ("C", r"#include [<\"][\w/]+\.h[>\"]|\bint main\((?:void|int argc)"),
        ("Swift", r"\bfunc \w+\([^)]{0,200}\w: \w[^)]{0,200}\)(?: -> [\w?]+)? \{|^import (?:UIKit|SwiftUI)\b"),
        ("Go", r"^package \w+$|\bfunc (?:\(\w+ \*?\w+\) )?\w+\([^)]{0,200}\)[^{\n:>]*\{"),
        ("Rust", r"\bfn \w+(?:<[^>]*>)?\([^)]{0,200}\)|\blet mut \w+|^[ \t]*use (?:std|crate)::|\bprintln!\("),
        ("Kotlin", r"\bfun \w+\([^)]{0,200}\)|\bdata class \w+\("),
        ("Elixir", r"\bdefmodule \w+|\bdefp? \w+.*\bdo\b"),
        ("Scala", r"\bdef \w+\([^)]{0,200}\)\s*:\s*[\w\[\]]+\s*=|\bobject \w+ extends App\b|\bcase class \w+\("),
        ("Ruby", r"\bdef \w+[?!]?(?:\([^)]{0,200}\))?\s*\n(?:.*\n){0,40}?\s*end\b|^[ \t]*require ['\"]|\.each do \|"),
        (
            "Python",
            r"\bdef \w+\(|^[ \t]*from [\w.]+ import \w|^[ \t]*import \w+(?: as \w+)?$|^[ \t]*class \w+(?:\(.*\))?:\s*$",
        ),
        ("TypeScript", r"^[ \t]*(?:export )?interface \w+ \{|\bconst \w+: [\w<>\[\]]+ ="),
        ("JavaScript", r"\bconsole\.log\(|\bfunction \w+\([^)]{0,200}\)\s*\{|\bconst \w+ = |\) => |\brequire\(['\"]"),
        ("SQL", r"\bSELECT\b[^;]{1,400}?\bFROM\b|\bCREATE TABLE\b|\bINSERT INTO\b|\bUPDATE \w+ SET\b"),
    )
)


def language_shown_in(request: str) -> Language | None:
    """Tell the one language of the code in a request: by fence tag, by its look, or by file names.

    Data that comes with a request, as JSON in a fence or `data.csv`, says nothing about the language asked for.
    """
    for found in (_tags(request), _looks(request), _files(request)):
        if len(found) == 1:
            return found.pop()
    return None


def without_code(request: str) -> str:
    """Leave the prose: what stands in a fence is material, not the wish."""
    return FENCE.sub("\n", request)


def _tags(request: str) -> set[Language]:
    tagged = (language_named(fence[2]) for fence in FENCE.finditer(request))
    return {language for language in tagged if language is not None and not is_format(language)}


def _looks(request: str) -> set[Language]:
    first = next((name for name, mark in _MARKS if mark.search(request)), None)
    language = None if first is None else language_named(first)
    return set() if language is None else {language}


def _files(request: str) -> set[Language]:
    named = (language_of_path(name) for name in _FILE_NAME.findall(without_code(request)))
    return {language for language in named if language is not None and not is_format(language)}
