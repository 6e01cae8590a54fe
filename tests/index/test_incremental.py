"""Changes that reach further than the file they are made in: afterwards the index equals a rebuild."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bottega.index import open_store

from .trees import ask, differences, refreshed, settled, symbols, write

Files = Mapping[str, str | bytes]


@dataclass(frozen=True)
class Change:
    """Files before, what is written over them, and what is taken away."""

    before: Files
    after: Files = field(default_factory=dict)
    gone: tuple[str, ...] = ()


_TSCONFIG = '{"compilerOptions": {"baseUrl": ".", "paths": {"@shop/*": ["%s/*"]}}}'
_TYPESCRIPT: Files = {
    "one/order.ts": "export function place() {}\n",
    "two/order.ts": "export function place() {}\n",
    "main.ts": "import { place } from '@shop/order';\nplace();\n",
}
_GO: Files = {
    "go.mod": "module example.org/shop\n",
    "lib/order.go": "package lib\n\nfunc IndexLocation() {}\n",
    "main.go": 'package main\n\nimport "example.org/shop/lib"\n\nfunc main() { lib.IndexLocation() }\n',
}
_RUST: Files = {
    "store/Cargo.toml": '[package]\nname = "store"\n',
    "store/src/lib.rs": "pub mod shelf;\n",
    "store/src/shelf.rs": "pub fn put() {}\n",
    "app/Cargo.toml": '[package]\nname = "app"\n',
    "app/src/main.rs": "use store::shelf::put;\n\nfn main() { put(); }\n",
}
_WORKSPACE: Files = {
    "packages/core/package.json": '{"name": "@shop/core"}',
    "packages/core/src/index.ts": "export function place() {}\n",
    "packages/web/main.ts": "import { place } from '@shop/core';\nplace();\n",
    "other/index.ts": "export function place() {}\n",
}
_CALLED: Files = {"a.py": "from b import f\nf()\n", "b.py": "def f(): pass\n", "test_b.py": "from b import f\nf()\n"}
_CHAIN: Files = {
    "a.py": "def f(): pass\n",
    "b.py": "from a import *\n",
    "c.py": "from b import *\n",
    "d.py": "from c import f\nf()\n",
    "e.py": "def f(): pass\n",
}
_PACKAGE: Files = {
    "lib/shop/order.py": "class Order:\n    def place(self): pass\n",
    "main.py": "from shop.order import Order\nOrder().place()\n",
    "other.py": "class Order: pass\n",
}
_REEXPORT: Files = {
    "shop/a.py": "class A:\n    def run(self): pass\n",
    "shop/b.py": "class A:\n    def run(self): pass\n",
    "main.py": "from shop import Thing\nThing().run()\n",
}
_BASE: Files = {
    "base.py": "class Base:\n    def run(self): pass\n",
    "child.py": "from base import Base\nclass Child(Base):\n    def go(self):\n        self.run()\n",
    "grandchild.py": "from child import Child\nclass Grandchild(Child):\n    def go(self):\n        super().go()\n",
}
_JAVA: Files = {
    "shop/Order.java": "package shop;\npublic class Order { public void place() {} }\n",
    "app/Main.java": "package app;\nimport shop.Order;\nclass Main { void run() { new Order().place(); } }\n",
}

CHANGES: dict[str, Change] = {
    "a package begins": Change(_PACKAGE, {"lib/shop/__init__.py": ""}),
    "a package ends": Change({**_PACKAGE, "lib/shop/__init__.py": ""}, gone=("lib/shop/__init__.py",)),
    "a package begins above another": Change({**_PACKAGE, "lib/shop/__init__.py": ""}, {"lib/__init__.py": ""}),
    "a package's own file becomes binary": Change(
        {**_PACKAGE, "lib/shop/__init__.py": ""}, {"lib/shop/__init__.py": b"\0\0"}
    ),
    "a re-export is renamed": Change(
        {**_REEXPORT, "shop/__init__.py": "from .a import A as Thing\n"},
        {"shop/__init__.py": "from .a import A as Other\n"},
    ),
    "a re-export leads elsewhere": Change(
        {**_REEXPORT, "shop/__init__.py": "from .a import A as Thing\n"},
        {"shop/__init__.py": "from .b import A as Thing\n"},
    ),
    "a re-export is added to a file without any": Change(
        {**_REEXPORT, "shop/__init__.py": "X = 1\n"}, {"shop/__init__.py": "from .a import A as Thing\n"}
    ),
    "a re-export is dropped": Change(
        {**_REEXPORT, "shop/__init__.py": "from .a import A as Thing\n"}, {"shop/__init__.py": "X = 1\n"}
    ),
    "a re-exporting file is removed": Change(
        {**_REEXPORT, "shop/__init__.py": "from .a import A as Thing\n"}, gone=("shop/__init__.py",)
    ),
    "a base class moves behind a re-export": Change(
        _BASE, {"base.py": "from other import Base\n", "other.py": _BASE["base.py"]}
    ),
    "a base class moves away": Change(_BASE, {"other.py": _BASE["base.py"]}, gone=("base.py",)),
    "a base class loses a method": Change(_BASE, {"base.py": "class Base:\n    pass\n"}),
    "a base class is renamed": Change(_BASE, {"base.py": "class Root:\n    def run(self): pass\n"}),
    "a second class of that name": Change(_BASE, {"second.py": "class Base:\n    def run(self): pass\n"}),
    "the middle of a star chain leads elsewhere": Change(_CHAIN, {"b.py": "from e import *\n"}),
    "the middle of a star chain leads nowhere": Change(_CHAIN, {"b.py": "\n"}),
    "the middle of a star chain is removed": Change(_CHAIN, gone=("b.py",)),
    "the middle of a star chain is made": Change(
        {k: v for k, v in _CHAIN.items() if k != "b.py"}, {"b.py": "from a import *\n"}
    ),
    "the middle of a star chain gets its first import": Change({**_CHAIN, "b.py": "\n"}, {"b.py": "from a import *\n"}),
    "the end of a star chain is removed": Change(_CHAIN, gone=("a.py",)),
    "the end of a star chain is renamed": Change(_CHAIN, {"a.py": "def g(): pass\n"}),
    "star imports in a ring": Change(
        {"a.py": "from b import *\n", "b.py": "from a import *\n", "c.py": "from a import f\nf()\n"},
        {"b.py": "from a import *\ndef f(): pass\n"},
    ),
    "paths of tsconfig change": Change(
        {**_TYPESCRIPT, "tsconfig.json": _TSCONFIG % "one"}, {"tsconfig.json": _TSCONFIG % "two"}
    ),
    "tsconfig appears": Change(_TYPESCRIPT, {"tsconfig.json": _TSCONFIG % "two"}),
    "tsconfig goes": Change({**_TYPESCRIPT, "tsconfig.json": _TSCONFIG % "one"}, gone=("tsconfig.json",)),
    "tsconfig becomes unreadable": Change(
        {**_TYPESCRIPT, "tsconfig.json": _TSCONFIG % "one"}, {"tsconfig.json": b"\0\0\0"}
    ),
    "paths of tsconfig.app.json change": Change(
        {**_TYPESCRIPT, "tsconfig.app.json": _TSCONFIG % "one"}, {"tsconfig.app.json": _TSCONFIG % "two"}
    ),
    "paths of jsconfig.base.json change": Change(
        {**_TYPESCRIPT, "jsconfig.base.json": _TSCONFIG % "one"}, {"jsconfig.base.json": _TSCONFIG % "two"}
    ),
    "a package.json takes another name": Change(_WORKSPACE, {"packages/core/package.json": '{"name": "@shop/heart"}'}),
    "another package.json takes the name": Change(_WORKSPACE, {"other/package.json": '{"name": "@shop/core"}'}),
    "go.mod changes its module": Change(_GO, {"go.mod": "module example.org/store\n"}),
    "go.mod goes": Change(_GO, gone=("go.mod",)),
    "a second go.mod": Change(_GO, {"lib/go.mod": "module example.org/lib\n"}),
    "a crate takes another name": Change(_RUST, {"store/Cargo.toml": '[package]\nname = "shop"\n'}),
    "a java package changes": Change(
        _JAVA, {"shop/Order.java": str(_JAVA["shop/Order.java"]).replace("package shop", "package store")}
    ),
    "code becomes binary": Change(_CALLED, {"b.py": b"\0\1\2"}),
    "binary becomes code": Change({**_CALLED, "b.py": b"\0\1\2"}, {"b.py": "def f(): pass\n"}),
    "a test becomes binary": Change(_CALLED, {"test_b.py": b"\0\1\2"}),
    "code becomes generated": Change(_CALLED, {"b.py": "# @generated\ndef f(): pass\n"}),
    "generated becomes code": Change({**_CALLED, "b.py": "# @generated\ndef f(): pass\n"}, {"b.py": "def f(): pass\n"}),
    "code becomes large": Change(_CALLED, {"b.py": "def f(): pass\n" + "#\n" * 1_000_001}),
    "a header of C becomes one of C++": Change(
        {"a.h": "struct order { int n; };\n", "b.cpp": '#include "a.h"\norder o;\n'},
        {"a.h": "namespace shop {\nclass order { int n; };\n}\n"},
    ),
    "a file is renamed with its content": Change(_CALLED, {"c.py": _CALLED["b.py"]}, gone=("b.py",)),
    "a file moves into a folder of tests": Change(_CALLED, {"tests/b.py": _CALLED["b.py"]}, gone=("b.py",)),
    "a module beside a package of the same name": Change(_CALLED, {"b/__init__.py": "def f(): pass\n"}),
    "a Go package outgrows what an import may lead to": Change(
        {**_GO, **{f"lib/l{n:02}.go": f"package lib\n\nfunc L{n}() {{}}\n" for n in range(60)}},
        {"lib/a.go": "package lib\n\nfunc A() {}\n"},
    ),
    "a module of the repository takes the name of one outside": Change(
        {"a.py": "from shapes import Square\nSquare()\n", "b.py": "class Square: pass\n"},
        {"shapes.py": "class Square: pass\n"},
    ),
    "a module of the repository leaves its name to one outside": Change(
        {"a.py": "import shapes\nshapes.draw()\n", "b.py": "def draw(): pass\n", "shapes.py": ""}, gone=("shapes.py",)
    ),
    "everything goes": Change(_CALLED, gone=tuple(_CALLED)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_after_a_change_the_index_equals_a_rebuild(root: Path, name: str) -> None:
    change = CHANGES[name]
    write(root, change.before)
    settled(root)
    write(root, change.after)
    for path in change.gone:
        (root / path).unlink()
    refreshed(root)
    assert differences(root) == ""


def test_a_package_that_begins_and_ends_changes_the_keys_of_its_nodes(root: Path) -> None:
    write(root, _PACKAGE)
    settled(root)
    query = "SELECT node FROM symbols WHERE qualified = 'Order.place'"
    assert ask(root, query) == [("python:lib.shop.order.Order.place|METHOD",)]
    write(root, {"lib/shop/__init__.py": ""})
    refreshed(root)
    assert ask(root, query) == [("python:shop.order.Order.place|METHOD",)]
    (root / "lib/shop/__init__.py").unlink()
    refreshed(root)
    assert ask(root, query) == [("python:lib.shop.order.Order.place|METHOD",)]


def test_definitions_that_stay_keep_their_numbers(root: Path) -> None:
    write(root, {"a.py": "def f(): pass\n\ndef g(): pass\n"})
    settled(root)
    before = dict(ask(root, "SELECT qualified, id FROM symbols"))
    write(root, {"a.py": "def h(): pass\n\n# moved\ndef g(): return 1\n\ndef f(): pass\n"})
    refreshed(root)
    after = dict(ask(root, "SELECT qualified, id FROM symbols"))
    assert {name: after[name] for name in before} == before


def test_a_touch_without_a_change_changes_nothing(root: Path) -> None:
    write(root, _CALLED)
    settled(root)
    os.utime(root / "b.py", ns=(1, 1))
    done = refreshed(root)
    assert done.is_unchanged
    assert done.read == 0
    assert differences(root) == ""


def test_what_has_not_changed_is_not_read_again(root: Path) -> None:
    write(root, _CALLED)
    assert settled(root).read == len(_CALLED)
    assert refreshed(root).read == 0
    write(root, {"b.py": "def g(): pass\n"})
    assert refreshed(root).read == 1


def test_content_that_was_known_under_another_name_is_not_analysed_again(root: Path) -> None:
    write(root, _CALLED)
    settled(root)
    (root / "b.py").rename(root / "moved.py")
    write(root, {"copy.py": _CALLED["b.py"]})
    assert refreshed(root).read == 0
    assert differences(root) == ""


def test_a_change_that_keeps_size_and_time_is_seen(root: Path) -> None:
    write(root, {"a.py": "def f(): pass\n"})
    settled(root)
    before = (root / "a.py").stat()
    write(root, {"a.py": "def g(): pass\n"})
    os.utime(root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    refreshed(root)
    assert symbols(root, "a.py") == ["g"]


def test_changes_that_follow_each_other_within_a_tick_of_the_clock_are_seen(root: Path) -> None:
    for turn in range(12):
        write(root, {"a.py": f"def f{turn % 10}(): pass\n"})
        refreshed(root)
        assert symbols(root, "a.py") == [f"f{turn % 10}"]


def test_a_file_that_changes_while_it_is_read_is_read_again_by_the_next_refresh(root: Path) -> None:
    write(root, {f"m{n}.py": f"def f{n}(): pass\n" for n in range(20)})

    def change(stage: str, done: int, _total: int) -> None:
        if stage == "reading" and done == 10:
            write(root, {f"m{n}.py": f"def g{n}(): pass\n" for n in range(20)})

    open_store(root).refresh(progress=change, workers=1)
    refreshed(root)
    assert {name for (name,) in ask(root, "SELECT name FROM symbols")} == {f"g{n}" for n in range(20)}
    assert differences(root) == ""


def test_a_file_that_goes_while_the_index_is_made_is_gone_after_the_next_refresh(root: Path) -> None:
    write(root, {f"m{n:02}.py": f"def f{n}(): pass\n" for n in range(40)})

    def remove(stage: str, done: int, _total: int) -> None:
        if stage == "reading" and done == 1:
            for path in root.glob("*.py"):
                path.unlink()

    open_store(root).refresh(progress=remove, workers=1)
    refreshed(root)
    assert ask(root, "SELECT count(*) FROM files") == [(0,)]
    assert differences(root) == ""


def test_many_small_changes_are_merged_and_the_words_stay_right(root: Path) -> None:
    """Every refresh that reads something writes a segment; more than a few of them are joined."""
    write(root, {f"m{n}.py": f"def f{n}(): pass\n" for n in range(5)})
    settled(root)
    for turn in range(11):
        write(root, {f"m{turn % 5}.py": f"def g{turn}(): pass\n", f"new{turn}.md": f"# Title {turn}\n"})
        refreshed(root)
        assert len(list((root / ".bottega" / "segments").glob("*.seg"))) <= 9
    assert differences(root) == ""


def test_what_comes_from_outside_is_not_taken_for_a_namesake_here(root: Path) -> None:
    write(
        root,
        {
            "a.py": "from collections import Counter\nimport json\n\ndef run():\n    Counter()\n    json.loads('1')\n",
            "b.py": "class Counter: pass\n\n\ndef loads(text): pass\n",
            "c.py": "from typing import Callable\n\nRemark = Callable\n\n\ndef tell(remark: Remark): pass\n",
            "d.py": "class Remark: pass\n",
        },
    )
    refreshed(root)
    found = ask(
        root,
        "SELECT sf.path, ts.qualified, tf.path FROM edges e JOIN files sf ON sf.id = e.source_file"
        " JOIN files tf ON tf.id = e.target_file JOIN symbols ts ON ts.id = e.target_symbol WHERE e.kind != 'refers'",
    )
    assert found == [("c.py", "Remark", "c.py")]


def test_a_bare_name_does_not_mean_a_member_of_something_elsewhere(root: Path) -> None:
    write(
        root,
        {
            "a.py": "def run(line):\n    prepare()\n    line.width()\n",
            "b.py": "class Oven:\n    width = 1\n    def prepare(self): pass\n",
            "a.rs": "fn run() -> Option<u8> { Some(1) }\n",
            "b.rs": "enum Mode { Some(u8), Other }\n",
        },
    )
    refreshed(root)
    assert ask(root, "SELECT count(*) FROM edges WHERE kind = 'calls'") == [(0,)]
