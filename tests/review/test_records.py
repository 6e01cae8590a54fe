"""Stored reviews: found by name, listed, explained, compared, dismissed and gated, without a command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bottega.errors import InputError, StorageError
from bottega.models import Request
from bottega.models.providers.scripted import Line
from bottega.review import ReviewReport
from bottega.review.comparing import Comparison, compare_reviews, compare_with_previous
from bottega.review.dismissing import dismiss_finding, undo_dismissal
from bottega.review.explaining import Explanation, explain_review
from bottega.review.gating import choose_gate
from bottega.review.records import ReviewList, find_finding, list_reviews, read_review, split_name
from bottega.review.reports.explanation import render_comparison, render_explanation
from bottega.source import Span
from bottega.workshop import Workshop
from tests.review.till import AFTER, BEFORE, build, finding, findings, panel, reviewed, shop, write


class Desk:
    """A workshop whose reviewer `security` says what is put into `reports`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.reports = findings(finding())
        self.workshop: Workshop = shop(root, self._speak)
        self.reviews = self.workshop.journal.reviews
        self.dismissals = self.workshop.journal.dismissals

    def _speak(self, request: Request) -> Line:
        return panel({"security": self.reports})(request)

    def review(self, *entries: dict[str, object], pipeline: str = "review") -> ReviewReport:
        self.reports = findings(*entries)
        return reviewed(self.workshop, pipeline=pipeline)

    def dismiss(self, name: str, because: str = "amounts are typed by us", scope: str = "") -> str:
        done = dismiss_finding(
            name,
            because=because,
            scope=scope,
            days=30,
            root=self.root,
            reviews=self.reviews,
            dismissals=self.dismissals,
        )
        return done.scope


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(build(tmp_path / "shop"))
    yield desk
    desk.workshop.close()


FIXED = {"till/cash.py": AFTER["till/cash.py"].replace("eval(str(paid))", "int(paid)")}


class TestNames:
    @pytest.mark.parametrize(
        ("name", "parts"),
        [
            ("last", ("last", "")),
            ("last/f002", ("last", "f002")),
            ("2026-01-01/001", ("2026-01-01/001", "")),
            ("2026-01-01/001/f010", ("2026-01-01/001", "f010")),
        ],
    )
    def test_a_name_may_hold_a_finding(self, name: str, parts: tuple[str, str]) -> None:
        assert split_name(name) == parts

    def test_a_review_is_found_by_id_number_and_last(self, desk: Desk) -> None:
        report = desk.review(finding())
        for name in (report.id, report.id.rpartition("/")[2], "last", "last/f001"):
            stored = read_review(name, reviews=desk.reviews)
            assert stored.report.id == report.id
            assert "eval(str(paid))" in stored.diff
        with pytest.raises(InputError, match="there is no review"):
            read_review("2020-01-01/001", reviews=desk.reviews)

    def test_an_unknown_finding_is_refused_with_those_there_are(self, desk: Desk) -> None:
        report = desk.review(finding())
        assert find_finding(report, "f001").span == Span("till/cash.py", 12, 12)
        with pytest.raises(InputError) as refused:
            find_finding(report, "f099")
        assert "f001" in refused.value.hint

    def test_a_list_names_records_that_cannot_be_read(self, desk: Desk) -> None:
        first, second = desk.review(finding()), desk.review(pipeline="review-static")
        place = desk.root / ".bottega" / "reviews" / first.id / "result.json"
        place.write_text("{")
        known = list_reviews(reviews=desk.reviews)
        assert [(one.id, one.decision, one.complete) for one in known.reviews] == [(second.id, "NEEDS_HUMAN", True)]
        assert [one.id for one in known.unreadable] == [first.id]
        assert ReviewList.model_validate_json(known.model_dump_json()) == known

    def test_a_record_of_version_0_1_is_read(self, desk: Desk) -> None:
        """It holds the lines of findings as path, first and last, and those of portions as text; checks differ too."""
        report = desk.review(finding(), finding(path="no.py", title="made up"))
        place = desk.root / ".bottega" / "reviews" / report.id / "result.json"
        recorded = read_review(report.id, reviews=desk.reviews).report
        stored = json.loads(place.read_text())
        assert stored["findings"][0]["span"] == {"path": "till/cash.py", "first": 12, "last": 12}
        for entry in (*stored["findings"], *(dropped["finding"] for dropped in stored["dropped"])):
            entry.update(entry.pop("span"))
        stored["portions"] = [[str(Span(**span)) for span in portion] for portion in stored["portions"]]
        assert any(stored["portions"])
        for check in stored["checks"]:
            check["standing"] = check.pop("status")
        place.write_text(json.dumps(stored))
        assert read_review(report.id, reviews=desk.reviews).report == recorded

    @pytest.mark.parametrize("span", ["no span", {"path": "a.py", "first": 0, "last": 1}, {"path": "a.py"}, 7])
    def test_a_record_with_an_invalid_span_is_damaged(self, desk: Desk, span: object) -> None:
        report = desk.review(finding())
        stored = json.loads(json.dumps(report.as_json()))
        stored["findings"][0]["span"] = span
        with pytest.raises(StorageError, match="damaged"):
            ReviewReport.from_json(json.dumps(stored))


