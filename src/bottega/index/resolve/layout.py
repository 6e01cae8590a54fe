"""Source roots of a repository, and the module names of its files."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

# Languages that can use each other's definitions.
_FAMILIES = (
    ("ecmascript", ("JavaScript", "TypeScript", "TSX", "Vue", "Svelte")),
    ("c", ("C", "C++", "Objective-C")),
    ("jvm", ("Java", "Kotlin", "Scala", "Groovy")),
)
_FAMILY = {language: family for family, languages in _FAMILIES for language in languages}
_SLUGS = {"C#": "csharp", "C++": "cpp", "F#": "fsharp", "Objective-C": "objc", "TSX": "typescript"}
_PYTHON = frozenset({"Python"})
_NAMESPACED = frozenset({"Java", "Kotlin", "Scala", "C#", "PHP", "Haskell"})
# `swift build` expects the sources of a module in a folder of its name.
_SWIFT_TARGET = re.compile(r"(?:^|/)(?:Sources|Tests)/([^/]+)/")
_ENDING = re.compile(r"\.[A-Za-z0-9]+$")
_JSON_REMARK = re.compile(r"(\"(?:\\.|[^\"\\])*+(?:\"|\Z))|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_ALIAS_KEY = 40
_MOST_ALIASES, _MOST_ALIASES_ALIKE, _MOST_PLACES = 5_000, 50, 20
_JSON_COMMA = re.compile(r",(\s*+[}\]])")


class FileName(NamedTuple):
    """What name resolution needs of a file."""

    id: int
    path: str
    language: str
    namespace: str


def family(language: str) -> str:
    return _FAMILY.get(language, language)


def slug(language: str) -> str:
    """A language as it is written in the key of a node."""
    return _SLUGS.get(language, re.sub(r"[^a-z0-9]+", "", language.lower()))


@dataclass(slots=True)
class Layout:
    """Names of files by module, by namespace and by the end of their path."""

    files: dict[int, FileName]
    by_path: dict[str, int]
    modules: dict[int, str]
    python: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    namespaces: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    tails: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    folders: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    go_modules: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    crates: dict[str, str] = field(default_factory=dict)
    swift_targets: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    crate_folders: set[str] = field(default_factory=set)
    aliases: dict[str, dict[str, list[tuple[str, tuple[str, ...]]]]] = field(default_factory=dict)
    _neighbours: dict[tuple[str, str], frozenset[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Iterable[FileName], read: Callable[[str], str | None]) -> Layout:
        """Build from every path; `read` returns the text of manifests that declare roots and names."""
        listed = sorted(files, key=lambda file: file.path)
        packages = {dirname(f.path) for f in listed if f.path.endswith(("/__init__.py", "/__init__.pyi"))}
        layout = cls({f.id: f for f in listed}, {f.path: f.id for f in listed}, {})
        for file in listed:
            layout.modules[file.id] = module_name(file, packages)
            layout._add_file(file)
        for file in listed:
            layout._declare(file.path, read)
        return layout

    def module(self, file_id: int) -> str:
        return self.modules[file_id]

    def find_neighbours(self, file: FileName) -> frozenset[int]:
        """Files whose definitions are seen without an import: of the same package or namespace.

        One set serves all files of a package, so that many files in one package do not cost their square.
        """
        group = family(file.language)
        shared = {"Go": dirname(file.path), "Swift": swift_target(file.path) if group == "Swift" else ""}
        if group not in shared and not (file.namespace and group in {"C#", "jvm", "PHP"}):
            return frozenset()
        key = group, shared.get(group, file.namespace)
        found = self._neighbours.get(key)
        if found is None:
            found = self._neighbours[key] = frozenset(self._list_package_files(*key))
        return found

    def _list_package_files(self, group: str, package: str) -> Iterable[int]:
        if group == "Go":
            return self.folders.get(package, ())
        if group == "Swift":
            return self.swift_targets.get(package, ())
        spaces = _list_enclosing(package) if group == "C#" else [package]
        return (number for space in spaces for number in self.namespaces.get((group, space), ()))

    def _add_file(self, file: FileName) -> None:
        base = file.path.rsplit("/", 1)[-1]
        self.tails[base.split(".")[0] if not base.startswith(".") else base].append(file.id)
        self.folders[dirname(file.path)].append(file.id)
        if file.language in _PYTHON:
            self.python[self.modules[file.id]].append(file.id)
            whole = _to_dotted(file.path)
            if whole != self.modules[file.id]:
                self.python[whole].append(file.id)
        if file.namespace:
            self.namespaces[family(file.language), file.namespace].append(file.id)
        if file.language == "Swift" and (target := swift_target(file.path)):
            self.swift_targets[target].append(file.id)

    def _declare(self, path: str, read: Callable[[str], str | None]) -> None:
        folder, name = dirname(path), path.rsplit("/", 1)[-1]
        if name == "go.mod":
            found = re.search(r"^module\s+(\S+)", read(path) or "", re.MULTILINE)
            if found:
                self.go_modules[found[1]] = folder
        elif name == "Cargo.toml":
            found = re.search(
                r"^[ \t]*\[package\][^\[]*?^[ \t]*name[ \t]*=[ \t]*\"([^\"\n]+)\"",
                read(path) or "",
                re.MULTILINE | re.DOTALL,
            )
            if found:
                self.crates[found[1].replace("-", "_")] = folder
                self.crate_folders.add(folder)
        elif name == "package.json":
            declared = _parse_json(read(path)).get("name")
            if isinstance(declared, str) and declared:
                self.packages[declared] = folder
        elif re.fullmatch(r"[jt]sconfig(?:\.\w+)?\.json", name):
            self._add_aliases(folder, _parse_json(read(path)))

    def _add_aliases(self, folder: str, declared: Mapping[str, Any]) -> None:
        options = declared.get("compilerOptions")
        if not isinstance(options, dict):
            return
        base = normpath(join(folder, str(options.get("baseUrl", "."))))
        paths = options.get("paths")
        for pattern, targets in paths.items() if isinstance(paths, dict) else ():
            if isinstance(targets, list):
                places = tuple(normpath(join(base, str(target))) for target in targets)
                self._add_alias(folder, str(pattern), places)
        if "baseUrl" in options:
            self._add_alias(folder, "*", (join(base, "*"),))

    def _add_alias(self, folder: str, pattern: str, places: tuple[str, ...]) -> None:
        """Index aliases by the first characters of their pattern, so that an import is compared with few of them."""
        of_folder = self.aliases.setdefault(folder, {})
        if len(of_folder) < _MOST_ALIASES:
            of_folder.setdefault(pattern.partition("*")[0][:_ALIAS_KEY], []).append((pattern, places[:_MOST_PLACES]))

    def find_aliases(self, folder: str, module: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Path aliases of `tsconfig.json` in a folder that may match a module, with their targets."""
        of_folder = self.aliases.get(folder)
        if of_folder:
            for length in range(min(len(module), _ALIAS_KEY), -1, -1):
                yield from of_folder.get(module[:length], ())[:_MOST_ALIASES_ALIKE]


