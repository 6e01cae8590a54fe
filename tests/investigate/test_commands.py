"""`bottega investigate` and `bottega scan` on the command line."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from bottega.testing import Received, Say, ScriptedServer, ServedModel, Step, ToolCall
from tests.command import command_for
from tests.investigate.museum import build, calls, plan, submit, survey, synthesis

FLAG = {
    "tool": "flag",
    "path": "hall/door.py",
    "finding": "any ticket opens",
    "severity": "concern",
    "quote": "ticket ==",
}


class Museum:
    """A directory, and a terminal beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.root = build(folder / "museum")
        self.replies = folder / "replies.yaml"
        self.say([calls(FLAG, submit(f"room {number}")) for number in range(5)])

    def say(self, directories: list[str]) -> None:
        script = {
            "investigate.survey": [calls(survey())],
            "investigate.plan": [calls(plan())],
            "investigate.directory": directories,
            "investigate.synthesis": [calls(synthesis())],
        }
        self.replies.write_text(yaml.safe_dump(script))

    def run(
        self, *arguments: str, verb: str = "investigate", stdout: Any = subprocess.PIPE, **environ: str
    ) -> subprocess.CompletedProcess[str]:
        base = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8"}
        base["BOTTEGA_MODELS_DEFAULT"] = f"scripted/{self.replies}"
        return subprocess.run(
            [*command_for(environ), verb, *arguments],
            cwd=self.folder,
            env={**base, **environ},
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )


@pytest.fixture
def museum(tmp_path: Path) -> Museum:
    return Museum(tmp_path)


def test_a_report_is_printed_and_progress_goes_elsewhere(museum: Museum) -> None:
    done = museum.run("museum")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{museum.root}\n\nWhat it is\n  A museum.\n")
    assert "[CONCERN] hall/door.py:5: any ticket opens" in done.stdout
    assert "directory 5 of 5: . (10 turns)" in done.stderr
    assert "tokens so far" in done.stderr


def test_exit_codes_tell_partial_and_grave(museum: Museum) -> None:
    assert museum.run("museum", "--fail-on", "concern").returncode == 1
    assert museum.run("museum", "--fail-on", "critical").returncode == 0
    museum.say([calls(submit())])
    partial = museum.run("museum", "--fresh", "--fail-on", "info")
    assert partial.returncode == 4
    assert "incomplete: " in partial.stderr
    museum.say([calls(FLAG, submit())])
    assert museum.run("museum", "--fresh", "--fail-on", "info").returncode == 1


def test_an_estimate_asks_nobody_and_begins_nothing(museum: Museum) -> None:
    museum.say([])
    told = museum.run("museum", "--estimate")
    assert told.returncode == 0
    assert told.stdout.startswith("5 directories, 0 of them known: about ")
    shown = json.loads(museum.run("museum", "--estimate", "--format", "json").stdout)
    assert shown["directories"] == 5
    assert shown["tokens"] == shown["prompt_tokens"] + shown["reply_tokens"] > 0
    assert shown["minutes"] is None
    assert "minutes unknown: no call of scripted/" in told.stdout
    assert not (museum.root / ".bottega" / "investigations").exists()


def test_an_estimate_tells_minutes_once_calls_are_recorded(museum: Museum) -> None:
    museum.run("museum")
    shown = json.loads(museum.run("museum", "--estimate", "--fresh", "--format", "json").stdout)
    assert shown["minutes"] is not None
    assert "recorded calls" in shown["minutes_from"]
    assert "of model time (from " in museum.run("museum", "--estimate", "--fresh").stdout


def test_without_a_model_there_is_the_scan(museum: Museum) -> None:
    (museum.root / "settings.py").write_text('API_KEY = "a8F3kd92Lq0Zx81Bv"\n')
    done = museum.run("museum", "--no-model", "--fail-on", "concern")
    assert done.returncode == 1
    assert "a likely secret (value)" in done.stdout
    assert "a8F3kd92Lq0Zx81Bv" not in done.stdout


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_every_form_is_whole_and_harmless(museum: Museum, form: str) -> None:
    evil = "<script>alert(1)</script>\x1b[31m`*_[x](http://evil)|"
    name = "<img src=x>\n\x1b[2J.py"
    (museum.root / name).write_text("x = 1\n")
    said = calls({**FLAG, "finding": evil, "path": "general"}, submit(evil))
    museum.say([said] * 5)
    script = yaml.safe_load(museum.replies.read_text())
    script["investigate.synthesis"] = [
        calls(synthesis(brief=evil, detailed=evil, concerns=[evil], technologies=[evil]))
    ]
    museum.replies.write_text(yaml.safe_dump(script))
    done = museum.run("museum", "--format", form)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    if form == "html":
        assert done.stdout.count("<script") == 1
        assert "<img" not in done.stdout
        assert "http-equiv" in done.stdout
        assert 'class="map"' in done.stdout
    if form == "markdown":
        assert "[x](http" not in done.stdout
        assert "<script>" not in done.stdout
    if form == "json":
        assert json.loads(done.stdout)["synthesis"]["brief"].startswith("<script>")
    assert "\n\x1b" not in done.stdout


