"""What the owner should know: from the scan by rule, from directories by a model, each told once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bottega.investigate.entries import SEVERITIES, Citation, Flag, Severity
from bottega.investigate.scan.kinds import identify

_GRAVE = frozenset(
    {"private-key", "aws-key", "github-token", "gitlab-token", "api-key", "google-key", "slack-token", "hub-token"}
)
_WORD = re.compile(r"[a-z]{4,}")
_WASTE = 10_000_000
_MOST = 60


def scan_flags(scan: Mapping[str, Any]) -> list[Flag]:
    """Flags that need no model."""
    found = _secrets([one for one in scan["secrets"] if not one["is_test"]])[:_MOST]
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
    kept: dict[str, list[Flag]] = {}
    for flag in sorted(flags, key=lambda one: -_rank(one)):
        place = f"{flag.citation.path}:{flag.citation.first}" if flag.citation else flag.path
        known = kept.setdefault(place, [])
        if not any(_is_same(flag, other) for other in known):
            known.append(flag)
    found = [flag for known in kept.values() for flag in known]
    return tuple(sorted(found, key=lambda one: (-_rank(one), one.path, one.finding)))


def _is_same(one: Flag, other: Flag) -> bool:
    """Two flags about one place: the same matter where they share words that say something."""
    mine, theirs = (frozenset(_WORD.findall(flag.finding.lower())) for flag in (one, other))
    return mine == theirs or len(mine & theirs) * 3 >= len(mine | theirs) > 0


def is_at_least(flag: Flag, severity: Severity) -> bool:
    return _rank(flag) >= SEVERITIES.index(severity)


def _rank(flag: Flag) -> int:
    return SEVERITIES.index(flag.severity)


def _secrets(places: Sequence[Mapping[str, Any]]) -> list[Flag]:
    """One flag for each kind in each file. A token is grave; a value in prose is most often an example."""
    groups: dict[tuple[str, str], list[int]] = {}
    for one in places:
        groups.setdefault((one["path"], one["kind"]), []).append(one["line"])
    flags = []
    for (path, kind), lines in groups.items():
        is_prose = identify(path.rpartition("/")[2]).category == "document"
        severity: Severity = "critical" if kind in _GRAVE else "info" if is_prose else "concern"
        many = f", and {len(lines) - 1} more in this file" if len(lines) > 1 else ""
        place = Citation(path=path, first=lines[0], last=lines[0], quote="")
        flags.append(_flag(path, f"a likely secret ({kind}){many}", severity, place))
    return flags


def _counted(paths: list[str], words: str, count: int = 0) -> Flag:
    shown = ", ".join(paths[:3])
    return _flag("general", f"{count or len(paths)} {words}: {shown}"[:900], "info")


def _flag(path: str, finding: str, severity: Severity, citation: Citation | None = None) -> Flag:
    return Flag(path=path, finding=finding[:900], severity=severity, citation=citation, source="scan")
