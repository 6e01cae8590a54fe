"""`bottega review`."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import format_option, model_options, opened, settings_options
from bottega.cli.plain import complain, json_text, one_line, plain
from bottega.cli.reviews import FORMS, deliver, rendered
from bottega.errors import InputError, StorageError

if TYPE_CHECKING:
    from bottega.pipeline import Pipeline
    from bottega.review import Finding, Report, Severity
    from bottega.source.tree import RepositoryFiles
    from bottega.workshop import Workshop

SEVERITIES = ("HARSHLY_CRITICAL", "CRITICAL", "WARNING", "SUGGESTION")
WITHOUT_MODEL, QUICK = "review-static", "review-quick"
_LARGEST_SEED = 2**32


class ReviewGroup(click.Group):
    """`bottega review` alone, or with options, reviews."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0].startswith("-") and args[0] not in {"-h", "--help"}):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(cls=ReviewGroup, short_help="Review a change: a panel, a filter, a discussion, one verdict.")
def review() -> None:
    """Review a change and say ACCEPT, REJECT or NEEDS_HUMAN.

    Without a subcommand the working tree is reviewed against HEAD; `bottega review run --help` lists the options.
    """


@review.command("run", short_help="Review a change; this is what `bottega review` does.")
@click.option("--staged", is_flag=True, help="What is staged, instead of the working tree.")
@click.option("--from", "start", metavar="REV", help="What --to (default HEAD) did since it left REV.")
@click.option("--to", "end", metavar="REV", help="Together with --from.")
@click.option("--commit", metavar="REV", help="One commit, against its first parent.")
@click.option("--diff", "diff_file", metavar="FILE", help="A unified diff from a file, or - for standard input.")
@click.option("--path", "paths", multiple=True, metavar="PATTERN", help="Only these paths, as in .gitignore.")
@click.option("--message", metavar="TEXT", default="", help="What the author says about the change.")
@click.option("--pipeline", "pipeline_name", metavar="NAME", help="Another pipeline, or its file.")
@click.option("--quick", is_flag=True, help="No discussion; the same table decides.")
@click.option("--no-model", is_flag=True, help="Only parsers, tools, rules, graph and history.")
@click.option("--seed", type=click.IntRange(0, _LARGEST_SEED), help="Draw the panel as an earlier review did.")
@click.option("--budget", type=click.FloatRange(min=0, min_open=True), help="Dollars that the review may cost.")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="Exit 1 for findings at or above this, else 0.")
@format_option(*FORMS)
@model_options
def run(
    staged: bool,
    start: str | None,
    end: str | None,
    commit: str | None,
    diff_file: str | None,
    paths: tuple[str, ...],
    message: str,
    pipeline_name: str | None,
    quick: bool,
    no_model: bool,
    seed: int | None,
    budget: float | None,
    fail_on: Severity | None,
    form: str,
    **shared: Any,
) -> int:
    """Review a change.

    Exit code 0 for ACCEPT, 1 for REJECT, 4 for NEEDS_HUMAN and whenever the review is incomplete. With --fail-on, 1
    when a finding that stands is at or above the severity, otherwise 0.
    """
    import secrets

    from bottega.review import Change, Order, Wanted, files_before_change, mask_change, read_raw_change
    from bottega.review import review as carry_out

    _refuse_empty(commit=commit, start=start, end=end)
    commit, start, end = commit or "", start or "", end or ""
    _refuse_several(staged=staged, commit=commit, diff=diff_file, range=start or end)
    if budget is not None:
        shared["assignments"] = (*shared["assignments"], f"limits.cost={budget}")
    wanted = Wanted(_diff_text(diff_file), commit, start, end, staged, message)
    raw: list[Change] = []

    def files_of(root: Path) -> RepositoryFiles:
        """A change is reviewed under the settings from before it."""
        raw.append(read_raw_change(root, wanted) if not raw else raw[0])
        return files_before_change(root, raw[0])

    with opened(**shared, look_for_models=not no_model, files_of=files_of) as workshop:
        pipeline = _chosen(workshop, pipeline_name, quick=quick, no_model=no_model)
        change = mask_change(raw[0], workshop.journal.mask)
        order = Order(change, paths, secrets.randbelow(_LARGEST_SEED) if seed is None else seed, fail_on)
        workshop.journal.reviews.check()
        report = carry_out(order, engine=workshop.engine, pipeline=pipeline)
    return deliver(report, change.text, form, asked_without_model=no_model)


