"""Parse YAML keeping the line of every key and value, so that an error can name it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml

from bottega.errors import PipelineError
from bottega.pipeline.spec import Place

_MOST_NODES = 20_000
_MOST_CHARS = 200_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A YAML value and its line. Mappings contain entries by key, lists contain entries."""

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
        raise PipelineError(f"{file}:1: {len(text)} characters; a pipeline has at most {_MOST_CHARS}")
    try:
        return _read(text, file)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        problem = (error.problem or error.context or "").removeprefix("but ")
        raise PipelineError(f"{file}:{line}: not valid YAML: {problem}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise PipelineError(f"{file}:{line}: not valid YAML: it holds the character {error.character:#x}") from None
    except RecursionError:
        raise PipelineError(f"{file}:1: nested too deeply, or an alias that contains itself") from None


def _read(text: str, file: str) -> Entry:
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise PipelineError(f"{file}:1: the file is empty")
        return _Reader(loader, file).read_entry(node)
    finally:
        loader.dispose()


class _Reader:
    def __init__(self, loader: yaml.SafeLoader, file: str) -> None:
        self._loader = loader
        self._file = file
        self._count = 0

    def read_entry(self, node: yaml.Node) -> Entry:
        self._count += 1
        place = self._place(node)
        if self._count > _MOST_NODES:
            raise PipelineError(f"{place}: more values than a pipeline can have (aliases count each time)")
        if isinstance(node, yaml.MappingNode):
            return Entry(self._read_mapping(node), place)
        if isinstance(node, yaml.SequenceNode):
            return Entry([self.read_entry(inner) for inner in node.value], place)
        return Entry(self._plain(node), place)

    def _read_mapping(self, node: yaml.MappingNode) -> dict[str, Entry]:
        entries: dict[str, Entry] = {}
        for key_node, value_node in node.value:
            place = self._place(key_node)
            key = self._key(key_node)
            if key in entries:
                raise PipelineError(f"{place}: the key {key} is given twice")
            inner = self.read_entry(value_node)
            entries[key] = Entry(inner.value, place)
        return entries

    def _key(self, node: yaml.Node) -> str:
        place = self._place(node)
        if node.tag == "tag:yaml.org,2002:merge":
            raise PipelineError(
                f"{place}: merge keys (<<) are not supported", hint="Use `extends` to inherit from a pipeline."
            )
        key = self._plain(node)
        if not isinstance(key, str):
            raise PipelineError(f"{place}: the key {key!r} is not text", hint="Put it in quotes.")
        return key

    def _plain(self, node: yaml.Node) -> Any:
        try:
            return self._loader.construct_object(node)
        except ValueError as error:  # text that looks like a date or a number, such as 2001-99-99
            raise PipelineError(f"{self._place(node)}: not valid YAML: {error}", hint="Put text in quotes.") from None

    def _place(self, node: yaml.Node) -> Place:
        return Place(self._file, node.start_mark.line + 1)
