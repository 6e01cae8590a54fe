"""The report as a model submits it: what it names must exist, and the brief must be about the whole target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bottega.errors import InputError
from bottega.investigate.lookups import Lookups
from bottega.investigate.state import Component, InvestigateState, Synthesis
from bottega.investigate.synthesis_rules import (
    MAX_BRIEF_CHARS,
    MAX_DETAILED_CHARS,
    MAX_LINE_CHARS,
    fill_gaps,
    find_described_part,
    replace_brief,
)
from bottega.source import quote_name

_MAX_ITEMS = 20
_MAX_NAME_CHARS, _MAX_PATH_CHARS = 100, 500


@dataclass(slots=True)
class SynthesisReader:
    """Reads submissions; a brief about one part is refused once and replaced by rule when it comes again."""

    lookups: Lookups
    state: InvestigateState
    _has_refused: bool = field(default=False)

    def read(self, arguments: Mapping[str, Any]) -> Synthesis:
        synthesis = self._parse(arguments)
        part = find_described_part(synthesis.brief, self.state)
        if part and not self._has_refused:
            self._has_refused = True
            raise InputError(f"that is {quote_name(part)} alone. The brief is about the tree as a whole.")
        return fill_gaps(replace_brief(synthesis, part, self.state) if part else synthesis, self.state)

    def _parse(self, arguments: Mapping[str, Any]) -> Synthesis:
        """What was submitted, without components and entry points that do not exist; those are counted."""
        brief = _parse_text(arguments.get("brief"), MAX_BRIEF_CHARS)
        if not brief:
            raise InputError("brief and detailed are needed")
        items = _parse_list(arguments.get("components"))
        components = [component for item in items if (component := self._parse_component(item)) is not None]
        paths = [_parse_text(path, _MAX_PATH_CHARS) for path in _parse_list(arguments.get("entry_points"))]
        entry_points = [path for path in paths if path and self._exists(path)]
        return Synthesis(
            brief=brief,
            detailed=_parse_text(arguments.get("detailed"), MAX_DETAILED_CHARS) or brief,
            components=tuple(components),
            entry_points=tuple(entry_points),
            technologies=_parse_lines(arguments.get("technologies")),
            datasets=_parse_lines(arguments.get("datasets")),
            concerns=_parse_lines(arguments.get("concerns")),
            made_by=self.state.model,
            dropped=len(items) - len(components) + len(paths) - len(entry_points),
        )

    def _parse_component(self, item: Any) -> Component | None:
        fields = item if isinstance(item, dict) else {}
        name = _parse_text(fields.get("name"), _MAX_NAME_CHARS)
        path = _parse_text(fields.get("path"), _MAX_PATH_CHARS)
        if not name or not self._exists(path):
            return None
        return Component(name=name, path=path, role=_parse_text(fields.get("role"), MAX_LINE_CHARS))

    def _exists(self, path: str) -> bool:
        try:
            self.lookups.require(path)
        except InputError:
            return False
        return True


def _parse_text(value: Any, max_chars: int) -> str:
    return value.strip()[:max_chars] if isinstance(value, str) else ""


def _parse_list(value: Any) -> list[Any]:
    return value[:_MAX_ITEMS] if isinstance(value, list) else []


def _parse_lines(value: Any) -> tuple[str, ...]:
    lines = (" ".join(_parse_text(item, MAX_LINE_CHARS).split()) for item in _parse_list(value))
    return tuple(dict.fromkeys(line for line in lines if line))
