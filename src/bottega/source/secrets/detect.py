"""Find secrets in a text, and mask them; a result holds the position of a secret, never its text."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from bottega.source.secrets import assignments, envfiles, keys
from bottega.source.secrets.names import is_placeholder, is_reference, is_sample_token, is_words
from bottega.source.secrets.strength import Strength
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
    """The position of a secret in a text, without the secret."""

    rule: str
    title: str
    start: int
    end: int


def masking_kind(path: str) -> str:
    """The kind of file that masking depends on: the same text in two files of one kind is masked the same."""
    if envfiles.is_env_file(path):
        return "env"
    if _LOCK_FILES.search(path):
        return "lock"
    return "config" if assignments.is_config_file(path) else ""


def find_secrets(text: str, *, path: str = "") -> list[Secret]:
    """The secrets of a text, in order, none overlapping another.

    `path` is the text's file: lock files contain checksums, fixtures and documentation contain sample passwords.
    """
    is_fixture = not path or _FIXTURE_PATHS.search(path) is not None
    return _merge(_find_all(text, path, Strength.RANDOM if is_fixture else Strength.WORDS))


def mask_secrets(text: str, *, path: str = "") -> str:
    """Replace each secret by `«masked:rule»`, keeping the number of lines.

    Masks more than `find_secrets` reports: a password that may be an ordinary word is masked as well.
    """
    for _ in range(_MOST_ROUNDS):  # a mask can make another rule match, so that a second round is needed
        masked = _mask_once(text, path)
        if masked == text:
            break
        text = masked
    return text


def _mask_once(text: str, path: str) -> str:
    found = _find_all(text, path, Strength.WORD)
    if envfiles.is_env_file(path):
        found = chain(found, _find_env_values(text))
    parts: list[str] = []
    position = 0
    for secret in _merge(found):
        parts += text[position : secret.start], _build_mask(text, secret)
        position = secret.end
    return "".join((*parts, text[position:])) if parts else text


def _find_env_values(text: str) -> Iterator[Secret]:
    for _, start, end in envfiles.env_assignments(text):
        if _WHOLE_MARK.fullmatch(text, start, end):
            continue
        yield Secret(envfiles.RULE, envfiles.TITLE, start, end)


def _build_mask(text: str, secret: Secret) -> str:
    mark = f"«masked:{secret.rule}»"
    if secret.rule == keys.RULE:
        return keys.mask_lines(text, secret.start, secret.end, mark)
    return "\n".join([mark] * (text.count("\n", secret.start, secret.end) + 1))


def _find_all(text: str, path: str, least: Strength) -> Iterator[Secret]:
    folded = _fold(text)
    for rule in load_rules():
        if _has_anchor(rule, text, folded):
            yield from _find_matches(rule, text, least)
    if any(anchor in text for anchor in keys.ANCHORS):
        yield from (Secret(keys.RULE, keys.TITLE, start, end) for start, end in keys.find_keys(text))
    if not _LOCK_FILES.search(path):
        for assignment in assignments.find_assignments(text, folded, path):
            is_sample = any(sample in text[assignment.start : assignment.end] for sample in load_samples())
            if assignment.strength >= least and not is_sample:
                yield Secret(assignment.rule, assignment.title, assignment.start, assignment.end)


def _has_anchor(rule: Rule, text: str, folded: str) -> bool:
    searched = folded if rule.folded else text
    return any(anchor in searched for anchor in rule.anchors)


def _find_matches(rule: Rule, text: str, least: Strength) -> Iterator[Secret]:
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
    """Whether it is `user:password` in base64, and not a sample."""
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
    return match[0].partition(":")[0] != value  # `postgres:postgres@localhost` is a public default


def _is_connection_password(match: re.Match[str]) -> bool:
    value = match["secret"]
    return not (is_reference(value) or is_placeholder(value) or _URL_PASSWORD.match(value) or "(" in value)


def _is_weak(value: str, least: Strength) -> bool:
    """Whether a password is short and readable: then it is a sample in fixtures and next to URL escapes."""
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
    """The text in lower case, of the same length."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in text)


def _merge(secrets: Iterator[Secret]) -> list[Secret]:
    """Join overlapping secrets into one, under the more specific rule."""
    merged: list[Secret] = []
    for secret in sorted(secrets, key=lambda secret: (secret.start, -secret.end)):
        if merged and secret.start < merged[-1].end:
            last = merged[-1]
            specific = secret if last.rule == assignments.VALUE_RULE else last
            merged[-1] = replace(specific, start=last.start, end=max(last.end, secret.end))
        else:
            merged.append(secret)
    return merged
