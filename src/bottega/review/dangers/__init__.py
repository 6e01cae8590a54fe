"""Calls that are dangerous by their form, found by tree-sitter queries: comments and strings never match.

`table.toml` says of each rule what it is called, how grave it is and what to write instead; the queries beside it
find the places. A match says that the form stands there, not that it can be exploited.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from bottega.review.dangers.expressions import get_text
from bottega.review.dangers.predicates import Predicates
from bottega.review.findings import Severity
from bottega.source import Language, language_named, language_of_path
from bottega.source.grammar import load_grammar, parse_source

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["Danger", "DangerRule", "danger_language", "danger_rules", "find_dangers"]

_QUERIES: Mapping[str, tuple[str, ...]] = {
    "python": ("python",),
    "javascript": ("javascript", "jsx"),
    "typescript": ("javascript",),
    "java": ("java",),
    "go": ("go",),
    "ruby": ("ruby",),
    "php": ("php",),
    "c": ("c",),
    "cpp": ("c",),
    "csharp": ("csharp",),
    "rust": ("rust",),
    "bash": ("bash",),
}
_MOST_OPEN_MATCHES = 4096
_SHEBANG = re.compile(r"#!\S*/(?:env\s+(?:-S\s+)?)?(?P<name>bash|sh|zsh|dash|python3?|ruby|node|php)\b")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
# Names by which web frameworks pass a request, in the languages of the table.
_REQUEST = re.compile(
    r"\brequest\.(?:args|form|values|json|GET|POST|data|params|query|body|cookies|headers|files|get_json)\b"
    r"|\breq\.(?:query|body|params|headers|cookies|url)\b|\bctx\.(?:query|params|request)\b|\bc\.(?:Query|Param|PostForm)\("
    r"|\$_(?:GET|POST|REQUEST|COOKIE|FILES)\b|\$request->|\bparams\[|\bgetParameter\(|\.FormValue\(|\.URL\.Query\(\)"
    r"|\bRequest\.(?:Query|Form|QueryString|Params)\b|\blocation\.(?:hash|search|href)\b"
)


class DangerRule(BaseModel):
    """One row of the table."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"[a-z]+(?:-[a-z]+)+")
    title: str
    severity: Severity
    why: str
    instead: str
    from_request: bool = False


@dataclass(frozen=True, slots=True)
class Danger:
    """A rule that matches `lines` of a text, counted from 1; `from_request` says that an argument names a request."""

    rule: DangerRule
    lines: tuple[int, ...]
    from_request: bool

    @property
    def severity(self) -> Severity:
        return "CRITICAL" if self.from_request and self.rule.from_request else self.rule.severity


@cache
def load_danger_rules() -> Mapping[str, DangerRule]:
    text = (resources.files(__package__) / "table.toml").read_text(encoding="utf-8")
    rules = [DangerRule.model_validate(entry) for entry in tomllib.loads(text)["rule"]]
    return {rule.id: rule for rule in rules}


def find_danger_language(path: str, first_line: str = "") -> Language | None:
    """The language whose rules hold for a file, by its name or by its `#!` line; None where there are none.

    TSX is read with the grammar of JavaScript: that of TSX can hang on broken input.
    """
    language = language_of_path(path)
    if language is not None and language.name == "TSX":
        language = language_named("JavaScript")
    if language is None and (found := _SHEBANG.match(first_line)):
        language = language_named("bash" if found["name"] in _SHELLS else found["name"])
    return language if language is not None and language.grammar in _QUERIES else None


def find_dangers(text: str, language: Language) -> list[Danger] | None:
    """All places of a text that a rule matches, in the order of their lines; `None` where it cannot be parsed."""
    reading = parse_source(text, language)
    if reading is None:
        return None
    from tree_sitter import QueryCursor

    predicates = Predicates(text)
    found: dict[tuple[str, int], Danger] = {}
    for query in _load_queries(language.grammar):
        matches = QueryCursor(query, match_limit=_MOST_OPEN_MATCHES).matches(reading.root, predicate=predicates)  # type: ignore[call-arg]  # not in its stub
        predicates.raise_error()
        for _, captures in matches:
            for danger in _list_dangers(captures):
                found.setdefault((danger.rule.id, danger.lines[0]), danger)
    return sorted(found.values(), key=lambda danger: (danger.lines, danger.rule.id))


def _list_dangers(captures: Mapping[str, list[tree_sitter.Node]]) -> Iterator[Danger]:
    rules = [load_danger_rules()[name] for name in captures if not name.startswith("_")]
    nodes = [node for nodes in captures.values() for node in nodes]
    lines = {line for node in nodes for line in range(node.start_point[0] + 1, node.end_point[0] + 2)}
    from_request = any(_REQUEST.search(get_text(node)) for node in nodes)
    for rule in rules:
        yield Danger(rule, tuple(sorted(lines)), from_request)


@cache
def _load_queries(grammar: str) -> tuple[tree_sitter.Query, ...]:
    from tree_sitter import Query

    package = resources.files(__package__)
    texts = [(package / f"{name}.scm").read_text(encoding="utf-8") for name in _QUERIES[grammar]]
    return tuple(Query(load_grammar(grammar), text) for text in texts)
