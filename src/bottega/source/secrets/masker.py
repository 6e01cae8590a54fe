"""Mask secrets in all that is stored or sent: known formats, values of `.env` files and of key variables.

Masking is stable and idempotent, so that a request has the same hash before and after it was stored. Ordinary code
stays unchanged, since a resumed run continues with the stored text. Every pattern does bounded work per character.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from bottega.source.secrets.detect import MARK, mask_secrets, masking_kind
from bottega.source.secrets.strength import is_secret_value

_VALUE = re.compile(r"[^\s«»]{6,400}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORTEST_VALUE = 8
_SHORTEST_WORD = 4
_SHORT = 1000


class EnvValues(NamedTuple):
    """Values to mask: `anywhere` are masked inside other text too, `words` only as whole words."""

    anywhere: tuple[str, ...]
    words: tuple[str, ...]


NO_VALUES = EnvValues((), ())


class Masker:
    """Masks the known formats and given literals: `values` anywhere, `words` only as whole words.

    `values` may also be a function, which is called when the first text is masked.
    """

    def __init__(self, values: Iterable[str] | Callable[[], EnvValues] = (), words: Iterable[str] = ()) -> None:
        self._read = values if callable(values) else lambda: EnvValues(tuple(values), tuple(words))
        # The state of a run is written after every step, and most of it is unchanged.
        self._of_short = lru_cache(maxsize=16_384)(self._mask)
        self._of_long = lru_cache(maxsize=16)(self._mask)

    def __call__(self, text: str, *, path: str = "") -> str:
        """Mask the secrets of a text, and replace lone surrogates, which UTF-8 cannot encode.

        `path` is the file of the text: in a `.env` file every value is masked, and in other configuration files an
        unquoted value is an assignment too.
        """
        if path:
            return self._mask(text, path)
        return self._of_short(text) if len(text) <= _SHORT else self._of_long(text)

    def key_of(self, text: str, path: str) -> str:
        """The cache key of masking beside the text: the kind of file, and the literal values that the text contains."""
        found = set() if self._literal is None else {match[0] for match in self._literal.finditer(text)}
        digest = (
            blake2b("\0".join(sorted(found)).encode("utf-8", "replace"), digest_size=8).hexdigest() if found else ""
        )
        return f"{masking_kind(path)}:{digest}"

    @cached_property
    def digest(self) -> str:
        """A checksum of the literal values, to detect that they changed."""
        pattern = self._literal.pattern if self._literal is not None else ""
        return blake2b(pattern.encode("utf-8", "replace"), digest_size=8).hexdigest()

    @cached_property
    def values(self) -> EnvValues:
        """The literal values, for a process that masks on behalf of this one."""
        return self._read()

    @cached_property
    def _literal(self) -> re.Pattern[str] | None:
        anywhere, words = self.values
        longest_first = sorted({*anywhere, *words}, key=lambda value: (-len(value), value))
        parts = [
            re.escape(value) if value in anywhere and len(value) >= _SHORTEST_VALUE else _match_word(value)
            for value in longest_first
            if len(value) >= (_SHORTEST_WORD if value in words else _SHORTEST_VALUE)
        ]
        return re.compile("|".join((MARK, *parts))) if parts else None

    def _mask(self, text: str, path: str = "") -> str:
        text = _SURROGATE.sub("\ufffd", text)
        if self._literal is not None:
            text = self._literal.sub(_mask_literal, text)
        return mask_secrets(text, path=path)

    def json(self, value: Any) -> str:
        """JSON of a value; its strings are masked one by one, so that no mask can break the JSON."""
        return json.dumps(self.masked(value), ensure_ascii=False)

    def structure(self, value: Any) -> str:
        """JSON of a value with names and free text; a single word is masked only where it has a known format.

        Names of steps and actions may equal a value of a `.env` file, and a resumed run must still find them.
        """
        shapes = Masker()

        def mask_leaf(text: str) -> str:
            return self(text) if " " in text.strip() else shapes(text)

        return json.dumps(_map_texts(value, mask_leaf), ensure_ascii=False)

    def masked(self, value: Any) -> Any:
        if isinstance(value, str):
            return self(value)
        if isinstance(value, Mapping):
            entries = ((self.masked(key), self.masked(inner)) for key, inner in value.items())
            return {key: _mask_entry(key, inner) for key, inner in entries}
        if isinstance(value, list | tuple):
            return [self.masked(inner) for inner in value]
        return value


def _match_word(value: str) -> str:
    return rf"(?<![A-Za-z0-9_»]){re.escape(value)}(?![A-Za-z0-9_«])"


def _map_texts(value: Any, leaf: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return leaf(value)
    if isinstance(value, Mapping):
        return {leaf(str(key)): _map_texts(inner, leaf) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_map_texts(inner, leaf) for inner in value]
    return value


def _mask_literal(match: re.Match[str]) -> str:
    return match[0] if match[0].startswith("«masked:") else "«masked:env»"


def _mask_entry(key: object, value: Any) -> Any:
    """Mask the value of an entry such as `{"password": "…"}`, which is an assignment."""
    if not (isinstance(key, str) and isinstance(value, str) and _VALUE.fullmatch(value)):
        return value
    return "«masked:value»" if is_secret_value(key, value) else value
