"""Functions and methods that are mentioned without a call are used: they have edges from where they are mentioned."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bottega.index import open_store
from tests.index.pictures import edges
from tests.index.trees import write

CASES: list[tuple[str, Mapping[str, str], str, str]] = [
    (
        "a function of a Go package, passed by another package",
        {
            "go.mod": "module example.org/m\n",
            "algo/algo.go": "package algo\n\nfunc MatchV2(a string) int { return 1 }\n",
            "main.go": 'package main\n\nimport "example.org/m/algo"\n\nfunc main() {\n\trun(algo.MatchV2)\n}\n',
        },
        "main.main",
        "algo.MatchV2|FUNCTION",
    ),
    (
        "a function of another file of a Go package, in a table",
        {
            "go.mod": "module example.org/m\n",
            "a.go": "package m\n\nfunc handleKey() {}\n",
            "b.go": 'package m\n\nvar table = map[string]func(){"k": handleKey}\n',
        },
        "table",
        "handleKey|FUNCTION",
    ),
    (
        "a method of a Go type, registered as a handler",
        {
            "go.mod": "module example.org/m\n",
            "a.go": "package m\n\ntype Server struct{}\n\nfunc (s *Server) serveHome() {}\n\n"
            'func (s *Server) routes() { handle("/", s.serveHome) }\n',
        },
        "routes",
        "serveHome|METHOD",
    ),
    (
        "a method that is passed by its own object",
        {"a.py": "class Clock:\n    def tick(self): ...\n\n    def start(self):\n        run(self.tick)\n"},
        "Clock.start",
        "Clock.tick|METHOD",
    ),
    (
        "a view in a table of routes",
        {"views.py": "def home(request): ...\n", "urls.py": "import views\n\nROUTES = [('/', views.home)]\n"},
        "ROUTES",
        "views.home|FUNCTION",
    ),
    (
        "a C function in a table of another file",
        {
            "ops.h": "int open_disk(int n);\n",
            "ops.c": '#include "ops.h"\nint open_disk(int n) { return n; }\n',
            "table.c": '#include "ops.h"\nstruct ops disk = { .open = open_disk };\n',
        },
        "",
        "open_disk|FUNCTION",
    ),
    (
        "a Ruby method that a filter names",
        {"a.rb": "class Pages\n  before_action :sign_in\n\n  def sign_in\n  end\nend\n"},
        "Pages",
        "Pages.sign_in|METHOD",
    ),
    (
        "a PHP method that an array names",
        {
            "a.php": "<?php\nclass Sorter {\n  function run() { usort($x, [$this, 'compare']); }\n"
            "  function compare() {}\n}\n"
        },
        "Sorter.run",
        "Sorter.compare|METHOD",
    ),
    (
        "a JavaScript method of an imported object",
        {"c.js": "export function show() {}\n", "r.js": 'import * as c from "./c.js";\nrouter.get("/", c.show);\n'},
        "",
        "show|FUNCTION",
    ),
    (
        "a Rust method named by its type",
        {"a.rs": "struct Row;\nimpl Row {\n    fn parse() {}\n    fn all() { x.map(Self::parse); }\n}\n"},
        "Row.all",
        "Row.parse|METHOD",
    ),
    (
        "a C# method that handles an event",
        {"A.cs": "class A {\n  void Start() { timer.Tick += Advance; }\n  void Advance() {}\n}\n"},
        "A.Start",
        "A.Advance|METHOD",
    ),
]


@pytest.mark.parametrize(("files", "source", "target"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_mention_without_a_call_is_a_use(files: Mapping[str, str], source: str, target: str, tmp_path: Path) -> None:
    open_store(write(tmp_path, files)).refresh(workers=1)
    found = [line for line in edges(tmp_path).splitlines() if " --refers--> " in line]
    assert any(source in line.split(" --")[0] and target in line.split("--> ")[1] for line in found), found


def test_a_variable_that_is_called_like_a_function_of_the_package_is_none(tmp_path: Path) -> None:
    files = {
        "go.mod": "module example.org/m\n",
        "a.go": "package m\n\nfunc options() int { return 1 }\n",
        "b.go": "package m\n\nfunc start() {\n\toptions := 3\n\trun(options)\n}\n",
    }
    open_store(write(tmp_path, files)).refresh(workers=1)
    assert "options|FUNCTION" not in edges(tmp_path)
