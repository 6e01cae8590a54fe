"""Checks that need no model: parsers, tools, dangerous calls, the graph, the history, and the project's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bottega.amounts import plural
from bottega.errors import InputError
from bottega.pipeline import DONE, action
from bottega.review.actions.subject import get_settings, list_files, open_rules, open_state_tree, record_check
from bottega.review.before import list_assistant_files, read_text
from bottega.review.checks import CheckJob, CheckResult, run_checks
from bottega.review.classes import classify_file
from bottega.review.dangers.check import NAME as DANGERS
from bottega.review.dangers.check import check_dangers
from bottega.review.diagnostics import list_tool_jobs
from bottega.review.findings import Finding
from bottega.review.hiding import hide_secrets
from bottega.review.parsing import check_parsing
from bottega.review.rules import FILE as RULES_FILE
from bottega.review.rules import match_rules, read_rules
from bottega.review.state import CheckRecord, ReviewState
from bottega.review.tools import ReviewRun
from bottega.review.tree import Tree
from bottega.source import FileChange
from bottega.source.tree import RepositoryFiles

_AT_ONCE = 4
_LONGEST_NOTE = 2000
_MOST_NOTES = 6
_MOST_AROUND = 12


@action(DONE)
def analyse_change(state: ReviewState, run: ReviewRun) -> str:
    """Check the change with everything but a model; a check that fails says so and leaves the review incomplete."""
    files = list_files(state)
    tree = open_state_tree(state, run, files)
    found = run.effect("analysis", lambda: hide_secrets(_analyse(state, run, files, tree), files, tree))
    checks = [CheckRecord.model_validate(check) for check in found["checks"]]
    state.checks = (*state.checks, *checks)
    findings = [Finding.model_validate(entry) for entry in found["findings"]]
    state.findings = (*state.findings, *(finding for finding in findings if finding.span.path in state.paths))
    state.around, state.classes = tuple(found["around"][:_MOST_AROUND]), found["classes"]
    state.notes, state.freshness = tuple(found["notes"]), found["freshness"]
    _record(state, run, found.get("crashes", {}))  # runs of earlier versions recorded none
    return DONE


def _record(state: ReviewState, run: ReviewRun, crashes: dict[str, str]) -> None:
    """Write every check to the journal, one that crashed with its traceback."""
    results = {"ran": "passed", "failed": "failed"}
    for check in state.checks:
        run.validate(check.name, results.get(check.status, "unknown"), crashes.get(check.name, check.detail))
    run.say("; ".join(f"{check.name}: {_shorten(check)}" for check in state.checks))
    for name in crashes:
        run.say(f"the check {name} crashed, which is a bug: please report what `bottega runs show {run.id}` prints")


def _shorten(check: CheckRecord) -> str:
    return check.detail[:80] if check.status == "ran" else check.status


def _analyse(state: ReviewState, run: ReviewRun, files: Sequence[FileChange], tree: Tree) -> dict[str, Any]:
    """Run the checks that are switched on; the result is what the run records."""
    settings = get_settings(run)
    context = _ContextChecks(run, files, tree, open_rules(state, run))
    groups: list[tuple[str, bool, list[CheckJob]]] = [
        ("classification", settings.classification, [CheckJob("classification", context.classify)]),
        ("parse", settings.diagnostics, [CheckJob("parse", lambda: check_parsing(files, tree))]),
        (DANGERS, settings.dangers, [CheckJob(DANGERS, lambda: check_dangers(files, tree))]),
        ("tools", settings.diagnostics, list_tool_jobs(files, tree, run.tools.open_sandbox)),
        ("impact", settings.impact, [CheckJob("impact", context.look_up_users)]),
        ("co-change", settings.co_change, [CheckJob("co-change", context.look_up_companions)]),
        ("rule files", settings.rule_files, [CheckJob("rule files", context.read_notes)]),
    ]
    results = run_checks([job for _, is_on, jobs in groups if is_on for job in jobs], limit=_AT_ONCE)
    records = [CheckRecord(name=result.name, status=result.status, detail=result.detail) for result in results]
    records += [CheckRecord(name=name, status="off") for name, is_on, jobs in groups if jobs and not is_on]
    return {
        "checks": [record.model_dump() for record in records],
        "findings": [finding.model_dump(mode="json") for result in results for finding in result.findings],
        "crashes": {result.name: result.traceback for result in results if result.traceback},
        "around": sorted(context.around, key=lambda line: not line.startswith("impact")),
        "classes": context.classes,
        "notes": context.notes[:_MOST_NOTES],
        "freshness": context.freshness,
    }


class _ContextChecks:
    """Checks that also collect what the reviewers are told beside the change."""

    def __init__(self, run: ReviewRun, files: Sequence[FileChange], tree: Tree, rules: RepositoryFiles) -> None:
        self._surroundings = run.tools.surroundings
        self._rules = rules
        self._files = files
        self._tree = tree
        self.around: list[str] = []
        self.classes: dict[str, str] = {}
        self.notes: list[str] = []
        self.freshness = ""

    def classify(self) -> CheckResult:
        self.classes = {file.path: classify_file(file) for file in self._files}
        return CheckResult("classification", "ran", ", ".join(sorted(set(self.classes.values()))))

    def look_up_users(self) -> CheckResult:
        """Who uses what changed, outside of the change."""
        found = self._surroundings.impact(self._files, self._tree.masked)
        self.freshness = self._surroundings.freshness()
        self.around += [f"impact: {line}" for line in found.told]
        remark = "" if self._tree.is_here else ", in the working tree"
        remark += f"; no time for {plural(found.unread, 'file')}" if found.unread else ""
        detail = f"{plural(len(found.told), 'changed thing')} used elsewhere{remark}"
        return CheckResult("impact", "ran", detail, found.findings)

    def look_up_companions(self) -> CheckResult:
        """Which files usually change together with these, and did not."""
        found = self._surroundings.companions(self._files)
        self.freshness = self._surroundings.freshness()
        self.around += [f"usually together: {line}" for line in found.told]
        return CheckResult(
            "co-change",
            "ran",
            f"{plural(len(found.told), 'file')} that usually changed too",
            found.findings,
        )

    def read_notes(self) -> CheckResult:
        """Files that projects keep for assistants: context for the reviewers, not instructions to them."""
        for name in list_assistant_files(self._rules):
            text = read_text(self._rules, name)
            if text and text.strip():
                self.notes.append(f"{name}:\n{text.strip()[:_LONGEST_NOTE]}")
        return CheckResult("rule files", "ran", f"{len(self.notes)} found")


@action(DONE)
def apply_rules(state: ReviewState, run: ReviewRun) -> str:
    """Match the project's own patterns against every added line."""
    if not get_settings(run).rules:
        record_check(state, RULES_FILE, "off")
        return DONE
    found = run.effect("rules", lambda: _match(state, run))
    state.checks = (*state.checks, CheckRecord.model_validate(found["check"]))
    state.findings = (*state.findings, *(Finding.model_validate(entry) for entry in found["findings"]))
    return DONE


def _match(state: ReviewState, run: ReviewRun) -> dict[str, Any]:
    """Apply the rules from before the change; rules that the change adds do not apply to it."""
    text = read_text(open_rules(state, run), RULES_FILE)
    try:
        rules = read_rules(text) if text is not None else ()
        findings = match_rules(rules, list_files(state))
    except InputError as error:
        return {"check": {"name": RULES_FILE, "status": "failed", "detail": str(error)}, "findings": []}
    status = "ran" if rules else "not run"
    detail = f"{plural(len(rules), 'rule')}, {plural(len(findings), 'match')}" if rules else "there is no such file"
    return {
        "check": {"name": RULES_FILE, "status": status, "detail": detail},
        "findings": [finding.model_dump(mode="json") for finding in findings],
    }
