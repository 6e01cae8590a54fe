"""Secrets of no known shape: what a name that speaks of secrets is given, and what prose says a password is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from bottega.source.secrets.names import (
    entropy,
    is_placeholder,
    is_public_value,
    is_reference,
    is_words,
    names_another_thing,
)

VALUE_RULE, VALUE_TITLE = "value", "secret in plain text"
PROSE_RULE, PROSE_TITLE = "told-password", "password told in prose"
WORDS = ("pass", "pwd", "secret", "token", "key", "credential")

_KEY_QUALIFIERS = (
    *("api", "access", "private", "auth", "secret", "encryption", "encrypt", "signing", "sign", "master", "account"),
    *("service", "storage", "shared", "subscription", "license", "licence", "consumer", "app", "application", "client"),
    *("deploy", "hmac", "jwt", "session", "cookie", "aes", "des", "admin", "root", "webhook", "write", "ingest"),
)
_PASS_OWNERS = ("db", "user", "root", "admin", "smtp", "mail", "mysql", "ftp", "ssh", "redis", "login", "my")
_QUALIFIED_KEY = re.compile(rf"(?i)(?:{'|'.join(_KEY_QUALIFIERS)})[_.-]?$")
_PASS_ALONE = re.compile(rf"(?i)(?:^|[_.-]|{'|'.join(_PASS_OWNERS)})$")
# What stands in every name that speaks of a secret, for a search that looks at literals first.
NAME_LITERALS = (
    *("passw", "passphrase", "pass", "pwd", "secret", "token", "credential"),
    *(f"{owner}pass" for owner in _PASS_OWNERS),
    *(f"{qualifier}{sign}key" for qualifier in _KEY_QUALIFIERS for sign in ("", "_", "-", ".")),
)
_HARMLESS_LEFT = re.compile(
    r"(?i)(?<![a-z])(?:public[_-]?key|public|max|min|num|next|page|csrf|xsrf|eos|bos|pad|unk|sep|cls|mask|special|stop|prompt|completion|total"
    r"|input|output|start|end|by|no|forgot|reset|has|is|show|toggle|invalid)[_.-]?$"
)
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
_NAMES_A_SECRET = re.compile(
    r"(?i)[a-z_.:=-]{0,40}?(?:passw(?:or)?d|passwort|secret|key|token|pass|pwd)[a-z_.:=-]{0,40}\d{0,3}"
)
_TOKEN = re.compile(r"[A-Za-z0-9_.+/=~:!$%&*@#^-]+")
_CODE = re.compile(
    r"(?i)[a-z_$][\w$]*(?:(?:\.|->|::)[a-z_$][\w$]*)+|[a-z_]\w*\(|/[\w./-]*|https?://|[\w.-]+/[\w./-]+\.[a-z]{1,5}$|^[.~]/"
)
_LABEL = re.compile(
    r"(?i)(?:required|hashed|confirmed|string|text|hidden|optional|nullable|incorrect|current|forgot|none|null|false|true|basic|bearer|plain|varchar|admin|root|test|testing)\b"
)
_PROSE = re.compile(
    r"(?P<tail>(?:word|wd|phrase|wort)?s?)[ ](?:(?:for|of|on|to)[ ][\w@.-]{1,40}[ ])?"
    r"(?:was|is|are|=|:|to|being)[ ]{0,2}(?:now[ ]|still[ ]|set[ ]to[ ])?"
    r"(?P<quote>[\"'`]?)(?P<value>[^\s\"'`«»,;()<>{}\[\]]{6,64}+)(?P=quote)(?!«)"
)
_ALGORITHM = re.compile(
    r"(?i)(?:sha|md|aes|rsa|utf|base|oauth|bcrypt|argon|pbkdf|scrypt|hmac|rfc|ipv|python|http|v)-?\d"
)
_PASSWORD_HASH = re.compile(
    r"(?:pbkdf2|argon2|bcrypt|scrypt|sha\d|md5|crypt)[\w-]{0,20}\$|\$(?:2[abxy]|argon2\w{0,2}|[156]|scrypt)\$|\{\w{2,10}\}"
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
_LONG_VALUE = 20
_SHORT_REST = 8


_LEETSPEAK = str.maketrans("01345$@!7", "oieassait")
_SPEAKS_OF_ITSELF = re.compile(r"(?i)pas+w|secret|sekrit|private")


class Strength(IntEnum):
    """How much a value looks like a secret by itself."""

    WORD = 0  # one ordinary word: masked, not worth an alarm
    WORDS = 1  # words with a figure, several words, or a name that says whose password it is
    MIXED = 2
    RANDOM = 3


@dataclass(frozen=True, slots=True)
class Assignment:
    """A value that a name is given."""

    rule: str
    title: str
    start: int
    end: int
    strength: Strength = Strength.RANDOM


def find_assignments(text: str, folded: str, path: str) -> Iterator[Assignment]:
    for word in WORDS:
        position = folded.find(word)
        while position >= 0:
            found = _assignment_at(text, position, word, path)
            if found:
                yield found
            position = folded.find(word, found.end if found else position + len(word))


def is_config_file(path: str) -> bool:
    """Whether a line `name: value` without quotes assigns a value in this file."""
    return path.lower().endswith(_CONFIG_SUFFIXES)


def is_secret_value(name: str, value: str) -> bool:
    """Whether a value under a name (`{"password": "…"}`) is a secret, weak ones included."""
    for word in WORDS:
        position = name.lower().rfind(word)
        if position >= 0 and _is_speaking(word, name[:position], name[position + len(word) :]):
            return _judge(word, name[:position], value) is not None
    return False


def _assignment_at(text: str, position: int, word: str, path: str) -> Assignment | None:
    after = position + len(word)
    found = _QUOTED.match(text, after)
    if found and _may_separate(found):
        return _accepted(text, position, word, found)
    found = _BARE.match(text, after)
    if found:
        return _accepted_bare(text, position, word, found, path)
    if word == "pass" and (found := _PROSE.match(text, after)):
        return _told(found)
    return None


def _may_separate(found: re.Match[str]) -> bool:
    """A comma separates a name from its value where the name is quoted; a bracket where a setter takes the value."""
    sign = found["sign"].strip()
    if sign == ",":
        return bool(found["close"]) and found["close"][-1:] in "\"'`" and "\n" not in found["sign"]
    if sign == ">":
        return False
    return not (sign == "(" and found["close"])


def _accepted(text: str, position: int, word: str, found: re.Match[str]) -> Assignment | None:
    left, tail = _left_of(text, position), found["tail"]
    value = found["value"]
    if not _is_speaking(word, left, tail):
        return None
    strength = _judge(word, left, value)
    if strength is None or (found["sign"].strip() in {"(", ","} and strength < Strength.RANDOM):
        return None
    return Assignment(VALUE_RULE, VALUE_TITLE, found.start("value"), found.end("value"), strength)


def _accepted_bare(text: str, position: int, word: str, found: re.Match[str], path: str) -> Assignment | None:
    left, value = _left_of(text, position), found["value"]
    is_random = _looks_random_bare(value[:200])
    is_whole = not found["next"].strip() or found["next"].strip() == "#"
    is_line = is_whole and _is_config_line(text, position, found, path)
    if not (is_random or is_line) or not _is_speaking(word, left, found["tail"]):
        return None
    if not _is_element(text, position - len(left), found):
        return None
    strength = _judge(word, left, value)
    if strength is None or not (is_line or strength == Strength.RANDOM):
        return None
    return Assignment(VALUE_RULE, VALUE_TITLE, found.start("value"), found.end("value"), strength)


def _is_config_line(text: str, position: int, found: re.Match[str], path: str) -> bool:
    """`NAME=value` of a shell or a `.env` file, `name: value` of a configuration file; not an expression of code."""
    line_start = text.rfind("\n", max(0, position - 140), position) + 1
    before = text[max(line_start, position - 140) : position]
    if is_config_file(path) and _CONFIG_LEFT.match(before):
        return True
    name = text[position : found.end("tail")]
    is_upper = name == name.upper() and "=" in found["sign"]
    is_expression = " " in found["sign"] and _EXPRESSION.fullmatch(found["value"]) is not None
    return is_upper and not is_expression and _SHELL_LEFT.match(before) is not None


def _is_element(text: str, start: int, found: re.Match[str]) -> bool:
    """`>` separates a name from its value in `<password>value</password>` alone."""
    return ">" not in found["sign"] or (text[start - 1 : start] == "<" and found["next"].strip() == "<")


def _told(found: re.Match[str]) -> Assignment | None:
    """Prose that tells a password: letters and digits together, and no name of an algorithm."""
    value = found["value"].rstrip(".:!?")
    digits = sum(map(str.isdigit, value))
    has_letters = any(map(str.isalpha, value))
    if digits == 0 or not has_letters or is_reference(value) or is_placeholder(value) or _CODE.match(value):
        return None
    if _ALGORITHM.match(value) or _NAMES_A_SECRET.fullmatch(value):
        return None
    start = found.start("value")
    return Assignment(PROSE_RULE, PROSE_TITLE, start, start + len(value))


def _left_of(text: str, position: int) -> str:
    return _LEFT.search(text, max(0, position - 40), position)[0]  # type: ignore[index]  # it matches nothing as well


def _is_speaking(word: str, left: str, tail: str) -> bool:
    """Whether the whole name speaks of a secret: `api_key` does, `keyboard`, `compass` and `max_tokens` do not."""
    if _HARMLESS_LEFT.search(left) or names_another_thing(tail):
        return False
    if word == "key":
        return _QUALIFIED_KEY.search(left) is not None and not tail[:1].islower()
    if word == "pass":
        is_longer = tail.lower().startswith(("w", "phrase"))
        return is_longer or (not tail[:1].isalpha() and (_PASS_ALONE.search(left) is not None))
    return True


def _judge(word: str, left: str, value: str) -> Strength | None:
    """How strongly a value looks like a secret under such a name; None where it does not."""
    if is_reference(value) or is_placeholder(value) or is_public_value(value) or _CODE.match(value):
        return None
    if _PASSWORD_HASH.match(value):
        return None
    if left and value.lower() in left.lower():  # `POSTGRES_PASSWORD: postgres` opens what everyone can open
        return None
    strength = _strength(value)
    if word in {"pass", "pwd"}:
        if _NAMES_A_SECRET.fullmatch(value):
            return None
        return strength if strength > Strength.WORDS else _password_of_words(left, value)
    if word == "secret":
        if _NAMES_A_SECRET.fullmatch(value):
            return None
        return strength if strength > Strength.WORDS else None
    return strength if strength == Strength.RANDOM and _TOKEN.fullmatch(value) else None


def _strength(value: str) -> Strength:
    itself = _SPEAKS_OF_ITSELF.search(value.translate(_LEETSPEAK))
    if is_words(value) or (itself and len(value) - len(itself[0]) < _SHORT_REST):  # `s3cr3t-two`, `pa55w0rd!`
        return Strength.WORDS
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if digits and letters and entropy(value) >= 2.8 and len(value) >= 8:
        return Strength.RANDOM
    return Strength.MIXED


def _password_of_words(left: str, value: str) -> Strength | None:
    """Words are a password where there are several of them or a figure, or where the name says whose it is."""
    has_digit = any(map(str.isdigit, value))
    is_label = value[:1].isupper() and not has_digit  # `Password`, `New-Password`; `Winter2024!` is none
    if _LABEL.match(value) or is_label or not value.isascii():
        return None
    is_phrase = not value.isalnum() and len(value) >= 10
    if has_digit or is_phrase or (left[-1:] in {"_", "-", "."} and len(left) > 1):
        return Strength.WORDS
    return Strength.WORD if len(value) >= 6 else None


def _looks_random_bare(value: str) -> bool:
    """`password: Xy12…` without quotes, anywhere in a line; a name with a digit in it is code, not a secret."""
    digits = sum(map(str.isdigit, value))
    is_mixed = value.lower() != value and value.upper() != value
    enough = 1 if len(value) >= _LONG_VALUE else 2
    return any(map(str.isalpha, value)) and (digits > 3 or (digits >= enough and is_mixed))
