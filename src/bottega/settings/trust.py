"""A person's word that a repository's settings may be in force, pinned to exactly what they were shown.

The pin covers the settings and every file that they bring into force: pipelines, and the files that those name, such
as personas. When any of them changes, the word no longer holds, and the difference is shown before it is given again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from bottega.errors import SettingsError
from bottega.settings.layers import user_settings_file
from bottega.source.tree import RepositoryFiles, is_below

_MOST_FILES = 500
_LONGEST_PATH = 1000


@dataclass(frozen=True, slots=True)
class Covered:
    """What a pin covers: texts by name."""

    texts: Mapping[str, str]

    @property
    def digest(self) -> str:
        return sha256(json.dumps(dict(self.texts), sort_keys=True).encode()).hexdigest()


class TrustStore:
    """Pins by repository, in the person's own configuration directory."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._folder = user_settings_file(environ).parent / "trusted"

    def holds(self, root: Path, covered: Covered) -> bool:
        pinned = self.pinned(root)
        return pinned is not None and pinned.digest == covered.digest

    def pinned(self, root: Path) -> Covered | None:
        """What the person was last shown and accepted; `None` where they accepted nothing."""
        try:
            content = json.loads(self._file(root).read_text(encoding="utf-8"))
            if content["root"] != str(root.absolute()):
                return None
            return Covered({str(name): str(text) for name, text in content["texts"].items()})
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def pin(self, root: Path, covered: Covered) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._file(root)
        beside = file.with_name(f"{file.name}.{os.getpid()}.new")
        beside.write_text(json.dumps({"root": str(root.absolute()), "texts": dict(covered.texts)}), encoding="utf-8")
        beside.replace(file)

    def forget(self, root: Path) -> bool:
        """Take the word back; whether there was one."""
        file = self._file(root)
        existed = file.exists()
        file.unlink(missing_ok=True)
        return existed

    def _file(self, root: Path) -> Path:
        return self._folder / f"{sha256(os.fsencode(root.absolute())).hexdigest()[:32]}.json"


def cover(name: str, values: Mapping[str, Any], files: RepositoryFiles) -> Covered:
    """Everything that settings with these values bring into force."""
    texts = {name: json.dumps(values, sort_keys=True, indent=1, default=str, ensure_ascii=False)}
    for folder in _pipeline_folders(values):
        for file in files.names(folder):
            if file.endswith((".yaml", ".yml")):
                _add(texts, f"{folder}/{file}", files)
    for text in list(texts.values())[1:]:
        for word in _strings(text):
            _add(texts, word, files)
    return Covered(texts)


def _strings(text: str) -> Iterator[str]:
    """Every text in a YAML file, each once, as whoever loads the file reads it."""
    try:
        pending = [yaml.compose(text, Loader=yaml.SafeLoader)]
    except (yaml.YAMLError, RecursionError, ValueError):
        return  # a pipeline that cannot be read is refused when it is loaded
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            yield str(node.value)
        elif isinstance(node, yaml.MappingNode):
            pending += [part for pair in node.value for part in pair]
        else:
            pending += node.value


def _add(texts: dict[str, str], path: str, files: RepositoryFiles) -> None:
    if path in texts or not path.strip() or len(path) > _LONGEST_PATH or not is_below(path):
        return
    if len(texts) >= _MOST_FILES:
        raise SettingsError(
            f"the repository's pipelines name more than {_MOST_FILES} files", hint="Nobody could look at them all."
        )
    try:
        content = files.read(path)
    except OSError as error:
        content = str(error.strerror).encode()
    if content is not None:
        texts[path] = content.decode("utf-8", "replace")


def _pipeline_folders(values: Mapping[str, Any]) -> list[str]:
    section = values.get("pipelines")
    paths = section.get("paths") if isinstance(section, Mapping) else None
    named = [path for path in paths if isinstance(path, str)] if isinstance(paths, list) else []
    return [path for path in named if is_below(path)]
