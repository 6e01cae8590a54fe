"""Flags from the scan by rule, and the merging of flags about the same matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bottega.amounts import plural
from bottega.investigate.entries import SEVERITIES, Citation, Flag, Severity
from bottega.investigate.scan.kinds import identify
from bottega.source import Span

_CRITICAL_SECRETS = frozenset(
    {"private-key", "aws-key", "github-token", "gitlab-token", "api-key", "google-key", "slack-token", "hub-token"}
)
_WORD = re.compile(r"[a-z]{4,}")
_MIN_DUPLICATE_BYTES = 10_000_000
_MAX_FLAGS = 60
_MAX_FINDING_CHARS = 900
_INJECTION = "text that gives orders to an assistant; nothing here obeys it, other tools might"


def flag_scan(scan: Mapping[str, Any]) -> list[Flag]:
    """Flags that need no model."""
    flags = _flag_secrets([secret for secret in scan["secrets"] if not secret["is_test"]])[:_MAX_FLAGS]
    in_tests = [secret for secret in scan["secrets"] if secret["is_test"]]
    if in_tests:
        paths = ", ".join(dict.fromkeys(secret["span"]["path"] for secret in in_tests[:3]))
        flags.append(_flag("general", f"{len(in_tests)} likely secrets in tests, such as {paths}", "info"))
    for line in scan["orders"][:_MAX_FLAGS]:
        severity: Severity = "info" if line["is_test"] else "concern"
        flags.append(_flag(line["span"]["path"], _INJECTION, severity, line=line["span"]["first"]))
    if scan["broken_links"]:
        flags.append(_flag_paths(scan["broken_links"], "links that lead nowhere"))
    if scan["outward_links"]:
        flags.append(_flag_paths(scan["outward_links"], "links that lead out of the target"))
    if scan["unread"] or scan["remark_count"]:
        unreadable = [remark["path"] for remark in scan["remarks"]]
        flags.append(_flag_paths(unreadable, "paths that could not be read", scan["remark_count"]))
    if scan["duplicate_bytes"] > _MIN_DUPLICATE_BYTES:
        size = scan["duplicate_bytes"] // 1_000_000
        flags.append(
            _flag(
                "general",
                f"{plural(scan['duplicate_files'], 'copy', 'copies')} of other files: {size} MB",
                "info",
            )
        )
    return flags


def merge_flags(flags: Iterable[Flag]) -> tuple[Flag, ...]:
    """One flag for each matter, the most severe of its kind, sorted by severity."""
    kept: dict[tuple[str, int], list[Flag]] = {}
    for flag in sorted(flags, key=lambda flag: -_rank(flag)):
        place = (flag.citation.span.path, flag.citation.span.first) if flag.citation else (flag.path, 0)
        others = kept.setdefault(place, [])
        if not any(_is_same_matter(flag, other) for other in others):
            others.append(flag)
    merged = [flag for others in kept.values() for flag in others]
    return tuple(sorted(merged, key=lambda flag: (-_rank(flag), flag.path, flag.finding)))


def is_at_or_above(flag: Flag, severity: Severity) -> bool:
    return _rank(flag) >= SEVERITIES.index(severity)


def _is_same_matter(flag: Flag, other: Flag) -> bool:
    """Whether two flags about one place share a third of their words."""
    words, others = (frozenset(_WORD.findall(text.lower())) for text in (flag.finding, other.finding))
    return words == others or len(words & others) * 3 >= len(words | others) > 0


def _rank(flag: Flag) -> int:
    return SEVERITIES.index(flag.severity)


def _flag_secrets(secrets: Sequence[Mapping[str, Any]]) -> list[Flag]:
    """One flag for each kind of secret in each file; in a document, what is no token is most often an example."""
    groups: dict[tuple[str, str], list[int]] = {}
    for secret in secrets:
        span = secret["span"]
        groups.setdefault((span["path"], secret["kind"]), []).append(span["first"])
    flags = []
    for (path, kind), lines in groups.items():
        is_document = identify(path.rpartition("/")[2]).category == "document"
        severity: Severity = "critical" if kind in _CRITICAL_SECRETS else "info" if is_document else "concern"
        more = f", and {len(lines) - 1} more in this file" if len(lines) > 1 else ""
        flags.append(_flag(path, f"a likely secret ({kind}){more}", severity, line=lines[0]))
    return flags


def _flag_paths(paths: list[str], what: str, count: int = 0) -> Flag:
    shown = ", ".join(paths[:3])
    return _flag("general", f"{count or len(paths)} {what}: {shown}", "info")


def _flag(path: str, finding: str, severity: Severity, *, line: int = 0) -> Flag:
    citation = Citation(span=Span(path, line, line), quote="") if line else None
    return Flag(path=path, finding=finding[:_MAX_FINDING_CHARS], severity=severity, citation=citation, source="scan")