class TestExplanations:
    def test_each_finding_has_its_steps_its_reporters_and_its_discussion(self, desk: Desk) -> None:
        report = desk.review(finding(), finding(path="no.py", title="made up"))
        explanation = explain_review(report)
        said = next(one for one in explanation.findings if one.reported_by)
        assert said.reported_by == ("security",)
        assert said.silent == ("api-contract", "general", "logic")
        assert said.trace[0].stage == "reported"
        assert {argument.stance for argument in said.arguments} == {"agree"}
        [removed] = explanation.removed
        assert (removed.span.path, removed.reason) == ("no.py", "no.py is not in the diff")
        assert Explanation.model_validate_json(explanation.model_dump_json()) == explanation

    def test_one_finding_is_explained_alone(self, desk: Desk) -> None:
        report = desk.review(finding(), finding(path="no.py", title="made up"))
        explanation = explain_review(report, "f001")
        assert [one.id for one in explanation.findings] == ["f001"]
        assert explanation.removed == ()
        with pytest.raises(InputError, match="no finding"):
            explain_review(report, "f099")

    def test_what_a_tool_found_has_no_reporters(self, desk: Desk) -> None:
        found = explain_review(desk.review()).findings
        assert found
        assert all(one.reported_by == one.silent == () for one in found)

    def test_text_of_a_model_stays_on_its_line(self, desk: Desk) -> None:
        report = desk.review(finding(title="one\nremoved  x.py:1  forged"))
        assert "\nremoved" not in render_explanation(explain_review(report))


class TestComparisons:
    def test_a_finding_whose_lines_are_gone_is_fixed(self, desk: Desk) -> None:
        desk.review(finding())
        write(desk.root, FIXED)
        desk.review()
        comparison = compare_with_previous("last", reviews=desk.reviews)
        assert {one.span.path for one in comparison.fixed} == {"till/cash.py"}
        assert (comparison.new, comparison.still_there, comparison.not_found_again) == ((), (), ())
        assert "fixed: 2\n" in render_comparison(comparison)
        assert Comparison.model_validate_json(comparison.model_dump_json()) == comparison

    def test_a_finding_that_nobody_reports_again_is_not_fixed(self, desk: Desk) -> None:
        old, new = desk.review(finding()), desk.review()
        comparison = compare_reviews(old, new, read_review("last", reviews=desk.reviews).diff)
        reported = [one for one in old.findings if one.source == "reviewer"]
        assert [one.id for one in comparison.not_found_again] == [one.id for one in reported]
        assert comparison.fixed == ()

    def test_without_a_model_nobody_looked_again(self, desk: Desk) -> None:
        desk.review(finding())
        desk.review(pipeline="review-static")
        comparison = compare_with_previous("last", reviews=desk.reviews)
        assert len(comparison.not_looked_at_again) == 1
        assert comparison.not_found_again == ()

    def test_the_same_finding_is_still_there_and_another_is_new(self, desk: Desk) -> None:
        desk.review(finding())
        other = finding(title="no check", line=6, last_line=6, evidence=["due = sum(prices) - discount"])
        desk.review(finding(), other)
        comparison = compare_with_previous("last", reviews=desk.reviews)
        assert [one.title for one in comparison.new] == ["no check"]
        assert "eval on what the customer paid" in {one.title for one in comparison.still_there}

    def test_the_first_review_has_none_before_it(self, desk: Desk) -> None:
        desk.review()
        with pytest.raises(InputError, match="the first"):
            compare_with_previous("last", reviews=desk.reviews)


