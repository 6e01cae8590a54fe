"""`bottega unused`: what nothing uses is listed, what something may reach is not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.bottega import ask, refused
from tests.index.trees import write


def _listed(root: Path, *arguments: str) -> dict[str, str]:
    ended = ask("unused", *arguments, "--json", cwd=root)
    assert ended.code == 0, ended.err
    return {entry["symbol"]: entry["confidence"] for entry in json.loads(ended.out)["definitions"]}


def test_a_private_function_that_nothing_names_is_listed_with_high_confidence(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def _left():\n    return 1\n\n\ndef _kept():\n    return 2\n\n\nprint(_kept())\n"})
    assert _listed(tmp_path) == {"_left": "high"}
    line = ask("unused", cwd=tmp_path).out
    assert line == "a.py:1-2  _left (function)  high: no code names it\n"


def test_a_public_one_is_listed_with_medium_confidence(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def left():\n    return 1\n"})
    assert _listed(tmp_path) == {"left": "medium"}
    assert _listed(tmp_path, "--confidence", "high") == {}


REACHED: list[tuple[str, Mapping[str, str]]] = [
    ("a value passed", {"a.py": "def _f():\n    return 1\n\n\nrun(_f)\n"}),
    ("a decorator that registers it", {"a.py": "import app\n\n\n@app.route('/')\ndef _f():\n    return 1\n"}),
    (
        "an override",
        {"a.py": "class A:\n    def f(self): ...\n\n\nclass B(A):\n    def f(self): ...\n\n\nA().f()\nB()\n"},
    ),
    ("a base from outside", {"a.py": "from web import View\n\n\nclass A(View):\n    def _get(self): ...\n\n\nA()\n"}),
    ("a name in a string", {"a.py": "def _f():\n    return 1\n\n\nglobals()['_f']()\n"}),
    (
        "a name built from a prefix",
        {"a.py": "def visit_call(n): ...\n\n\ndef go(k):\n    return globals()['visit_' + k]\n\n\ngo(1)\n"},
    ),
    (
        "a method that an interface of Go's library asks for",
        {"a.go": "package a\n\ntype b []int\n\nfunc (x b) Len() int { return 1 }\n\nvar _ = b{}\n"},
    ),
    ("a trait", {"a.rs": "struct S;\nimpl Show for S {\n    fn show(&self) {}\n}\nfn main() { S; }\n"}),
    ("a setting of Sphinx", {"docs/conf.py": "html_theme = 'plain'\n\n\ndef setup(app): ...\n"}),
    ("a setting of a framework", {"shop/settings.py": "DEBUG = True\n"}),
    ("a setting of a bundler", {"vite.config.ts": "export const base = '/';\n"}),
    ("main", {"a.c": "int main(void) { return 0; }\n"}),
]


@pytest.mark.parametrize("files", [files for _, files in REACHED], ids=[name for name, _ in REACHED])
def test_what_something_may_reach_is_not_listed(files: Mapping[str, str], tmp_path: Path) -> None:
    assert _listed(write(tmp_path, files)) == {}


def test_what_only_unused_definitions_use_is_unused_and_no_surer_than_they_are(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def _one():\n    return 1\n\n\ndef two():\n    return _one()\n"})
    assert _listed(tmp_path) == {"_one": "medium", "two": "medium"}


def test_members_of_an_unused_type_are_not_listed_beside_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "class _Box:\n    def __init__(self):\n        self.open()\n\n    def open(self): ...\n"})
    assert _listed(tmp_path) == {"_Box": "high"}


def test_what_only_tests_use_says_so(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a.py": "def _f():\n    return 1\n", "tests/test_a.py": "from a import _f\n\n\ndef test_f():\n    _f()\n"},
    )
    assert _listed(tmp_path) == {"_f": "medium"}
    assert "only tests use it" in ask("unused", cwd=tmp_path).out


def test_documents_and_settings_that_name_it_lower_the_confidence(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def entry():\n    return 1\n", "setup.cfg": "[options]\nconsole = a:entry\n"})
    assert _listed(tmp_path) == {}
    assert _listed(tmp_path, "--confidence", "low") == {"entry": "low"}


def test_check_fails_where_something_is_listed_and_a_path_narrows(tmp_path: Path) -> None:
    write(tmp_path, {"a/x.py": "def _f(): ...\n", "b/y.py": "VALUE = 1\nprint(VALUE)\n"})
    assert ask("unused", "a", "--check", cwd=tmp_path).code == 1
    assert ask("unused", "b", "--check", cwd=tmp_path).code == 0
    refused(ask("unused", "c", cwd=tmp_path), "no indexed file is at 'c'")


def test_the_notes_say_what_was_looked_for(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def _f(): ...\n"})
    assert "looked for calls, values passed, decorators, overrides" in ask("unused", cwd=tmp_path).err


def test_what_a_settings_file_keeps_for_itself_is_listed(tmp_path: Path) -> None:
    write(tmp_path, {"docs/conf.py": "_theme = 'plain'\n", "settings.py": "def load():\n    return 1\n"})
    assert _listed(tmp_path) == {"_theme": "high", "load": "medium"}


EXPORTED = [
    ({"key.go": "package key\n\nconst (\n\tUp = 1\n\tDown = 2\n)\n"}, {"Up": "low", "Down": "low"}),
    ({"key.ts": "export const up = 1;\n"}, {"up": "low"}),
    ({"key.go": "package key\n\nconst up = 1\n"}, {"up": "high"}),
]


@pytest.mark.parametrize(("files", "found"), EXPORTED)
def test_exported_values_are_there_for_other_projects(
    files: Mapping[str, str], found: Mapping[str, str], tmp_path: Path
) -> None:
    assert _listed(write(tmp_path, files), "--confidence", "low") == found


def test_values_of_one_file_share_a_line(tmp_path: Path) -> None:
    write(tmp_path, {"key.go": "package key\n\nconst (\n" + "".join(f"\tk{n} = {n}\n" for n in range(8)) + ")\n"})
    line = ask("unused", cwd=tmp_path).out
    assert line == "key.go:4-11  8 constants: k0, k1, k2, k3, k4 and 3 more  high: no code names it\n"
    assert len(_listed(tmp_path)) == 8


ASKED_FOR = [
    {
        "a.go": "package a\n\ntype shape interface {\n\tarea(scale int) int\n}\n\nvar _ shape\n",
        "b.go": "package a\n\ntype box int\n\nfunc (b box) area(scale int) int { return scale }\n\nvar _ = box(1)\n",
    },
    {"a.py": "class Box:\n    def readlines(self, hint=-1):\n        return []\n\n\nprint(Box())\n"},
]


@pytest.mark.parametrize(("files", "method"), [(ASKED_FOR[0], "box.area"), (ASKED_FOR[1], "Box.readlines")])
def test_a_method_that_an_interface_asks_for_is_low(files: Mapping[str, str], method: str, tmp_path: Path) -> None:
    write(tmp_path, files)
    assert method not in _listed(tmp_path)
    assert _listed(tmp_path, "--confidence", "low")[method] == "low"


def test_a_method_with_other_arguments_than_the_interface_asks_for_is_not_excused(tmp_path: Path) -> None:
    here, well_known = ASKED_FOR
    go = here | {"b.go": here["b.go"].replace("area(scale int)", "area(scale, more int)")}
    assert _listed(write(tmp_path / "go", go))["box.area"] == "high"
    python = {"a.py": well_known["a.py"].replace("hint=-1", "one, two")}
    assert _listed(write(tmp_path / "python", python)) == {"Box.readlines": "medium"}
