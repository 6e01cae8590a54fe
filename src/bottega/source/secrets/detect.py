"""Find secrets in a text, and mask them. A secret is told by where it stands, never by itself."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from bottega.source.secrets import assignments, envfiles, keys
from bottega.source.secrets.assignments import Strength
from bottega.source.secrets.names import is_placeholder, is_reference, is_sample_token, is_words
from bottega.source.secrets.table import Rule, load_rules, load_samples

MARK = "«masked:[a-z0-9-]{1,40}»"
_WHOLE_MARK = re.compile(rf"(?:{MARK}\s?)+")
_MOST_ROUNDS = 4
_LOCK_FILES = re.compile(
    r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|poetry\.lock|uv\.lock|pdm\.lock"
    r"|Pipfile\.lock|Cargo\.lock|composer\.lock|Gemfile\.lock|mix\.lock|Package\.resolved|Podfile\.lock|go\.sum|go\.mod"
    r"|packages\.lock\.json|deno\.lock|flake\.lock|gradle\.lockfile|verification-metadata\.xml)$"
)
_FIXTURE_PATHS = re.compile(
    r"(?i)(?:^|[/_.-])(?:tests?|testing|testdata|specs?|fixtures?|mocks?|examples?|samples?|demos?|docs?|locales?|i18n|lang"
    r"|translations?|__tests__|e2e|changelog|changes|history|news|readme|contributing)(?:[/_.-]|$)"
    r"|\.(?:md|rst|adoc|po|pot)$|[a-z]tests?(?:/|\.\w+$)"
)
_SHORT_PASSWORD = 8
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}")
_URL_PASSWORD = re.compile(r"(?i)(?:pass(?:word|wd)?|pwd|pw|secret|token|[*x.]+|user(?:name)?|foo|bar|test|guest)\d?$")


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text; never the secret itself."""

    rule: str
    title: str
    start: int
    end: int


def masking_kind(path: str) -> str:
    """What a path changes about masking a text: the same text of two files of one kind is masked the same."""
    if envfiles.is_env_file(path):
        return "env"
    if _LOCK_FILES.search(path):
        return "lock"
    return "config" if assignments.is_config_file(path) else ""


def find_secrets(text: str, *, path: str = "") -> list[Secret]:
    """The secrets of a text, in order, none overlapping another.

    `path` is the text's file: lock files hold checksums, fixtures and documentation hold passwords that are words.
    """
    is_fixture = not path or _FIXTURE_PATHS.search(path) is not None
    return _merge(_find(text, path, Strength.RANDOM if is_fixture else Strength.WORDS))


def mask_secrets(text: str, *, path: str = "") -> str:
    """The text with `«masked:rule»` in the place of each secret; the number of lines stays.

    Masks more than `find_secrets` tells of: a password that may be an ordinary word is masked as well.
    """
    for _ in range(_MOST_ROUNDS):  # one round is enough but where a mark cuts a text so that another rule matches
        masked = _mask_once(text, path)
        if masked == text:
            break
        text = masked
    return text


def _mask_once(text: str, path: str) -> str:
    found = _find(text, path, Strength.WORD)
    if envfiles.is_env_file(path):
        found = chain(found, _env_values(text))
    parts: list[str] = []
    position = 0
    for secret in _merge(found):
        parts += text[position : secret.start], _mask_of(text, secret)
        position = secret.end
    return "".join((*parts, text[position:])) if parts else text


def _env_values(text: str) -> Iterator[Secret]:
    for _, start, end in envfiles.env_assignments(text):
        if _WHOLE_MARK.fullmatch(text, start, end):
            continue
        yield Secret(envfiles.RULE, envfiles.TITLE, start, end)


def _mask_of(text: str, secret: Secret) -> str:
    mark = f"«masked:{secret.rule}»"
    if secret.rule == keys.RULE:
        return keys.mask_lines(text, secret.start, secret.end, mark)
    return "\n".join([mark] * (text.count("\n", secret.start, secret.end) + 1))


def _find(text: str, path: str, least: Strength) -> Iterator[Secret]:
    folded = _fold(text)
    for rule in load_rules():
        if _has_anchor(rule, text, folded):
            yield from _matches(rule, text, least)
    if any(anchor in text for anchor in keys.ANCHORS):
        yield from (Secret(keys.RULE, keys.TITLE, start, end) for start, end in keys.find_keys(text))
    if not _LOCK_FILES.search(path):
        for found in assignments.find_assignments(text, folded, path):
            is_sample = any(sample in text[found.start : found.end] for sample in load_samples())
            if found.strength >= least and not is_sample:
                yield Secret(found.rule, found.title, found.start, found.end)


def _has_anchor(rule: Rule, text: str, folded: str) -> bool:
    searched = folded if rule.folded else text
    return any(anchor in searched for anchor in rule.anchors)


def _matches(rule: Rule, text: str, least: Strength) -> Iterator[Secret]:
    check = _CHECKS.get(rule.check)
    for match in rule.regex.finditer(text):
        group = "secret" if "secret" in rule.regex.groupindex else 0
        body = match["body"] if "body" in rule.regex.groupindex else match[group]
        if is_sample_token(body, rule.distinct) or (check and not check(match)):
            continue
        if least > Strength.WORD and rule.check in _WEAK and _is_weak(match[group], least):
            continue
        if any(sample in body for sample in load_samples()):
            continue
        yield Secret(rule.name, rule.title, match.start(group), match.end(group))


def _is_basic_credential(match: re.Match[str]) -> bool:
    """`user:password` in base64, and no sample of one."""
    value = match["secret"]
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    _, colon, password = decoded.partition(b":")
    is_printable = all(32 <= byte < 127 or byte >= 160 for byte in decoded)
    return bool(colon) and is_printable and not _URL_PASSWORD.match(password.decode("latin-1"))


def _is_url_password(match: re.Match[str]) -> bool:
    value = match["secret"]
    if is_reference(value) or is_placeholder(value) or _URL_PASSWORD.match(value):
        return False
    return match[0].partition(":")[0] != value  # `postgres:postgres@localhost` opens what everyone can open


def _is_connection_password(match: re.Match[str]) -> bool:
    value = match["secret"]
    return not (is_reference(value) or is_placeholder(value) or _URL_PASSWORD.match(value) or "(" in value)


def _is_weak(value: str, least: Strength) -> bool:
    """Short and readable: a password in code, a sample in fixtures and wherever escapes show how URLs are written."""
    plain = _ESCAPE.sub("", value)
    is_readable = is_words(plain) or len(plain) < _SHORT_PASSWORD
    return is_readable and (least == Strength.RANDOM or plain != value)


_CHECKS: dict[str, Callable[[re.Match[str]], bool]] = {
    "basic": _is_basic_credential,
    "url": _is_url_password,
    "connection": _is_connection_password,
}
_WEAK = frozenset({"url", "connection"})


def _fold(text: str) -> str:
    """Lower case with every offset where it was."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in text)


def _merge(found: Iterator[Secret]) -> list[Secret]:
    """Overlapping secrets as one, under the name that says more, so that nothing of either stays."""
    merged: list[Secret] = []
    for secret in sorted(found, key=lambda secret: (secret.start, -secret.end)):
        if merged and secret.start < merged[-1].end:
            last = merged[-1]
            named = secret if last.rule == assignments.VALUE_RULE else last
            merged[-1] = replace(named, start=last.start, end=max(last.end, secret.end))
        else:
            merged.append(secret)
    return merged
