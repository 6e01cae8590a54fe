"""An investigation from the scan to the report."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from bottega.errors import InputError, ModelFault, ModelUnreachable
from bottega.models import Reply, Request, ToolCall, Usage
from bottega.models.providers.scripted import Line
from bottega.testing import scripted_workshop
from tests.investigate.museum import (
    Visitor,
    build,
    calls,
    directory_of,
    examine,
    plan,
    submit,
    survey,
    synthesis,
    visit,
    workshop,
)

CHILDREN_FIRST = ["cellar/logs/", "hall/attic/", "cellar/", "hall/", "."]


def kept(root: Path, name: str) -> Any:
    """A file of the only investigation there is."""
    return json.loads(next((root / ".bottega" / "investigations").glob(f"*-*/{name}")).read_text())


def entries(root: Path, shelf: str) -> dict[str, Any]:
    found = (
        json.loads(file.read_text()) for file in (root / ".bottega" / "investigations").glob(f"*-*/{shelf}/*.json")
    )
    return {one["relative_path"]: one for one in found}


def test_passes_follow_each_other_and_children_come_before_parents(tmp_path: Path) -> None:
    visitor = Visitor()
    report = visit(build(tmp_path), visitor)
    assert visitor.asked() == ["survey", "plan", *CHILDREN_FIRST, "synthesis"]
    assert report.complete
    assert report.synthesis.brief == "A museum."
    assert {one.path: one.summary for one in report.directories}["hall/"] == "the room hall/"


def test_a_parent_reads_what_was_said_of_its_children(tmp_path: Path) -> None:
    visitor = Visitor()
    visit(build(tmp_path), visitor)
    assert "- hall/attic/: the room hall/attic/" in visitor.prompts("hall/")[0]
    assert "this is a leaf" in visitor.prompts("hall/attic/")[0]


def test_an_unchanged_tree_asks_nothing(tmp_path: Path) -> None:
    first = visit(build(tmp_path), Visitor())
    silent = Visitor()
    again = visit(tmp_path, silent)
    assert silent.asked() == []
    assert again.synthesis == first.synthesis
    assert again.known == 5
    assert [(one.path, one.summary) for one in again.directories] == [
        (one.path, one.summary) for one in first.directories
    ]


def test_a_window_that_is_measured_anew_asks_nothing_either(tmp_path: Path) -> None:
    """How many signs make a token is learnt from every call; what is shown of long lists depends on it, keys do not."""
    build(tmp_path, {f"d{at}/f{at}.txt": f"{at}\n" for at in range(40)})
    long = Visitor(lambda _, path: calls(submit(f"{path} " + "word " * 100)))
    visit(tmp_path, long, "budget.context_window=4096")
    house = workshop(tmp_path, Visitor())
    house.journal.facts.put("scripted/model", "chars_per_token", 1.5)
    house.close()
    silent = Visitor()
    visit(tmp_path, silent, "budget.context_window=4096")
    assert silent.asked() == []
    (tmp_path / "d3" / "f3.txt").write_text("three\n")
    again = Visitor()
    visit(tmp_path, again, "budget.context_window=4096")
    assert "plan" not in again.asked()


def test_one_changed_file_asks_about_its_ancestors_alone(tmp_path: Path) -> None:
    visit(build(tmp_path), Visitor())
    (tmp_path / "hall" / "attic" / "notes.txt").write_text("The third box is full.\n")
    again = Visitor(lambda _, path: calls(submit(f"now {path}")))
    report = visit(tmp_path, again)
    assert again.asked() == ["hall/attic/", "hall/", ".", "synthesis"]
    assert {one.path: one.summary for one in report.directories}["cellar/"] == "the room cellar/"


def test_what_is_known_of_an_unchanged_file_is_shown_again(tmp_path: Path) -> None:
    def first(_: Request, path: str) -> Line:
        notes = {
            "tool": "write_cache",
            "kind": "file",
            "path": "hall/attic/box.csv",
            "summary": "paintings",
            "confidence": 1,
        }
        return calls(*([notes] if path == "hall/attic/" else []), submit())

    visit(build(tmp_path), Visitor(first))
    (tmp_path / "hall" / "attic" / "notes.txt").write_text("The third box is full.\n")
    again = Visitor()
    visit(tmp_path, again)
    assert "- hall/attic/box.csv: paintings" in again.prompts("hall/attic/")[0]


@pytest.mark.parametrize("change", ["model", "options", "fresh"])
def test_another_model_other_options_or_a_fresh_start_pay_again(tmp_path: Path, change: str) -> None:
    visit(build(tmp_path), Visitor())
    again = Visitor()
    if change == "model":
        with scripted_workshop(
            tmp_path, again, settings=["budget.context_window=32768"], model="scripted/other"
        ) as house:
            examine(house, tmp_path)
    elif change == "options":
        visit(tmp_path, again, exclude=("nothing",))
    else:
        visit(tmp_path, again, fresh=True)
    assert [path for path in again.asked() if path in CHILDREN_FIRST] == CHILDREN_FIRST


def test_a_directory_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    visit(build(tmp_path), Visitor())
    (tmp_path / "cellar" / "logs" / "one.log").unlink()
    (tmp_path / "cellar" / "logs").rmdir()
    report = visit(tmp_path, Visitor())
    assert "cellar/logs/" not in entries(tmp_path, "dirs")
    assert "cellar/logs/" not in {one.path for one in report.directories}


def test_a_tiny_target_has_no_survey_and_no_plan(tmp_path: Path) -> None:
    visitor = Visitor()
    visit(build(tmp_path, {"a.txt": "x\n"}), visitor)
    assert visitor.asked() == [".", "synthesis"]


def test_an_empty_directory_is_told_as_empty(tmp_path: Path) -> None:
    visitor = Visitor()
    report = visit(tmp_path, visitor)
    assert report.directories[0].summary == "No files are here."
    assert report.complete


def test_survey_and_notes_reach_every_directory(tmp_path: Path) -> None:
    visitor = Visitor()
    visit(build(tmp_path), visitor)
    for path in CHILDREN_FIRST:
        assert "Description: a museum" in visitor.prompts(path)[0]
        assert "Notes of the plan:\n```\ncount the frames\n```" in visitor.prompts(path)[0]


def test_priority_first_keeps_children_before_parents(tmp_path: Path) -> None:
    wanted = plan(
        priority_dirs=[{"path": "hall/", "reason": "the heart", "suggested_turns": 20}],
        investigation_order="priority-first",
    )
    visitor = Visitor(plan=calls(wanted))
    visit(build(tmp_path), visitor)
    assert visitor.asked()[2:-1] == ["hall/attic/", "hall/", "cellar/logs/", "cellar/", "."]
    assert "(you have 20 turns)" in visitor.prompts("hall/")[0]


def test_a_skipped_directory_takes_along_what_is_below_it(tmp_path: Path) -> None:
    wanted = plan(skip_dirs=[{"path": "cellar", "reason": "only water"}, {"path": ".", "reason": "no"}])
    visitor = Visitor(plan=calls(wanted))
    report = visit(build(tmp_path), visitor)
    assert visitor.asked()[2:-1] == ["hall/attic/", "hall/", "."]
    told = {one.path: (one.status, one.reason) for one in report.directories}
    assert told["cellar/logs/"] == ("skipped", "only water")
    assert "cellar/: (not investigated: the plan skips it)" in visitor.prompts(".")[0]
    assert report.coverage.files_read < report.coverage.files


def test_the_next_plan_reads_how_the_last_one_turned_out(tmp_path: Path) -> None:
    visit(build(tmp_path), Visitor())
    assert kept(tmp_path, "plan_evaluation.json")["total_turns_used"] == 5
    (tmp_path / "new.py").write_text("x = 1\n")
    again = Visitor()
    visit(tmp_path, again)
    asked = next(one for one in again.requests if one.stage == "investigate.plan")
    assert "used 5 of 50 turns" in asked.text()
    assert "hall/attic/: default, 1 of 10 turns, completeness 0.9" in asked.text()


def test_a_plan_that_names_nothing_real_changes_nothing(tmp_path: Path) -> None:
    wanted = plan(
        priority_dirs=[{"path": "moon"}, 7, {"path": None}], skip_dirs="all", investigation_order=3, notes=None
    )
    visitor = Visitor(plan=calls(wanted))
    report = visit(build(tmp_path), visitor)
    assert visitor.asked()[2:-1] == CHILDREN_FIRST
    assert report.complete


@pytest.mark.parametrize("number", ["twelve", None, [], {}, True, math.inf, math.nan, -3, 10**400, "0.7", "1e999"])
def test_a_malformed_number_is_no_rating_and_ends_nothing(tmp_path: Path, number: Any) -> None:
    said = plan(priority_dirs=[{"path": "hall", "reason": "x", "suggested_turns": number}])
    note = {"tool": "write_cache", "kind": "dir", "path": ".", "summary": "s", "confidence": number}
    read = {"tool": "read_file", "path": "README.md", "first": number, "last": number}

    def reply(*wanted: dict[str, Any]) -> Reply:
        made = tuple(
            ToolCall(str(at), one["tool"], {k: v for k, v in one.items() if k != "tool"})
            for at, one in enumerate(wanted)
        )
        return Reply("", tool_calls=made, usage=Usage(10, 10), finish="tool_calls", model="scripted/model")

    visitor = Visitor(
        lambda _, __: reply(note, read, submit("s", number)),
        survey=reply(survey(confidence=number)),
        plan=reply(said),
    )
    report = visit(build(tmp_path), visitor)
    assert report.complete
    rated = {one.completeness for one in report.directories}
    assert rated <= {None, 0.7}


def test_the_survey_hides_tools_only_when_it_is_sure_and_never_those_of_the_loop(tmp_path: Path) -> None:
    skipped = ["stat", "read_file", "write_cache", "submit_report", "juggle"]
    sure = Visitor(survey=calls(survey(skip_tools=skipped, confidence=0.5)))
    visit(build(tmp_path / "a"), sure)
    text = sure.prompts("hall/")[0]
    assert "- stat(" not in text
    assert all(f"- {name}(" in text for name in ("read_file", "write_cache", "submit_report"))
    unsure = Visitor(survey=calls(survey(skip_tools=skipped, confidence=0.49)))
    visit(build(tmp_path / "b"), unsure)
    assert "- stat(" in unsure.prompts("hall/")[0]


def test_a_model_that_never_submits_leaves_partial_entries_and_a_report(tmp_path: Path) -> None:
    def forever(request: Request, path: str) -> Line:
        return calls({"tool": "think", "observation": f"still looking at {path}"})

    endless = Visitor(forever, synthesis=calls({"tool": "list_cache", "path": "."}))
    report = visit(build(tmp_path), endless)
    assert endless.asked().count("hall/") == 10
    assert endless.asked().count("synthesis") == 5
    assert not report.complete
    assert {one.status for one in report.directories} == {"partial"}
    assert "without submit_report" in report.directories[0].reason
    assert report.synthesis.made_by == "rules"
    assert "Python" in report.synthesis.technologies


def test_a_partial_directory_is_looked_at_again(tmp_path: Path) -> None:
    def one_fails(_: Request, path: str) -> Line:
        return ModelFault("scripted/model", "broken", passing=False) if path == "cellar/logs/" else calls(submit())

    report = visit(build(tmp_path), Visitor(one_fails))
    assert [one.path for one in report.directories if one.status == "partial"] == ["cellar/logs/"]
    assert not report.complete
    again = Visitor()
    assert visit(tmp_path, again).complete
    assert again.asked() == ["cellar/logs/", "cellar/", ".", "synthesis"], "what stands above it was said without it"


def test_what_was_learnt_survives_the_failure_of_the_report(tmp_path: Path) -> None:
    visitor = Visitor(synthesis=ModelUnreachable("scripted/model", "http://127.0.0.1:1"))
    report = visit(build(tmp_path), visitor, "limits.retries=0")
    assert report.synthesis.made_by == "rules"
    assert report.synthesis.brief == "the room ."
    assert "hall/: the room hall/" in report.synthesis.detailed
    assert not report.complete


def test_without_any_answer_there_is_still_a_report(tmp_path: Path) -> None:
    def dead(request: Request) -> Line:
        return ModelUnreachable("scripted/model", "http://127.0.0.1:1")

    report = visit(build(tmp_path), dead, "limits.retries=0")
    assert not report.complete
    assert "2 files and 2 directories" in report.directories[0].summary
    assert len(report.gaps) >= 3
    assert report.coverage.files_read == 0


def test_the_turns_of_the_whole_run_have_a_ceiling(tmp_path: Path) -> None:
    visitor = Visitor()
    report = visit(build(tmp_path), visitor, max_turns=4)
    assert len(visitor.requests) == 4
    assert not report.complete
    assert report.turns == 4
    assert "all 4 turns of the run are used" in " ".join(one.reason for one in report.directories)


def test_tokens_and_money_have_ceilings_too(tmp_path: Path) -> None:
    visitor = Visitor()
    report = visit(build(tmp_path), visitor, "limits.tokens=2000")
    assert 2 <= len(visitor.requests) < 8
    assert not report.complete
    assert report.directories[0].status == "partial"


def test_the_last_request_is_held_against_the_window_not_their_sum(tmp_path: Path) -> None:
    """Ten turns of 3,000 tokens each are fine in a window of 8,192; one of 6,000 is the last."""

    def turns(size: int) -> Visitor:
        def reply(request: Request, path: str) -> Line:
            made = ToolCall("1", "think", {"observation": "…"})
            return Reply("", tool_calls=(made,), usage=Usage(size, 10), finish="tool_calls", model="scripted/model")

        return Visitor(reply)

    small, large = turns(3000), turns(6000)
    visit(build(tmp_path / "a"), small, "budget.context_window=8192")
    assert small.asked().count("hall/") == 10
    report = visit(build(tmp_path / "b"), large, "budget.context_window=8192")
    assert large.asked().count("hall/") == 1
    assert "the context holds 6000 of 8192 tokens" in next(
        one.reason for one in report.directories if one.path == "hall/"
    )


def test_small_results_share_what_a_turn_may_add(tmp_path: Path) -> None:
    build(tmp_path, {"big.txt": "some words here\n" * 40_000, "other.txt": "x\n"})
    rounds: list[Request] = []

    def reader(request: Request, path: str) -> Line:
        rounds.append(request)
        if len(rounds) < 2:
            return calls(*({"tool": "read_file", "path": "big.txt", "first": 1 + 100 * at} for at in range(12)))
        return calls(submit())

    report = visit(tmp_path, Visitor(reader), "budget.context_window=8192")
    assert report.complete
    assert all(one.chars() < 8192 * 4 * 0.7 for one in rounds)
    assert report.coverage.cut >= 12


def test_models_that_call_tools_get_the_same_tools(tmp_path: Path) -> None:
    """The contract is only a way to call them: native calls and JSON calls lead to the same entry."""

    def native(request: Request, path: str) -> Line:
        if len(request.messages) == 1:
            made = (ToolCall("a", "read_file", {"path": "README.md"}), ToolCall("b", "stat", {"path": "hall"}))
            return Reply("", tool_calls=made, usage=Usage(1, 1), finish="tool_calls", model="scripted/model")
        last = (ToolCall("c", "submit_report", {"summary": f"native {path}", "completeness": 1}),)
        return Reply("", tool_calls=last, usage=Usage(1, 1), finish="tool_calls", model="scripted/model")

    report = visit(build(tmp_path), Visitor(native))
    assert report.complete
    assert report.directories[0].summary == "native ."


def test_what_is_not_json_is_answered_with_a_nudge(tmp_path: Path) -> None:
    seen: list[str] = []

    def chatty(request: Request, path: str) -> Line:
        seen.append(request.messages[-1].text)
        return "I think this is a lovely directory." if len(request.messages) == 1 else calls(submit())

    assert visit(build(tmp_path, {"a.txt": "x"}), Visitor(chatty)).complete
    assert "not one JSON object" in seen[1]
    assert "submit_report" in seen[1]


def test_no_contents_are_kept(tmp_path: Path) -> None:
    def greedy(_: Request, path: str) -> Line:
        kind = {
            "tool": "write_cache",
            "kind": "file",
            "path": f"{path}notes.txt",
            "summary": "s",
            "contents": "all",
            "confidence": 1,
        }
        return calls(*([kind] if path == "hall/attic/" else []), submit())

    visit(build(tmp_path), Visitor(greedy))
    assert entries(tmp_path, "files") == {}
    whole = "".join(file.read_text() for file in (tmp_path / ".bottega" / "investigations").rglob("*.json*"))
    assert "The third box is empty" not in whole


def test_the_folder_is_laid_out_for_people(tmp_path: Path) -> None:
    visit(build(tmp_path), Visitor())
    folder = next((tmp_path / ".bottega" / "investigations").glob("*-*"))
    assert {one.name for one in folder.iterdir()} >= {
        *("meta.json", "survey.json", "plan.json", "plan_evaluation.json", "synthesis.json", "report.json"),
        *("files", "dirs", "flags.jsonl", "investigation.log"),
    }
    meta = kept(tmp_path, "meta.json")
    assert (meta["directories_investigated"], meta["total_turns"]) == (5, 8)
    lines = [json.loads(line) for line in (folder / "investigation.log").read_text().splitlines()]
    assert {line["tool"] for line in lines} == {"submit_report"}


def test_a_damaged_record_costs_work_and_nothing_else(tmp_path: Path) -> None:
    visit(build(tmp_path), Visitor())
    for file in (tmp_path / ".bottega" / "investigations").rglob("*.json"):
        if file.name != "investigations.json":
            file.write_text('{"key": 3, "flags": "x", "summary"')
    again = Visitor()
    assert visit(tmp_path, again).complete
    assert again.asked() == ["survey", "plan", *CHILDREN_FIRST, "synthesis"]


def test_a_file_that_changes_under_the_reader_makes_its_directory_partial(tmp_path: Path) -> None:
    def changing(_: Request, path: str) -> Line:
        if path == "hall/attic/":
            (tmp_path / "hall" / "door.py").write_text("def gone(): ...\n")
        return calls(submit())

    report = visit(build(tmp_path), Visitor(changing))
    told = {one.path: (one.status, one.reason) for one in report.directories}
    assert told["hall/"] == ("partial", "hall/door.py changed while it was investigated")
    assert not report.complete


def test_files_that_vanish_are_told_to_the_model(tmp_path: Path) -> None:
    seen: list[str] = []

    def reader(request: Request, path: str) -> Line:
        if path != "cellar/":
            return calls(submit())
        seen.append(request.messages[-1].text)
        (tmp_path / "cellar" / "pump.sh").unlink(missing_ok=True)
        return calls({"tool": "read_file", "path": "cellar/pump.sh"}) if len(seen) == 1 else calls(submit())

    report = visit(build(tmp_path), Visitor(reader))
    assert "error: cellar/pump.sh: No such file or directory" in seen[1]
    assert report.synthesis.brief == "A museum."


def test_the_records_may_lie_outside_of_the_target(tmp_path: Path) -> None:
    target, home = build(tmp_path / "museum"), tmp_path / "home"
    home.mkdir()
    house = workshop(home, Visitor())
    report = examine(house, target)
    house.close()
    assert report.complete
    assert not (target / ".bottega").exists()


def test_a_file_is_no_target(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    house = workshop(tmp_path, Visitor())
    with pytest.raises(InputError, match="is not a directory"):
        examine(house, tmp_path / "a.txt")
    house.close()


def test_directories_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    visitor = Visitor()
    report = visit(build(tmp_path), visitor, max_directories=3)
    assert visitor.asked()[2:-1] == ["cellar/", "hall/", "."]
    assert report.gaps == ("2 directories beyond the limit of 3",)


def test_parts_and_ways_in_that_are_not_there_are_dropped(tmp_path: Path) -> None:
    said = synthesis(
        components=[
            {"name": "moon", "path": "moon", "role": "x"},
            "hall",
            {"name": "hall", "path": "hall/", "role": "x"},
        ],
        entry_points=["cellar/pump.sh", "../etc/passwd", "nothing.py", 7],
        technologies="Python",
    )
    report = visit(build(tmp_path), Visitor(synthesis=calls(said)))
    assert [one.name for one in report.synthesis.components] == ["hall"]
    assert report.synthesis.entry_points == ("cellar/pump.sh",)
    assert report.synthesis.dropped == 5


def test_a_finished_investigation_replays_without_a_model(tmp_path: Path) -> None:
    report = visit(build(tmp_path), Visitor())

    def nobody(request: Request) -> Line:
        raise AssertionError("a replay asks nothing")

    house = workshop(tmp_path, nobody)
    replayed = house.replay(report.run).result().report
    house.close()
    assert replayed == report


def test_a_failed_directory_replays_too(tmp_path: Path) -> None:
    def one_fails(_: Request, path: str) -> Line:
        return ModelFault("scripted/model", "broken", passing=False) if path == "hall/" else calls(submit())

    report = visit(build(tmp_path), Visitor(one_fails))
    house = workshop(tmp_path, Visitor())
    assert house.replay(report.run).result().report == report
    house.close()


def test_independent_directories_are_investigated_side_by_side(tmp_path: Path) -> None:
    import threading

    together = threading.Barrier(2, timeout=20)

    class Crowd:
        name = "scripted/model"

        def complete(self, request: Request, on_text: Any = None) -> Reply:
            if request.stage == "investigate.directory" and directory_of(request) in {"cellar/logs/", "hall/attic/"}:
                together.wait()
            line = Visitor()(request)
            assert isinstance(line, str)
            return Reply(line, usage=Usage(1, 1), model=self.name)

    settings = ["budget.context_window=32768", "providers.scripted.concurrency=4"]
    with scripted_workshop(build(tmp_path), Crowd(), settings=settings) as house:
        report = examine(house, tmp_path)
    assert report.complete