def _refuse_empty(**given: str | None) -> None:
    """An option whose value is empty is a variable that was not set, not a wish to leave it out."""
    words = {"start": "--from", "end": "--to", "commit": "--commit"}
    for name, value in given.items():
        if value is not None and not value.strip():
            raise InputError(f"{words[name]} is empty", hint="Name a commit, or leave the option out.")


def _refuse_several(**given: object) -> None:
    named = [name for name, value in given.items() if value]
    if len(named) > 1:
        words = {"range": "--from/--to"}
        raise InputError(
            " and ".join(words.get(name, f"--{name}") for name in named) + " cannot be reviewed at once",
            hint="Give one of them.",
        )


def _diff_text(name: str | None) -> str | None:
    if name is None:
        return None
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    return data.decode("utf-8", "replace")


def _chosen(workshop: Workshop, name: str | None, *, quick: bool, no_model: bool) -> Pipeline:
    if sum(map(bool, (name, quick, no_model))) > 1:
        raise InputError("--pipeline, --quick and --no-model exclude each other", hint="Give one of them.")
    has_model = not no_model and bool(workshop.roster.router.chosen())
    usual = QUICK if quick else workshop.settings.review.pipeline
    pipeline = workshop.pipelines.find(name or (usual if has_model else WITHOUT_MODEL))
    if pipeline.kind != "review":
        raise InputError(
            f"the pipeline {pipeline.name} is of the kind {pipeline.kind}, not review",
            hint="`bottega pipelines list` names those that there are.",
        )
    if has_model:
        workshop.require_model()
    elif not no_model:
        complain("bottega: no model is here, so this is a static review; `bottega models pull` brings one\n")
    return pipeline


@review.command("list", short_help="Reviews of this repository.")
@format_option()
@settings_options
def list_reviews(form: str, **shared: Any) -> int:
    """List reviews, the newest last."""
    with opened(**shared, look_for_models=False) as workshop:
        reports = []
        for name in workshop.journal.reviews.ids():
            try:
                reports.append(_read(workshop, name))
            except StorageError as error:
                complain(f"bottega: {name}: {error}\n")
    if form == "json":
        rows = [{"id": one.id, "at": one.at, "decision": one.decision, "origin": one.origin} for one in reports]
        sys.stdout.write(json_text(rows))
        return 0
    for one in reports:
        open_ones = len(one.standing())
        state = one.decision if one.complete else f"{one.decision}, incomplete"
        sys.stdout.write(one_line(f"{one.id}  {state:<24} {open_ones:>3} to look at  {one.origin}") + "\n")
    return 0


@review.command("show", short_help="An earlier review, in any form.")
@click.argument("name", metavar="ID", default="last")
@format_option(*FORMS)
@settings_options
def show(name: str, form: str, **shared: Any) -> int:
    """Show the review ID (`list` names them; its number, or `last`)."""
    with opened(**shared, look_for_models=False) as workshop:
        report = _read(workshop, workshop.journal.reviews.find(_split(name)[0]))
        diff = workshop.journal.reviews.read(report.id, "change.diff")
    sys.stdout.write(rendered(report, diff, form))
    return 0


@review.command("explain", short_help="Why each finding lived or died.")
@click.argument("name", metavar="ID", default="last")
@settings_options
def explain(name: str, **shared: Any) -> int:
    """Tell the way of every finding of the review ID; ID/finding tells of one, e.g. `last/f002`."""
    review_name, _, finding = _split(name)
    with opened(**shared, look_for_models=False) as workshop:
        report = _read(workshop, workshop.journal.reviews.find(review_name))
    for one in report.findings:
        if finding in {"", one.id}:
            sys.stdout.write(plain(_way(one, report)) + "\n")
    for dropped in report.dropped:
        if not finding:
            place = one_line(dropped.finding.place)
            said = f"removed  {place}  {one_line(dropped.finding.title)}\n  {one_line(dropped.reason)}\n"
            sys.stdout.write(plain(said) + "\n")
    if finding and finding not in {one.id for one in report.findings}:
        raise InputError(f"review {report.id} has no finding {finding!r}", hint=_names(report))
    return 0


