"""Phrases of a request in which the name of a language says what to write in."""

from __future__ import annotations

import re

from bottega.source.wording import Mention, find_mentions

_CODE = r"functions?|programs?|scripts?|code|class(?:es)?|structs?|snippets?|modules?|packages?|crates?|one-liners?"
_MADE = (
    rf"{_CODE}|methods?|librar(?:y|ies)|implementation|version|equivalent|port|app|application|services?|server|client"
    r"|api|cli|tool|utility|helper|decorator|generator|iterator|enum|trait|interfaces?|types?|hook|components?|macro"
    r"|tests?|examples?|project|solution|command|routine|handler|header"
)
_WRITTEN = (
    r"pages?|forms?|templates?|files?|documents?|schemas?|config(?:uration)?s?|quer(?:y|ies)|statements?|views?"
    r"|tables?|triggers?|migrations?|stylesheets?|rules?|styles|animations?|layouts?|workflows?|manifests?|pipelines?"
    r"|messages?|snippets?|readme"
)
_STYLE = r"(?:(?:plain|vanilla|pure|modern|idiomatic|ansi|the|standard|functional|raw|valid|safe|native|clean)\s+)*"
# Up to two more words, as in "TypeScript generic helper function", none of which starts another phrase.
_BETWEEN = r"(?:\s+(?!(?:to|for|that|and|or|from|with|of|in|into|is|an?|the|by|as|on|which|using|via)\b)[\w-]+){0,2}?"


def _compile_before(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern})\Z", re.IGNORECASE)


