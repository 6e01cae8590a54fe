"""Mask secrets in whatever is stored: keys, tokens, private keys, values of `.env` files and of key variables.

Masking is stable and idempotent, so a request hashes the same before and after it was stored. It leaves ordinary code
alone, since a resumed run goes on with what was stored. Every pattern does bounded work per character.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from bottega.journal.dotenv import is_reference, is_words, names_another_thing, secret_values

PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|\Z)", re.S
)
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("private-key", PRIVATE_KEY),
    # `sk-text-repr-fallback` is a class of scikit-learn's pages: keys have a capital or a digit
    ("api-key", re.compile(r"\bsk-(?=[a-z_-]{0,80}[A-Z0-9])[A-Za-z0-9_-]{16,}|\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}")),
    ("github-token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})")),
    ("gitlab-token", re.compile(r"\bglpat-[A-Za-z0-9_-]{16,}")),
    ("aws-key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    ("google-key", re.compile(r"\bAIza[A-Za-z0-9_-]{30,}")),
    ("slack-token", re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}")),
    (
        "hub-token",
        re.compile(
            r"\b(?:(?:hf|npm)_[A-Za-z0-9]{30,}|pypi-AgE[A-Za-z0-9_-]{20,}|dckr_pat_[A-Za-z0-9_-]{20,}"
            r"|glsa_[A-Za-z0-9_]{30,}|shpat_[a-fA-F0-9]{32}|sq0atp-[A-Za-z0-9_-]{20,})"
        ),
    ),
    # the look ahead from the start of the run keeps a run of many `eyJ` and no dot from being read once for each
    (
        "jwt",
        re.compile(
            r"(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]++\.[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{5})"
            r"[A-Za-z0-9_-]*?\beyJ[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]++\.[A-Za-z0-9_-]++"
        ),
    ),
    (
        "password",
        re.compile(
            r"(?<=://)[^\s/:@\"'«»]{0,100}:(?!\{|<|\$[{(A-Z]|%[(s]|(?:pass(?:word)?|[*x]{1,200})@)"
            r"[^\s/@\"'«»]{3,200}(?=@)"
        ),
    ),
    ("basic", re.compile(r"(?i)(?<=\bbasic )(?=[a-z+/]{0,80}[0-9=])[a-z0-9+/]{12,400}={0,2}")),
    ("bearer", re.compile(r"(?i)(?<=\bbearer )(?=[a-z._~+/-]{0,80}[0-9])[a-z0-9._~+/-]{16,}=*")),
)
_WORD = r"(passw(?:or)?d|passphrase|secret|token(?!iz)|api_?key|access_?key|private_?key|credential)"
_ASSIGNED = re.compile(
    rf"""(?ix) {_WORD} ([a-z0-9_-]{{0,20}})
        (["']?\]? (?:\s{{0,20}}:\s{{0,20}}[a-z_][\w.\[\] |]{{0,40}}?)? \s{{0,20}}[:=]\s{{0,20}}[a-z]{{0,2}})
        (["'])([^"'\s«»]{{6,400}})\4"""
)
_ENV_BARE = re.compile(
    r"(?m)^([ \t+>-]{0,80}(?:(?:export|ENV|ARG|set)[ \t]{1,20})?[A-Z0-9_]{0,60}?)"
    rf"{_WORD.upper()}([A-Z0-9_]{{0,20}})([ \t]{{0,20}}=[ \t]{{0,20}})"
    r"([^\s\"'«»()\[\]{}]{6,400})(?=[ \t]+\#|[ \t\r]*$)"
)
_LOOSE = re.compile(
    rf"(?i)(?<![a-z]){_WORD}([a-z0-9_-]{{0,20}}[ \t]{{0,4}}[:=][ \t]{{0,4}})"
    r"([a-z0-9_+/!@#$%^&*~-]{8,200}=?=?)(?=[\s,;]|$)"
)
_KEY = re.compile(rf"(?i){_WORD}([a-z0-9_-]{{0,20}})$")
_VALUE = re.compile(r"[^\s«»]{6,400}")
_EXPRESSION = re.compile(r"[A-Za-z_][\w.]*|[\d._]+")
_NAMES_A_SECRET = re.compile(r"(?i)[a-z_.-]{0,40}?(?:passw(?:or)?d|secret|key|token)[a-z_.-]{0,40}")
_TOKEN = re.compile(r"[A-Za-z0-9_.+/=~:!$%&*-]+")
_MASK = "«masked:[a-z-]{1,20}»"
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORTEST_VALUE = 8
_LONG_VALUE = 20
_SHORT = 1000


class Masker:
    """Masks the known shapes, and the literal values it was given."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        literal = sorted({value for value in values if len(value) >= _SHORTEST_VALUE}, key=len, reverse=True)
        self._literal = re.compile("|".join((_MASK, *map(re.escape, literal)))) if literal else None
        # The state of a run is written after every step, and most of it is as it was.
        self._of_short = lru_cache(maxsize=16_384)(self._freed)
        self._of_long = lru_cache(maxsize=16)(self._freed)

    def __call__(self, text: str) -> str:
        """The text without its secrets, and without lone surrogates, which no file can hold."""
        return self._of_short(text) if len(text) <= _SHORT else self._of_long(text)

    def _freed(self, text: str) -> str:
        text = _SURROGATE.sub("\ufffd", text)
        if self._literal is not None:
            text = self._literal.sub(_masked_value, text)
        for name, shape in _SHAPES:
            text = shape.sub(f"«masked:{name}»", text)
        text = _ASSIGNED.sub(_masked_assignment, text)
        text = _ENV_BARE.sub(_masked_line, text)
        return _LOOSE.sub(_masked_loose, text)

    def json(self, value: Any) -> str:
        """JSON text of a value whose texts are masked one by one, so that no mask can break the JSON."""
        return json.dumps(self.masked(value), ensure_ascii=False)

    def structure(self, value: Any) -> str:
        """JSON text of names and free text together: a single word is masked by its shape alone.

        Names of steps and actions may stand in an .env file too, and a run must still find its way by them.
        """
        shapes = Masker()

        def leaf(text: str) -> str:
            return self(text) if " " in text.strip() else shapes(text)

        return json.dumps(_mapped(value, leaf), ensure_ascii=False)

    def masked(self, value: Any) -> Any:
        if isinstance(value, str):
            return self(value)
        if isinstance(value, Mapping):
            entries = ((self.masked(key), self.masked(inner)) for key, inner in value.items())
            return {key: _masked_entry(key, inner) for key, inner in entries}
        if isinstance(value, list | tuple):
            return [self.masked(inner) for inner in value]
        return value


def _mapped(value: Any, leaf: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return leaf(value)
    if isinstance(value, Mapping):
        return {leaf(str(key)): _mapped(inner, leaf) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_mapped(inner, leaf) for inner in value]
    return value


def _masked_loose(found: re.Match[str]) -> str:
    """`password: Xy12…` without quotes, anywhere in a line; a name with a digit in it is code, not a secret."""
    word, rest, value = found.groups()
    digits = sum(character.isdigit() for character in value)
    is_mixed = value.lower() != value and value.upper() != value
    enough = 1 if len(value) >= _LONG_VALUE else 2
    looks_random = any(map(str.isalpha, value)) and (digits > 3 or (digits >= enough and is_mixed))
    return f"{word}{rest}«masked:value»" if looks_random else found.group()


def masker_for(root: Path, environ: Mapping[str, str]) -> Masker:
    """Knows the values of the repository's `.env` files and of variables whose names speak of secrets."""
    return Masker(secret_values(root, environ))


def _masked_value(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith("«masked:") else "«masked:env»"


def _masked_assignment(found: re.Match[str]) -> str:
    word, rest, between, quote, value = found.groups()
    if not _is_secret(word, rest, value):
        return found[0]
    return f"{word}{rest}{between}{quote}«masked:value»{quote}"


def _masked_entry(key: object, value: Any) -> Any:
    """`{"password": "…"}` is an assignment as well."""
    found = _KEY.search(key) if isinstance(key, str) and isinstance(value, str) else None
    return "«masked:value»" if found and _VALUE.fullmatch(value) and _is_secret(found[1], found[2], value) else value


def _masked_line(found: re.Match[str]) -> str:
    before, word, rest, equals, value = found.groups()
    is_code = " " in equals and _EXPRESSION.fullmatch(value)
    if is_code or not _is_secret(word, rest, value):
        return found[0]
    return f"{before}{word}{rest}{equals}«masked:value»"


def _is_secret(word: str, rest: str, value: str) -> bool:
    """Passwords may be words, unless the words only say what they are; tokens and keys look like nothing readable."""
    if names_another_thing(rest) or is_reference(value):
        return False
    if word.lower().startswith(("pass", "secret")):
        return _NAMES_A_SECRET.fullmatch(value) is None
    return _TOKEN.fullmatch(value) is not None and not is_words(value)