def module_name(file: FileName, packages: Collection[str]) -> str:
    """The name by which a file is imported, or its path in languages without module names."""
    if file.language in _PYTHON:
        return _python_module(file.path, packages)
    if file.language in _NAMESPACED and file.namespace:
        return file.namespace.replace("\\", ".")
    if file.language == "Go":
        return dirname(file.path) or file.namespace or "main"
    return _ENDING.sub("", file.path)


def _list_enclosing(namespace: str) -> list[str]:
    """A namespace and its parents: names in A are visible in A.B."""
    parts = namespace.split(".") if namespace else []
    return [".".join(parts[:length]) for length in range(len(parts), 0, -1)]


def swift_target(path: str) -> str:
    """The module that a Swift file belongs to, as far as its path says."""
    found = _SWIFT_TARGET.search(path)
    return found[1] if found else ""


def _python_module(path: str, packages: Collection[str]) -> str:
    """The name from the top package; a file outside packages is named from the nearest `src`, else from the root."""
    folder = dirname(path)
    root = folder
    while root in packages:
        root = dirname(root)
    if root == folder and folder:
        parts = folder.split("/")
        root = "/".join(parts[: len(parts) - parts[::-1].index("src")]) if "src" in parts else ""
    return _to_dotted(path[len(root) + 1 :] if root else path)


def _to_dotted(path: str) -> str:
    dotted = _ENDING.sub("", path).replace("/", ".")
    return dotted.removesuffix(".__init__") if dotted != "__init__" else ""


def _parse_json(text: str | None) -> dict[str, Any]:
    """Parse JSON with comments and trailing commas; {} for anything else."""
    if not text:
        return {}
    plain = _JSON_COMMA.sub(r"\1", _JSON_REMARK.sub(lambda found: found[1] or " ", text))
    try:
        value = json.loads(plain)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