def test_a_scan_has_a_page_with_the_readme_and_a_map(museum: Museum) -> None:
    (museum.root / "README.md").write_text("# <b>Museum</b>\n\n```python\nimport hall\n```\n\n[door](javascript:x)\n")
    done = museum.run("museum", "--format", "html", verb="scan")
    assert done.returncode == 0, done.stderr
    for part in ('<h3 id="readme-museum">Museum</h3>', '<span class="k">import</span>', 'id="by-code"', "cellar: Bash"):
        assert part in done.stdout
    assert "javascript:" not in done.stdout


def test_a_report_goes_to_a_file(museum: Museum) -> None:
    done = museum.run("museum", "--no-model", "-o", "report.html", "--format", "html")
    assert (done.returncode, done.stdout) == (0, "")
    assert (museum.folder / "report.html").read_text().startswith("<!doctype html>")
    bad = museum.run("museum", "--no-model", "-o", "nowhere/report.html")
    assert bad.returncode == 2
    assert "cannot be written" in bad.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "No such file or directory"),
        (["replies.yaml"], "is not a directory"),
        (["museum", "--fail-on", "doom"], "is not one of"),
        (["museum", "--max-turns", "0"], "is not in the range"),
        (["museum", "--budget", "-1"], "is not in the range"),
        (["museum", "--pipeline", "review"], "is of the kind review, not investigate"),
        (["museum", "--pipeline", "investigate", "--no-model"], "exclude each other"),
    ],
)
def test_bad_input_gets_one_message_and_code_2(museum: Museum, arguments: list[str], words: str) -> None:
    done = museum.run(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_what_was_learnt_can_be_forgotten(museum: Museum) -> None:
    museum.run("museum")
    done = museum.run("--forget", "--repo", "museum")
    assert done.returncode == 0
    assert "1 investigation forgotten" in done.stderr
    assert not list((museum.root / ".bottega" / "investigations").glob("*-*"))


def test_a_run_can_be_replayed_and_shown(museum: Museum) -> None:
    first = museum.run("museum", "--format", "json")
    run = json.loads(first.stdout)["run"]
    again = museum.run(run, "--repo", "museum", "--format", "json", verb="replay")
    assert again.returncode == 0
    assert json.loads(again.stdout) == json.loads(first.stdout)


def test_a_target_that_cannot_be_written_keeps_its_records_elsewhere(museum: Museum) -> None:
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    museum.root.chmod(0o500)
    done = museum.run("museum")
    museum.root.chmod(0o700)
    assert done.returncode == 0, done.stderr
    assert "records are kept in" in done.stderr
    assert not (museum.root / ".bottega").exists()


def test_a_system_s_view_of_itself_can_be_scanned_without_writing(museum: Museum) -> None:
    if not Path("/proc/self/fdinfo").is_dir():
        pytest.skip("there is no /proc here")
    done = museum.run("/proc/sys/kernel/random", "--no-model")
    assert done.returncode == 0, done.stderr
    assert "records are kept in" in done.stderr


def test_scan_prints_text_and_json(museum: Museum) -> None:
    done = museum.run("museum", verb="scan")
    assert done.returncode == 0
    assert "8 files in 5 directories" in done.stdout
    told = json.loads(museum.run("museum", "--format", "json", verb="scan").stdout)
    assert (told["files"], told["directories"]) == (8, 5)
    assert {one["language"] for one in told["languages"]} == {"Python", "Bash", "Markdown"}
    assert not (museum.root / ".bottega").exists()


def wired(ask: Received, *, native: bool) -> Step:
    """A server's side of an investigation: the same wishes as tool calls, or as JSON."""
    text = ask.prompt
    if "submit_survey" in str(ask.body) and "submit_plan" not in str(ask.body):
        wish: dict[str, Any] = survey()
    elif "submit_plan" in str(ask.body):
        wish = plan()
    elif "What is this tree" in text:
        wish = synthesis()
    else:
        wish = submit("a room on the wire")
    if not native:
        return Say(calls(wish))
    arguments = {key: value for key, value in wish.items() if key != "tool"}
    return Say("", tool_calls=(ToolCall(wish["tool"], arguments),))


@pytest.mark.parametrize("capabilities", [("completion", "tools"), ("completion",)])
def test_a_server_s_models_get_tools_the_way_they_can_take_them(museum: Museum, capabilities: tuple[str, ...]) -> None:
    native = "tools" in capabilities
    served = [ServedModel("small", capabilities=capabilities)]
    with ScriptedServer(lambda ask: wired(ask, native=native), models=served) as server:
        done = museum.run("museum", "--format", "json", BOTTEGA_MODELS_DEFAULT="ollama/small", OLLAMA_HOST=server.url)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["directories"][0]["summary"] == "a room on the wire"
    asked = [one.body for one in server.requests if one.path == "/api/chat"]
    assert all(bool(body.get("tools")) == native for body in asked)
    assert all(bool(body.get("format")) != native for body in asked)


@pytest.mark.parametrize("way", ["option", "redirected"])
def test_a_report_beside_what_it_is_about_is_no_part_of_it(museum: Museum, way: str) -> None:
    """Until somebody changes it: then it is a file like any other."""
    report = museum.root / "report.md"

    def investigate() -> subprocess.CompletedProcess[str]:
        if way == "option":
            return museum.run("museum", "--format", "markdown", "-o", str(report))
        with report.open("w") as file:
            return museum.run("museum", "--format", "markdown", stdout=file)

    assert investigate().returncode == 0
    assert "A museum." in report.read_text()
    museum.say([])
    again = investigate()
    assert again.returncode == 0, again.stderr
    other = museum.run("museum", "--format", "json")
    assert json.loads(other.stdout)["scan"]["files"] == 8
    report.write_text(report.read_text() + "and a word of ours\n")
    assert "about" in museum.run("museum", "--estimate").stdout
    assert json.loads(museum.run("museum", "--format", "json").stdout)["scan"]["files"] == 9


def test_marks_that_turn_text_around_do_not_reach_the_screen_in_json(museum: Museum) -> None:
    file = museum.root / "a\u202eb\u009bc.txt"
    file.write_text("x\n")
    os.utime(file, (file.stat().st_mtime + 3600,) * 2)
    done = museum.run("museum", "--format", "json", verb="scan")
    assert "\u202e" not in done.stdout
    assert "\u009b" not in done.stdout
    assert "a\u202eb\u009bc.txt" in [one["path"] for one in json.loads(done.stdout)["recent"]]


def test_an_estimate_counts_a_report_that_was_never_made(museum: Museum) -> None:
    script = yaml.safe_load(museum.replies.read_text())
    museum.replies.write_text(yaml.safe_dump({**script, "investigate.synthesis": []}))
    assert museum.run("museum").returncode == 4
    told = json.loads(museum.run("museum", "--estimate", "--format", "json").stdout)
    assert (told["known"], told["turns"]) == (5, 1)
    museum.replies.write_text(yaml.safe_dump(script))
    assert museum.run("museum").returncode == 0
    assert "all known: nothing is to be paid" in museum.run("museum", "--estimate").stdout


def test_what_a_person_wrote_is_not_taken_for_a_report(museum: Museum) -> None:
    """Not even where the report goes behind it, or over it."""
    config = museum.root / "conf.ini"
    config.write_text('password = "Xy12abcdefg"\n')
    order = ("museum", "--no-model", "--fail-on", "concern")
    assert museum.run(*order).returncode == 1
    with config.open("a") as file:
        assert museum.run(*order, stdout=file).returncode == 1
    assert museum.run(*order).returncode == 1
    over = museum.run(*order, "--format", "json", "-o", str(config))
    assert over.returncode == 1
    assert json.loads(config.read_text())["scan"]["files"] == 9
    assert museum.run(*order).returncode == 0


def test_an_estimate_goes_where_it_is_sent(museum: Museum) -> None:
    file = museum.folder / "estimate.json"
    assert museum.run("museum", "--estimate", "--format", "json", "-o", str(file)).stdout == ""
    assert json.loads(file.read_text())["directories"] == 5


def test_an_estimate_knows_what_the_plan_skips(museum: Museum) -> None:
    script = yaml.safe_load(museum.replies.read_text())
    skipping = [calls(plan(skip_dirs=[{"path": "cellar/logs", "reason": "logs"}]))]
    museum.replies.write_text(yaml.safe_dump({**script, "investigate.plan": skipping}))
    assert museum.run("museum").returncode == 0
    assert "nothing is to be paid" in museum.run("museum", "--estimate").stdout


def test_forgetting_one_directory_leaves_the_others(museum: Museum) -> None:
    (museum.root / "bottega.toml").write_text("")
    for part in ("hall", "cellar"):
        museum.say([calls(submit()) for _ in range(5)])
        assert museum.run(f"museum/{part}").returncode == 0
    museum.say([calls(submit()) for _ in range(5)])
    assert "1 investigation forgotten" in museum.run("museum/hall", "--forget").stderr
    assert "nothing is to be paid" in museum.run("museum/cellar", "--estimate").stdout
