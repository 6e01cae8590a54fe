"""Every form of a review: whole, safe to show, and stable."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from bottega.review import ReviewReport, ReviewResult
from bottega.review.reading import parse_cached
from bottega.review.reports.github import render_github
from bottega.review.reports.html import render_html
from bottega.review.reports.markdown import render_markdown
from bottega.review.reports.sarif import render_sarif
from bottega.review.reports.text import render_text
from bottega.source import Diff
from tests.review.till import AFTER, BEFORE, build, finding, findings, git, judged, panel, write

EVIL = "<script>alert(1)</script> ![x](http://evil.example/x.png) @everyone ``` \x1b[31m"


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> tuple[ReviewReport, Diff]:
    """A review whose every text tries to be more than text."""
    root = build(
        tmp_path_factory.mktemp("evil"), after={**AFTER, "till/<b>.py": "x = 1  # <script>alert(2)</script>\n"}
    )
    entries = [
        finding(title=EVIL, problem=f"{EVIL} `eval(str(paid))` is there", suggestion=EVIL),
        finding(title=f"odd {EVIL}", path="till/<b>.py", line=1, last_line=1, evidence=["x = 1"], severity="WARNING"),
        finding(title=EVIL, path="elsewhere.py"),
    ]
    report = judged(root, panel({"security": findings(*entries)}))
    diff = (root / ".bottega" / "reviews" / report.id / "change.diff").read_text()
    return report, parse_cached(diff)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_a_page_runs_nothing_and_loads_nothing(evil: tuple[ReviewReport, Diff]) -> None:
    page = render_html(*evil)
    tags = _Tags()
    tags.feed(page)
    assert not {"img", "iframe", "link", "object", "form"} & set(tags.tags)
    assert tags.tags.count("script") == 1
    assert not [value for name, value in tags.attributes if name.startswith("on") or name == "src"]
    assert all((value or "").startswith("#") for name, value in tags.attributes if name == "href")
    assert "default-src 'none'" in page
    assert "# &lt;script&gt;alert(2)" in page
    assert f'id="{evil[0].open_findings()[0].id}"' in page


def test_a_page_can_be_filtered_and_walked_through(evil: tuple[ReviewReport, Diff]) -> None:
    page = render_html(*evil)
    tags = _Tags()
    tags.feed(page)
    assert [name for name, _ in tags.attributes].count("data-listed") == len(evil[0].findings)
    values = [value for name, value in tags.attributes if name == "value"]
    assert values == ["CRITICAL", "WARNING", "", *sorted(evil[0].paths)]
    assert page.count("Next finding") == page.count("Previous finding") == len(evil[0].findings) - 1
    assert '<span class="t">eval</span>(<span class="t">str</span>(paid))' in page


def test_findings_outside_the_change_have_cards(evil: tuple[ReviewReport, Diff]) -> None:
    page = render_html(evil[0], Diff(()))
    assert "Findings outside the lines shown" in page
    assert all(f'id="{finding.id}"' in page for finding in evil[0].findings)


def test_markdown_calls_nobody_and_embeds_nothing(evil: tuple[ReviewReport, Diff]) -> None:
    for page in (render_markdown(evil[0]), json.loads(render_github(*evil))["body"]):
        assert "<script" not in page
        assert "![x](" not in page
        assert "@everyone" not in page
        assert "\x1b" not in page
        assert "\\x1b[31m" in page


def test_text_shows_the_quoted_lines(evil: tuple[ReviewReport, Diff]) -> None:
    page = render_text(*evil)
    assert "    12 +     rest = eval(str(paid)) - due" in page
    assert page.rstrip().splitlines()[-2].startswith(("REJECT", "  "))


class TestSarif:
    def test_it_says_what_the_standard_asks_for(self, evil: tuple[ReviewReport, Diff]) -> None:
        log = json.loads(render_sarif(evil[0]))
        assert log["version"] == "2.1.0"
        [run] = log["runs"]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
        for result in run["results"]:
            assert result["ruleId"] == rules[result["ruleIndex"]]
            assert result["level"] in {"error", "warning", "note"}
            place = result["locations"][0]["physicalLocation"]
            assert not re.match(r"/|[a-z]+:", place["artifactLocation"]["uri"])
            assert "<" not in place["artifactLocation"]["uri"]
            assert 1 <= place["region"]["startLine"] <= place["region"]["endLine"]
        assert len(run["results"]) == 3

    def test_a_finding_keeps_its_fingerprint_when_lines_move(self, tmp_path: Path) -> None:
        root = build(tmp_path)
        first = judged(root, panel({"security": findings(finding())}))
        write(root, {"till/cash.py": "# a line more\n" + AFTER["till/cash.py"]})
        again = judged(root, panel({"security": findings(finding(line=13, title="eval of text that was paid"))}))
        marks = [
            json.loads(render_sarif(one))["runs"][0]["results"][0]["partialFingerprints"] for one in (first, again)
        ]
        assert marks[0] == marks[1]

    def test_an_incomplete_review_says_so(self, tmp_path: Path) -> None:
        report = judged(build(tmp_path), panel({"logic": "prose"}))
        [invocation] = json.loads(render_sarif(report))["runs"][0]["invocations"]
        assert invocation["executionSuccessful"] is False
        assert "logic" in invocation["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html", "sarif", "github"])
@pytest.mark.parametrize("pipeline", ["review", "review-static"])
def test_beside_the_verdict_stands_what_was_checked_and_by_whom(tmp_path: Path, form: str, pipeline: str) -> None:
    report = judged(build(tmp_path), panel(), pipeline=pipeline)
    page = re.sub("<[^>]*>", "", ReviewResult(report=report, diff="").render(form))
    opinion = "by opinion: no model" if pipeline == "review-static" else "by opinion: 4 reviewers of 3 models"
    assert "checked by code: secrets" in page
    assert opinion in page


class TestGithub:
    def test_remarks_stand_on_lines_of_the_change_only(self, tmp_path: Path) -> None:
        root = build(tmp_path)
        entries = [
            finding(line=12, last_line=90),
            finding(title="far away", line=25, last_line=25, problem="a matter of its own", evidence=[]),
        ]
        report = judged(root, panel({"security": findings(*entries)}))
        diff = parse_cached(git(root, "diff"))
        body = json.loads(render_github(report, diff))
        lines = {line.new for file in diff.files for hunk in file.hunks for line in hunk.lines if line.new}
        assert body["event"] == "REQUEST_CHANGES"
        for comment in body["comments"]:
            assert {comment["line"], comment.get("start_line", comment["line"])} <= lines
        assert "far away" in body["body"] or any("far away" in one["body"] for one in body["comments"])

    def test_few_remarks_however_many_findings(self, tmp_path: Path) -> None:
        lines = "".join(f'value_{number} = eval("text_{number}")\n' for number in range(60))
        root = build(tmp_path, after={"till/many.py": lines})
        entries = [
            finding(
                path="till/many.py",
                line=number + 1,
                last_line=number + 1,
                title=f"value_{number} runs text",
                problem=f'`eval("text_{number}")` runs what is in text_{number}, which comes from a customer',
                evidence=[f'value_{number} = eval("text_{number}")'],
                confidence=99,
            )
            for number in range(0, 60, 3)
        ]
        report = judged(root, panel({"security": findings(*entries)}), pipeline="review-quick")
        diff = (root / ".bottega/reviews" / report.id / "change.diff").read_text()
        body = json.loads(render_github(report, parse_cached(diff)))
        assert len(report.open_findings()) == 20
        assert len(body["comments"]) == 10
        assert len(body["body"]) < 65_000


def test_the_record_reads_back_as_it_was(evil: tuple[ReviewReport, Diff]) -> None:
    again: Any = ReviewReport.from_json(json.dumps(evil[0].as_json()))
    assert again == evil[0]


def test_a_suggestion_that_does_not_parse_is_withheld(tmp_path: Path) -> None:
    root = build(tmp_path)
    bad = finding(suggestion="```python\n    rest = (int(paid\n```")
    good = finding(suggestion="```python\nrest = int(paid) - due\n```")
    wrong = finding(suggestion="```python\nrest = nonsense(paid) - due\n```")
    for entry, check, shown in (
        (bad, "does not fit", False),
        (good, "fits", True),
        (wrong, "does not fit: F821", False),
    ):
        report = judged(root, panel({"security": findings(entry)}))
        [one] = [one for one in report.findings if one.source == "reviewer"]
        assert one.suggestion_check.startswith(check)
        assert ("Suggestion, instead of" in render_markdown(report)) == shown
        assert one.triage == "must-fix"
    assert BEFORE != AFTER
