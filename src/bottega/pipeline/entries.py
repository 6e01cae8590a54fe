"""YAML with the line of every key and value, so that a refusal can point at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml

from bottega.errors import PipelineError
from bottega.pipeline.spec import Place

_MOST_NODES = 20_000
_MOST_CHARS = 1_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A YAML value and where it stands. Mappings hold entries by key, lists hold entries."""

    value: Any
    place: Place

    def plain(self) -> Any:
        if isinstance(self.value, dict):
            return {key: inner.plain() for key, inner in self.value.items()}
        if isinstance(self.value, list):
            return [inner.plain() for inner in self.value]
        return self.value


def read_entries(text: str, file: str) -> Entry:
    if len(text) > _MOST_CHARS:
        raise PipelineError(f"{file}: larger than a pipeline can be")
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise PipelineError(f"{file}:{line}: not valid YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise PipelineError(f"{file}: not valid YAML: {error}") from None
    finally:
        loader.dispose()
    if node is None:
        raise PipelineError(f"{file}:1: the file is empty")
    return _Reader(loader, file).entry(node)


class _Reader:
    def __init__(self, loader: yaml.SafeLoader, file: str) -> None:
        self._loader = loader
        self._file = file
        self._count = 0

    def entry(self, node: yaml.Node) -> Entry:
        self._count += 1
        place = Place(self._file, node.start_mark.line + 1)
        if self._count > _MOST_NODES:
            raise PipelineError(f"{place}: more values than a pipeline can have (aliases count each time)")
        if isinstance(node, yaml.MappingNode):
            return Entry(self._mapping(node), place)
        if isinstance(node, yaml.SequenceNode):
            return Entry([self.entry(inner) for inner in node.value], place)
        return Entry(self._loader.construct_object(node), place)

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        for key_node, value_node in node.value:
            key = self._loader.construct_object(key_node)
            place = Place(self._file, key_node.start_mark.line + 1)
            if not isinstance(key, str):
                raise PipelineError(f"{place}: the key {key!r} is not text")
            if key in found:
                raise PipelineError(f"{place}: the key {key} stands twice")
            inner = self.entry(value_node)
            found[key] = Entry(inner.value, place)
        return found
