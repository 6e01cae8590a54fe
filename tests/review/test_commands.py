"""`bottega review` on the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.command import command_for
from tests.review.till import AFTER, BEFORE, NOTHING, build, finding, findings, git, write

FAMILIES = ("qwen", "llama", "gemma")


class Shop:
    """A repository with a change, and a terminal in it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.root = build(folder / "shop")
        self.replies = folder / "replies.yaml"
        self.has_several_models = True
        self.say(findings(finding()), NOTHING, NOTHING, NOTHING)

    def say(self, *replies: str) -> None:
        agreed = '{"argument": "line 12", "stance": "agree"}'
        script = {"review.reviewer": list(replies), "review.participant": [agreed] * 30}
        self.replies.write_text(yaml.safe_dump(script))
        for family in FAMILIES:
            self.replies.with_name(f"{family}.yaml").write_text(yaml.safe_dump(script))

    def run(self, *arguments: str, given: str = "", key: str = "") -> subprocess.CompletedProcess[str]:
        environ = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", "OPENAI_API_KEY": key}
        environ["BOTTEGA_MODELS_DEFAULT"] = f"scripted/{self.replies}"
        panel = [f"scripted/{self.replies.with_name(family)}.yaml" for family in FAMILIES]
        environ["BOTTEGA_REVIEW_MODELS"] = json.dumps(panel if self.has_several_models else panel[:1])
        return subprocess.run(
            [*command_for(environ), "review", *arguments],
            cwd=self.root,
            env=environ,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_the_exit_code_is_the_verdicts(shop: Shop) -> None:
    assert shop.run().returncode == 1
    shop.say(*[NOTHING] * 4)
    assert shop.run().returncode == 0
    shop.has_several_models = False
    shop.say("prose", "prose", *[NOTHING] * 3)
    assert shop.run().returncode == 4
    assert shop.run("--no-model").returncode == 4


def test_one_model_that_agrees_with_itself_does_not_reject(shop: Shop) -> None:
    shop.has_several_models = False
    done = shop.run()
    assert done.returncode == 4
    assert "one model, or one family, discussed with itself: no confirmation" in done.stdout


def test_the_gate_asks_for_severities(shop: Shop) -> None:
    warning = finding(severity="WARNING", confidence=100)
    for level, code in (("CRITICAL", 0), ("WARNING", 1)):
        shop.say(findings(warning), NOTHING, NOTHING, NOTHING)
        assert shop.run("--fail-on", level).returncode == code
    assert shop.run("--no-model", "--fail-on", "CRITICAL").returncode == 0


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html", "sarif", "github"])
def test_every_form_goes_to_standard_output(shop: Shop, form: str) -> None:
    done = shop.run("--format", form)
    assert done.returncode == 1
    assert "eval on what the customer paid" in done.stdout
    if form in {"json", "sarif", "github"}:
        json.loads(done.stdout)
    shown = shop.run("show", "--format", form).stdout
    if form != "json":
        assert shown == done.stdout


def test_a_diff_from_standard_input(shop: Shop) -> None:
    text = git(shop.root, "diff")
    git(shop.root, "checkout", "-q", ".")
    done = shop.run("--diff", "-", "--format", "json", given=text)
    report = json.loads(done.stdout)
    assert report["decision"] == "REJECT"
    assert {check["name"]: check["status"] for check in report["checks"]}["parse"] == "not run"


@pytest.mark.parametrize(
    "arguments", [["--staged"], ["HEAD..HEAD"], ["--diff", "-"], ["--diff", "-", "--fail-on", "WARNING"]]
)
def test_a_clean_tree_is_no_failure(shop: Shop, arguments: list[str]) -> None:
    done = shop.run(*arguments, given="")
    assert (done.returncode, done.stdout) == (0, "")
    assert "nothing to review" in done.stderr


def test_what_was_done_since_a_commit_is_reviewed(shop: Shop) -> None:
    git(shop.root, "switch", "-q", "-c", "topic")
    git(shop.root, "commit", "-q", "-a", "-m", "Take text as amounts")
    (shop.root / "till" / "fresh.py").write_text("x = eval(input())\n")
    for change, origin in (("HEAD~1", "the working tree, against"), ("HEAD~1..HEAD", " to "), ("HEAD~1...", " to ")):
        report = json.loads(shop.run(change, "--no-model", "--format", "json").stdout)
        assert origin in report["origin"]
        assert ("till/fresh.py" in json.dumps(report["findings"])) == (change == "HEAD~1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--staged", "--commit", "HEAD"], "cannot be reviewed at once"),
        (["--commit", "nonsense"], "git knows no commit"),
        (["--commit=--output=/tmp/x"], "git knows no commit"),
        (["--diff", "missing.diff"], "cannot be read"),
        (["--quick", "--no-model"], "exclude each other"),
        (["--pipeline", "write"], "not review"),
        (["--diff", "README.md"], "changes no file"),
        (["HEAD..no-such-branch"], "git knows no commit"),
        (["HEAD", "--staged"], "cannot be reviewed at once"),
        (["HEAD..HEAD", "--from", "HEAD"], "cannot be reviewed at once"),
        (["show", "2020-01-01/001"], "there is no review"),
        (["show", "../../etc/passwd"], "there is no review"),
        (["dismiss", "last"], "names no finding"),
        (["explain"], "there is no review"),
    ],
)
def test_bad_input_gets_one_message(shop: Shop, arguments: list[str], said: str) -> None:
    done = shop.run(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_outside_of_git_a_diff_is_needed(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    text = git(shop.root, "diff")
    subprocess.run(["rm", "-rf", str(shop.root / ".git")], check=True)
    assert "not a git repository" in shop.run().stderr
    assert shop.run("--diff", "-", given=text).returncode == 1


class TestAfterwards:
    def test_explain_tells_the_way_of_every_finding(self, shop: Shop) -> None:
        shop.say(findings(finding(), finding(path="no.py", title="made up")), NOTHING, NOTHING, NOTHING)
        shop.run()
        told = shop.run("explain").stdout
        assert "reported: 90 %" in told
        assert "discussion: " in told
        assert "removed  no.py:12  made up\n  no.py is not in the diff" in told
        assert "A (agree): line 12" in told
        assert shop.run("explain", "last/f001").stdout in told
        assert shop.run("explain", "last/f009").returncode == 2

    def test_diff_tells_fixed_from_not_found_again(self, shop: Shop) -> None:
        shop.run()
        shop.run("--no-model")
        assert "not looked at again: 1" in shop.run("diff").stdout
        shop.say(*[NOTHING] * 4)
        shop.run()
        shop.say(findings(finding()), *[NOTHING] * 3)
        shop.run()
        shop.say(*[NOTHING] * 4)
        shop.run()
        assert "not found again: 1" in shop.run("diff").stdout
        write(shop.root, {"till/cash.py": AFTER["till/cash.py"].replace("eval(str(paid))", "int(paid)")})
        shop.say(*[NOTHING] * 4)
        shop.run()
        first = shop.run("list").stdout.splitlines()[0].split()[0]
        assert shop.run("diff", first).returncode == 2
        shop.say(findings(finding(evidence=["rest = int(paid) - due"], problem="`int(paid)` fails")), *[NOTHING] * 3)
        shop.run()
        told = json.loads(shop.run("diff", "--format", "json").stdout)
        assert len(told["new"]) == 1

    def test_what_is_fixed_is_told(self, shop: Shop) -> None:
        shop.run()
        write(shop.root, {"till/cash.py": AFTER["till/cash.py"].replace("eval(str(paid))", "int(paid)")})
        shop.say(*[NOTHING] * 4)
        assert shop.run().returncode == 0
        assert "fixed: 2" in shop.run("diff").stdout


class TestDismissals:
    def test_a_dismissed_finding_stays_out_until_it_is_taken_back(self, shop: Shop) -> None:
        shop.run()
        assert "needs a reason" in shop.run("dismiss", "last/f001").stderr
        done = shop.run("dismiss", "last/f001", "--because", "amounts are typed by us")
        assert "dismissed by" in done.stdout
        shop.say(findings(finding()), *[NOTHING] * 3)
        report = json.loads(shop.run("--format", "json").stdout)
        assert report["decision"] == "ACCEPT"
        assert report["findings"][0]["triage"] == "ignore"
        assert "amounts are typed by us" in report["findings"][0]["why"]
        assert shop.run("dismiss", "last/f001", "--undo").stdout == "taken back\n"
        shop.say(findings(finding()), *[NOTHING] * 3)
        assert shop.run().returncode == 1

    def test_another_finding_of_the_file_is_not_dismissed_with_it(self, shop: Shop) -> None:
        shop.run()
        shop.run("dismiss", "last/f001", "--because", "fine")
        other = finding(title="no check", line=6, last_line=6, evidence=["due = sum(prices) - discount"])
        shop.say(findings(other), *[NOTHING] * 3)
        assert shop.run().returncode == 1

    def test_one_that_came_with_the_repository_does_not_count(self, shop: Shop) -> None:
        shop.run()
        shop.run("dismiss", "last/f001", "--because", "fine")
        place = shop.root / ".bottega" / "reviews" / "dismissals.json"
        stored = place.read_text()
        place.write_text(stored.replace("fine", "finer"))
        shop.say(findings(finding()), *[NOTHING] * 3)
        assert shop.run().returncode == 1
        place.write_text(stored)
        shop.say(findings(finding()), *[NOTHING] * 3)
        (shop.home / ".local" / "state" / "bottega" / "key").unlink()
        assert shop.run().returncode == 1

    def test_it_runs_out(self, shop: Shop) -> None:
        from bottega.journal import Dismissal, Masker
        from bottega.journal.dismissals import FileDismissalStore

        kept = FileDismissalStore(shop.root / ".bottega" / "reviews", Masker(), lambda: "key")
        one = Dismissal("f", "t", "*", "b", "Ada", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "r")
        kept.add(one)
        assert [entry.because for entry in kept.in_force("2026-01-15T00:00:00Z")] == ["b"]
        assert kept.in_force("2026-03-01T00:00:00Z") == []

    def test_what_is_fixed_cannot_be_dismissed(self, shop: Shop) -> None:
        shop.run()
        write(shop.root, {"till/cash.py": BEFORE["till/cash.py"]})
        done = shop.run("dismiss", "last/f001", "--because", "gone")
        assert done.returncode == 2
        assert "it looks fixed" in done.stderr


def test_a_budget_that_is_spent_leaves_the_review_incomplete(shop: Shop) -> None:
    """A model without a known price: no sum of money can be kept, so nothing is asked."""
    unpriced = ("--set", "models.default=openai/nobody-knows", "--set", 'review.models=["openai/nobody-knows"]')
    done = shop.run("--budget", "0.01", "--format", "json", *unpriced, key="k")
    report = json.loads(done.stdout)
    assert done.returncode == 4
    assert report["decision"] == "NEEDS_HUMAN"
    assert "ceiling" in report["gaps"][0]


def test_the_leaderboard_follows_the_verdicts(shop: Shop) -> None:
    shop.has_several_models = False
    shop.run()
    environ = {"PATH": os.environ["PATH"], "HOME": str(shop.home)}
    command = [*command_for({}), "models", "--leaderboard", "--format", "json"]
    done = subprocess.run(command, cwd=shop.root, env=environ, capture_output=True, text=True, check=True)
    [row] = json.loads(done.stdout)["models"]
    assert row["win_rate"] == pytest.approx(0.667)
    assert row["reviews"] == 1


def test_a_link_in_place_of_the_records_is_refused(shop: Shop, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shop.run("list")
    shop.run()
    shutil.rmtree(shop.root / ".bottega" / "reviews")
    (shop.root / ".bottega" / "reviews").symlink_to(elsewhere)
    assert shop.run().returncode == 3
    assert not list(elsewhere.iterdir())
