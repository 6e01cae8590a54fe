"""The user's trust in a repository's settings, pinned to the content that the user was shown.

The pin covers the settings and every file that they apply: pipelines, and the files that those name, such as personas.
When any of them changes, the trust ends, and the difference is shown before it is renewed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bottega.errors import SettingsError
from bottega.settings.layers import user_settings_file
from bottega.source.tree import RepositoryFiles, is_below

_MOST_FILES = 500
_LONGEST_PATH = 1000


@dataclass(frozen=True, slots=True)
class TrustedFiles:
    """The content that a pin covers: texts by file name."""

    texts: Mapping[str, str]

    @property
    def digest(self) -> str:
        return sha256(json.dumps(dict(self.texts), sort_keys=True).encode()).hexdigest()


class TrustStore:
    """Stores the pins by repository, in the user's configuration directory."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._folder = user_settings_file(environ).parent / "trusted"

    def holds(self, root: Path, covered: TrustedFiles) -> bool:
        pinned = self.pinned(root)
        return pinned is not None and pinned.digest == covered.digest

    def pinned(self, root: Path) -> TrustedFiles | None:
        """The content that the user last accepted; `None` where nothing was accepted."""
        try:
            content = json.loads(self._file(root).read_text(encoding="utf-8"))
            if content["root"] != str(root.absolute()):
                return None
            return TrustedFiles({str(name): str(text) for name, text in content["texts"].items()})
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def pin(self, root: Path, covered: TrustedFiles) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._file(root)
        temporary = file.with_name(f"{file.name}.{os.getpid()}.new")
        temporary.write_text(json.dumps({"root": str(root.absolute()), "texts": dict(covered.texts)}), encoding="utf-8")
        temporary.replace(file)

    def forget(self, root: Path) -> bool:
        """Remove the pin; return whether there was one."""
        file = self._file(root)
        existed = file.exists()
        file.unlink(missing_ok=True)
        return existed

    def _file(self, root: Path) -> Path:
        return self._folder / f"{sha256(os.fsencode(root.absolute())).hexdigest()[:32]}.json"


def collect_trusted_files(name: str, values: Mapping[str, Any], files: RepositoryFiles) -> TrustedFiles:
    """Read everything that settings with these values apply."""
    texts = {name: json.dumps(values, sort_keys=True, indent=1, default=str, ensure_ascii=False)}
    for folder in _list_pipeline_folders(values):
        for file in files.names(folder):
            if file.endswith((".yaml", ".yml")):
                _add_file(texts, f"{folder}/{file}", files)
    for text in list(texts.values())[1:]:
        for word in _list_strings(text):
            _add_file(texts, word, files)
    return TrustedFiles(texts)


def _list_strings(text: str) -> Iterator[str]:
    """Every string in a YAML file, each once, as a YAML loader reads it."""
    import yaml  # only repositories with pipelines of their own need it

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


def _add_file(texts: dict[str, str], path: str, files: RepositoryFiles) -> None:
    if path in texts or not path.strip() or len(path) > _LONGEST_PATH or not is_below(path):
        return
    if len(texts) >= _MOST_FILES:
        raise SettingsError(
            f"the repository's pipelines name more than {_MOST_FILES} files",
            hint="Name fewer files, so that a user can look at them all.",
        )
    try:
        content = files.read(path)
    except OSError as error:
        content = str(error.strerror).encode()
    if content is not None:
        texts[path] = content.decode("utf-8", "replace")


def _list_pipeline_folders(values: Mapping[str, Any]) -> list[str]:
    section = values.get("pipelines")
    paths = section.get("paths") if isinstance(section, Mapping) else None
    named = [path for path in paths if isinstance(path, str)] if isinstance(paths, list) else []
    return [path for path in named if is_below(path)]
