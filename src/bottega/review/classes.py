"""What kind of change each file has: what it is for, and how its lines moved."""

from __future__ import annotations

import re
from typing import Literal

from bottega.source import FileChange
from bottega.source.roles import Role, role_of_path

Class = Literal["rename", "logic", "refactor", "config", "test", "docs", "dependency"]

_DEPENDENCIES = frozenset(
    """package.json pyproject.toml setup.py setup.cfg pipfile cargo.toml go.mod gemfile composer.json pom.xml
    build.gradle build.gradle.kts build.sbt mix.exs
    pubspec.yaml package.swift podfile conanfile.txt vcpkg.json environment.yml
    deno.json rebar.config""".split()
)
_REQUIREMENTS = re.compile(r"(?:^|/)(?:requirements[^/]*|constraints[^/]*)\.(?:txt|in)$")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_PAIRS, _PAIR_SHARE = 3, 0.6
_SAME_LINES, _IDENTICAL = 0.7, 0.9


def classify_file(file: FileChange) -> Class:
    """Classify a file by its name, otherwise by how its lines changed."""
    if file.path.rsplit("/", 1)[-1].lower() in _DEPENDENCIES or _REQUIREMENTS.search(file.path):
        return "dependency"
    by_role: dict[Role, Class] = {Role.TEST: "test", Role.DOCS: "docs", Role.CONFIG: "config", Role.LOCK: "dependency"}
    role = role_of_path(file.path)
    if role in by_role:
        return by_role[role]
    if not file.hunks and file.status == "renamed":
        return "rename"
    removed = [line.text.strip() for hunk in file.hunks for line in hunk.removed if line.text.strip()]
    added = [line.text.strip() for hunk in file.hunks for line in hunk.added if line.text.strip()]
    if _is_moving(removed, added):
        return "refactor"
    return "rename" if _is_renaming(removed, added) else "logic"


def _is_renaming(removed: list[str], added: list[str]) -> bool:
    """Line for line, nearly all differ in one or two words."""
    pairs = list(zip(removed, added, strict=False))
    if len(pairs) < _PAIRS or abs(len(removed) - len(added)) > 2:
        return False
    return sum(_differs_little(old, new) for old, new in pairs) >= _PAIR_SHARE * len(pairs)


def _differs_little(old: str, new: str) -> bool:
    ours, theirs = _TOKEN.findall(old), _TOKEN.findall(new)
    changed = sum(one != other for one, other in zip(ours, theirs, strict=False))
    return len(ours) == len(theirs) and 1 <= changed <= 2


def _is_moving(removed: list[str], added: list[str]) -> bool:
    """Mostly the same lines in another order or place."""
    ours, theirs = set(removed), set(added)
    if not ours or not theirs:
        return False
    same = len(ours & theirs) / len(ours | theirs)
    in_place = sum(old == new for old, new in zip(removed, added, strict=False)) / max(len(removed), len(added))
    return same > _SAME_LINES and in_place < _IDENTICAL
