"""Find secrets in a text, and mask them. A secret is told by where it stands, never by itself."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from bottega.source.secrets import assignments, keys
from bottega.source.secrets.names import is_placeholder, is_reference, is_sample_token
from bottega.source.secrets.table import Rule, load_rules

_LOCK_FILES = re.compile(
    r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|poetry\.lock|uv\.lock|pdm\.lock"
    r"|Pipfile\.lock|Cargo\.lock|composer\.lock|Gemfile\.lock|mix\.lock|Package\.resolved|Podfile\.lock|go\.sum|go\.mod"
    r"|packages\.lock\.json|deno\.lock|flake\.lock|gradle\.lockfile|verification-metadata\.xml)$"
)
_FIXTURE_PATHS = re.compile(
    r"(?i)(?:^|[/_.-])(?:tests?|testing|testdata|specs?|fixtures?|mocks?|examples?|samples?|demos?|docs?|locales?|i18n|lang"
    r"|translations?|__tests__|e2e|changelog|changes|history|news|readme|contributing)(?:[/_.-]|$)|\.(?:md|rst|adoc|po|pot)$"
)
_URL_PASSWORD = re.compile(r"(?i)(?:pass(?:word|wd)?|pwd|pw|secret|token|[*x.]+|user(?:name)?|foo|bar|test|guest)\d?$")


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text; never the secret itself."""

    rule: str
    title: str
    start: int
    end: int


def find_secrets(text: str, *, path: str = "") -> list[Secret]:
    """The secrets of a text, in order, none overlapping another.

    `path` is the text's file: lock files hold checksums, fixtures and documentation hold passwords that are words.
    """
    may_be_words = bool(path) and not _FIXTURE_PATHS.search(path)
    return _merge(_find(text, path, is_weak_wanted=may_be_words))


def mask_secrets(text: str, *, path: str = "") -> str:
    """The text with `«masked:rule»` in the place of each secret; the number of lines stays.

    Masks more than `find_secrets` tells of: a password that may be an ordinary word is masked as well.
    """
    parts: list[str] = []
    position = 0
    for secret in _merge(_find(text, path, is_weak_wanted=True)):
        parts += text[position : secret.start], _mask_of(text, secret)
        position = secret.end
    return "".join((*parts, text[position:])) if parts else text


def _mask_of(text: str, secret: Secret) -> str:
    mark = f"«masked:{secret.rule}»"
    if secret.rule == keys.RULE:
        return keys.mask_lines(text, secret.start, secret.end, mark)
    return mark + "\n" * text.count("\n", secret.start, secret.end)


def _find(text: str, path: str, *, is_weak_wanted: bool) -> Iterator[Secret]:
    folded = _fold(text)
    for rule in load_rules():
        if _has_anchor(rule, text, folded):
            yield from _matches(rule, text)
    if any(anchor in text for anchor in keys.ANCHORS):
        yield from (Secret(keys.RULE, keys.TITLE, start, end) for start, end in keys.find_keys(text))
    if not _LOCK_FILES.search(path):
        for found in assignments.find_assignments(text, folded, path):
            if is_weak_wanted or not found.is_weak:
                yield Secret(found.rule, found.title, found.start, found.end)


def _has_anchor(rule: Rule, text: str, folded: str) -> bool:
    searched = folded if rule.folded else text
    return any(anchor in searched for anchor in rule.anchors)


def _matches(rule: Rule, text: str) -> Iterator[Secret]:
    check = _CHECKS.get(rule.check)
    for match in rule.regex.finditer(text):
        group = "secret" if "secret" in rule.regex.groupindex else 0
        body = match["body"] if "body" in rule.regex.groupindex else match[group]
        if is_sample_token(body, rule.distinct) or (check and not check(match[group])):
            continue
        yield Secret(rule.name, rule.title, match.start(group), match.end(group))


def _is_basic_credential(value: str) -> bool:
    """`user:password` in base64."""
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded and all(32 <= byte < 127 or byte >= 160 for byte in decoded)


def _is_url_password(value: str) -> bool:
    return not is_reference(value) and not is_placeholder(value) and not _URL_PASSWORD.match(value)


_CHECKS: dict[str, Callable[[str], bool]] = {
    "basic": _is_basic_credential,
    "url": _is_url_password,
    "connection": _is_url_password,
}


def _fold(text: str) -> str:
    """Lower case with every offset where it was."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in text)


def _merge(found: Iterator[Secret]) -> list[Secret]:
    """Overlapping secrets as one, under the name of the first, so that nothing of either stays."""
    merged: list[Secret] = []
    for secret in sorted(found, key=lambda secret: (secret.start, -secret.end)):
        if merged and secret.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = replace(last, end=max(last.end, secret.end))
        else:
            merged.append(secret)
    return merged
