"""`stats`: count what is indexed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from bottega.amounts import plural
from bottega.index import Freshness
from bottega.retrieve.verbs.house import KnowledgeHouse, open_reader
from bottega.source import escape_breaks
from bottega.verbs import Verb, VerbRequest, VerbResult

_BAR = 30
# Rows of languages, names of languages on one line, and files kept as text, unless everything is wanted.
_MOST_LANGUAGES, _MOST_NAMED, _MOST_FILES = 15, 8, 5
# Languages of fewer files share one line where there are many languages.
_FEW_FILES = 3


class StatsRequest(VerbRequest):
    """Count what is indexed."""

    verb: ClassVar[str] = "stats"
    uses_models: ClassVar[bool] = False
    uses_index: ClassVar[bool] = True

    refresh: bool = Field(True, description="compare the index with the files first")


class StatsResult(VerbResult):
    """Counts; `kept_as_text` are files over the budget of one file, with the reason: they have no symbols."""

    files: int
    symbols: int
    edges: int
    commits: int
    languages: dict[str, int]
    roles: dict[str, int]
    domains: dict[str, int]
    most_connected: tuple[tuple[str, int], ...]
    symbol_kinds: dict[str, int]
    edge_kinds: dict[str, int]
    edge_hows: dict[str, int]
    kept_as_text: tuple[tuple[str, str], ...]
    bytes: int
    freshness: Freshness

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"index: {self.freshness}",)

    def render(self, form: str = "text", *, everything: bool = False) -> str:
        """Languages of few files and long lists are summed up, unless `everything` is wanted."""
        del form
        counts = {"file": self.files, "symbol": self.symbols, "edge": self.edges, "commit": self.commits}
        parts = [", ".join(plural(count, noun) for noun, count in counts.items()) + "\n"]
        parts.append(_render_languages(self.languages, everything=everything))
        parts += [
            _render_bars(title, counts)
            for title, counts in (
                ("roles", self.roles),
                ("symbols", self.symbol_kinds),
                ("edges", self.edge_kinds),
                ("resolved", self.edge_hows),
            )
        ]
        if self.most_connected:
            parts.append("\nmost used files\n")
            parts += [_join_lines(f"  {count:>6}  {path}") for path, count in self.most_connected]
        parts += self._render_text_files(everything=everything)
        return "".join([*parts, f"\nthe index takes {self.bytes / 1e6:.1f} MB\n"])

    def _render_text_files(self, *, everything: bool) -> list[str]:
        covered = sorted(self.freshness.coverage.items(), key=lambda pair: -pair[1].as_text)
        text = [f"{name} {part.as_text}/{part.files}" for name, part in covered if part.as_text and name != "other"]
        named = _join_names(text, len(text) if everything else _MOST_NAMED)
        parts = [f"\nread as text only: {named}\n"] if text else []
        if self.kept_as_text:
            parts.append(f"\nkept as text, over the budget of one file: {len(self.kept_as_text)}\n")
        shown = self.kept_as_text if everything else self.kept_as_text[:_MOST_FILES]
        parts += [_join_lines(f"  {path}: {why}") for path, why in shown]
        if len(self.kept_as_text) > len(shown):
            parts.append(f"  … and {len(self.kept_as_text) - len(shown)} more (`bottega stats --all`)\n")
        return parts


def count_index(request: StatsRequest, house: KnowledgeHouse) -> StatsResult:
    with open_reader(house, refresh=request.refresh) as reader:
        overview = reader.base.get_repo_overview()
        tallies = reader.base.get_tallies()
        folder = house.knowledge.folder
        return StatsResult(
            files=overview.files,
            symbols=overview.symbols,
            edges=overview.edges,
            commits=overview.commits,
            languages=dict(overview.languages),
            roles=dict(overview.roles),
            domains=dict(overview.domains),
            most_connected=tuple((path, count) for path, count in overview.most_connected),
            symbol_kinds=dict(tallies["symbol_kinds"]),
            edge_kinds=dict(tallies["edge_kinds"]),
            edge_hows=dict(tallies["edge_hows"]),
            kept_as_text=reader.snapshot.list_kept_as_text(),
            bytes=sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()),
            freshness=reader.freshness,
        )


def _render_languages(counts: Mapping[str, int], *, everything: bool) -> str:
    """The bars of the largest; where there are many languages, the others share one line."""
    names = list(counts)
    shown = [name for name in names[:_MOST_LANGUAGES] if counts[name] >= _FEW_FILES]
    if everything or len(names) <= _MOST_LANGUAGES:
        shown = names
    rest = [name for name in names if name not in shown]
    bars = _render_bars("languages", {name: counts[name] for name in shown})
    if not rest:
        return bars
    most = max(counts[name] for name in rest)
    each = "1 file each" if most == 1 else f"at most {most} files each"
    return f"{bars}  {sum(counts[name] for name in rest):>7}  {len(rest)} languages of {each}: {_join_names(rest)}\n"


def _join_names(names: Sequence[str], most: int = _MOST_NAMED) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def _render_bars(title: str, counts: Mapping[str, int]) -> str:
    most = max(counts.values(), default=1)
    lines = [f"\n{title}"]
    for name, count in counts.items():
        lines.append(f"  {count:>7}  {(name or 'other'):<18} {'█' * max(1, _BAR * count // most)}")
    return "\n".join(lines) + "\n"


def _join_lines(text: str) -> str:
    return escape_breaks(text) + "\n"


STATS = Verb(StatsRequest, StatsResult, count_index)
