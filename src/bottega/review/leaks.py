"""Secrets that a change adds or removes, found in its raw lines; a finding names rule and place, never a value."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from bottega.review.findings import Finding, Severity
from bottega.review.masking import KEY_START, Mask, is_inside_key, mask_text
from bottega.source import FileChange, Hunk, Line, Span
from bottega.source.secrets import Masker, find_secrets

CONFIDENCE = 100
MOST_FINDINGS = 200
_ENV_RULE, _SHORTEST_VALUE = "env", 8
_ENV_TITLE = "value of a .env file or of a secret environment variable"
_ROTATE = "Revoke it where it was issued and issue a new one; then read it from the environment or a secret store."


@dataclass(frozen=True, slots=True)
class _Leak:
    """A secret on one line, `shown` masked; `value` is compared and hashed, and never leaves this module."""

    rule: str
    title: str
    line: Line
    shown: str
    value: str


def find_leaks(files: Sequence[FileChange], names: Mapping[str, str], mask: Masker) -> list[Finding]:
    """Secrets on added lines and in new names as CRITICAL findings, those on removed lines as suggestions to rotate."""
    added = [(file, leak) for file in files for leak in _find_in_file(file, "+", mask)]
    gone = [(file, leak) for file in files for leak in _find_in_file(file, "-", mask)]
    present = {leak.value for _, leak in added}
    findings = [finding for file in files for finding in _find_in_name(file, names)]
    findings += [_report_added(file, leak, names) for file, leak in added]
    findings += [_report_removed(file, leak, names) for file, leak in gone if leak.value not in present]
    return findings


def _find_in_file(file: FileChange, kind: str, mask: Masker) -> Iterator[_Leak]:
    for hunk in file.hunks:
        lines = [line for line in hunk.lines if line.kind in {" ", kind}]
        yield from _find_by_shape(lines, kind, file.path if kind == "+" else file.old_path, mask)
        yield from _find_by_value(lines, kind, mask)


def _find_by_shape(lines: Sequence[Line], kind: str, path: str, mask: Mask) -> Iterator[_Leak]:
    """The side of a hunk as one text: a private key takes several lines, and counts when one of them changed."""
    text = "\n".join(line.text for line in lines)
    if is_inside_key(text):
        lines = [Line(" ", 0, 0, KEY_START), *lines]
        text = f"{KEY_START}\n{text}"
    if not text:
        return
    secrets, line_at = find_secrets(text, path=path), _make_line_finder(lines)
    shown = mask_text(text, path, mask).split("\n") if secrets else []
    for secret in secrets:
        touched = range(line_at(secret.start), line_at(max(secret.start, secret.end - 1)) + 1)
        number = next((number for number in touched if lines[number].kind == kind), None)
        if number is not None:
            value = text[secret.start : secret.end]
            yield _Leak(secret.rule, secret.title, lines[number], shown[number], value)


def _make_line_finder(lines: Sequence[Line]) -> Callable[[int], int]:
    """The number of the line that holds an offset of the joined text."""
    starts, start = [], 0
    for line in lines:
        starts.append(start)
        start += len(line.text) + 1
    return lambda offset: bisect_right(starts, offset) - 1


def _find_by_value(lines: Sequence[Line], kind: str, mask: Masker) -> Iterator[_Leak]:
    """A value that this machine knows as a secret, whatever its shape; values that read like words do not count."""
    values = [value for value in mask.values.anywhere if len(value) >= _SHORTEST_VALUE]
    for line in lines if values else ():
        shown = mask(line.text) if line.kind == kind else line.text
        value = next((value for value in values if value in line.text), None) if shown != line.text else None
        if value is not None and not find_secrets(line.text):
            yield _Leak(_ENV_RULE, _ENV_TITLE, line, shown, value)


def _report_added(file: FileChange, leak: _Leak, names: Mapping[str, str]) -> Finding:
    problem = (
        f"The added line holds a secret ({leak.title}, rule {leak.rule}). Whoever can read the repository or its"
        " history can use it, and deleting the line later does not take it back."
    )
    return _make_finding(file, leak, names, leak.line.new, "CRITICAL", f"Secret added: {leak.title}", problem)


def _report_removed(file: FileChange, leak: _Leak, names: Mapping[str, str]) -> Finding:
    problem = (
        f"The removed line held a secret ({leak.title}, rule {leak.rule}). The history of the repository still holds"
        " it, so it stays usable until it is rotated."
    )
    at = leak.line.old if file.status == "deleted" else _locate_on_new_side(file, leak.line)
    return _make_finding(file, leak, names, at, "SUGGESTION", f"Secret removed, rotate it: {leak.title}", problem)


def _locate_on_new_side(file: FileChange, removed: Line) -> int:
    """The line of the new side that stands where the removed one was."""
    for hunk in file.hunks:
        if removed in hunk.lines:
            return _locate_in_hunk(hunk, removed)
    return 1


def _locate_in_hunk(hunk: Hunk, removed: Line) -> int:
    before = hunk.lines[: hunk.lines.index(removed)]
    count = sum(1 for line in before if line.new)
    return max(1, min(hunk.new_start + count, hunk.new_start + max(hunk.new_count, 1) - 1))


def _find_in_name(file: FileChange, names: Mapping[str, str]) -> Iterator[Finding]:
    if file.status not in {"added", "renamed", "copied"}:
        return
    for secret in find_secrets(file.path):
        leak = _Leak(secret.rule, secret.title, Line("+", 0, 1, ""), "", file.path[secret.start : secret.end])
        problem = (
            f"The name of the file holds a secret ({secret.title}, rule {secret.rule}); the history keeps names too."
        )
        yield _make_finding(file, leak, names, 1, "CRITICAL", f"Secret in a file name: {secret.title}", problem)


def _make_finding(
    file: FileChange,
    leak: _Leak,
    names: Mapping[str, str],
    at: int,
    severity: Severity,
    title: str,
    problem: str,
) -> Finding:
    return Finding(
        id="",
        title=title,
        span=Span(names[file.path], at, at),
        severity=severity,
        problem=problem,
        confidence=CONFIDENCE,
        source="secret",
        quotes=(leak.shown.strip(),) if leak.shown.strip() else (),
        suggestion=_ROTATE,
        verified=f"the rule {leak.rule} for secrets matches the line",
        mark=_compute_mark(leak, severity),
    )


def _compute_mark(leak: _Leak, severity: Severity) -> str:
    """Another value on the same line is another finding, so that a dismissal does not cover it.

    Twelve bits of the value's hash tell two values apart, and are too few to confirm a guess.
    """
    bits = sha256(leak.value.encode("utf-8", "replace")).hexdigest()[:3]
    return sha256(f"secret\0{severity}\0{leak.rule}\0{bits}".encode()).hexdigest()[:32]
