"""`bottega search`: questions from words, files and standard input, and answers as text and as JSON."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.bottega import Ended, ask, refused
from tests.retrieve.harbour import FILES, ISSUE

FIELDS = {"span", "symbol", "kind", "node", "signature", "language", "score", "purpose", "signals", "excerpt"} | {
    "file_score",
    "file_signals",
}


def answer(ended: Ended) -> dict[str, Any]:
    assert ended.code == int("nothing found" in ended.out or '"hits": []' in ended.out), ended.err
    data = json.loads(ended.out)
    assert isinstance(data, dict)
    return data


def test_a_place_is_printed_with_its_lines_and_the_answer_with_its_age(harbour: Path) -> None:
    ended = ask("search", "high", "water", "-k", "1", cwd=harbour)
    assert (ended.code, ended.out.splitlines()[0].split()[0]) == (0, "harbour/tides.py:4-6")
    assert "      4 def high_water(day):" in ended.out.splitlines()
    assert ended.err.startswith("index: commit ")
    assert ended.err.endswith("(main); 11 of 11 files ranked; compared with the files just now\n")


def test_the_json_has_hits_and_freshness(harbour: Path) -> None:
    data = answer(ask("search", "high water", "--format", "json", cwd=harbour))
    assert set(data) == {"hits", "freshness", "mode"}
    assert data["mode"] == "hybrid"
    for hit in data["hits"]:
        assert set(hit) == FIELDS
        span = hit["span"]
        assert 1 <= span["first"] <= span["last"] <= FILES[span["path"]].count("\n")
        assert isinstance(hit["score"], float)
    fresh = data["freshness"]
    assert (fresh["branch"], fresh["dirty"], fresh["files"], fresh["is_current"]) == ("main", [], 11, True)
    assert fresh["age_seconds"] == 0
    assert len(fresh["commit"]) == 40
    assert fresh["coverage"]["Python"] == {"files": 6, "parsed": 6, "partly": 0, "as_text": 0}


def test_an_explanation_adds_up(harbour: Path) -> None:
    ended = ask("search", "find_berth", "--format", "json", "--explain", cwd=harbour)
    for hit in answer(ended)["hits"]:
        assert set(hit) == FIELDS
        assert sum(hit["signals"].values()) == pytest.approx(hit["score"], abs=0.002)
    for printed in ask("search", "find_berth", "-k", "1", "--explain", cwd=harbour).out.splitlines()[-2:]:
        score, _, shares = printed.partition(" = ")
        parts = shares.split()
        assert sum(map(float, parts[1::2])) == pytest.approx(float(score.removeprefix("        file ")), abs=0.002)


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
def test_modes_are_chosen_by_name(harbour: Path, mode: str) -> None:
    data = answer(ask("search", "high water", "--mode", mode, "--format", "json", cwd=harbour))
    assert (data["mode"], data["hits"][0]["span"]["path"]) == (mode, "harbour/tides.py")


@pytest.mark.parametrize(
    "options", [["--mode", "semantic"], ["--mode", "semantic_rerank"], ["--fusion", "rrf"]], ids=lambda o: o[-1]
)
def test_modes_by_meaning_are_chosen_by_name(harbour: Path, options: list[str]) -> None:
    ended = ask("search", "high water", *options, "--format", "json", "--explain", cwd=harbour)
    for hit in answer(ended)["hits"]:
        assert set(hit["signals"]) <= {"semantic", "bm25"}
        assert sum(hit["signals"].values()) == pytest.approx(hit["score"], abs=0.0002)


def test_ranking_by_meaning_leaves_nothing_of_others_in_the_home(own_harbour: Path) -> None:
    nowhere = {"HTTPS_PROXY": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9", "CI": ""}
    assert ask("search", "high water", "--mode", "semantic", cwd=own_harbour, env=nowhere).code == 0
    home = own_harbour.parent / "home"
    left = {str(file.relative_to(home)) for file in home.rglob("*") if file.is_file()}
    assert not {file for file in left if not file.startswith((".cache/bottega/", ".local/state/bottega/"))}


def test_everything_is_embedded_when_asked_and_only_once(own_harbour: Path) -> None:
    first = ask("index", "--vectors", cwd=own_harbour)
    assert first.code == 0
    assert int(first.err.split("embedded ")[1].split()[0]) >= len(FILES) - 2
    assert "embedded 0 chunks" in ask("index", "--vectors", cwd=own_harbour).err


def test_vectors_come_in_the_background_and_change_the_ranking(own_harbour: Path) -> None:
    question = "vessel that transports petroleum"
    before = answer(ask("search", question, "--format", "json", "--explain", cwd=own_harbour))
    assert not any("meaning" in hit["signals"] for hit in before["hits"])
    behind = {"BOTTEGA_INDEX_VECTORS": "background"}
    assert "in the background" in ask("index", "--rebuild", cwd=own_harbour, env=behind).err
    patience = time.monotonic() + 60
    while "harbour/ships.py" not in [hit["span"]["path"] for hit in _hybrid(own_harbour, question)[:2]]:
        assert time.monotonic() < patience
        time.sleep(0.2)
    assert "embedded 0 chunks" in ask("index", "--vectors", cwd=own_harbour).err
    assert "in the background" not in ask("index", cwd=own_harbour, env=behind).err


def test_a_search_has_what_is_new_embedded_behind_it(own_harbour: Path) -> None:
    kept = own_harbour / ".bottega" / "vectors"
    assert ask("search", "high water", cwd=own_harbour).code == 0
    assert not kept.exists()
    assert ask("search", "high water", cwd=own_harbour, env={"BOTTEGA_INDEX_VECTORS": "background"}).code == 0
    patience = time.monotonic() + 60
    while "embedded 0 chunks" not in ask("index", "--vectors", cwd=own_harbour).err:
        assert time.monotonic() < patience
        time.sleep(0.2)
    assert kept.exists()


def _hybrid(root: Path, question: str) -> list[dict[str, Any]]:
    hits: list[dict[str, Any]] = answer(ask("search", question, "--format", "json", cwd=root))["hits"]
    return hits


def test_filters_and_the_limit_hold(harbour: Path) -> None:
    def places(*options: str, question: str = "tide table") -> list[str]:
        data = answer(ask("search", question, *options, "--format", "json", cwd=harbour))
        return [hit["span"]["path"] for hit in data["hits"]]

    assert sorted(places("--lang", "typescript")) == ["web/table.ts", "web/tide.ts"]
    assert sorted(places("--path", "web/")) == ["web/table.ts", "web/tide.ts"]
    assert places("--kind", "docs", question="mooring") == ["docs/mooring.md"]
    assert len(places("-k", "2")) == len(places("--limit", "2")) == 2
    assert set(places("--kind", "class", "--lang", "ts")) == {"web/table.ts", "web/tide.ts"}


def test_a_question_comes_from_a_file_or_from_standard_input(harbour: Path, tmp_path: Path) -> None:
    issue = tmp_path / "issue.txt"
    issue.write_text(ISSUE)
    by_word = answer(ask("search", ISSUE, "--format", "json", cwd=harbour))
    by_file = answer(ask("search", "--file", str(issue), "--format", "json", cwd=harbour))
    by_pipe = answer(ask("search", "--file", "-", "--format", "json", cwd=harbour, stdin=ISSUE.encode()))
    assert by_word["hits"] == by_file["hits"] == by_pipe["hits"]
    files = list(dict.fromkeys(hit["span"]["path"] for hit in by_word["hits"]))
    assert set(files[:2]) == {"harbour/berths.py", "harbour/ships.py"}


def test_a_file_that_begins_with_a_byte_order_mark_is_read(harbour: Path) -> None:
    data = answer(ask("search", "--file", "-", "--format", "json", cwd=harbour, stdin=b"\xef\xbb\xbffind_berth"))
    assert data["hits"][0]["span"]["path"] == "harbour/berths.py"


def test_an_edit_of_a_moment_ago_is_found(own_harbour: Path) -> None:
    (own_harbour / "harbour/pilots.py").write_text("def call_pilot(ship):\n    return ship\n")
    data = answer(ask("search", "call_pilot", "--format", "json", cwd=own_harbour))
    assert data["hits"][0]["span"]["path"] == "harbour/pilots.py"
    assert data["freshness"]["dirty"] == ["harbour/pilots.py"]


def test_without_a_refresh_the_answer_is_old_and_says_so(own_harbour: Path) -> None:
    (own_harbour / "harbour/pilots.py").write_text("def call_pilot(ship):\n    return ship\n")
    ended = ask("search", "call_pilot", "--no-refresh", cwd=own_harbour)
    assert "harbour/pilots.py" not in ended.out
    assert "; not compared for " in ended.err
    fresh = answer(ask("search", "call_pilot", "--no-refresh", "--format", "json", cwd=own_harbour))["freshness"]
    assert (fresh["is_current"], fresh["files"]) == (False, 11)
    assert isinstance(fresh["age_seconds"], int)
    assert "harbour/pilots.py" in ask("search", "call_pilot", cwd=own_harbour).out


def test_an_edit_in_the_same_second_and_of_the_same_size_is_found(own_harbour: Path) -> None:
    file = own_harbour / "harbour/tides.py"
    stamp = file.stat()
    file.write_text(FILES["harbour/tides.py"].replace("low_water", "low_ebbed"))
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    data = answer(ask("search", "low_ebbed", "--mode", "bm25", "--format", "json", cwd=own_harbour))
    assert data["hits"][0]["span"]["path"] == "harbour/tides.py"
    assert data["freshness"]["dirty"] == ["harbour/tides.py"]


def test_the_first_search_reads_the_repository(empty: Path) -> None:
    (empty / "a.py").write_text("def lonely():\n    return 1\n")
    ended = ask("search", "lonely", cwd=empty)
    assert (ended.code, ended.out.splitlines()[0]) == (0, "a.py:1-2  lonely (function)")
    assert "no commit" in ended.err
    again = ask("search", "lonely", "--no-refresh", cwd=empty)
    assert again.out == ended.out


@pytest.mark.parametrize(
    "mode",
    [
        "bm25",
        pytest.param("hybrid"),
    ],
)
def test_nothing_is_found_where_there_is_nothing(empty: Path, mode: str) -> None:
    ended = ask("search", "anything", "--mode", mode, cwd=empty)
    assert (ended.code, ended.out) == (1, "nothing found\n")


def test_a_search_from_a_folder_below_is_one_of_the_whole(harbour: Path) -> None:
    env = {"HOME": str(harbour.parent / "home")}
    ended = ask("search", "TideTable", "-k", "1", cwd=harbour / "harbour", env=env)
    assert ended.out.startswith("../web/tide.ts:")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is nothing to search for"),
        (["   "], "there is nothing to search for"),
        (["ship", "--lang", "klingon"], "'klingon' is not a language known here"),
        (["ship", "--mode", "magic"], "'magic' is not one of 'hybrid', 'bm25', 'semantic', 'semantic_rerank'"),
        (["ship", "--fusion", "magic"], "'magic' is not one of 'weighted', 'rrf'"),
        (["ship", "-k", "0"], "0 is not in the range"),
        (["ship", "-k", "many"], "'many' is not a valid integer"),
        (["ship", "--format", "xml"], "'xml' is not one of 'text', 'json'"),
        (["ship", "--file", "x"], "there is a query and a file with another"),
        (["--file", "nowhere.txt"], "nowhere.txt cannot be read: No such file or directory"),
        (["--file", "harbour"], "harbour cannot be read: Is a directory"),
        (["ship", "--repo", "nowhere"], "nowhere cannot be opened"),
        (["ship", "--colour"], "--colour"),
        pytest.param(
            ["ship", "--kind", "banana"],
            "banana",
        ),
        pytest.param(
            ["!!!"],
            "",
        ),
    ],
    ids=lambda value: " ".join(value)[-24:] if isinstance(value, list) else "",
)
def test_what_cannot_be_searched_for_is_told(harbour: Path, arguments: list[str], message: str) -> None:
    refused(ask("search", *arguments, cwd=harbour), message)


def test_an_empty_standard_input_is_told(harbour: Path) -> None:
    refused(ask("search", "--file", "-", cwd=harbour, stdin=b""), "there is nothing to search for")


def test_a_question_of_five_megabytes_is_told(harbour: Path) -> None:
    ended = ask("search", "--file", "-", cwd=harbour, stdin=b"high water " * 500_000)
    refused(ended, "standard input has more than 1,000,000 bytes")
    ended = ask("search", "--file", "-", cwd=harbour, stdin=b"high water " * 50_000)
    refused(ended, "the query has 549,999 characters; at most 200,000 are read")


def test_a_binary_on_standard_input_is_told(harbour: Path) -> None:
    data = b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 8
    refused(ask("search", "--file", "-", cwd=harbour, stdin=data), "")


def test_a_binary_on_standard_input_breaks_nothing(harbour: Path) -> None:
    ended = ask("search", "--file", "-", cwd=harbour, stdin=b"\x00\xff\xfe" * 1000)
    assert "Traceback" not in ended.err
    assert "\x00" not in ended.out


def test_names_from_the_repository_do_not_steer_the_terminal(empty: Path) -> None:
    (empty / "a\x1b]0;owned\x07\u202e.py").write_text("def lonely():\n    return '\x1b[31m'\n")
    for verb in (["search", "lonely"], ["show", "lonely"], ["graph", "lonely"], ["map"], ["stats"], ["index"]):
        ended = ask(*verb, cwd=empty)
        assert ended.code == 0, ended.err
        assert "\x1b" not in ended.out + ended.err
        assert "\u202e" not in ended.out + ended.err


def test_lines_that_are_indented_with_tabs_are_printed_with_blanks(empty: Path) -> None:
    (empty / "a.go").write_text("package a\n\nfunc Moor() int {\n\tif tide {\n\t\treturn 1\n\t}\n\treturn 2\n}\n")
    lines = ask("search", "moor tide", "-k", "1", "--full", cwd=empty).out.splitlines()
    assert "      5         return 1" in lines, lines


def test_a_name_cannot_pretend_to_be_a_line(empty: Path) -> None:
    (empty / "a\nforged.py").write_text("def lonely():\n    return lonely()\n")
    for verb in (["search", "lonely"], ["show", "lonely"], ["graph", "lonely"], ["map"], ["stats"], ["index"]):
        ended = ask(*verb, cwd=empty)
        assert ended.code == 0, ended.err
        assert not [line for line in (ended.out + ended.err).splitlines() if line.lstrip().startswith("forged")], verb


@pytest.mark.parametrize("name", ["f", "get", "if_", "Q"])
def test_a_short_or_common_name_is_found(empty: Path, name: str) -> None:
    (empty / "a.py").write_text(f"def {name}():\n    return 1\n")
    (empty / "b.py").write_text("def something_else():\n    return 2\n")
    assert ask("search", name, cwd=empty).out.startswith("a.py:1-2")


def test_of_one_kind_the_one_that_is_named_comes_first(empty: Path) -> None:
    (empty / "a.c").write_text("int oven_init(int n) { return n; }\n\nint oven_start(int n) { return n; }\n")
    assert ask("search", "oven_start", "--kind", "function", "-k", "1", cwd=empty).out.startswith("a.c:3-3  oven_start")


def test_a_name_with_what_it_belongs_to_finds_its_own_lines(empty: Path) -> None:
    filler = "".join(f"    def other_{n}(self):\n        return '{'x' * 60}'\n\n" for n in range(60))
    classes = [f"class {name}:\n{filler}    def send(self):\n        return {n}\n\n\n" for n, name in enumerate("ABCD")]
    (empty / "a.py").write_text("".join(classes))
    ended = ask("search", "C.send", "-k", "1", cwd=empty)
    assert "C.send (method)" in ended.out, ended.out


def test_an_empty_repository_is_searched_without_a_murmur(empty: Path) -> None:
    ended = ask("search", "anything", cwd=empty)
    assert (ended.code, ended.out) == (1, "nothing found\n")
    assert "Warning" not in ended.err


@pytest.mark.parametrize("verb", [["search", "lonely"], ["show", "lonely"], ["map"]])
def test_lost_arrays_are_made_anew_by_whoever_refreshes(empty: Path, verb: list[str]) -> None:
    (empty / "a.py").write_text("def lonely():\n    return 1\n")
    ask("index", cwd=empty)
    for file in (empty / ".bottega" / "segments").iterdir():
        file.unlink()
    ended = ask(*verb, cwd=empty)
    assert ended.code == 0, ended.err
    assert "the index is rebuilt" in ended.err
    assert "a.py" in ended.out


def test_numbers_that_lead_nowhere_are_damage(empty: Path) -> None:
    for n in range(20):
        (empty / f"m{n}.py").write_text(f"def lonely_{n}():\n    return lonely\n" * 30)
    ask("index", cwd=empty)
    (segment,) = (empty / ".bottega" / "segments").glob("*.seg")
    data = bytearray(segment.read_bytes())
    for at in range(4096, len(data), 97):
        data[at] ^= 0xE5
    segment.write_bytes(data)
    assert "Traceback" not in ask("search", "lonely", "--no-refresh", cwd=empty).err
    ended = ask("index", "--verify", cwd=empty)
    assert "Traceback" not in ended.err
    assert ended.code in {1, 3}, ended.err
