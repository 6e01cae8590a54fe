"""Detect the language of the code in a request, from distinctive syntax."""

from __future__ import annotations

import re

from bottega.source.languages import Language, language_named, language_of_path
from bottega.source.wording import is_format

FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\n(.*?)(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_FILE_NAME = re.compile(r"(?<![\w@/:.-])(?:[\w.-]{1,80}/){0,20}[\w-]{1,80}(?:\.[\w-]{1,80}){0,4}\.[A-Za-z]\w{0,4}\b")

# The first pattern that matches decides, so the more specific language comes first.
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


def detect_shown_language(request: str) -> Language | None:
    """The only language of the code in a request: by fence tag, by syntax, or by file names.

    Data in a request, such as JSON in a fence or `data.csv`, does not count.
    """
    for languages in (_detect_by_fence(request), _detect_by_syntax(request), _detect_by_file_name(request)):
        if len(languages) == 1:
            return languages.pop()
    return None


def remove_code(request: str) -> str:
    """Remove fenced code, leaving the prose."""
    return FENCE.sub("\n", request)


def _detect_by_fence(request: str) -> set[Language]:
    tagged = (language_named(fence[2]) for fence in FENCE.finditer(request))
    return {language for language in tagged if language is not None and not is_format(language)}


def _detect_by_syntax(request: str) -> set[Language]:
    first = next((name for name, mark in _MARKS if mark.search(request)), None)
    language = None if first is None else language_named(first)
    return set() if language is None else {language}


def _detect_by_file_name(request: str) -> set[Language]:
    named = (language_of_path(name) for name in _FILE_NAME.findall(remove_code(request)))
    return {language for language in named if language is not None and not is_format(language)}