def _way(one: Finding, report: Report) -> str:
    place = one_line(one.place)
    lines = [f"{one.id}  {one.triage}  {one.severity}  {place}  {one_line(one.title)}", f"  {one_line(one.why)}"]
    lines += [f"  {step.stage}: {step.confidence} % {one_line(step.why)}".rstrip() for step in one.trace]
    if one.source == "reviewer":
        silent = sorted(set(one.saw) - set(one.reviewers))
        lines.append(f"  said by {', '.join(one.reviewers)}; seen and not said by {', '.join(silent) or 'nobody'}")
    for discussion in report.discussions:
        if discussion.id == one.discussion:
            lines += [f"  {said.who} ({said.stance}): {one_line(said.text)}" for said in discussion.arguments]
    return "\n".join(lines) + "\n"


@review.command("diff", short_help="What changed since the review before: fixed, still there, new.")
@click.argument("name", metavar="ID", default="last")
@format_option()
@settings_options
def diff_reviews(name: str, form: str, **shared: Any) -> int:
    """Compare the findings of the review ID with those of the review before it."""
    with opened(**shared, look_for_models=False) as workshop:
        reviews = workshop.journal.reviews
        ids = reviews.ids()
        found = reviews.find(name)
        place = ids.index(found)
        if place == 0:
            raise InputError(f"review {found} is the first: there is none before it")
        new, old = _read(workshop, found), _read(workshop, ids[place - 1])
        lines = _lines(reviews.read(found, "change.diff"))
    before = [one for one in old.findings if one.triage != "ignore"]
    after = [one for one in new.findings if one.triage != "ignore"]
    gone = [one for one in before if not any(_is_same(one, other) for other in after)]
    looked = {one.id: one.path in new.paths and new.complete and not new.static_only for one in gone}
    groups = {
        "fixed": [one for one in gone if looked[one.id] and one.quotes and not _stands(one, lines)],
        "not found again": [one for one in gone if looked[one.id] and (not one.quotes or _stands(one, lines))],
        "not looked at again": [one for one in gone if not looked[one.id]],
        "still there": [one for one in after if any(_is_same(one, other) for other in before)],
        "new": [one for one in after if not any(_is_same(one, other) for other in before)],
    }
    if form == "json":
        told = {title: [_brief(one) for one in ones] for title, ones in groups.items()}
        sys.stdout.write(json_text({"review": found, "before": old.id, **told}))
        return 0
    sys.stdout.write(f"{old.id} ({old.decision}) → {new.id} ({new.decision})\n")
    for title, ones in groups.items():
        sys.stdout.write(f"{title}: {len(ones)}\n")
        for one in ones:
            sys.stdout.write(one_line(f"  {one.severity:<10} {one.place}  {one.title}") + "\n")
    return 0


def _is_same(one: Finding, other: Finding) -> bool:
    from bottega.review.findings import is_same_matter

    return one.fingerprint == other.fingerprint and is_same_matter(one.about, other.about)


def _lines(diff: str) -> dict[str, set[str]]:
    """The lines that a change adds to or takes from each file."""
    from bottega.review.reading import parsed

    return {
        file.path: {" ".join(line.text.split()) for hunk in file.hunks for line in hunk.lines if line.kind != " "}
        for file in parsed(diff).files
    }


def _stands(one: Finding, lines: dict[str, set[str]]) -> bool:
    quoted = {" ".join(line.split()) for quote in one.quotes for line in quote.split("\n") if line.strip()}
    return any(quote in line for quote in quoted for line in lines.get(one.path, ()))


def _brief(one: Finding) -> dict[str, object]:
    return {"id": one.id, "place": one.place, "severity": one.severity, "title": one.title}


