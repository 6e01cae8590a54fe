"""From findings to the verdict: dismissals, suggestions, the decision, what is learnt, and the record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import cast

from pathspec import GitIgnoreSpec

from bottega.errors import BottegaError
from bottega.index.classify import Role, role_of_path
from bottega.journal import now
from bottega.pipeline import DONE, action
from bottega.review.actions.preparing import files_of, settings_of, tree_of
from bottega.review.dangers.check import NAME as DANGERS
from bottega.review.deciding import decided
from bottega.review.diagnostics import lint_texts
from bottega.review.findings import Finding, Severity, is_same_matter, rank
from bottega.review.reading import NAMED_SO
from bottega.review.report import Report, ReviewerLine, folder_files
from bottega.review.rules import FILE as RULES_FILE
from bottega.review.specificity import specificity
from bottega.review.state import Checked, ReviewState
from bottega.review.suggesting import tried
from bottega.review.tools import ReviewRun

_HEAD, _PEERS, _SPECIFIC = 0.45, 0.35, 0.2
_WORTH = 0.5


@action(DONE)
def apply_dismissals(state: ReviewState, run: ReviewRun) -> str:
    """Set aside what a person has called no bug, within its scope and until its end."""
    if not settings_of(run).dismissals:
        state.checks = (*state.checks, Checked(name="dismissals", standing="off"))
        return DONE

    def standing() -> list[dict[str, str]]:
        return [
            {"mark": one.mark, "scope": one.scope, "severity": one.severity, "about": one.about, "said": str(one)}
            for one in run.tools.dismissals.standing()
        ]

    try:
        known = run.effect("dismissals", standing)
    except BottegaError as error:
        state.checks = (*state.checks, Checked(name="dismissals", standing="failed", detail=str(error)))
        return DONE
    state.findings = tuple(_dismissed(finding, known) for finding in state.findings)
    count = sum(bool(finding.dismissal) for finding in state.findings)
    state.checks = (*state.checks, Checked(name="dismissals", standing="ran", detail=f"{count} findings set aside"))
    return DONE


def _dismissed(finding: Finding, known: Sequence[dict[str, str]]) -> Finding:
    """The same line, the same matter, within the scope, and nothing graver than what was dismissed."""
    for one in known:
        covers = rank(finding.severity) <= rank(cast("Severity", one["severity"]))
        same = one["mark"] == finding.mark and is_same_matter(one["about"], finding.about)
        if covers and same and in_scope(finding.path, one["scope"]):
            return finding.at("dismissal", finding.confidence, one["said"], dismissal=one["said"])
    return finding


def in_scope(path: str, scope: str) -> bool:
    """A path itself, or patterns as in .gitignore."""
    return path == scope or bool(GitIgnoreSpec.from_lines([scope]).match_file(path))


@action(DONE)
def check_suggestions(state: ReviewState, run: ReviewRun) -> str:
    """Apply the suggestions of grave findings to a copy: it must parse, and tools must have nothing more against it."""
    if not settings_of(run).suggestion_check:
        state.checks = (*state.checks, Checked(name="suggestions", standing="off"))
        return DONE
    files = files_of(state)
    read = tree_of(state, run, files).masked
    tools_ran = any(check.name == "ruff" and check.standing == "ran" for check in state.checks)

    def lint(path: str, before: str, after: str) -> str:
        if not tools_ran:
            return ""
        return lint_texts(path, before, after, run.tools.root, run.tools.open_sandbox)

    def outcome(finding: Finding) -> str:
        return str(run.effect(f"suggestion {finding.id}", lambda: tried(finding, read, lint)))

    known = {file.path for file in files}
    checked = [
        finding.model_copy(update={"suggestion_check": outcome(finding)})
        if finding.is_grave and finding.suggestion and finding.path in known
        else finding
        for finding in state.findings
    ]
    state.findings = tuple(checked)
    fitting = sum(finding.suggestion_check == "fits" for finding in checked)
    bad = sum(finding.suggestion_check.startswith("does not fit") for finding in checked)
    detail = f"{fitting} fit, {bad} do not"
    state.checks = (*state.checks, Checked(name="suggestions", standing="ran", detail=detail))
    return DONE


@action(DONE)
def decide_verdict(state: ReviewState, run: ReviewRun) -> str:
    """One decision from all of it; the table is in docs/review.md."""
    state.gaps = tuple(_gaps(state))
    verdict = decided(
        state.findings,
        gaps=state.gaps,
        reviewers=len({one.reviewer for one in state.seen if not one.failure}),
        strict=settings_of(run).strict,
    )
    state.findings, state.decision = verdict.findings, verdict.decision
    state.reasons, state.questions = verdict.reasons, verdict.questions
    run.decide("verdict", verdict.decision, "; ".join(verdict.reasons)[:1000])
    run.outcome("verdict", verdict.decision)
    return DONE


def _gaps(state: ReviewState) -> list[str]:
    """All that did not happen as it should have; each keeps the review from accepting."""
    failed: dict[str, list[str]] = defaultdict(list)
    for one in state.seen:
        if one.failure:
            failed[one.failure].append(f"{one.reviewer} (portion {one.portion})")
    gaps = [f"{', '.join(who)}: {failure}" for failure, who in failed.items()]
    gaps += [f"{check.name}: {check.detail}" for check in state.checks if check.standing == "failed"]
    off = [check.name for check in state.checks if check.standing == "off" and check.name in _TELLING]
    gaps += [f"{name} is switched off" for name in off]
    gaps += [f"discussion {one.id}: {one.reason}" for one in state.discussions if one.settled_by == "failure"]
    gaps += [f"{one.path} cannot be read" for one in state.left_out if one.reason == "binary" and _is_code(one.path)]
    gaps += [
        f"{one.path} was not read: its name says that it is {one.reason}"
        for one in state.left_out
        if one.reason in NAMED_SO and _is_code(one.path)
    ]
    return gaps


# Checks that find grave things by themselves: a review without them has not looked.
_TELLING = frozenset({"parse", "tools", DANGERS, RULES_FILE})


def _is_code(path: str) -> bool:
    """A name that should hold text, whatever its content looks like."""
    return role_of_path(path) is not Role.BINARY


@action(DONE)
def reward_models(state: ReviewState, run: ReviewRun) -> str:
    """Remember whose findings were worth the question; who reported nothing is neither praised nor blamed."""
    if not settings_of(run).learning or not state.panel:
        return DONE
    scores = _scores(state)

    def reward() -> dict[str, float]:
        for model, score in scores.items():
            run.tools.bandit.reward(model, won=score >= _WORTH)
        return scores

    rewarded = run.effect("reward", reward)
    for model, score in sorted(rewarded.items()):
        run.decide("reward", model, f"{score:.2f}")
    return DONE


def _scores(state: ReviewState) -> dict[str, float]:
    """For each model how far the verdict bore its findings out, how far others did, and how exact they were."""
    models = {one.reviewer: one.model for one in state.seen if not one.failure}
    values: dict[str, list[float]] = defaultdict(list)
    for finding in state.findings:
        for voice in finding.voices:
            if voice.reviewer in models:
                borne_out = float(finding.triage in {"must-fix", "verify"})
                shared = float(len(finding.reviewers) > 1 or finding.outcome == "upheld" or bool(finding.verified))
                exact = specificity(voice, finding)
                values[models[voice.reviewer]].append(_HEAD * borne_out + _PEERS * shared + _SPECIFIC * exact)
    for dropped in state.dropped:
        for voice in dropped.finding.voices:
            if voice.reviewer in models:
                values[models[voice.reviewer]].append(0.0)
    return {model: sum(scores) / len(scores) for model, scores in values.items()}


@action()
def write_report(state: ReviewState, run: ReviewRun) -> str:
    """Write the review down as a folder that a person can read, and end."""

    def written() -> str:
        review = run.tools.reviews.begin()
        report = report_of(state, run.id, review)
        run.tools.reviews.write(review, folder_files(report, state.diff, run.tools.reviews.masked))
        return review

    state.report = str(run.effect("report", written))
    return DONE


def report_of(state: ReviewState, run_id: str, review: str) -> Report:
    panel = tuple(
        ReviewerLine(
            name=one.name,
            model=one.model,
            portions=sum(seen.reviewer == one.name and not seen.failure for seen in state.seen),
            failed=sum(seen.reviewer == one.name and bool(seen.failure) for seen in state.seen),
        )
        for one in state.panel
    )
    return Report(
        id=review,
        run=run_id,
        at=now(),
        origin=state.origin,
        intent=state.intent,
        decision=state.decision or "NEEDS_HUMAN",
        complete=not state.gaps,
        gaps=state.gaps,
        reasons=state.reasons,
        questions=state.questions,
        independence=state.independence,
        remarks=state.remarks,
        static_only=not state.panel,
        seed=state.seed,
        fail_on=state.fail_on,
        paths=state.paths,
        left_out=state.left_out,
        classes=state.classes,
        checks=state.checks,
        around=state.around,
        panel=panel,
        portions=state.portions,
        seen=state.seen,
        findings=state.findings,
        dropped=state.dropped,
        discussions=state.discussions,
        freshness=state.freshness,
    )
