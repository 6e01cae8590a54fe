"""Mask secrets in whatever is stored or sent: known shapes, values of `.env` files and of key variables.

Masking is stable and idempotent, so a request hashes the same before and after it was stored. It leaves ordinary code
alone, since a resumed run goes on with what was stored. Every pattern does bounded work per character.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from bottega.source.secrets.assignments import is_secret_value
from bottega.source.secrets.detect import MARK, mask_secrets, masking_kind

_VALUE = re.compile(r"[^\s«»]{6,400}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORTEST_VALUE = 8
_SHORTEST_WORD = 4
_SHORT = 1000


class EnvValues(NamedTuple):
    """Values to mask: those that look like nothing else anywhere, those that read like words as whole words alone."""

    anywhere: tuple[str, ...]
    words: tuple[str, ...]


NO_VALUES = EnvValues((), ())


class Masker:
    """Masks the known shapes and the literal values it was given: `values` wherever they stand, `words` as whole words.

    `values` may also be a function, which is called when the first text is masked.
    """

    def __init__(self, values: Iterable[str] | Callable[[], EnvValues] = (), words: Iterable[str] = ()) -> None:
        self._read = values if callable(values) else lambda: EnvValues(tuple(values), tuple(words))
        # The state of a run is written after every step, and most of it is as it was.
        self._of_short = lru_cache(maxsize=16_384)(self._mask)
        self._of_long = lru_cache(maxsize=16)(self._mask)

    def __call__(self, text: str, *, path: str = "") -> str:
        """The text without its secrets, and without lone surrogates, which no file can hold.

        `path` is the file the text is of: every value of a `.env` file is masked in it, and values of other formats are
        told from code.
        """
        if path:
            return self._mask(text, path)
        return self._of_short(text) if len(text) <= _SHORT else self._of_long(text)

    def key_of(self, text: str, path: str) -> str:
        """What masking this text depends on beside the text: its kind of file, and which of the values stand in it."""
        found = set() if self._literal is None else {match[0] for match in self._literal.finditer(text)}
        digest = (
            blake2b("\0".join(sorted(found)).encode("utf-8", "replace"), digest_size=8).hexdigest() if found else ""
        )
        return f"{masking_kind(path)}:{digest}"

    @cached_property
    def digest(self) -> str:
        """Changes when the literal values change; says nothing about them."""
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
            re.escape(value) if value in anywhere and len(value) >= _SHORTEST_VALUE else _as_word(value)
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
        """JSON text of a value whose texts are masked one by one, so that no mask can break the JSON."""
        return json.dumps(self.masked(value), ensure_ascii=False)

    def structure(self, value: Any) -> str:
        """JSON text of names and free text together: a single word is masked by its shape alone.

        Names of steps and actions may stand in an .env file too, and a run must still find its way by them.
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


def _as_word(value: str) -> str:
    return rf"(?<![A-Za-z0-9_»]){re.escape(value)}(?![A-Za-z0-9_«])"


def _map_texts(value: Any, leaf: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return leaf(value)
    if isinstance(value, Mapping):
        return {leaf(str(key)): _map_texts(inner, leaf) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_map_texts(inner, leaf) for inner in value]
    return value


def _mask_literal(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith("«masked:") else "«masked:env»"


def _mask_entry(key: object, value: Any) -> Any:
    """`{"password": "…"}` is an assignment as well."""
    if not (isinstance(key, str) and isinstance(value, str) and _VALUE.fullmatch(value)):
        return value
    return "«masked:value»" if is_secret_value(key, value) else value
