"""What the owner should know: from the scan by rule, from directories by a model, each told once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bottega.investigate.entries import SEVERITIES, Citation, Flag, Severity

_GRAVE = frozenset(
    {"private-key", "aws-key", "github-token", "gitlab-token", "api-key", "google-key", "slack-token", "hub-token"}
)
_WASTE = 10_000_000
_MOST = 60


def scan_flags(scan: Mapping[str, Any]) -> list[Flag]:
    """Flags that need no model."""
    found = [_secret(one) for one in scan["secrets"][:_MOST] if not one["is_test"]]
    in_tests = [one for one in scan["secrets"] if one["is_test"]]
    if in_tests:
        places = ", ".join(dict.fromkeys(one["path"] for one in in_tests[:3]))
        found.append(_flag("general", f"{len(in_tests)} likely secrets in tests, such as {places}", "info"))
    for one in scan["orders"][:_MOST]:
        words = "text that gives orders to an assistant; nothing here obeys it, other tools might"
        place = Citation(path=one["path"], first=one["line"], last=one["line"], quote="")
        found.append(_flag(one["path"], words, "concern" if not one["is_test"] else "info", place))
    if scan["broken_links"]:
        found.append(_counted(scan["broken_links"], "links that lead nowhere"))
    if scan["outward_links"]:
        found.append(_counted(scan["outward_links"], "links that lead out of the target"))
    if scan["unread"] or scan["remark_count"]:
        paths = [one["path"] for one in scan["remarks"]]
        found.append(_counted(paths, "paths that could not be read", scan["remark_count"]))
    if scan["duplicate_bytes"] > _WASTE:
        size = scan["duplicate_bytes"] // 1_000_000
        found.append(_flag("general", f"{scan['duplicate_files']} copies of other files hold {size} MB", "info"))
    return found


def merged(flags: Iterable[Flag]) -> tuple[Flag, ...]:
    """Each matter once, the gravest word for it, the gravest first."""
    kept: dict[tuple[str, str], Flag] = {}
    for flag in flags:
        place = f"{flag.citation.path}:{flag.citation.first}" if flag.citation else flag.path
        key = (place, "" if flag.citation else " ".join(flag.finding.lower().split()))
        known = kept.get(key)
        if known is None or _rank(flag) > _rank(known):
            kept[key] = flag
    return tuple(sorted(kept.values(), key=lambda one: (-_rank(one), one.path, one.finding)))


def is_at_least(flag: Flag, severity: str) -> bool:
    return _rank(flag) >= SEVERITIES.index(severity)  # type: ignore[arg-type]  # a word that the door checked


def _rank(flag: Flag) -> int:
    return SEVERITIES.index(flag.severity)


def _secret(one: Mapping[str, Any]) -> Flag:
    severity: Severity = "critical" if one["kind"] in _GRAVE else "concern"
    words = f"a likely secret ({one['kind']})"
    return _flag(
        one["path"], words, severity, Citation(path=one["path"], first=one["line"], last=one["line"], quote="")
    )


def _counted(paths: list[str], words: str, count: int = 0) -> Flag:
    shown = ", ".join(paths[:3])
    return _flag("general", f"{count or len(paths)} {words}: {shown}"[:900], "info")


def _flag(path: str, finding: str, severity: Severity, citation: Citation | None = None) -> Flag:
    return Flag(path=path, finding=finding, severity=severity, citation=citation, source="scan")
