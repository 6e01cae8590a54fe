"""Estimate the number of tokens of a text without a tokenizer."""

from __future__ import annotations

import math

from bottega.errors import InputError

_DIGITS = "0123456789"
_LATIN_ENDS = "\u0250"
_ASTRAL_STARTS = "\U00010000"


def estimate_tokens(text: str, chars_per_token: float = 4.0) -> int:
    """Estimate high, because a prompt that exceeds the context window is worse than a shorter one.

    The sum, rounded up, of: plain ASCII divided by `chars_per_token`; one for every ASCII digit, since
    several tokenizers keep digits apart; one half for every accented Latin letter; one for every other
    character, as in Chinese or Cyrillic; two for every character past U+FFFF, such as emoji. No character
    is ever counted as less than plain ASCII would be.
    """
    if not (math.isfinite(chars_per_token) and chars_per_token > 0):
        raise InputError(f"{chars_per_token} characters per token is not a rate", hint="Use a number above 0.")
    plain = 1 / chars_per_token
    digits = sum(text.count(digit) for digit in _DIGITS)
    ascii_length = len(text) if text.isascii() else sum(char.isascii() for char in text)
    other = 0.0 if text.isascii() else sum(max(plain, _cost(char)) for char in text if not char.isascii())
    return math.ceil((ascii_length - digits) * plain + digits * max(plain, 1.0) + other)


def _cost(char: str) -> float:
    if char < _LATIN_ENDS:
        return 0.5
    return 2.0 if char >= _ASTRAL_STARTS else 1.0
