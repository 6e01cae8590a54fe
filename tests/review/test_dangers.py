"""Dangerous calls: every rule matches what it is for, and nothing that only looks like it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bottega.review import ChangeSelection, Finding, ReviewReport
from bottega.review.dangers import find_danger_language, find_dangers, load_danger_rules
from tests.review.till import BEFORE, build, finding, findings, judged, own_pipeline, panel

CASES = tomllib.loads((Path(__file__).parent / "dangers.toml").read_text(encoding="utf-8"))["case"]
MATCHING = [(case["rule"], case["path"], text) for case in CASES for text in case["bad"]]
ALIKE = [(case["rule"], case["path"], text) for case in CASES for text in case["fine"]]


def rules_in(path: str, text: str) -> set[str]:
    language = find_danger_language(path, text.split("\n", 1)[0])
    assert language is not None
    found = find_dangers(text, language)
    assert found is not None
    return {danger.rule.id for danger in found}


@pytest.mark.parametrize(("rule", "path", "text"), MATCHING)
def test_a_dangerous_call_matches_its_rule(rule: str, path: str, text: str) -> None:
    assert rule in rules_in(path, text)


@pytest.mark.parametrize(("rule", "path", "text"), ALIKE)
def test_what_only_looks_like_it_does_not(rule: str, path: str, text: str) -> None:
    assert rules_in(path, text) == set()


def test_every_rule_has_both_kinds_of_examples() -> None:
    for rule in load_danger_rules():
        assert any(name == rule for name, _, _ in MATCHING), rule
        assert any(name == rule for name, _, _ in ALIKE), rule


def python_change(tmp_path: Path, before: str, after: str, name: str = "shop/job.py") -> ReviewReport:
    root = build(tmp_path, before={**BEFORE, name: before}, after={name: after})
    return judged(root, panel(), pipeline="review-static")


def dangers_of(report: ReviewReport) -> list[Finding]:
    return [one for one in report.findings if one.source == "danger"]


SHELL = "import subprocess\n\n\ndef job(name):\n    subprocess.run(f'ls {name}', shell=True)\n"


class TestInAReview:
    def test_an_added_call_is_a_finding_that_names_its_rule(self, tmp_path: Path) -> None:
        [one] = dangers_of(python_change(tmp_path, "x = 1\n", SHELL))
        assert (str(one.span), one.severity, one.triage) == ("shop/job.py:5", "WARNING", "verify")
        assert one.verified == "matched by the rule python-shell"
        assert "was not checked" in one.problem
        assert one.suggestion

    def test_unchanged_lines_do_not_match(self, tmp_path: Path) -> None:
        assert dangers_of(python_change(tmp_path, SHELL, SHELL + "\n\nx = 1\n")) == []

    def test_one_added_line_of_a_call_is_enough(self, tmp_path: Path) -> None:
        before = "import subprocess\n\nsubprocess.run(\n    f'ls {name}',\n)\n"
        [one] = dangers_of(python_change(tmp_path, before, before.replace("',\n)", "',\n    shell=True,\n)")))
        assert one.span.first == 5

    def test_an_argument_of_a_request_makes_it_critical(self, tmp_path: Path) -> None:
        report = python_change(tmp_path, "x = 1\n", "def view(request):\n    return eval(request.args['x'])\n")
        [one] = dangers_of(report)
        assert (one.severity, one.triage) == ("CRITICAL", "must-fix")
        assert report.decision == "REJECT"

    def test_in_a_test_it_is_a_suggestion(self, tmp_path: Path) -> None:
        [one] = dangers_of(python_change(tmp_path, "x = 1\n", SHELL, name="tests/test_job.py"))
        assert one.severity == "SUGGESTION"

    def test_a_diff_whose_files_are_not_here_is_read_by_its_hunks(self, tmp_path: Path) -> None:
        body = "".join(f"+{line}\n" for line in SHELL.split("\n")[:-1])
        diff = f"--- /dev/null\n+++ b/far/job.py\n@@ -0,0 +1,5 @@\n{body}"
        report = judged(build(tmp_path, after={}), panel(), pipeline="review-static", wanted=ChangeSelection(diff=diff))
        assert [str(one.span) for one in dangers_of(report)] == ["far/job.py:5"]

    def test_the_form_alone_does_not_confirm_what_a_reviewer_claims(self, tmp_path: Path) -> None:
        report = judged(build(tmp_path), panel({"security": findings(finding())}, stances="disagree"))
        [claim] = [one for one in report.findings if one.source == "reviewer"]
        assert not claim.verified
        assert [one.triage for one in dangers_of(report)] == ["verify"]

    def test_switched_off_it_is_a_gap(self, tmp_path: Path) -> None:
        root = build(tmp_path)
        report = judged(root, panel(), pipeline=own_pipeline(root, "calm", dangers=False))
        assert dangers_of(report) == []
        assert report.decision == "NEEDS_HUMAN"
        assert "dangerous calls is switched off" in report.gaps


@pytest.mark.parametrize(
    "path", ["a.py", "a.js", "a.ts", "A.java", "a.go", "a.rb", "a.php", "a.c", "A.cs", "a.rs", "a.sh"]
)
def test_hostile_text_ends_in_time(path: str) -> None:
    for text in (
        "x = " + "(" * 3000 + "eval(y)" + ")" * 3000 + "\n",
        "cur.execute(" + "'SELECT ' + a + " * 3000 + "b)\n",
        'system("' + "#{a}${b}" * 3000 + '")\n',
        "eval(" * 3000,
        "curl a | " * 3000 + "sh\n" + "rm -r " + "-r a '$b'/* " * 3000,
        "char a" + "[" * 3000 + "; strcpy(a, b);",
    ):
        rules_in(path, text)


def test_the_page_prints_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "review.md").read_text(encoding="utf-8")
    for rule in load_danger_rules().values():
        mark = "*" if rule.from_request else ""
        assert f"| `{rule.id}` | {rule.severity}{mark} | {rule.title} | {rule.instead} |" in page
