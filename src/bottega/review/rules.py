"""`.reviewrules`: the project's own patterns, matched against every added line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bottega.errors import InputError
from bottega.review.findings import Finding, Severity
from bottega.source import FileChange, Line, Span
from bottega.source.gitignore import is_valid_pattern, parse_pattern_lines

FILE = ".reviewrules"
CONFIDENCE = 70
_LARGEST = 1_000_000
_LONGEST_LINE = 2000
_PATIENCE_S = 10.0
# A separate process with a time limit: a pattern from the repository may backtrack exponentially.
_MATCHER = """
import json, re, sys
request = json.load(sys.stdin)
found = []
for number, rule in enumerate(request["rules"]):
    pattern = re.compile(rule["pattern"])
    for place in rule["lines"]:
        if pattern.search(request["lines"][place]):
            found.append([number, place])
print(json.dumps(found))
"""


class Rule(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(min_length=1, max_length=100)
    pattern: str = Field(min_length=1, max_length=1000)
    severity: Severity
    message: str = Field(min_length=1, max_length=500)
    suggestion: str = ""
    file_patterns: tuple[str, ...] = Field((), alias="filePatterns")


class _Rules(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: tuple[Rule, ...] = Field((), max_length=500)


def read_rules(text: str) -> tuple[Rule, ...]:
    """The rules in a file. Raise `InputError` with the rule that is wrong."""
    if len(text) > _LARGEST:
        raise InputError(f"{FILE} is larger than {_LARGEST} characters")
    try:
        content = yaml.safe_load(text)
        rules = _Rules.model_validate({} if content is None else content).rules
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise InputError(
            f"{FILE}: {place}: {first['msg']}",
            hint="rules: [{id, pattern, severity, message, suggestion?, filePatterns?}]",
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{FILE} cannot be read: {str(error)[:300]}") from None
    for rule in rules:
        _refuse_pattern(rule)
    return rules


def _refuse_pattern(rule: Rule) -> None:
    try:
        re.compile(rule.pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise InputError(f"{FILE}: the pattern of {rule.id} is not a regular expression: {error}") from None
    for pattern in rule.file_patterns:
        if not is_valid_pattern(pattern):
            raise InputError(f"{FILE}: the files of {rule.id}: {pattern!r} is not a pattern as in .gitignore")


def match_rules(rules: Sequence[Rule], files: Sequence[FileChange]) -> list[Finding]:
    """One finding for every rule and added line that match. Raise `InputError` when the patterns take too long."""
    lines = [(file.path, line) for file in files for hunk in file.hunks for line in hunk.added]
    if not rules or not lines:
        return []
    matching = {
        "rules": [
            {"pattern": rule.pattern, "lines": _select_in_scope(rule, [path for path, _ in lines])} for rule in rules
        ],
        "lines": [line.text[:_LONGEST_LINE] for _, line in lines],
    }
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _MATCHER],
            input=json.dumps(matching),
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise InputError(
            f"the patterns of {FILE} took longer than {_PATIENCE_S:g} s",
            hint="A pattern has nested quantifiers such as `(a+)+`.",
        ) from None
    except subprocess.CalledProcessError as error:
        raise InputError(f"the patterns of {FILE} could not be applied: {error.stderr[-200:]}") from None
    return [_make_finding(rules[rule], lines[place][0], lines[place][1]) for rule, place in json.loads(done.stdout)]


def _select_in_scope(rule: Rule, paths: Sequence[str]) -> list[int]:
    if not rule.file_patterns:
        return list(range(len(paths)))
    scope = parse_pattern_lines(rule.file_patterns)
    return [number for number, path in enumerate(paths) if scope.match_with_parents(path)]


def _make_finding(rule: Rule, path: str, line: Line) -> Finding:
    return Finding(
        id="",
        title=rule.message,
        span=Span(path, line.new, line.new),
        severity=rule.severity,
        problem=f"{rule.message} (rule {rule.id})",
        confidence=CONFIDENCE,
        source="rule",
        quotes=(line.text.strip(),),
        suggestion=rule.suggestion,
        verified=f"the rule {rule.id} of {FILE} matches",
    )
