"""What is known of a change without a model: its kind, whether it parses, what tools, rules, graph and history say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.review import ReviewReport
from bottega.review.classes import classify_file
from bottega.review.rules import match_rules, read_rules
from bottega.source import parse_diff
from tests.review.till import AFTER, BEFORE, build, git, judged, panel, write


def static(root: Path, *settings: str) -> ReviewReport:
    return judged(root, panel(), *settings, pipeline="review-static")


def statuses(report: ReviewReport) -> dict[str, str]:
    return {check.name: check.status for check in report.checks}


class TestClasses:
    @pytest.mark.parametrize(
        ("path", "old", "new", "kind"),
        [
            ("tests/test_x.py", "a = 1", "a = 2", "test"),
            ("docs/x.md", "a", "b", "docs"),
            ("settings.yaml", "a: 1", "a: 2", "config"),
            ("pyproject.toml", "a", "b", "dependency"),
            ("requirements-dev.txt", "a==1", "a==2", "dependency"),
            ("x.py", "a = 1", "a = 2\nb = 3", "logic"),
            ("x.py", "f(old, 1)\ng(old)\nh(old) + 2\nold.k", "f(new, 1)\ng(new)\nh(new) + 2\nnew.k", "rename"),
            ("x.py", "one()\ntwo()\nthree()\nfour()", "four()\none()\ntwo()\nthree()", "refactor"),
        ],
    )
    def test_by_name_and_by_lines(self, path: str, old: str, new: str, kind: str) -> None:
        gone, came = (text.split("\n") for text in (old, new))
        body = "".join(f"-{line}\n" for line in gone) + "".join(f"+{line}\n" for line in came)
        [file] = parse_diff(f"--- a/{path}\n+++ b/{path}\n@@ -1,{len(gone)} +1,{len(came)} @@\n{body}").files
        assert classify_file(file) == kind


class TestParsing:
    def test_what_no_longer_parses_blocks_without_any_vote(self, tmp_path: Path) -> None:
        report = static(build(tmp_path, after={"till/cash.py": BEFORE["till/cash.py"] + "def broken(:\n"}))
        assert report.decision == "REJECT"
        assert report.open_findings()[0].source in {"parse", "tool"}

    def test_what_did_not_parse_before_either_is_not_this_changes_doing(self, tmp_path: Path) -> None:
        broken = "def broken(:\n    pass\n"
        root = build(tmp_path, before={**BEFORE, "old.py": broken}, after={"old.py": broken + "x = 1\n"})
        assert not [one for one in static(root).findings if one.source == "parse"]


class TestTools:
    def test_only_changed_lines_are_this_changes(self, tmp_path: Path) -> None:
        before = {**BEFORE, "a.py": "import os\n\nx = missing_one\n"}
        root = build(tmp_path, before=before, after={"a.py": "import os\n\nx = missing_one\ny = missing_two\n"})
        report = static(root)
        found = [one for one in report.findings if one.source == "tool"]
        assert [(one.span.first, one.severity) for one in found] == [(4, "CRITICAL")]
        assert "missing_two" in found[0].title
        [ruff] = [check for check in report.checks if check.name == "ruff"]
        assert ruff.detail == "1 on changed lines, 1 elsewhere in 1 changed file"
        assert report.decision == "REJECT"

    def test_the_projects_own_rules_hold(self, tmp_path: Path) -> None:
        before = {**BEFORE, "ruff.toml": 'lint.select = ["T20"]\n'}
        root = build(tmp_path, before=before, after={"a.py": "print(undefined)\n"})
        found = [one.title for one in static(root).findings if one.source == "tool"]
        assert len(found) == 1
        assert found[0].startswith("T201")

    def test_mypy_where_the_project_uses_it(self, tmp_path: Path) -> None:
        before = {**BEFORE, "pyproject.toml": "[tool.mypy]\nstrict = true\npretty = true\n"}
        after = {"till/door.py": BEFORE["till/door.py"].replace("total(prices)", "total('x')")}
        report = static(build(tmp_path, before=before, after=after))
        assert statuses(report)["mypy"] == "ran"
        messages = [one.title for one in report.findings if "incompatible type" in one.title]
        assert [message.endswith("[arg-type]") for message in messages] == [True], messages
        assert "mypy" not in statuses(static(build(tmp_path / "without")))

    def test_a_tool_that_is_not_here_is_not_run(self, tmp_path: Path) -> None:
        before = {**BEFORE, "tsconfig.json": "{}", "Cargo.toml": "[package]\n"}
        report = static(
            build(tmp_path, before=before, after={"a.ts": "const x: number = 'a';\n", "b.rs": "fn x() {}\n"})
        )
        checks = {check.name: check for check in report.checks}
        assert checks["tsc"].status == "not run"
        assert "0" not in checks["tsc"].detail
        if shutil.which("cargo") is None:
            assert checks["cargo check"].status == "not run"
        assert report.complete

    def test_a_commit_that_is_not_checked_out_is_read_from_git(self, tmp_path: Path) -> None:
        from bottega.review import ChangeSelection
        from tests.review.till import reviewed, shop

        root = build(tmp_path, after={"a.py": "x = missing\n"})
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "Add a")
        write(root, {"a.py": "x = 1\n"})
        workshop = shop(root, panel())
        report = reviewed(workshop, ChangeSelection(commit="HEAD"), pipeline="review-static")
        workshop.close()
        assert [one.title for one in report.findings if one.source == "tool"] == ["F821 Undefined name `missing`"]


class TestSurroundings:
    def test_a_name_that_is_gone_and_still_used(self, tmp_path: Path) -> None:
        after = {"till/cash.py": BEFORE["till/cash.py"].replace("def total(", "def sum_up(")}
        found = [one for one in static(build(tmp_path, after=after)).findings if one.source == "impact"]
        assert [one.title for one in found] == ["total is gone and still used"]
        assert "till/door.py:3" in found[0].problem

    def test_other_arguments_and_callers_that_stayed(self, tmp_path: Path) -> None:
        after = {"till/cash.py": BEFORE["till/cash.py"].replace("discount: int = 0)", "rate: float)")}
        found = [one for one in static(build(tmp_path, after=after)).findings if one.source == "impact"]
        assert [one.title for one in found] == ["total takes other arguments now"]
        assert "leave (till/door.py:6)" in found[0].problem

    def test_what_usually_changes_together(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={})
        for number in range(5):
            write(root, {"till/cash.py": BEFORE["till/cash.py"] + f"# {number}\n", "README.md": f"# Till {number}\n"})
            git(root, "commit", "-qam", f"Number {number}")
        write(root, AFTER)
        report = static(root)
        [one] = [one for one in report.findings if one.source == "co-change"]
        assert one.title == "README.md usually changes with this file"
        write(root, {"README.md": "# Till, told again\n"})
        assert not [one for one in static(root).findings if one.source == "co-change"]


class TestRules:
    RULES = """rules:
  - {id: no-eval, pattern: '\\beval\\(', severity: CRITICAL, message: eval is not for the till}
  - {id: no-todo, pattern: TODO, severity: SUGGESTION, message: finish it, filePatterns: ["*.md"]}
