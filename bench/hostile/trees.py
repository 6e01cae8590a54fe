"""Hostile trees: what no single file shows. Each is made for about so many bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from bench.hostile.families import HostileTree

Files = dict[str, bytes]
_EACH = 40  # bytes for which a small file stands
_DEEPEST = 150


def tree_families() -> Mapping[str, Callable[[int], Files]]:
    return _TREES


def hostile_trees(size: int) -> Iterator[HostileTree]:
    for family, make in _TREES.items():
        yield HostileTree(family, "tree", make(size))


def hostile_tree(family: str, size: int) -> HostileTree:
    return HostileTree(family, "tree", _TREES[family](size))


def _many_patterns(size: int) -> Files:
    patterns = "".join(f"/no-such-{number}/*.tmp\n" for number in range(size // 20))
    return {".gitignore": patterns.encode(), **_plain(100)}


def _starred_patterns(size: int) -> Files:
    stars = "a*" * 30 + "b\n" + "**/a/" * 6 + "b\n" + "*a" * 100 + "\n" + "[a-z]*?" * 40 + "\n"
    return {".bottegaignore": (stars * (size // len(stars))).encode(), **{"a" * 200 + str(n): b"x" for n in range(20)}}


def _nested_rules(size: int) -> Files:
    depth = min(_DEEPEST, size // 400)
    folders = ["/".join(["d"] * level) for level in range(1, depth)]
    return {f"{folder}/.gitignore": b"*.tmp\n!keep.tmp\n" * 20 for folder in folders} | _plain(20)


def _many_files(size: int) -> Files:
    return _plain(size // _EACH)


def _deep_directories(size: int) -> Files:
    return {"/".join(["d"] * min(_DEEPEST, level)) + f"/f{level}.py": b"x = 1\n" for level in range(1, size // 400)}


def _long_paths(size: int) -> Files:
    return {"/".join(["p" * 200] * 10) + f"/{'n' * 200}{number}.py": b"x = 1\n" for number in range(size // 400)}


def _odd_names(_: int) -> Files:
    names = ("a\nb.py", "\x1b[31mred.py", "\u202egnp.py", "-rf.py", "--help.py", "a b.py", "'q'.py", "A.py", "a.py",
             "é.py", "e\u0301.py", "$(id).py", "a\\b.py", "*.py", "CON.py", " .py", "..py")  # fmt: skip
    return dict.fromkeys(names, b"def same():\n    same()\n")


def _equal_names_in_files(size: int) -> Files:
    return {f"f{number}.cs": b"namespace N;\nclass Same { void same() { same(); } }\n" for number in range(size // 60)}


def _packages_of_go(size: int) -> Files:
    return {f"p/f{n}.go": f"package p\nfunc f{n}() {{ f{n + 1}(); same() }}\n".encode() for n in range(size // 60)}


def _wholesale_imports(size: int) -> Files:
    count = size // 80
    return {f"m{n}.py": f"from m{(n + 1) % count} import *\ndef f{n}(): f{n - 1}()\n".encode() for n in range(count)}


def _same_includes(size: int) -> Files:
    count = size // 60
    return {f"d{n}/same.h": b"int same();\n" for n in range(count)} | {
        f"c{n}.c": b'#include "same.h"\nint f() { return same(); }\n' for n in range(count // 10)
    }


def _same_tests(size: int) -> Files:
    count = size // 80
    return {f"d{n}/same.py": b"def same(): pass\n" for n in range(count)} | {
        f"tests/d{n}/test_same.py": b"def test_same(): same()\n" for n in range(count)
    }


def _aliases(size: int) -> Files:
    count = size // 60
    paths = {f"@a{n}/*": [f"src/a{n}/*"] for n in range(count)}
    text = "".join(f'import x{n} from "@a{n}/m";\n' for n in range(count))
    return {"tsconfig.json": json.dumps({"compilerOptions": {"paths": paths}}).encode(), "main.ts": text.encode()}


def _workspaces(size: int) -> Files:
    count = size // 100
    text = "".join(f'import x{n} from "pkg{n}/m";\n' for n in range(count))
    return {f"p{n}/package.json": f'{{"name": "pkg{n}"}}'.encode() for n in range(count)} | {"main.ts": text.encode()}


def _modules_of_go(size: int) -> Files:
    count = size // 100
    text = "package main\n" + "".join(f'import "example.org/m{n}/x"\n' for n in range(count))
    return {f"m{n}/go.mod": f"module example.org/m{n}\n".encode() for n in range(count)} | {"main.go": text.encode()}


def _manifests(size: int) -> Files:
    return {
        "package.json": b"[" * size,
        "a/package.json": b'{"name": ' + b"9" * size + b"}",
        "tsconfig.json": b'{"a":' * (size // 5),
        "b/tsconfig.json": b'"' + b"\\" * size,
        "c/tsconfig.json": b"/*" * (size // 2),
        "d/tsconfig.json": b'{"compilerOptions": {"paths": {"*": [' + b'"x",' * (size // 4) + b'"x"]}}}',
        "Cargo.toml": b"\n" * size + b"[package]" + b"\n" * size,
        "a/Cargo.toml": b"[package]\nname = " * (size // 17),
        "go.mod": b"module " * (size // 7),
    }


def _plain(count: int) -> Files:
    return {f"f{number}.py": f"def f{number}(): pass\n".encode() for number in range(count)}


_TREES: dict[str, Callable[[int], Files]] = {
    "many patterns": _many_patterns,
    "starred patterns": _starred_patterns,
    "nested rules": _nested_rules,
    "many files": _many_files,
    "deep directories": _deep_directories,
    "long paths": _long_paths,
    "odd names": _odd_names,
    "equal names in many files": _equal_names_in_files,
    "a package of many files": _packages_of_go,
    "wholesale imports": _wholesale_imports,
    "includes of one name": _same_includes,
    "tests of one name": _same_tests,
    "aliases of imports": _aliases,
    "many workspaces": _workspaces,
    "many modules": _modules_of_go,
    "hostile manifests": _manifests,
}
