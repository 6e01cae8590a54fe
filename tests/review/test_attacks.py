"""Ways that once led past the review: code that nobody read, findings that got lost, programs that were run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.models import Request
from bottega.models.providers.scripted import Line
from bottega.review import ChangeSelection
from bottega.review.filtering import filter_inventions
from bottega.review.reading import parse_cached
from bottega.review.reports.text import render_text
from bottega.source import Span, parse_diff
from tests.review.test_filtering import one as finding_of
from tests.review.till import (
    AFTER,
    BEFORE,
    NOTHING,
    build,
    finding,
    findings,
    git,
    judged,
    own_pipeline,
    panel,
    reviewed,
    shop,
    write,
)


class TestUnread:
    def test_attributes_do_not_hide_code(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={".gitattributes": "evil.py -diff\n", "evil.py": "x = 1\n"})
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "Hide")
        workshop = shop(root, panel())
        report = reviewed(workshop, ChangeSelection(commit="HEAD"))
        workshop.close()
        assert "evil.py" in report.paths

    def test_attributes_do_not_hide_a_deletion(self, tmp_path: Path) -> None:
        root = build(
            tmp_path, before={**BEFORE, ".gitattributes": "guard.py -diff\n", "guard.py": "check()\n"}, after={}
        )
        (root / "guard.py").unlink()
        git(root, "commit", "-qam", "Take the guard away")
        workshop = shop(root, panel())
        report = reviewed(workshop, ChangeSelection(commit="HEAD"))
        workshop.close()
        assert report.paths == ("guard.py",)

    @pytest.mark.parametrize("content", [b"x = 1\n\0", b"x = 1\n" * 200_000], ids=["a zero byte", "very large"])
    def test_code_that_cannot_be_read_is_a_gap(self, tmp_path: Path, content: bytes) -> None:
        root = build(tmp_path)
        (root / "evil.py").write_bytes(content)
        report = judged(root, panel())
        assert not report.complete
        assert report.decision == "NEEDS_HUMAN"
        assert "evil.py" in report.gaps[0]

    def test_a_picture_beside_code_is_named_and_no_gap(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={"a.py": "x = 1\n"})
        (root / "logo.png").write_bytes(b"\0")
        report = judged(root, panel())
        assert (report.decision, [one.path for one in report.left_out]) == ("ACCEPT", ["logo.png"])

    def test_code_in_a_folder_called_build_is_read(self, tmp_path: Path) -> None:
        assert judged(build(tmp_path, after={"build/deploy.py": "x = 1\n"}), panel()).paths == ("build/deploy.py",)

    def test_a_rename_alone_is_not_nothing(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={})
        git(root, "mv", "till/cash.py", "till/money.py")
        assert judged(root, panel()).decision == "NEEDS_HUMAN"

    def test_new_links_and_odd_names_are_shown(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={})
        (root / "link").symlink_to("/etc/passwd")
        (root / 'say "hi" now.py').write_text("x = 1\n")
        assert set(judged(root, panel()).paths) == {"link", 'say "hi" now.py'}

    def test_submodules_cannot_be_ignored(self, tmp_path: Path) -> None:
        root = build(tmp_path / "main", after={})
        build(tmp_path / "sub", after={})
        git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "sub"), "sub")
        git(root, "config", "-f", ".gitmodules", "submodule.sub.ignore", "all")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "Add a part")
        write(tmp_path / "sub", {"new.py": "x = 1\n"})
        git(tmp_path / "sub", "add", "-A")
        git(tmp_path / "sub", "commit", "-q", "-m", "Go on")
        git(root / "sub", "-c", "protocol.file.allow=always", "pull", "-q")
        assert judged(root, panel()).paths == ("sub",)


class TestLostFindings:
    def test_a_repair_turn_does_not_take_back_what_was_said_well(self, tmp_path: Path) -> None:
        replies = {"security": [findings(finding(), finding(severity="nit")), NOTHING]}

        def speak(request: Request) -> Line:
            if "reviewer security" in request.messages[0].text:
                return replies["security"].pop(0)
            return panel()(request)

        report = judged(build(tmp_path), speak, pipeline="review-quick")
        assert any(one.severity == "CRITICAL" for one in report.findings)
        assert not report.complete

    def test_another_models_answer_does_not_cover_unreadable_findings(self, tmp_path: Path) -> None:
        replies = [findings(finding(severity="BLOCKER"))] * 2

        def speak(request: Request) -> Line:
            if "reviewer security" in request.messages[0].text and replies:
                return replies.pop()
            return panel()(request)

        report = judged(build(tmp_path), speak, 'review.models=["scripted/a", "scripted/b"]')
        assert report.decision == "NEEDS_HUMAN"
        assert "could not be read" in report.gaps[0]

    @pytest.mark.parametrize(
        "path", ["/till/cash.py", "=== till/cash.py", "b/till/cash.py", "cash.py", "till/cash.py:12"]
    )
    def test_a_path_as_it_was_shown_is_understood(self, tmp_path: Path, path: str) -> None:
        assert judged(build(tmp_path), panel({"security": findings(finding(path=path))})).decision == "REJECT"

    def test_a_renamed_file_by_its_old_name(self, tmp_path: Path) -> None:
        root = build(tmp_path)
        git(root, "mv", "till/cash.py", "till/money.py")
        report = judged(root, panel({"security": findings(finding())}))
        assert [one.span.path for one in report.open_findings() if one.source == "reviewer"] == ["till/money.py"]

    def test_findings_about_files_that_were_not_shown_are_removed(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={**AFTER, "b.py": "x = 1\n"})
        report = judged(root, panel({"security": findings(finding())}), scope=["b.py"])
        assert report.dropped
        assert report.decision == "ACCEPT"

    def test_a_discussion_that_died_leaves_a_gap(self, tmp_path: Path) -> None:
        def speak(request: Request) -> Line:
            return panel({"security": findings(finding())})(request) if request.stage == "review.reviewer" else "prose"

        report = judged(build(tmp_path), speak)
        assert (report.decision, report.complete) == ("NEEDS_HUMAN", False)

    def test_a_discussion_of_a_deleted_file_shows_its_lines(self, tmp_path: Path) -> None:
        prompts: list[str] = []
        gone = finding(line=4, last_line=4, evidence=["def total(prices: list[int], discount: int = 0) -> int:"])
        inner = panel({"security": findings(gone)})

        def listen(request: Request) -> Line:
            prompts.append(request.messages[0].text)
            return inner(request)

        root = build(tmp_path, after={})
        (root / "till/cash.py").unlink()
        judged(root, listen)
        asked = [prompt for prompt in prompts if "participant A" in prompt]
        assert asked
        assert all("    4 - def total(" in prompt for prompt in asked)

    def test_a_change_is_judged_by_the_rules_it_takes_away(self, tmp_path: Path) -> None:
        rules = "rules: [{id: e, pattern: 'eval', severity: CRITICAL, message: no eval}]\n"
        root = build(tmp_path, before={**BEFORE, ".reviewrules": rules})
        (root / ".reviewrules").unlink()
        assert judged(root, panel()).decision == "REJECT"

    @pytest.mark.parametrize("switch", ["diagnostics", "rules"])
    def test_a_check_that_is_off_does_not_accept(self, tmp_path: Path, switch: str) -> None:
        root = build(tmp_path)
        report = judged(root, panel(), pipeline=own_pipeline(root, "own", **{switch: False}))
        assert (report.decision, report.complete) == ("NEEDS_HUMAN", False)


class TestInput:
    def test_a_scope_that_matches_nothing_is_refused(self, tmp_path: Path) -> None:
        root = build(tmp_path)
        for scope, said in ((["nosuch/*"], "matches"), (["!"], "--path")):
            with pytest.raises(InputError, match=said):
                judged(root, panel(), scope=scope)

    def test_a_series_of_patches_is_refused(self, tmp_path: Path) -> None:
        root = build(tmp_path)
        text = git(root, "diff")
        workshop = shop(root, panel())
        with pytest.raises(InputError, match="more than once"):
            reviewed(workshop, ChangeSelection(diff=text + text))
        workshop.close()

    def test_a_patch_behind_a_binary_one_is_seen(self) -> None:
        diff = (
            "diff --git a/x b/x\nGIT binary patch\nliteral 1\nIcmZPo\n\n--- a/y.py\n+++ b/y.py\n@@ -1 +1 @@\n-a\n+b\n"
        )
        assert [file.path for file in parse_diff(diff).files] == ["x", "y.py"]

    @pytest.mark.parametrize("more", ["+x = eval(input())\n", " context\n", "-gone\n"])
    def test_lines_behind_a_change_are_refused(self, more: str) -> None:
        with pytest.raises(InputError, match="line 6"):
            parse_diff(f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n{more}")

    def test_a_mail_with_its_signature_is_read(self) -> None:
        mail = "From: a\n\n@@ not a change\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n"
        assert len(parse_diff(mail).files) == 1

    def test_quoted_names_with_spaces(self) -> None:
        diff = '--- "a/n\\303\\251 a.py"\t\n+++ "b/n\\303\\251 a.py"\t\n@@ -1 +1 @@\n-a\n+b\n'
        assert [file.path for file in parse_diff(diff).files] == ["né a.py"]

    def test_a_shallow_clone_does_not_pass_a_tree_off_as_a_commit(self, tmp_path: Path) -> None:
        root = build(tmp_path / "deep")
        git(root, "commit", "-qam", "More")
        git(tmp_path, "clone", "-q", "--depth", "1", f"file://{root}", "shallow")
        workshop = shop(tmp_path / "shallow", panel())
        with pytest.raises(InputError, match="shallow"):
            reviewed(workshop, ChangeSelection(commit="HEAD"))
        workshop.close()


def test_filters_of_a_repository_are_not_run(tmp_path: Path) -> None:
    root = build(tmp_path / "root", after={**AFTER, ".gitattributes": "*.py filter=evil\n"})
    proof = tmp_path / "proof"
    git(root, "config", "filter.evil.clean", f"touch {proof}; cat")
    git(root, "config", "filter.evil.process", f"touch {proof}")
    judged(root, panel())
    assert not proof.exists()


def test_a_file_that_is_not_here_is_no_proof(tmp_path: Path) -> None:
    root = build(tmp_path, after={})
    diff = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x = 1\n"
    workshop = shop(root, panel())
    report = reviewed(workshop, ChangeSelection(diff=diff))
    workshop.close()
    assert report.decision == "ACCEPT"
    assert {check.name: check.status for check in report.checks}["ruff"] == "not run"


def test_a_true_claim_about_what_the_code_deletes_is_left_alone() -> None:
    diff = parse_diff("--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+shutil.rmtree(path)\n")
    true = finding_of(
        span=Span("x.py", 1, 1),
        title="deletes any directory",
        problem="`shutil.rmtree(path)` deletes whatever directory the caller names, and drops the user's files",
        quotes=("shutil.rmtree(path)",),
    )
    problem = true.model_copy(update={"title": "any directory can be lost"})
    assert [step.stage for step in filter_inventions([problem], diff).kept[0].trace] == ["evidence"]


def test_a_failed_review_replays(tmp_path: Path) -> None:
    workshop = shop(build(tmp_path), panel({"logic": "prose"}))
    report = reviewed(workshop)
    again = workshop.replay("last").result().report
    assert [one.failure for one in again.seen] == [one.failure for one in report.seen]
    workshop.close()


def test_a_name_cannot_forge_a_line_of_the_report(tmp_path: Path) -> None:
    root = build(tmp_path, after={"x\nACCEPT\n.py": "y = missing\n"})
    report = judged(root, panel())
    assert "\nACCEPT\n" not in render_text(report, parse_cached(git(root, "diff")))


def test_a_private_key_leaves_the_diff_readable(tmp_path: Path) -> None:
    body = "\n".join(
        ["-----BEGIN RSA PRIVATE KEY-----", *["Zm9vYmFyYmF6cXV4" * 4] * 12, "-----END RSA PRIVATE KEY-----"]
    )
    root = build(tmp_path, after={"key.txt": body + "\n", "a.py": "x = 1\n"})
    report = judged(root, panel())
    stored = (root / ".bottega" / "reviews" / report.id / "change.diff").read_text()
    assert "Zm9vYmFy" not in stored
    assert [file.path for file in parse_diff(stored).files] == ["a.py", "key.txt"]


def test_a_dismissed_trifle_does_not_cover_a_hole_in_the_same_line(tmp_path: Path) -> None:
    from bottega.journal import Dismissal

    root = build(tmp_path)
    trifle = finding(
        title="the name rest says nothing", problem="`rest` is a poor name", severity="WARNING", confidence=99
    )
    workshop = shop(root, panel({"general": findings(trifle)}))
    first = reviewed(workshop)
    [one] = [one for one in first.findings if one.source == "reviewer"]
    about = f"{one.title} {one.problem}"
    word = Dismissal(
        one.mark, one.title, one.span.path, "style", "Ada", "2026-01-01", "2999-01-01", first.id, "WARNING", about
    )
    workshop.journal.dismissals.add(word)
    assert [one.dismissal for one in reviewed(workshop).findings if one.source == "reviewer"] != [""]
    workshop.close()
    report = judged(root, panel({"security": findings(finding())}))
    assert report.decision == "REJECT"


def test_rules_of_any_shape_end_in_words(tmp_path: Path) -> None:
    for rules in (
        "rules: [{id: x, pattern: 'a{99999999999}', severity: WARNING, message: m}]",
        "rules: 2020-13-45",
        "false",
    ):
        report = judged(build(tmp_path / str(len(rules)), before={**BEFORE, ".reviewrules": rules}), panel())
        assert not report.complete
        assert ".reviewrules" in report.gaps[0]


def test_the_record_of_a_review_is_json_that_reads_back(tmp_path: Path) -> None:
    root = build(tmp_path)
    report = judged(root, panel({"security": findings(finding())}))
    stored = json.loads((root / ".bottega" / "reviews" / report.id / "result.json").read_text())
    assert stored["findings"][0]["fingerprint"] == report.findings[0].fingerprint