def _compile_after(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\s*?(?:{pattern})", re.IGNORECASE)


CODE_WORD = re.compile(rf"\b(?:{_CODE})\b", re.IGNORECASE)
_IN = _compile_before(rf"\b(?:in|into|language:)\s+{_STYLE}")
_NOT = _compile_before(r"(?:\bnot|n't|\bthan|\bunlike|\binstead of)\s+(?:\w+\s+)?")
# Words before "in C" when C is a temperature, a key or a variable, and before "in rust" when rust is corrosion.
_NOT_CODE = _compile_before(
    r"\b(?:temperatures?|degrees|celsius|chords?|songs?|scales?|notes?|stored?|stores|saved?|put|sum|results?|values?"
    r"|covered|coated|caked)\s+"
)
_LETTERS = re.compile(r"\b[BDPQS]\b")
_CLAUSE_END = _compile_after(
    r"\Z|[\n,.;:!?)\]–—]|(?:that|which|to|for|with|using|and|or|but|where|without|please|code|language|program|programming"
    r"|as|so|from|this)\b"
)
_PORTED = _compile_before(
    rf"\b(?:convert|port|translate|rewrite|migrate|transpile|turn)\b(?P<what>.*?)\s(?:to|into)\s+{_STYLE}"
)
_THIS = re.compile(r"\s*(?:this|it|that|these|the following)\s*", re.IGNORECASE)
_LISTED = _compile_before(r"(?:,|/|&|\band\b|\bor\b)[\s,]*(?:(?:and|or)\s+)?(?:in\s+)?")

_USING = _compile_before(rf"\b(?:using|with|via|use|write|some|idiomatic)\s+{_STYLE}")
_ARTICLE = _compile_before(r"\b(?:an?|the|this|my|some|of|write|simple|small|create|build|your|me|\w+\d+)\s+")
_LINE_START = _compile_before(r"(?:\A|\n)\s*")
_MADE_NEXT = _compile_after(rf"(?:(?:async|generic|http|rest|web|cli|console|unit)\s+)?(?:{_MADE})\b(?!\s+by\b)")
_MADE_SOON = re.compile(rf"{_BETWEEN}\s+(?:{_MADE})\b", re.IGNORECASE)
_CODE_NEXT = _compile_after(rf"(?:{_CODE}|command)\b(?!\s+by\b)")
_TOOL_NEXT = _compile_after(
    r"(?:compiler|interpreter|parser|lexer|transpiler|linter|formatter|developer|engineer|jobs?)\b"
)
_LIKE = _compile_before(r"\b(?:like|unlike|than|as in|not|similar to)\s+")

_WISH = re.compile(
    r"\b(?:write|create|generate|make|give|show|build|design|produce|draft|fix|repair|correct|complete|optimi[sz]e"
    r"|need|want)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(rf"\b(?:{_CODE}|that|which|to|from|for|using|with|of|in|into)\b", re.IGNORECASE)
_WRITTEN_SOON = re.compile(rf"{_BETWEEN}\s+(?:{_WRITTEN})\b(?!\s+(?!for\b)\w+[eo]r\b)", re.IGNORECASE)
_ENOUGH = _compile_after(r"(?:to|for|that|which)\b|[:.]?\s*(?:\n|\Z)")


def is_stated(name: Mention) -> bool:
    """As in: in Go, in idiomatic Rust, port this to C."""
    return _is_in(name) or is_ported_to(name)


def _is_in(name: Mention) -> bool:
    place = _IN.search(name.before)
    if place is None:
        return False
    rest = name.before[: place.start()]
    if _NOT.search(rest) or (name.is_ambiguous and _NOT_CODE.search(rest)):
        return False
    return _is_language_after_in(name)


def _is_language_after_in(name: Mention) -> bool:
    """One letter must be a capital at the end of its clause without other letters around; a word needs either one."""
    ends_clause = _CLAUSE_END.match(name.after) is not None
    if len(name.word) == 1:
        return name.is_clear and ends_clause and not _LETTERS.search(name.before + name.after)
    return name.is_clear or (ends_clause and name.word.islower())


def is_ported_to(name: Mention) -> bool:
    """As in: convert this script to Go. What is converted is code, and converting it is the task itself."""
    place = _PORTED.search(name.lead)
    if place is None or not name.is_clear or CODE_WORD.search(name.lead[: place.start()]):
        return False
    what = place["what"]
    return any((CODE_WORD.search(what), _THIS.fullmatch(what), any(find_mentions(what))))


def is_listed_after(name: Mention, first: Mention) -> bool:
    """As in: in Go or Rust, where Go is `first`."""
    between = first.after[: name.start - first.end]
    return _LISTED.fullmatch(between.strip()) is not None


def is_described(name: Mention) -> bool:
    """As in: a Python function, using Rust, Go: …; a Dockerfile always counts."""
    if name.is_format or _TOOL_NEXT.match(name.after):
        return False
    if name.language.name in {"Dockerfile", "Makefile"}:
        return True
    if name.is_clear and (_USING.search(name.before) or _is_label(name)):
        return True
    if not name.is_ambiguous:
        return _MADE_SOON.match(name.after) is not None
    if name.is_clear:
        return _MADE_NEXT.match(name.after) is not None
    if not name.word.islower():
        return False
    starts = _LINE_START.search(name.before) is not None and name.word != "go"
    return _CODE_NEXT.match(name.after) is not None and (starts or _ARTICLE.search(name.before) is not None)


def _is_label(name: Mention) -> bool:
    alone = _LINE_START.search(name.before) and name.after.lstrip().startswith(":")
    bracketed = name.before.rstrip().endswith(("(", "[")) and name.after.lstrip().startswith((")", "]"))
    return bool(alone) or bracketed


def is_wanted_format(name: Mention) -> bool:
    """As in: write an HTML page, fix this YAML; but not: a function that reads JSON."""
    if not name.is_format or _ASIDE.search(name.lead):
        return False
    if not (_WISH.search(name.lead) or len(name.lead.split()) <= 1):
        return False
    return bool(_WRITTEN_SOON.match(name.after) or _ENOUGH.match(name.after))


def is_plain_mention(name: Mention) -> bool:
    """The name can only be the language, is not compared with, and is not the subject of a tool."""
    return not (name.is_ambiguous or name.is_format or _TOOL_NEXT.match(name.after) or _LIKE.search(name.before))


def is_written_in(name: Mention) -> bool:
    """As in: in SQL, in CSS."""
    return name.is_format and _IN.search(name.before) is not None
