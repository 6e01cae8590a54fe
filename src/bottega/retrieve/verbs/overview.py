"""`map`: the repository within a token budget."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bottega.amounts import plural
from bottega.index import Freshness
from bottega.retrieve.overview import MappedFile, repository_map
from bottega.retrieve.verbs.house import KnowledgeHouse, open_reader
from bottega.source import Span
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult


class MapRequest(VerbRequest):
    """The token budget of the map, and the directory to show."""

    verb: ClassVar[str] = "map"
    uses_models: ClassVar[bool] = False
    uses_index: ClassVar[bool] = True

    tokens: int = Field(1024, ge=64, le=1_000_000, description="the token budget")
    path: str = Field("", description="only below this folder")
    refresh: bool = Field(True, description="compare the index with the files first")


class MapSymbol(FrozenValue):
    name: str
    kind: str
    qualified: str
    node: str
    span: Span
    signature: str


class MapFile(FrozenValue):
    """A file with the definitions that other files use most."""

    path: str
    weight: float
    symbols: tuple[MapSymbol, ...]


class MapResult(VerbResult):
    """`text` is the printed map; `left_out` counts the code files that did not fit."""

    files: tuple[MapFile, ...]
    left_out: int
    tokens: int
    text: str
    freshness: Freshness

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"about {plural(self.tokens, 'token')}; index: {self.freshness}",)

    def render(self, form: str = "text") -> str:
        del form
        return self.text


def map_repository(request: MapRequest, house: KnowledgeHouse) -> MapResult:
    """Map the most used files, each with its most used definitions."""
    with open_reader(house, refresh=request.refresh) as reader:
        drawn = repository_map(reader.snapshot, tokens=request.tokens, folder=request.path)
        return MapResult(
            files=tuple(_describe(file) for file in drawn.files),
            left_out=drawn.left_out,
            tokens=drawn.tokens,
            text=str(drawn),
            freshness=reader.freshness,
        )


def _describe(file: MappedFile) -> MapFile:
    symbols = tuple(
        MapSymbol(
            name=symbol.name,
            kind=symbol.kind,
            qualified=symbol.qualified,
            node=symbol.node,
            span=symbol.span,
            signature=symbol.signature,
        )
        for symbol in file.symbols
    )
    return MapFile(path=file.path, weight=file.weight, symbols=symbols)


MAP = Verb(MapRequest, MapResult, map_repository)
