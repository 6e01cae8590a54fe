"""Secret values that lie around the repository: in its `.env` files and in variables whose names speak of secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

_LARGEST_FILE = 1_000_000
_PUBLIC = (".example", ".sample", ".template", ".dist", ".defaults", ".schema")
_LINE = re.compile(r"[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*)")
_COMMENT = re.compile(r"[ \t]#")

_SPEAKS_OF_SECRETS = re.compile(
    r"(?i)secret|token(?!iz)|passw|passphrase|(?:^|_)(?:pass|pwd|pat)(?:_|$)|credential"
    r"|(?:api|access|private)_?key|_key$|private|auth(?!or(?!iz))"
)
_NAMES_ANOTHER_THING = re.compile(
    r"(?i)[_-]?(?:env|name|type|kind|file|path|dir|sock|url|uri|host|field|header|label|ref|backend|method|mode)s?$"
)
_WORD = r"(?:[A-Za-z]{1,20}\d{0,2}|\d{1,20}[A-Za-z]{0,2})"
_WORDS = re.compile(rf"[^A-Za-z0-9]{{0,3}}{_WORD}(?:[^A-Za-z0-9]{{1,3}}{_WORD})*[^A-Za-z0-9]{{0,3}}")
_REFERENCE = re.compile(r"\{[^}]*\}|<[^>]*>|\$[{(]|\$[A-Za-z_]+$|%\(|%s|[*x.]+$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")


def secret_values(root: Path, environ: Mapping[str, str]) -> Iterator[str]:
    for name, value in environ.items():
        if _SPEAKS_OF_SECRETS.search(name) and _is_secret(name, value):
            yield value
    for path in sorted(root.glob(".env*")):
        if not path.name.endswith(_PUBLIC):
            yield from (value for name, value in _assignments(path) if _is_secret(name, value))


def names_another_thing(name: str) -> bool:
    """`api_key_env`, `token_url` and `secret_name` hold no secret."""
    return _NAMES_ANOTHER_THING.search(name) is not None


def is_reference(value: str) -> bool:
    """`${TOKEN}`, `{token}`, `<your key>` and `OPENAI_API_KEY` stand for a secret that is elsewhere."""
    return _REFERENCE.match(value) is not None


def is_words(value: str) -> bool:
    """`localhost:8080`, `qwen2.5-coder:7b` and `eu-central-1` are configuration that turns up in ordinary text."""
    return _WORDS.fullmatch(value) is not None


def _is_secret(name: str, value: str) -> bool:
    is_path = value.startswith(("/", "~", "."))
    if is_reference(value) or value.isalpha() or value.replace(".", "").isdigit() or (is_path and is_words(value)):
        return False
    if _SPEAKS_OF_SECRETS.search(name) and not names_another_thing(name):
        return True
    return not is_path and not is_words(value)


def _assignments(path: Path) -> Iterator[tuple[str, str]]:
    try:
        text = path.read_text("utf-8-sig", "replace") if path.is_file() and path.stat().st_size < _LARGEST_FILE else ""
    except PermissionError:
        return  # what this person cannot read does not reach the journal either
    for line in text.splitlines():
        if found := _LINE.fullmatch(line):
            yield found[1], _unquoted(found[2])


def _unquoted(value: str) -> str:
    if value[:1] in {'"', "'", "`"}:
        return value[1:].split(value[0], 1)[0]
    return _COMMENT.split(value, maxsplit=1)[0].strip()
