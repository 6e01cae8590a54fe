"""`bottega show`: a symbol, a file or some lines, with what surrounds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.bottega import ask, refused
from tests.index.trees import commit, git, repository
from tests.retrieve.harbour import FILES


def _places(*arguments: str, cwd: Path) -> list[dict[str, Any]]:
    ended = ask("show", *arguments, "--format", "json", cwd=cwd)
    assert ended.code == 0, ended.err
    data = json.loads(ended.out)
    assert set(data) == {"nodes", "freshness"}
    places: list[dict[str, Any]] = data["nodes"]
    return places


def test_a_symbol_is_shown_with_its_lines_its_uses_and_its_last_change(harbour: Path) -> None:
    ended = ask("show", "Berth.admit", cwd=harbour)
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[:3] == [
        "python:harbour.berths.Berth.admit|METHOD",
        "harbour/berths.py:10-15",
        "last changed 2026-03-04 by Grace: Moor tankers too",
    ]
    assert any(line.startswith("used by: harbour/ships.py:20  Ship.moor (calls, ") for line in lines)
    assert any(line.startswith("uses: harbour/tides.py:4-6  high_water (calls, ") for line in lines)
    assert "    10     def admit(self, ship):" in lines
    assert ended.err.endswith("compared with the files just now\n")


def test_the_json_holds_the_same(harbour: Path) -> None:
    (place,) = _places("Berth.admit", cwd=harbour)
    assert (place["node"], place["kind"]) == ("python:harbour.berths.Berth.admit|METHOD", "METHOD")
    assert place["span"] == {"path": "harbour/berths.py", "first": 10, "last": 15}
    assert place["text"] == "\n".join(FILES["harbour/berths.py"].split("\n")[9:15])
    assert place["signature"] == "def admit(self, ship):"
    assert place["docstring"] == "Let a ship in, unless it draws too much water."
    assert {end["node"] for end in place["callees"]} >= {"python:harbour.tides.high_water|FUNCTION"}
    assert {end["kind"] for end in place["callers"]} == {"calls"}
    assert place["last_change"]["author"] == "Grace"
    assert place["last_change"]["message"] == "Moor tankers too"


@pytest.mark.parametrize(
    "what", ["python:harbour.berths.find_berth|FUNCTION", "find_berth", "harbour.berths.find_berth"]
)
def test_a_symbol_goes_by_its_key_and_by_its_names(harbour: Path, what: str) -> None:
    (place,) = _places(what, cwd=harbour)
    assert place["span"]["first"] == 18


def test_a_name_that_several_things_bear_shows_all_of_them(harbour: Path) -> None:
    assert [place["span"]["first"] for place in _places("moor", cwd=harbour)] == [17, 26]


@pytest.mark.parametrize(
    ("what", "first", "last"),
    [
        ("harbour/tides.py", 1, 10),
        ("harbour/tides.py:4-6", 4, 6),
        ("harbour/tides.py:9", 9, 9),
        ("./harbour/tides.py:4-6", 4, 6),
        ("harbour/tides.py:9-5000", 9, 10),
    ],
)
def test_a_file_and_some_lines_of_it_are_shown(harbour: Path, what: str, first: int, last: int) -> None:
    (place,) = _places(what, cwd=harbour)
    assert (place["span"]["first"], place["span"]["last"]) == (first, last)
    lines = FILES["harbour/tides.py"].split("\n")[first - 1 : last]
    assert place["text"] == "\n".join(lines)
    printed = ask("show", what, cwd=harbour).out
    assert all(f"{number:>6} {line}\n" in printed for number, line in enumerate(lines, first))


def test_lines_are_shown_as_they_are_now(own_harbour: Path) -> None:
    file = own_harbour / "harbour/tides.py"
    file.write_text("# ebb\n" + FILES["harbour/tides.py"])
    assert "     5 def high_water(day):" in ask("show", "high_water", cwd=own_harbour).out
    old = ask("show", "high_water", "--no-refresh", cwd=own_harbour)
    assert old.code == 0


def test_without_a_refresh_the_answer_says_its_age(own_harbour: Path) -> None:
    (own_harbour / "harbour/pilots.py").write_text("def call_pilot():\n    return 1\n")
    refused(ask("show", "call_pilot", "--no-refresh", cwd=own_harbour), "nothing here is called 'call_pilot'")
    assert "; not compared for " in ask("show", "find_berth", "--no-refresh", cwd=own_harbour).err
    assert ask("show", "call_pilot", cwd=own_harbour).code == 0


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("nothing", "nothing here is called 'nothing'"),
        ("", "nothing here is called ''"),
        ("python:nothing|TYPE", "nothing here is called 'python:nothing|TYPE'"),
        ("harbour/nowhere.py", "nothing here is called"),
        ("harbour/nowhere.py:1-2", "nothing here is called"),
        ("harbour/tides.py:11", "harbour/tides.py has 10 lines"),
        ("harbour/tides.py:500-600", "harbour/tides.py has 10 lines"),
        ("harbour/tides.py:0", "harbour/tides.py:0 starts before line 1"),
        ("harbour/tides.py:6-4", "harbour/tides.py:6-4 ends before it starts"),
        ("harbour/tides.py:99999999999999999999", "is not a span"),
        ("/etc/passwd", "nothing here is called"),
        ("../../etc/passwd:1", "nothing here is called"),
        ("a" * 10_000, "nothing here is called"),
        pytest.param(
            "a" * 60_000,
            "nothing here is called",
        ),
    ],
    ids=lambda value: value[:28],
)
def test_what_is_not_there_is_told(harbour: Path, what: str, message: str) -> None:
    refused(ask("show", what, cwd=harbour), message)


def test_something_must_be_named(harbour: Path) -> None:
    refused(ask("show", cwd=harbour), "Missing argument 'WHAT'")


def test_namesakes_are_shown_where_each_is_defined(tmp_path: Path) -> None:
    text = 'class A {\n  void f(int n) { f(""); }\n  void f(String s) { f(1L); }\n  void f(long l) { f(1); }\n}\n'
    (tmp_path / "A.java").write_text(text)
    lines = ask("show", "A.f", cwd=tmp_path).out.splitlines()
    assert [line.split(" (")[0] for line in lines if line.startswith("uses: ")] == [
        "uses: A.java:3  A.f",
        "uses: A.java:4  A.f",
    ]


@pytest.mark.parametrize("verb", ["show", "graph"])
def test_bytes_that_are_no_text_name_nothing(harbour: Path, verb: str) -> None:
    refused(ask(verb, "bad\udcff", cwd=harbour), "nothing here is called")


def test_callers_elsewhere_of_a_name_with_many_forms_are_known(tmp_path: Path) -> None:
    forms = "".join(f"  void put({kind} x) {{ }}\n" for kind in ("int", "long", "char", "byte", "String", "float", "A"))
    (tmp_path / "A.java").write_text(f"package shop;\nclass A {{\n{forms}}}\n")
    (tmp_path / "B.java").write_text("package other;\nclass B { void go(Object a) { a.put(1); } }\n")
    assert "used by: B.java:2  B.go (calls, unique name, 0.5)" in ask("show", "A.put", cwd=tmp_path).out


def test_one_of_several_definitions_is_said_to_be_perhaps_meant(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("class A:\n    def close(self): ...\n\n\nclass B:\n    def close(self): ...\n")
    (tmp_path / "b.py").write_text("def end(thing):\n    thing.close()\n")
    printed = ask("show", "A.close", cwd=tmp_path).out
    assert "perhaps used by: b.py:2  end (calls, ambiguous, 0.25)" in printed


def test_an_override_names_what_it_overrides_and_is_named_there(harbour: Path) -> None:
    (base, override) = _places("moor", cwd=harbour)
    assert [member["symbol"] for member in base["overridden_by"]] == ["Tanker.moor"]
    assert [member["location"]["first"] for member in override["overrides"]] == [17]
    assert "overrides: harbour/ships.py:17-20  Ship.moor (used " in ask("show", "Tanker.moor", cwd=harbour).out


def test_the_last_change_is_that_of_the_lines_and_not_of_the_file(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "def one():\n    return 1\n\n\ndef two():\n    return 2\n"})
    git(root, "commit", "-q", "--amend", "--no-edit", "--date=2026-01-02T03:04:05Z")
    commit(root, "Return three", {"a.py": "def one():\n    return 1\n\n\ndef two():\n    return 3\n"})
    (one, two) = (_places(name, cwd=root)[0]["last_change"] for name in ("one", "two"))
    assert (one["message"], two["message"]) == ("Begin", "Return three")
    assert (one["of"], one["is_committed"]) == ("lines", True)
    (root / "a.py").write_text("def one():\n    return 7\n\n\ndef two():\n    return 3\n")
    assert "by A: Begin (and since, not committed)" in ask("show", "one", cwd=root).out


WRITTEN = {
    "fetch.ts": "export class Ky {\n  async #fetch(url: string) {\n    return url\n  }\n}\n",
    "printer.rs": "pub struct Printer;\n\nimpl Printer {\n    pub fn print_line(&self) -> u8 {\n        1\n    }\n}\n",
    "tea.go": "package tea\n\ntype Program struct{}\n\nfunc (p *Program) Send(message string) {}\n",
    "core.py": (
        "from typing import overload\n\n\nclass Context:\n"
        "    @overload\n    def invoke(self, call: int) -> int: ...\n\n"
        "    @overload\n    def invoke(self, call: str) -> str: ...\n\n"
        "    def invoke(self, call):\n        found = self.find(call)\n        return found\n"
    ),
}


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("languages")
    for name, text in WRITTEN.items():
        (root / name).write_text(text)
    git(root, "init", "-q")
    return root


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("Ky.#fetch", "fetch.ts:2-4"),
        ("Ky.fetch", "fetch.ts:2-4"),
        ("#fetch", "fetch.ts:2-4"),
        ("bat::printer::Printer::print_line", "printer.rs:4-6"),
        ("(*Program).Send", "tea.go:5-5"),
        ("github.com/org/tea.(*Program).Send", "tea.go:5-5"),
        ("Program#Send", "tea.go:5-5"),
        ("Context.invoke", "core.py:11-13"),
    ],
)
def test_a_name_is_found_as_code_messages_and_traces_write_it(languages: Path, written: str, place: str) -> None:
    ended = ask("show", written, cwd=languages)
    assert place in ended.out.splitlines(), ended.out + ended.err


def test_the_map_lists_the_code_and_not_the_stubs_of_its_overloads(languages: Path) -> None:
    (languages / "use.py").write_text("from core import Context\n\nContext().invoke(3)\n")
    listed = [line for line in ask("map", cwd=languages).out.splitlines() if "invoke" in line]
    assert len(listed) == 1, listed


def test_a_name_that_is_nearly_right_is_suggested(languages: Path) -> None:
    for written, meant in (("Contxt", "Context"), ("Context.invok", "Context.invoke"), ("Progam", "Program")):
        for verb in ("show", "graph"):
            assert f"Did you mean {meant}?" in ask(verb, written, cwd=languages).err
    assert "Did you mean" not in ask("show", "zebra", cwd=languages).err


def test_several_definitions_are_listed_before_they_are_shown(harbour: Path) -> None:
    lines = ask("show", "moor", cwd=harbour).out.splitlines()
    assert lines[0] == f"{len(_places('moor', cwd=harbour))} definitions:"
    assert lines[1].startswith("harbour/")
