"""Recognize names and values that are no secrets: references, placeholders, words, public values."""

from __future__ import annotations

import math
import re
from collections import Counter

_NAMES_ANOTHER_THING = re.compile(
    r"(?i)[_-]?(?:env|name|type|kind|file|path|dir|sock|url|uri|host|field|header|label|ref|backend|method|mode)s?$"
)
_SEGMENT = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# The last part of a name whose value only describes a secret: `token_limit`, `passwordHash`, `secret_expires_at`.
_ABOUT_A_SECRET = frozenset(
    """accessor age alg algorithm alias at attr attribute authentication broker change changed class column confirmation
    count date description digest encoder encoding encryption entry error expiration expired expires expiry expr
    format generator hash hashed hasher hashing help hint id index len length limit link location manager message msg
    page param parameter pattern placeholder policy prefix prompt provider regex required reset rule scope service size
    source state status store strategy suffix template text time timeout title ttl usage validation validator version
    view""".split()
)
_WORD = r"(?:[A-Za-z]{1,20}\d{0,4}|\d{1,20}[A-Za-z]{0,2})"
_WORDS = re.compile(rf"[^A-Za-z0-9]{{0,3}}{_WORD}(?:[^A-Za-z0-9]{{1,3}}{_WORD})*[^A-Za-z0-9]{{0,3}}")
_LONG_RUN = re.compile(r"[A-Za-z]{12,}")
_SHORTEST_HUMP = 3
_REFERENCE = re.compile(
    r"\{[^}]*\}|<[^>]*>|\$[{(]|\$[A-Za-z_][\w.:]*$|%\(|%[sdvqx@]|%[A-Za-z_]+%$|@[A-Za-z_]+@$|#\{|[*x.•#_?-]+$|&[a-z]+;"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|(?:process\.env|os\.environ|env|secrets?|vars?|settings|config)[.\[(]"
)
_TEMPLATE = re.compile(
    r"\$\{|\{\{|\}\}|#\{|%\(|<%|\{[A-Za-z_][\w.]*\}|\{\d?\}|<[a-z_ -]+>|\$\(|(?:^|[:/@.-])\$[A-Za-z_]|^\[\w+\]$"
)
_PLACEHOLDER_PARTS = (
    *(
        "example",
        "sample",
        "dummy",
        "placeholder",
        "changeme",
        "change-me",
        "change_me",
        "changethis",
        "changeit",
        "your",
    ),
    *("replace", "insert", "redacted", "fake", "xxxx", "****", "...", "todo", "fixme", "deadbeef", "foobar", "foo-bar"),
    *(
        "foo_bar",
        "lorem",
        "ipsum",
        "not-a-",
        "not_a_",
        "not-the-",
        "not-real",
        "invalid",
        "undefined",
        "masked",
        "some-",
    ),
    *("some_", "my-secret", "my_secret", "mysecret", "my-pass", "my_pass", "my-token", "my_token", "my-key", "my_key"),
    *("my-api", "my_api", "goes-here", "goeshere", "0123456789abcdef0123", "12345678901234", "1234567890abc"),
    "abcdefghijklmnop",
)
_SOLID_PLACEHOLDER = re.compile(
    r"(?i)example|placeholder|change[-_]?me|your[-_]|replace|redacted|xxxxx|0{12}|\.\.\.|\*\*\*"
)
_CHECKSUM = re.compile(r"(?i)(?:hmac[-_:])?(?:sha|md)-?\d{1,3}[-:_=]")
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]|$)")
_UUID = re.compile(r"(?i)\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?")


def names_another_thing(name: str) -> bool:
    """Whether a name is not that of a secret itself: `api_key_env`, `token_url`, `secret_name`."""
    if _NAMES_ANOTHER_THING.search(name):
        return True
    segments = _SEGMENT.findall(name)
    return bool(segments) and _singular(segments[-1].lower()) in _ABOUT_A_SECRET


def _singular(word: str) -> str:
    return word if word in _ABOUT_A_SECRET else word.removesuffix("s")


def is_reference(value: str) -> bool:
    """Whether a value refers to a secret elsewhere: `${TOKEN}`, `{token}`, `<your key>`, `OPENAI_API_KEY`."""
    return _REFERENCE.match(value) is not None or _TEMPLATE.search(value) is not None


def is_words(value: str) -> bool:
    """Whether a value reads like words, as configuration does: `localhost:8080`, `qwen2.5-coder:7b`, `eu-central-1`."""
    return _WORDS.fullmatch(value) is not None and not any(map(_is_jumble, _LONG_RUN.findall(value)))


def _is_jumble(letters: str) -> bool:
    """Whether capitals are where no word begins: in `USAQMgaHDwonQn`, but not in `connectionTimeoutSeconds`."""
    humps = _SEGMENT.findall(letters)
    return len(letters) < _SHORTEST_HUMP * len(humps)


def is_placeholder(value: str) -> bool:
    """Whether a value is a placeholder: `changeme`, `your-key`, `xxxx`."""
    folded = value.lower()
    return any(part in folded for part in _PLACEHOLDER_PARTS) or len(set(value)) < 4


def is_sample_token(value: str, distinct: int) -> bool:
    """Whether a value in a service's format is a sample; only unmistakable placeholder words count."""
    return len(set(value)) < distinct or _SOLID_PLACEHOLDER.search(value) is not None


def is_public_value(value: str) -> bool:
    """Whether a value looks random and is public: a UUID, a checksum, a time."""
    return any((_UUID.fullmatch(value), _CHECKSUM.match(value), _TIME.match(value)))


def entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values()) if size else 0.0
