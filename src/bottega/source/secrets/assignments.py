"""Find secrets without a known format: values assigned to a name such as `api_key`, and passwords in prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bottega.source.secrets.names import is_placeholder, is_reference
from bottega.source.secrets.strength import CODE, SECRET_NAME, WORDS, Strength, looks_random, names_secret, rate_value

VALUE_RULE, VALUE_TITLE = "value", "secret in plain text"
PROSE_RULE, PROSE_TITLE = "told-password", "password told in prose"

_LEFT = re.compile(r"[A-Za-z0-9_.$-]{0,40}$")
_TAIL = r"(?P<tail>(?!iz|iser|phrases?[ ]is)[A-Za-z0-9_-]{0,24}+)"
_SEPARATOR = (
    r"(?P<close>(?:\\{0,3}[\"'`])?\]?\)?)"
    r"(?:[ \t]{0,20}:[ \t]{0,20}[A-Za-z_][\w.\[\] |?]{0,40}(?==))?"
    r"(?P<sign>\s{0,20}(?:=>|:=|[=!]?==?|:|,|>|\(|[ ]value=)\s{0,20})"
)
_QUOTED = re.compile(
    rf"{_TAIL}{_SEPARATOR}[a-zA-Z@]{{0,2}}(?P<quote>\\{{0,3}}[\"'`])(?P<value>(?:(?!(?P=quote))(?:\\[^\s«»]|[^\s«»\\])){{4,400}}+)(?P=quote)"
)
_BARE = re.compile(
    rf"{_TAIL}(?P<close>[\"']?)(?P<sign>[ \t]{{0,20}}[:=>][ \t]{{0,20}})"
    r"(?P<value>[^\s\"'`«»()\[\]{}<>,;\\]{6,1000}+)(?!«)(?P<next>[ \t]{0,8}[^\s]?)"
)
_SHELL_LEFT = re.compile(r"^[ \t+>-]{0,80}(?:(?:export|ENV|ARG|set|declare|-e|-x)[ \t]{1,20}){0,2}[A-Z0-9_]{0,60}$")
_CONFIG_LEFT = re.compile(r"^[ \t+-]{0,80}[\w.-]{0,60}$")
_EXPRESSION = re.compile(r"[A-Za-z_][\w.]*|[\d._]+")
_PROSE = re.compile(
    r"(?P<tail>(?:word|wd|phrase|wort)?s?)[ ](?:(?:for|of|on|to)[ ][\w@.-]{1,40}[ ])?"
    r"(?:was|is|are|=|:|to|being)[ ]{0,2}(?:now[ ]|still[ ]|set[ ]to[ ])?"
    r"(?P<quote>[\"'`]?)(?P<value>[^\s\"'`«»,;()<>{}\[\]]{6,64}+)(?P=quote)(?!«)"
)
_ALGORITHM = re.compile(
    r"(?i)(?:sha|md|aes|rsa|utf|base|oauth|bcrypt|argon|pbkdf|scrypt|hmac|rfc|ipv|python|http|v)-?\d"
)
_CONFIG_SUFFIXES = (
    ".yml",
    ".yaml",
    ".ini",
    ".cfg",
    ".conf",
    ".properties",
    ".env",
    ".toml",
    ".tfvars",
    ".netrc",
    ".pgpass",
)


@dataclass(frozen=True, slots=True)
class Assignment:
    """A value that is assigned to the name of a secret."""

    rule: str
    title: str
    start: int
    end: int
    strength: Strength = Strength.RANDOM


def find_assignments(text: str, folded: str, path: str) -> Iterator[Assignment]:
    for word in WORDS:
        position = folded.find(word)
        while position >= 0:
            assignment = _find_assignment(text, position, word, path)
            if assignment:
                yield assignment
            position = folded.find(word, assignment.end if assignment else position + len(word))


def is_config_file(path: str) -> bool:
    """Whether a line `name: value` without quotes assigns a value in this file."""
    return path.lower().endswith(_CONFIG_SUFFIXES)


def _find_assignment(text: str, position: int, word: str, path: str) -> Assignment | None:
    after = position + len(word)
    match = _QUOTED.match(text, after)
    if match and _may_separate(match):
        return _check_quoted(text, position, word, match)
    match = _BARE.match(text, after)
    if match:
        return _check_bare(text, position, word, match, path)
    if word == "pass" and (match := _PROSE.match(text, after)):
        return _check_prose(match)
    return None


def _may_separate(match: re.Match[str]) -> bool:
    """Whether the sign separates a name from its value: a comma after a quoted name does, a bracket in a call does."""
    sign = match["sign"].strip()
    if sign == ",":
        return bool(match["close"]) and match["close"][-1:] in "\"'`" and "\n" not in match["sign"]
    if sign == ">":
        return False
    return not (sign == "(" and match["close"])


def _check_quoted(text: str, position: int, word: str, match: re.Match[str]) -> Assignment | None:
    left, tail = _get_name_before(text, position), match["tail"]
    value = match["value"]
    if not names_secret(word, left, tail):
        return None
    strength = rate_value(word, left, value)
    if strength is None or (match["sign"].strip() in {"(", ","} and strength < Strength.RANDOM):
        return None
    return Assignment(VALUE_RULE, VALUE_TITLE, match.start("value"), match.end("value"), strength)


def _check_bare(text: str, position: int, word: str, match: re.Match[str], path: str) -> Assignment | None:
    left, value = _get_name_before(text, position), match["value"]
    is_random = looks_random(value[:200])
    is_whole = not match["next"].strip() or match["next"].strip() == "#"
    is_line = is_whole and _is_config_line(text, position, match, path)
    if not (is_random or is_line) or not names_secret(word, left, match["tail"]):
        return None
    if not _is_element(text, position - len(left), match):
        return None
    strength = rate_value(word, left, value)
    if strength is None or not (is_line or strength == Strength.RANDOM):
        return None
    return Assignment(VALUE_RULE, VALUE_TITLE, match.start("value"), match.end("value"), strength)


def _is_config_line(text: str, position: int, match: re.Match[str], path: str) -> bool:
    """`NAME=value` of a shell or a `.env` file, `name: value` of a configuration file; not an expression of code."""
    line_start = text.rfind("\n", max(0, position - 140), position) + 1
    before = text[max(line_start, position - 140) : position]
    if is_config_file(path) and _CONFIG_LEFT.match(before):
        return True
    name = text[position : match.end("tail")]
    is_upper = name == name.upper() and "=" in match["sign"]
    is_expression = " " in match["sign"] and _EXPRESSION.fullmatch(match["value"]) is not None
    return is_upper and not is_expression and _SHELL_LEFT.match(before) is not None


def _is_element(text: str, start: int, match: re.Match[str]) -> bool:
    """`>` separates a name from its value in `<password>value</password>` alone."""
    return ">" not in match["sign"] or (text[start - 1 : start] == "<" and match["next"].strip() == "<")


def _check_prose(match: re.Match[str]) -> Assignment | None:
    """A password in prose: letters and digits together, and not the name of an algorithm."""
    value = match["value"].rstrip(".:!?")
    digits = sum(map(str.isdigit, value))
    has_letters = any(map(str.isalpha, value))
    if digits == 0 or not has_letters or is_reference(value) or is_placeholder(value) or CODE.match(value):
        return None
    if _ALGORITHM.match(value) or SECRET_NAME.fullmatch(value):
        return None
    start = match.start("value")
    return Assignment(PROSE_RULE, PROSE_TITLE, start, start + len(value))


def _get_name_before(text: str, position: int) -> str:
    return _LEFT.search(text, max(0, position - 40), position)[0]  # type: ignore[index]  # the pattern also matches the empty string