"""

    def test_added_lines_only_and_in_their_files_only(self, tmp_path: Path) -> None:
        after = {**AFTER, "README.md": "# Till\nTODO\n", "x.py": "# TODO\n"}
        root = build(tmp_path, before={**BEFORE, ".reviewrules": self.RULES, "y.py": "eval('1')\n"}, after=after)
        report = static(root)
        found = [(one.span.path, one.span.first, one.severity) for one in report.findings if one.source == "rule"]
        assert found == [("README.md", 2, "SUGGESTION"), ("till/cash.py", 12, "CRITICAL")]
        assert report.decision == "REJECT"

    @pytest.mark.parametrize(
        ("rules", "said"),
        [
            ("rules: [{id: x}]", "pattern"),
            ("rules: [{id: x, pattern: '(', severity: WARNING, message: m}]", "not a regular expression"),
            ("rules: [{id: x, pattern: a, severity: BAD, message: m}]", "severity"),
            ("rules: [{name: x, description: y}]", "rules.0"),
            ("[", "cannot be read"),
            ("- a", "valid dictionary"),
        ],
    )
    def test_a_rule_that_is_wrong_is_named(self, tmp_path: Path, rules: str, said: str) -> None:
        with pytest.raises(InputError, match=said):
            read_rules(rules)

    def test_wrong_rules_leave_a_gap(self, tmp_path: Path) -> None:
        report = judged(build(tmp_path, before={**BEFORE, ".reviewrules": "rules: [{id: x}]"}), panel())
        assert not report.complete
        assert report.decision == "NEEDS_HUMAN"

    def test_a_pattern_that_takes_forever_is_given_up(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bottega.review.rules._PATIENCE_S", 0.5)
        rules = read_rules("rules: [{id: x, pattern: '(a|a)*b', severity: WARNING, message: m}]")
        line = "+" + "a" * 60
        files = parse_diff(f"--- a/x\n+++ b/x\n@@ -0,0 +1,1 @@\n{line}\n").files
        with pytest.raises(InputError, match="took longer"):
            match_rules(rules, files)


def test_no_model_is_said_and_accepts_nothing(tmp_path: Path) -> None:
    report = static(build(tmp_path, after={"notes.py": "x = 1\n"}))
    assert report.static_only
    assert report.decision == "NEEDS_HUMAN"
    assert report.complete
    assert "no model looked" in report.reasons[0]
