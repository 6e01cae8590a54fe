"""The panel at work: every reviewer is shown every hunk, and what it says is held against the change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import normalize

from bottega.errors import BottegaError, CeilingReached, ModelError, ReplyRejected
from bottega.models import Request, fenced, load_prompt
from bottega.pipeline import DONE, action, fan_out
from bottega.review.actions.preparing import files_of, names_of, persona_text, rules_of, settings_of
from bottega.review.contract import Reported, ReviewContract, Reviewed
from bottega.review.filtering import NEAR, filtered
from bottega.review.findings import Finding, Trace, Voice
from bottega.review.merging import confirmed, corroborated, merged
from bottega.review.reading import Portion, portions, shown
from bottega.review.state import Checked, Reviewer, ReviewState, Seen
from bottega.review.tools import ReviewRun
from bottega.source import Diff, estimate_tokens, quote_line, quote_name
from bottega.source.secrets import mask_secrets

ROLE = "reviewer"
STAGE = "review.reviewer"
_AT_ONCE = 32
_HELD_FINDINGS = re.compile(r'"(?:title|severity|problem)"')
_SHOWN_NAME = re.compile(r"^===\s*|\s+\((?:new file|deleted file|was .*)\)$|:\d+(?:-\d+)?$")
_LEAST_PORTION = 200
_PROVEN = frozenset({"tool", "parse", "rule", "secret", "danger"})
# Notes take at most this part of a window: the change comes first.
_NOTES_SHARE = 8
_SHORT_WINDOW = 16_000


@dataclass(frozen=True, slots=True)
class _Job:
    reviewer: Reviewer
    number: int
    portion: Portion


@dataclass(frozen=True, slots=True)
class _Told:
    said: Reviewed
    model: str
    lost: str = ""


@action(DONE)
def call_reviewers(state: ReviewState, run: ReviewRun) -> str:
    """Show every portion of the change to every reviewer, side by side as far as the servers allow."""
    limit = int(run.effect("portion limit", lambda: _limit(state, run)))
    cut = portions(files_of(state), estimate_tokens, limit)
    jobs = [_Job(one, number, portion) for number, portion in enumerate(cut, 1) for one in state.panel]
    run.say(f"{len(cut)} portions for {len(state.panel)} reviewers: {len(jobs)} requests")
    diff = Diff(tuple(files_of(state)))
    found: list[Finding] = []
    seen: list[Seen] = []
    for landed in fan_out(jobs, lambda job: _asked(job, len(cut), state, run), limit=_AT_ONCE):
        job, told = landed.item, landed.result
        failure = _failure(landed.error, job, run) if landed.error else told.lost if told else ""
        if told is not None and told.said.unreadable:
            failure = f"{told.said.unreadable} of its findings could not be read"
        count = len(told.said.findings) if told else 0
        seen.append(
            Seen(
                reviewer=job.reviewer.name,
                model=told.model if told else job.reviewer.model,
                portion=job.number,
                findings=count,
                failure=failure,
            )
        )
        found += [_finding(one, job.reviewer, diff) for one in (told.said.findings if told else ())]
    state.portions = tuple(portion.places() for portion in cut)
    state.seen = tuple(seen)
    state.findings = (*state.findings, *found)
    failures = sum(bool(one.failure) for one in seen)
    run.decide("reviewed", len(seen) - failures, f"{failures} requests failed, {len(found)} findings")
    return DONE


def _limit(state: ReviewState, run: ReviewRun) -> int:
    """What fits beside the rest of the prompt in the smallest window of the panel."""
    wanted = settings_of(run).portion_tokens
    for reviewer in state.panel:
        config = run.roster.router.named(reviewer.model)
        request = _request(reviewer, "", "1 of 1", state, run)
        free = run.roster.ledger.account(config, request).free
        spare = free * 0.8 if config.context_window > _SHORT_WINDOW else free * 0.6
        wanted = min(wanted, int(spare))
    return max(_LEAST_PORTION, wanted)


def _asked(job: _Job, total: int, state: ReviewState, run: ReviewRun) -> _Told:
    """One reviewer about one portion; where its model fails, another of the panel speaks for it."""
    request = _request(job.reviewer, shown(job.portion), f"{job.number} of {total}", state, run)
    failure: BottegaError | None = None
    for model in _speakers(job.reviewer, state):
        if failure is not None and run.roster.rests(model):
            continue
        try:
            said = run.ask(request, ReviewContract(), role=ROLE, model=model).value
        except CeilingReached:
            raise
        except ModelError as error:
            failure = error
            continue
        run.say(f"{job.reviewer.name}, portion {job.number} of {total}: {len(said.findings)} findings")
        return _Told(said, model, _lost(failure))
    assert failure is not None
    run.say(f"{job.reviewer.name}, portion {job.number} of {total}: {failure}")
    raise failure


def _lost(failure: BottegaError | None) -> str:
    """What a model had to say in a form that nobody could read is lost, even where another one then answers."""
    if isinstance(failure, ReplyRejected) and _HELD_FINDINGS.search(failure.text):
        return f"findings of {failure.model} could not be read"
    return ""


def _failure(error: BottegaError, job: _Job, run: ReviewRun) -> str:
    """In the words of the first time: a replay fails in others."""
    return str(run.effect(f"failure of {job.reviewer.name} {job.number}", lambda: str(error)))


def _speakers(reviewer: Reviewer, state: ReviewState) -> Iterator[str]:
    yield from dict.fromkeys((reviewer.model, *(one.model for one in state.panel)))


def _request(reviewer: Reviewer, change: str, portion: str, state: ReviewState, run: ReviewRun) -> Request:
    prompt = load_prompt("bottega.review", "reviewer")
    persona = run.tools.mask(mask_secrets(_persona_of(reviewer, state, run)))
    values = {
        "persona": persona,
        "name": reviewer.name,
        "intent": _intent(state),
        "notes": _notes(state, run.roster.router.named(reviewer.model).context_window // _NOTES_SHARE),
        "portion": portion,
        "change": fenced(change, "diff"),
    }
    return Request.of(
        prompt.fill(**values), system=prompt.fill_system(**values), stage=STAGE, prompt_version=prompt.version
    )


def _persona_of(reviewer: Reviewer, state: ReviewState, run: ReviewRun) -> str:
    personas = settings_of(run).personas
    return persona_text(personas[names_of(personas).index(reviewer.name)], rules_of(state, run))


def _intent(state: ReviewState) -> str:
    return f"What the author says about it:\n\n{fenced(state.intent)}\n\n" if state.intent.strip() else ""


def _notes(state: ReviewState, room: int) -> str:
    """What is known beside the change, as far as there is room; it comes from the repository, so it is fenced."""
    lines = [f"{one.place}: {one.problem}" for one in state.findings if one.source in _PROVEN][:10]
    lines += list(state.around)
    lines += [f"{check.name}: {check.detail}" for check in state.checks if check.standing == "ran"]
    lines += [f"{path}: {kind}" for path, kind in sorted(state.classes.items())]
    lines += [f"{one.path}: {one.reason}, not shown" for one in state.left_out]
    kept: list[str] = []
    for line in map(quote_line, lines):
        room -= estimate_tokens(line) + 1
        if room < 0:
            break
        kept.append(line)
    parts = [f"What is known about it:\n\n{fenced(chr(10).join(kept))}\n\n"] if kept else []
    for note in state.notes:
        room -= estimate_tokens(note) + 20
        if room >= 0:
            parts.append(f"A note of the project for assistants:\n\n{fenced(note)}\n\n")
    return "".join(parts)


def _finding(one: Reported, reviewer: Reviewer, diff: Diff) -> Finding:
    last = max(one.line, one.last_line or one.line)
    quotes = tuple(quote.strip() for quote in one.evidence if quote.strip())
    return Finding(
        id="",
        title=" ".join(one.title.split()),
        path=_path(one.path, diff),
        first=one.line,
        last=last,
        severity=one.severity,
        problem=one.problem.strip(),
        confidence=one.confidence,
        quotes=quotes,
        suggestion=one.suggestion.strip(),
        voices=(
            Voice(
                reviewer=reviewer.name,
                title=one.title,
                problem=one.problem,
                quotes=quotes,
                suggestion=one.suggestion,
                severity=one.severity,
                confidence=one.confidence,
            ),
        ),
        trace=(Trace(stage="reported", confidence=one.confidence, why=f"by {reviewer.name}, {reviewer.model}"),),
    )


def _path(path: str, diff: Diff) -> str:
    """The path as the diff has it: models write it with the marks of git, or by its end."""
    known = [file.path for file in diff.files]
    renamed = {name: file.path for file in diff.files for name in (file.old_path, quote_name(file.path))}
    bare = _SHOWN_NAME.sub("", _SHOWN_NAME.sub("", path.strip()))
    for name in (path, bare, normalize("NFC", bare)):
        for form in (name, name.removeprefix("./"), name.removeprefix("a/"), name.removeprefix("b/"), name.lstrip("/")):
            if form in known or form in renamed:
                return renamed.get(form, form) if form not in known else form
    ending = [name for name in known if name.endswith(f"/{path}")]
    return ending[0] if len(ending) == 1 else path


@action(DONE)
def filter_findings(state: ReviewState, run: ReviewRun) -> str:
    """Take out and lower what reviewers invented; everything taken out is kept with its reason."""
    if not settings_of(run).hallucination_filter:
        state.checks = (*state.checks, Checked(name="filter", standing="off"))
        return DONE
    result = filtered(
        state.findings, Diff(tuple(files_of(state))), "\n".join((*state.around, *state.notes, state.intent))
    )
    lowered = sum(any(step.stage in {"quotes", "direction"} for step in one.trace) for one in result.kept)
    state.findings, state.dropped = result.kept, (*state.dropped, *result.dropped)
    detail = f"{len(result.dropped)} removed, {lowered} lowered, of {len(result.kept) + len(result.dropped)}"
    state.checks = (*state.checks, Checked(name="filter", standing="ran", detail=detail))
    run.decide("filter", len(result.dropped), detail)
    run.say(f"filter: {detail}")
    return DONE


@action(DONE)
def merge_findings(state: ReviewState, run: ReviewRun) -> str:
    """One finding for each matter, with every voice in it, weighed by who saw the place."""
    found = [corroborated(finding, _saw(finding, state)) for finding in merged(state.findings)]
    ordered = sorted(confirmed(found), key=lambda one: (one.path, one.first, one.title))
    state.findings = tuple(
        finding.model_copy(update={"id": f"f{number:03}", "mark": finding.mark or finding.marked()})
        for number, finding in enumerate(ordered, 1)
    )
    run.decide("merged", len(state.findings), "findings after merging")
    return DONE


def _saw(finding: Finding, state: ReviewState) -> dict[str, bool]:
    """Whether each reviewer was shown, and answered about, a hunk that the finding is about."""
    return {
        one.name: any(
            _overlaps(place, finding)
            for seen in state.seen
            if seen.reviewer == one.name and not seen.failure
            for place in state.portions[seen.portion - 1]
        )
        for one in state.panel
    }


def _overlaps(place: str, finding: Finding) -> bool:
    path, _, lines = place.rpartition(":")
    first, _, last = lines.partition("-")
    if path != finding.path or not first.isdigit() or not last.isdigit():
        return False
    return finding.first <= int(last) + NEAR and finding.last >= int(first) - NEAR
