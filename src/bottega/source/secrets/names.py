"""What a name says about its value, and what a value says about itself."""

from __future__ import annotations

import math
import re
from collections import Counter

_NAMES_ANOTHER_THING = re.compile(
    r"(?i)[_-]?(?:env|name|type|kind|file|path|dir|sock|url|uri|host|field|header|label|ref|backend|method|mode|ids?"
    r"|count|length|len|size|limit|ttl|expir(?:y|es?|ation|ed)|timeout|age|regex|pattern|format|prefix|suffix|hash(?:er|ed)?"
    r"|digest|hint|help|text|message|msg|error|prompt|placeholder|description|title|policy|rules?|validators?|validation"
    r"|resets?|confirmation|version|alg|algorithm|encoder|provider|source|store|manager|service|class|generator|column"
    r"|attr|attribute|param|parameter|index|expr|strategy|location|template|scopes?|usage|encoding|broker|view|page|link)s?$"
)
_WORD = r"(?:[A-Za-z]{1,20}\d{0,2}|\d{1,20}[A-Za-z]{0,2})"
_WORDS = re.compile(rf"[^A-Za-z0-9]{{0,3}}{_WORD}(?:[^A-Za-z0-9]{{1,3}}{_WORD})*[^A-Za-z0-9]{{0,3}}")
_REFERENCE = re.compile(
    r"\{[^}]*\}|<[^>]*>|\$[{(]|\$[A-Za-z_][\w.:]*$|%\(|%[sdvqx@]|%[A-Za-z_]+%$|@[A-Za-z_]+@$|#\{|[*x.•#_?-]+$|&[a-z]+;"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|(?:process\.env|os\.environ|env|secrets?|vars?|settings|config)[.\[(]"
)
_TEMPLATE = re.compile(r"\$\{|\{\{|\}\}|#\{|%\(|<%|\{[A-Za-z_][\w.]*\}|\{\d?\}|<[a-z_ -]+>|\$\(")
_PLACEHOLDER = re.compile(
    r"(?i)example|sample|dummy|placeholder|change[-_ ]?(?:me|this|it)|your[-_ ]?|replace|insert|redacted|fake|xxxx|\*\*\*\*"
    r"|\.\.\.|todo|fixme|deadbeef|foobar|foo[-_]?bar|lorem|ipsum|not[-_]?(?:a|the|real|so)|invalid|undefined|masked|secret[-_]?here"
    r"|some[-_]|my[-_](?:secret|pass|token|key|api)|goes[-_]?here|0123456789abcdef0123|1234567890(?:1234|abc)|abcdefghijklmnop"
)
_SOLID_PLACEHOLDER = re.compile(
    r"(?i)example|placeholder|change[-_]?me|your[-_]|replace|redacted|xxxxx|0{12}|\.\.\.|\*\*\*"
)
_UUID = re.compile(r"(?i)\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?")


def names_another_thing(name: str) -> bool:
    """`api_key_env`, `token_url` and `secret_name` hold no secret."""
    return _NAMES_ANOTHER_THING.search(name) is not None


def is_reference(value: str) -> bool:
    """`${TOKEN}`, `{token}`, `<your key>` and `OPENAI_API_KEY` stand for a secret that is elsewhere."""
    return _REFERENCE.match(value) is not None or _TEMPLATE.search(value) is not None


def is_words(value: str) -> bool:
    """`localhost:8080`, `qwen2.5-coder:7b` and `eu-central-1` are configuration that turns up in ordinary text."""
    return _WORDS.fullmatch(value) is not None


def is_placeholder(value: str) -> bool:
    """Whether an assigned value says of itself that it is none: `changeme`, `your-key`, `xxxx`."""
    return _PLACEHOLDER.search(value) is not None or len(set(value)) < 4


def is_sample_token(value: str, distinct: int) -> bool:
    """Whether a value of a service's shape is a sample: the shape alone says much, so the words must be plain."""
    return len(set(value)) < distinct or _SOLID_PLACEHOLDER.search(value) is not None


def is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None


def entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values()) if size else 0.0
