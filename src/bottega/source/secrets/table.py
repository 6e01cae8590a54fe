"""The rule table: read from `rules.toml` once, each rule with one regex that does bounded work per character."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

# A token is separated from the text around it, or follows an escape such as `\n` in a JSON text. The mark of a masked
# secret counts as text, so that masking a masked text changes nothing.
_START = r"(?:(?<![A-Za-z0-9_»])|(?<=\\[nrt])(?<!\\\\[nrt]))"
_END = r"(?![A-Za-z0-9_«])"
_FEWEST_DISTINCT = 4
# From the name of a service's secret to the value assigned to it, in code, JSON, YAML, TOML, ini and XML.
_ASSIGNED = (
    r"[\w.-]{0,24}?(?:key|token|secret|auth|pass|pat|cred|pwd)[\w.-]{0,24}+(?:\\?[\"'`])?[\])]?"
    r"(?:\s{0,8}:\s{0,4}[A-Za-z_][\w.\[\] |]{0,40}(?==))?"
    r"\s{0,8}(?:=>|:=|==?|:|,|>|\svalue\s?=)\s{0,8}[a-zA-Z]{0,2}(?:\\?[\"'`])?"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One format of secrets. A text without any of `anchors` has no match; `folded` anchors are in lower case."""

    name: str
    title: str
    anchors: tuple[str, ...]
    folded: bool
    regex: re.Pattern[str]
    distinct: int
    check: str
    starts_with_anchor: bool


@cache
def load_rules() -> tuple[Rule, ...]:
    return tuple(_build_rule(entry) for entry in _read_table()["rule"])


@cache
def load_samples() -> tuple[str, ...]:
    """Parts of keys that documentation publishes for everyone."""
    return tuple(_read_table()["samples"])


@cache
def _read_table() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("rules.toml").read_text("utf-8"))


def _build_rule(entry: dict[str, Any]) -> Rule:
    is_folded = bool(entry.get("fold")) or "near" in entry
    anchors = next(entry[field] for field in ("begins", "after", "inside", "near") if field in entry)
    return Rule(
        name=entry["name"],
        title=entry["title"],
        anchors=tuple(anchors),
        folded=is_folded,
        regex=re.compile(_build_pattern(entry), re.IGNORECASE if entry.get("fold") else 0),
        distinct=entry.get("distinct", _FEWEST_DISTINCT),
        check=entry.get("check", ""),
        starts_with_anchor="inside" not in entry,
    )


def _build_pattern(entry: dict[str, Any]) -> str:
    if "begins" in entry:
        return f"{_START}(?P<secret>{_join_literals(entry['begins'])}(?P<body>{entry['rest']})){_END}"
    if "after" in entry:
        return f"{_join_literals(entry['after'])}(?P<secret>{entry['rest']}){_END}"
    if "near" in entry:
        return f"(?i:{_join_literals(entry['near'])}{_ASSIGNED})(?P<secret>{entry['value']})(?![A-Za-z0-9_«-])"
    return str(entry["pattern"])


def _join_literals(literals: list[str]) -> str:
    longest_first = sorted(literals, key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"