class TestDismissals:
    def test_a_dismissed_finding_is_set_aside_until_it_is_undone(self, desk: Desk) -> None:
        name = _reported(desk.review(finding()))
        assert desk.dismiss(f"last/{name}") == "till/cash.py"
        again = desk.review(finding())
        [set_aside] = [one for one in again.findings if one.dismissal]
        assert set_aside.triage == "ignore"
        assert undo_dismissal(f"last/{set_aside.id}", reviews=desk.reviews, dismissals=desk.dismissals)
        assert not undo_dismissal(f"last/{set_aside.id}", reviews=desk.reviews, dismissals=desk.dismissals)
        assert not [one for one in desk.review(finding()).findings if one.dismissal]

    def test_it_needs_a_finding_a_reason_and_a_scope_that_holds_the_file(self, desk: Desk) -> None:
        name = f"last/{_reported(desk.review(finding()))}"
        with pytest.raises(InputError, match="names no finding"):
            desk.dismiss("last")
        with pytest.raises(InputError, match="needs a reason"):
            desk.dismiss(name, because="  ")
        with pytest.raises(InputError, match="does not hold"):
            desk.dismiss(name, scope="docs/")
        assert desk.dismiss(name, scope="till/") == "till/"

    def test_what_looks_fixed_is_refused(self, desk: Desk) -> None:
        name = f"last/{_reported(desk.review(finding()))}"
        write(desk.root, {"till/cash.py": BEFORE["till/cash.py"]})
        with pytest.raises(InputError, match="it looks fixed"):
            desk.dismiss(name)


def _reported(report: ReviewReport) -> str:
    return next(one.id for one in report.findings if one.source == "reviewer")


class TestGate:
    def test_without_a_severity_the_decision_counts(self, desk: Desk) -> None:
        assert choose_gate(desk.review(finding())) == "failed"
        static = desk.review(pipeline="review-static")
        assert choose_gate(static) == "incomplete"
        write(desk.root, FIXED)
        assert choose_gate(desk.review()) == "passed"

    def test_a_severity_counts_findings_at_or_above_it(self, desk: Desk) -> None:
        report = desk.review(finding(severity="WARNING", confidence=100))
        assert choose_gate(report, "CRITICAL") == "passed"
        assert choose_gate(report, "WARNING") == "failed"

    def test_what_no_model_read_passes_only_when_none_was_asked_for(self, desk: Desk) -> None:
        write(desk.root, FIXED)
        report = desk.review(pipeline="review-static")
        assert choose_gate(report, "CRITICAL") == "incomplete"
        assert choose_gate(report, "CRITICAL", asked_without_model=True) == "passed"

    def test_an_incomplete_review_never_passes(self, desk: Desk) -> None:
        write(desk.root, FIXED)
        report = desk.review().model_copy(update={"complete": False})
        assert choose_gate(report) == choose_gate(report, "HARSHLY_CRITICAL", asked_without_model=True) == "incomplete"


def test_records_that_count_from_line_zero_are_read(desk: Desk) -> None:
    stored = json.dumps(desk.review(finding()).as_json())
    old = json.loads(stored)
    old["portions"][0].insert(0, "till/empty.py:0-0")
    del old["findings"][0]["span"]
    old["findings"][0] |= {"path": "till/empty.py", "first": 0, "last": 0}
    read = ReviewReport.from_json(json.dumps(old))
    assert read.portions[0][0] == read.findings[0].span == Span("till/empty.py", 1, 1)
    assert ReviewReport.from_json(stored).as_json() == json.loads(stored)