@review.command("dismiss", short_help="Say that a finding is no bug, and have that remembered.")
@click.argument("name", metavar="ID/FINDING")
@click.option("--because", metavar="TEXT", default="", help="Why it is no bug; needed unless --undo.")
@click.option("--scope", metavar="PATTERN", default="", help="Where it holds; default: the file itself.")
@click.option("--days", type=click.IntRange(1, 3650), help="For how long; default: review.dismissal_days.")
@click.option("--undo", is_flag=True, help="Take dismissals of this finding back.")
@settings_options
def dismiss(name: str, because: str, scope: str, days: int | None, undo: bool, **shared: Any) -> int:
    """Set FINDING of the review ID aside, e.g. `bottega review dismiss last/f002 --because "checked by the caller"`.

    It is remembered for this file (or --scope), until it runs out, with your name. A finding whose lines are gone looks
    fixed, and what is fixed was a bug: it cannot be dismissed.
    """
    review_name, _, finding_name = _split(name)
    if not finding_name:
        raise InputError(f"{name} names no finding", hint="Write ID/FINDING, e.g. last/f002.")
    with opened(**shared, look_for_models=False) as workshop:
        report = _read(workshop, workshop.journal.reviews.find(review_name))
        finding = next((one for one in report.findings if one.id == finding_name), None)
        if finding is None:
            raise InputError(f"review {report.id} has no finding {finding_name!r}", hint=_names(report))
        if undo:
            done = workshop.dismissals.remove(finding.mark)
            sys.stdout.write("taken back\n" if done else "it was not dismissed\n")
            return 0
        _dismiss(workshop, report, finding, because, scope, days)
    return 0


def _dismiss(workshop: Workshop, report: Report, finding: Finding, because: str, scope: str, days: int | None) -> None:
    from bottega.journal import Dismissal, now
    from bottega.review.actions.ending import in_scope

    if not because.strip():
        raise InputError("a dismissal needs a reason", hint='--because "…"')
    if scope and not in_scope(finding.path, scope):
        raise InputError(f"--scope {scope} does not hold {finding.path}, which the finding is about")
    _refuse_fixed(workshop, report, finding)
    until = datetime.now(UTC) + timedelta(days=days or workshop.settings.review.dismissal_days)
    kept = workshop.dismissals.add(
        Dismissal(
            mark=finding.mark,
            title=finding.title,
            scope=scope or finding.path,
            because=because.strip(),
            who=_who(workshop.root),
            at=now(),
            until=until.isoformat(),
            review=report.id,
            severity=finding.severity,
            about=finding.about,
        )
    )
    if not kept.seal:
        complain("bottega: your cache cannot be written, so this dismissal cannot be proved yours and does not count\n")
    sys.stdout.write(one_line(f"{finding.place} {finding.title}: {kept}, until {kept.until[:10]}") + "\n")


def _refuse_fixed(workshop: Workshop, report: Report, finding: Finding) -> None:
    """A quoted line that was added must still be there; one that was taken out must still be missing."""
    from bottega.review.change import WORKING_TREE, texts_of
    from bottega.review.reading import parsed

    text = texts_of(workshop.root, WORKING_TREE)(finding.path)
    here = [" ".join(line.split()) for line in (text or "").split("\n")]
    file = parsed(workshop.journal.reviews.read(report.id, "change.diff")).file(finding.path)
    removed = {" ".join(line.text.split()) for hunk in (file.hunks if file else ()) for line in hunk.removed}
    quotes = [" ".join(line.split()) for quote in finding.quotes for line in quote.split("\n") if line.strip()]
    quotes = [quote for quote in quotes if "«masked:" not in quote]
    stands = [any(quote in line for line in here) != any(quote in line for line in removed) for quote in quotes]
    if quotes and not any(stands):
        raise InputError(
            "the lines that this finding is about have changed: it looks fixed, and what is fixed was no false alarm",
            hint="Nothing needs to be dismissed.",
        )


def _who(root: Path) -> str:
    import getpass

    from bottega.source.git import open_git

    git = open_git(root)
    settings = git.settings if git else {}
    name, email = settings.get("user.name", ""), settings.get("user.email", "")
    return f"{name} <{email}>" if name and email else (name or email or getpass.getuser())


def _split(name: str) -> tuple[str, str, str]:
    """`last`, `2026-01-01/001`, each with or without `/f001`."""
    head, slash, tail = name.rpartition("/")
    return (head, slash, tail) if slash and tail.startswith("f") else (name, "", "")


def _read(workshop: Workshop, name: str) -> Report:
    from bottega.review import Report

    return Report.from_json(workshop.journal.reviews.read(name))


def _names(report: Report) -> str:
    return "There are " + ", ".join(one.id for one in report.findings) + "." if report.findings else "It has none."
