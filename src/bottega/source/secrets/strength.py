"""Decide whether a name names a secret, and how strongly a value looks like one."""

from __future__ import annotations

import re
from enum import IntEnum

from bottega.source.secrets.names import (
    entropy,
    is_placeholder,
    is_public_value,
    is_reference,
    is_words,
    names_another_thing,
)

WORDS = ("pass", "pwd", "secret", "token", "key", "credential")

_KEY_QUALIFIERS = (
    *("api", "access", "private", "auth", "secret", "encryption", "encrypt", "signing", "sign", "master", "account"),
    *("service", "storage", "shared", "subscription", "license", "licence", "consumer", "app", "application", "client"),
    *("deploy", "hmac", "jwt", "session", "cookie", "aes", "des", "admin", "root", "webhook", "write", "ingest"),
)
_PASS_OWNERS = ("db", "user", "root", "admin", "smtp", "mail", "mysql", "ftp", "ssh", "redis", "login", "my")
_QUALIFIED_KEY = re.compile(rf"(?i)(?:{'|'.join(_KEY_QUALIFIERS)})[_.-]?$")
_PASS_ALONE = re.compile(rf"(?i)(?:^|[_.-]|{'|'.join(_PASS_OWNERS)})$")
# Every name of a secret contains one of these, for a search that looks for literals first.
NAME_LITERALS = (
    *("passw", "passphrase", "pass", "pwd", "secret", "token", "credential"),
    *(f"{owner}pass" for owner in _PASS_OWNERS),
    *(f"{qualifier}{sign}key" for qualifier in _KEY_QUALIFIERS for sign in ("", "_", "-", ".")),
)
_HARMLESS_LEFT = re.compile(
    r"(?i)(?<![a-z])(?:public[_-]?key|public|max|min|num|next|page|csrf|xsrf|eos|bos|pad|unk|sep|cls|mask|special|stop|prompt|completion|total"
    r"|input|output|start|end|by|no|forgot|reset|has|is|show|toggle|invalid)[_.-]?$"
)
SECRET_NAME = re.compile(
    r"(?i)[a-z_.:=-]{0,40}?(?:passw(?:or)?d|passwort|secret|key|token|pass|pwd)[a-z_.:=-]{0,40}\d{0,3}"
)
_TOKEN = re.compile(r"[A-Za-z0-9_.+/=~:!$%&*@#^-]+")
CODE = re.compile(
    r"(?i)[a-z_$][\w$]*(?:(?:\.|->|::)[a-z_$][\w$]*)+|[a-z_]\w*\(|/[\w./-]*|https?://|[\w.-]+/[\w./-]+\.[a-z]{1,5}$|^[.~]/"
)
_LABEL = re.compile(
    r"(?i)(?:required|hashed|confirmed|string|text|hidden|optional|nullable|incorrect|current|forgot|none|null|false|true|basic|bearer|plain|varchar|admin|root|test|testing)\b"
)
_PASSWORD_HASH = re.compile(
    r"(?:pbkdf2|argon2|bcrypt|scrypt|sha\d|md5|crypt)[\w-]{0,20}\$|\$(?:2[abxy]|argon2\w{0,2}|[156]|scrypt)\$|\{\w{2,10}\}"
)
_LONG_VALUE = 20
_SHORT_REST = 8
_LEETSPEAK = str.maketrans("01345$@!7", "oieassait")
_SECRET_WORD = re.compile(r"(?i)pas+w|secret|sekrit|private")


class Strength(IntEnum):
    """How strongly a value looks like a secret."""

    WORD = 0  # one ordinary word: masked, but not reported
    WORDS = 1  # words with a digit, several words, or a name that says whose password it is
    MIXED = 2
    RANDOM = 3


def is_secret_value(name: str, value: str) -> bool:
    """Whether a value under a name (`{"password": "…"}`) is a secret, weak ones included."""
    for word in WORDS:
        position = name.lower().rfind(word)
        if position >= 0 and names_secret(word, name[:position], name[position + len(word) :]):
            return rate_value(word, name[:position], value) is not None
    return False


def names_secret(word: str, left: str, tail: str) -> bool:
    """Whether the whole name is that of a secret: `api_key` is, `keyboard`, `compass` and `max_tokens` are not."""
    if _HARMLESS_LEFT.search(left) or names_another_thing(tail):
        return False
    if word == "key":
        return _QUALIFIED_KEY.search(left) is not None and not tail[:1].islower()
    if word == "pass":
        is_longer = tail.lower().startswith(("w", "phrase"))
        return is_longer or (not tail[:1].isalpha() and (_PASS_ALONE.search(left) is not None))
    return True


def rate_value(word: str, left: str, value: str) -> Strength | None:
    """How strongly a value looks like a secret under such a name; `None` where it does not."""
    if is_reference(value) or is_placeholder(value) or is_public_value(value) or CODE.match(value):
        return None
    if _PASSWORD_HASH.match(value):
        return None
    if left and value.lower() in left.lower():  # `POSTGRES_PASSWORD: postgres` is a public default
        return None
    strength = _measure_strength(value)
    if word in {"pass", "pwd"}:
        if SECRET_NAME.fullmatch(value):
            return None
        return strength if strength > Strength.WORDS else _rate_password_of_words(left, value)
    if word == "secret":
        if SECRET_NAME.fullmatch(value):
            return None
        return strength if strength > Strength.WORDS else None
    return strength if strength == Strength.RANDOM and _TOKEN.fullmatch(value) else None


def _measure_strength(value: str) -> Strength:
    word = _SECRET_WORD.search(value.translate(_LEETSPEAK))
    if is_words(value) or (word and len(value) - len(word[0]) < _SHORT_REST):  # `s3cr3t-two`, `pa55w0rd!`
        return Strength.WORDS
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if digits and letters and entropy(value) >= 2.8 and len(value) >= 8:
        return Strength.RANDOM
    return Strength.MIXED


def _rate_password_of_words(left: str, value: str) -> Strength | None:
    """Words are a password where there are several of them or a digit, or where the name says whose it is."""
    has_digit = any(map(str.isdigit, value))
    is_label = value[:1].isupper() and not has_digit  # `Password`, `New-Password`; `Winter2024!` is not
    if _LABEL.match(value) or is_label or not value.isascii():
        return None
    is_phrase = not value.isalnum() and len(value) >= 10
    if has_digit or is_phrase or (left[-1:] in {"_", "-", "."} and len(left) > 1):
        return Strength.WORDS
    return Strength.WORD if len(value) >= 6 else None


def looks_random(value: str) -> bool:
    """`password: Xy12…` without quotes, anywhere in a line; a name with a digit in it is code, not a secret."""
    digits = sum(map(str.isdigit, value))
    is_mixed = value.lower() != value and value.upper() != value
    enough = 1 if len(value) >= _LONG_VALUE else 2
    return any(map(str.isalpha, value)) and (digits > 3 or (digits >= enough and is_mixed))
