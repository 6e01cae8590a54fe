"""Resolve an import to files by the rules of its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from posixpath import commonprefix, dirname, join, normpath
from typing import NamedTuple

from bottega.index.analyse import Import
from bottega.index.resolve.layout import FileName, Layout, family

_SCRIPTS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte", ".json")
_MOST_TARGETS = 200


class Target(NamedTuple):
    """The files that an import means. `name` is what is imported from them, "" for the whole module."""

    files: tuple[int, ...]
    name: str


class Imports:
    """Resolves imports against one state of the repository."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._rules: dict[str, Callable[[Import, FileName], Target]] = {
            "Python": self._resolve_python,
            "ecmascript": self._resolve_ecmascript,
            "jvm": self._resolve_namespaced,
            "C#": self._resolve_namespaced,
            "Swift": self._resolve_swift,
            "PHP": self._resolve_php,
            "Haskell": self._resolve_haskell,
            "Elixir": self._resolve_elixir,
            "Go": self._resolve_go,
            "Rust": self._resolve_rust,
            "c": self._resolve_included,
            "Ruby": self._resolve_ruby,
            "Lua": self._resolve_lua,
            "Zig": self._resolve_relative,
            "Bash": self._resolve_included,
        }

    def target(self, item: Import, file: FileName) -> Target | None:
        """The files in this repository that an import means, or `None` for an import from outside."""
        rule = self._rules.get(family(file.language))
        if rule is None:
            return None
        found = rule(item, file)
        files = set(found.files) - {file.id}
        if len(files) > _MOST_TARGETS:
            names = self._layout.files
            files = set(sorted(files, key=lambda number: names[number].path)[:_MOST_TARGETS])
        return Target(tuple(sorted(files)), found.name) if files else None

    def _resolve_python(self, item: Import, file: FileName) -> Target:
        dots = len(item.module) - len(item.module.lstrip("."))
        rest = item.module[dots:]
        if dots:
            folder = dirname(file.path)
            for _ in range(dots - 1):
                folder = dirname(folder)
            base = folder.split("/") if folder else []
            return self._resolve_python_parts([*base, *(rest.split(".") if rest else [])], item.name, by_path=True)
        found = self._resolve_python_parts(rest.split("."), item.name, by_path=False)
        if found.files:
            return found
        beside = [*dirname(file.path).split("/"), *rest.split(".")] if dirname(file.path) else []
        return self._resolve_python_parts(beside, item.name, by_path=True) if beside else found

    def _resolve_python_parts(self, parts: Sequence[str], name: str, *, by_path: bool) -> Target:
        """`from a.b import c` is the module a.b.c, or c inside a.b."""
        if name and name != "*":
            inner = self._find_python_module([*parts, name], by_path=by_path)
            if inner:
                return Target(inner, "")
        return Target(self._find_python_module(parts, by_path=by_path), name)

    def _find_python_module(self, parts: Sequence[str], *, by_path: bool) -> tuple[int, ...]:
        if not by_path:
            return tuple(self._layout.python.get(".".join(parts), ()))
        base = "/".join(part for part in parts if part)
        tried = (
            (f"{base}.py", f"{base}/__init__.py", f"{base}.pyi", f"{base}/__init__.pyi") if base else ("__init__.py",)
        )
        return self._select_existing(tried)[:1]

    def _resolve_ecmascript(self, item: Import, file: FileName) -> Target:
        if item.module.startswith("."):
            return Target(self._find_script(normpath(join(dirname(file.path), item.module))), item.name)
        for place in self._list_aliased(item.module, file):
            found = self._find_script(place)
            if found:
                return Target(found, item.name)
        return Target(self._find_package(item.module), item.name)

    def _list_aliased(self, module: str, file: FileName) -> Iterator[str]:
        for folder in _list_folders_above(file.path):
            for pattern, places in self._layout.find_aliases(folder, module):
                head, star, tail = pattern.partition("*")
                if (star and module.startswith(head) and module.endswith(tail)) or module == pattern:
                    middle = module[len(head) : len(module) - len(tail)] if star else ""
                    yield from (normpath(place.replace("*", middle)) for place in places)

    def _find_package(self, module: str) -> tuple[int, ...]:
        """A package of the same workspace, by its name."""
        for name in _list_prefixes(module):
            folder = self._layout.packages.get(name)
            if folder is None:
                continue
            rest = module[len(name) + 1 :]
            bases = [join(folder, rest), join(folder, "src", rest)] if rest else [join(folder, "src"), folder]
            for base in bases:
                found = self._find_script(normpath(base))
                if found:
                    return found
        return ()

    def _find_script(self, base: str) -> tuple[int, ...]:
        plain = re.sub(r"\.[mc]?jsx?$", "", base)
        tried = [base, *(f"{plain}{ending}" for ending in _SCRIPTS), *(f"{base}/index{ending}" for ending in _SCRIPTS)]
        return self._select_existing(tried)[:1]

    def _resolve_namespaced(self, item: Import, file: FileName) -> Target:
        group = family(file.language)
        if (group, item.module) in self._layout.namespaces:
            return Target(self._select_in_namespace(group, item.module, item.name), item.name)
        outer, _, holder = item.module.rpartition(".")  # a member of a type: import static a.b.Type.member
        find = self._find_named_after if item.name in {"", "*"} else self._select_in_namespace
        return Target(find(group, outer, holder), item.name)

    def _select_in_namespace(self, group: str, namespace: str, name: str) -> tuple[int, ...]:
        """Files of a namespace: those named after the imported name where there are any, else all."""
        return self._find_named_after(group, namespace, name) or tuple(
            self._layout.namespaces.get((group, namespace), ())
        )

    def _find_named_after(self, group: str, namespace: str, name: str) -> tuple[int, ...]:
        files = self._layout.files
        found = (files[number] for number in self._layout.tails.get(name, ()))
        return tuple(f.id for f in found if f.namespace == namespace != "" and family(f.language) == group)

    def _resolve_swift(self, item: Import, file: FileName) -> Target:
        del file
        return Target(tuple(self._layout.swift_targets.get(item.module.split(".")[0], ())), item.name)

    def _resolve_php(self, item: Import, file: FileName) -> Target:
        if "/" in item.module or item.module.endswith(".php"):
            return self._resolve_included(item, file)
        return Target(tuple(self._layout.namespaces.get(("PHP", item.module.strip("\\")), ())), item.name)

    def _resolve_haskell(self, item: Import, file: FileName) -> Target:
        del file
        return Target(tuple(self._layout.namespaces.get(("Haskell", item.module), ())), item.name)

    def _resolve_elixir(self, item: Import, file: FileName) -> Target:
        """The file of the module or of an enclosing one; the second module of a file is found by its path."""
        outer, inner = item.module, item.name
        while outer:
            files = self._layout.namespaces.get(("Elixir", outer)) or self._find_by_ending(
                f"{_to_snake_case(outer)}.ex", file
            )
            if files:
                return Target(tuple(files), inner)
            outer, _, last = outer.rpartition(".")
            inner = item.name if item.name == "*" else last
        return Target((), "")

    def _resolve_go(self, item: Import, file: FileName) -> Target:
        del file
        for module in _list_prefixes(item.module):
            folder = self._layout.go_modules.get(module)
            if folder is not None:
                place = normpath(join(folder, item.module[len(module) + 1 :])) if item.module != module else folder
                return Target(self._list_folder("" if place == "." else place, "Go"), "")
        return Target((), "")

    def _resolve_rust(self, item: Import, file: FileName) -> Target:
        folder, base = dirname(file.path), file.path.rsplit("/", 1)[-1].removesuffix(".rs")
        own = folder if base in {"mod", "lib", "main"} else join(folder, base)
        parts = [*item.module.split("::"), *([item.name] if item.name not in {"", "*"} else [])]
        if parts[0] == "mod":
            return Target(self._select_existing((join(own, f"{parts[1]}.rs"), join(own, parts[1], "mod.rs")))[:1], "")
        start = self._find_rust_root(parts, file, own)
        if start is None:
            return Target((), "")
        root, rest = start
        for cut in range(len(rest), -1, -1):  # the longest part of the path that is a file; the rest is inside it
            place = join(root, *rest[:cut])
            tried = [f"{place}.rs", join(place, "mod.rs")]
            if cut == 0:
                tried += [join(root, "lib.rs"), join(root, "main.rs")]
            found = self._select_existing(tried)
            if found:
                return Target(
                    found[:1],
                    (item.name if item.name == "*" else rest[cut]) if cut < len(rest) or item.name == "*" else "",
                )
        return Target((), "")

    def _find_rust_root(self, parts: list[str], file: FileName, own: str) -> tuple[str, list[str]] | None:
        if parts[0] == "crate":
            return self._find_crate_source(file.path), parts[1:]
        if parts[0] == "self":
            return own, parts[1:]
        if parts[0] == "super":
            while parts and parts[0] == "super":
                own, parts = dirname(own), parts[1:]
            return own, parts
        if parts[0] in self._layout.crates:
            return join(self._layout.crates[parts[0]], "src"), parts[1:]
        return (
            (own, parts)
            if self._select_existing((join(own, f"{parts[0]}.rs"), join(own, parts[0], "mod.rs")))
            else None
        )

    def _find_crate_source(self, path: str) -> str:
        crates = self._layout.crate_folders
        for folder in _list_folders_above(path):
            if folder in crates:
                return join(folder, "src")
        before, found, _ = path.rpartition("src/")
        return f"{before}src" if found else ""

    def _resolve_included(self, item: Import, file: FileName) -> Target:
        """A path relative to the file, else a file whose path ends with it; of several, the nearest."""
        wanted = item.module.strip("<>").removeprefix("./")
        beside = self._select_existing((normpath(join(dirname(file.path), wanted)),))
        return Target(beside or self._find_by_ending(wanted, file), item.name)

    def _resolve_relative(self, item: Import, file: FileName) -> Target:
        return Target(self._select_existing((normpath(join(dirname(file.path), item.module)),)), item.name)

    def _resolve_ruby(self, item: Import, file: FileName) -> Target:
        wanted = item.module if item.module.endswith(".rb") else f"{item.module}.rb"
        if wanted.startswith("."):
            return Target(self._select_existing((normpath(join(dirname(file.path), wanted)),)), item.name)
        return Target(self._find_by_ending(wanted, file), item.name)

    def _resolve_lua(self, item: Import, file: FileName) -> Target:
        base = item.module.replace(".", "/")
        return Target(
            self._find_by_ending(f"{base}.lua", file) or self._find_by_ending(f"{base}/init.lua", file), item.name
        )

    def _find_by_ending(self, wanted: str, file: FileName) -> tuple[int, ...]:
        stem = wanted.rsplit("/", 1)[-1].split(".")[0]
        names = self._layout.files
        found = [
            number
            for number in self._layout.tails.get(stem, ())
            if names[number].path == wanted or names[number].path.endswith(f"/{wanted}")
        ]
        if len(found) > 1:
            found.sort(key=lambda number: (-len(commonprefix([names[number].path, file.path])), names[number].path))
        return tuple(found[:1])

    def _list_folder(self, folder: str, language: str) -> tuple[int, ...]:
        names = self._layout.files
        return tuple(
            number
            for number in self._layout.folders.get(folder, ())
            if names[number].language == language and not names[number].path.endswith("_test.go")
        )

    def _select_existing(self, paths: Sequence[str]) -> tuple[int, ...]:
        known = self._layout.by_path
        return tuple(known[path] for path in paths if path in known)


def _list_prefixes(path: str) -> Iterator[str]:
    """`a/b/c`, `a/b`, `a`: the longest first."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _list_folders_above(path: str) -> Iterator[str]:
    """The folders above a file, the nearest first, "" for the root last."""
    while path:
        path = dirname(path)
        yield path


def _to_snake_case(module: str) -> str:
    """`Shop.OrderLine` is written in `shop/order_line.ex`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", module).lower().replace(".", "/")
