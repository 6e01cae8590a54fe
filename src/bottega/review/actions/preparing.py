"""Before anyone is asked: what changed, what tools and history say of it, and who is to look."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from random import Random

from pathspec import GitIgnoreSpec

from bottega.errors import BottegaError, InputError
from bottega.models import Wishes, family_of
from bottega.pipeline import DONE, action, fan_out
from bottega.review.before import assistant_files, files_before, read_text, touched_rules
from bottega.review.change import UNKNOWN, WORKING_TREE, fits, texts_of
from bottega.review.classes import class_of
from bottega.review.dangers.check import NAME as DANGERS
from bottega.review.dangers.check import danger_check
from bottega.review.diagnostics import Check, Tree, parse_check, tool_checks
from bottega.review.findings import Finding
from bottega.review.hiding import hide_secrets
from bottega.review.reading import parsed, reviewable
from bottega.review.rules import FILE as RULES_FILE
from bottega.review.rules import Rule, applied, read_rules
from bottega.review.state import PERSONAS, Checked, LeftOut, Reviewer, ReviewSettings, ReviewState
from bottega.review.tools import ReviewRun
from bottega.source import FileChange
from bottega.source.tree import RepositoryFiles

_AT_ONCE = 4
_LONGEST_NOTE = 2000
_MOST_NOTES = 6
_MOST_TOLD = 12
_LONGEST_PERSONA = 8000


def settings_of(run: ReviewRun) -> ReviewSettings:
    return run.settings_as(ReviewSettings)


def files_of(state: ReviewState) -> list[FileChange]:
    """The files under review."""
    wanted = set(state.paths)
    return [file for file in parsed(state.diff).files if file.path in wanted]


@action("change", "nothing")
def read_change(state: ReviewState, run: ReviewRun) -> str:
    """Read the change, and leave out what nobody wrote by hand; secrets count in any file."""
    scope = GitIgnoreSpec.from_lines(state.scope) if state.scope else None
    chosen, others = reviewable(parsed(state.diff), lambda path: scope is None or scope.match_file(path))
    state.paths = tuple(file.path for file in chosen)
    state.findings = tuple(
        finding.model_copy(update={"id": f"f{number:03}"})
        for number, finding in enumerate(state.secrets, 1)
        if scope is None or scope.match_file(finding.path)
    )
    state.checks = (Checked(name="secrets", standing="ran", detail=state.secret_note), _own_rules(state, run))
    state.left_out = tuple(LeftOut(path=path, reason=reason) for path, reason in others)
    run.decide("files", len(chosen), f"{len(others)} left out")
    run.say(f"{len(chosen)} files to review, {len(others)} left out")
    return "change" if chosen else "nothing"


@action(DONE)
def analyse_change(state: ReviewState, run: ReviewRun) -> str:
    """Look at the change with everything but a model; each look stands alone, and what fails says so."""
    settings, files = settings_of(run), files_of(state)
    tree = tree_of(state, run, files)
    looks = _Looks(run, files, tree, rules_of(state, run))
    jobs: list[Job] = [
        ("classification", settings.classification, looks.classified),
        ("parse", settings.diagnostics, lambda: parse_check(files, tree)),
        (DANGERS, settings.dangers, lambda: danger_check(files, tree)),
        *(("tools", settings.diagnostics, work) for work in tool_checks(files, tree, run.tools.open_sandbox)),
        ("impact", settings.impact, looks.impact),
        ("co-change", settings.co_change, looks.companions),
        ("rule files", settings.rule_files, looks.noted),
    ]
    found = run.effect("analysis", lambda: hide_secrets({**_analysed(jobs), **looks.told()}, files, tree))
    state.checks = (*state.checks, *(Checked.model_validate(check) for check in found["checks"]))
    findings = [Finding.model_validate(entry) for entry in found["findings"]]
    state.findings = (*state.findings, *(finding for finding in findings if finding.path in state.paths))
    state.around, state.classes = tuple(found["around"][:_MOST_TOLD]), found["classes"]
    state.notes, state.freshness = tuple(found["notes"]), found["freshness"]
    for check in state.checks:
        run.validate(check.name, {"ran": "passed", "failed": "failed"}.get(check.standing, "unknown"), check.detail)
    run.say("; ".join(f"{check.name}: {_short(check)}" for check in state.checks))
    return DONE


def _short(check: Checked) -> str:
    return check.detail[:80] if check.standing == "ran" else check.standing


Job = tuple[str, bool, Callable[[], Check]]


def _analysed(jobs: Sequence[Job]) -> dict[str, list[dict[str, object]]]:
    """Every job's check in its order. What is off is said to be off."""
    checks: list[Checked] = []
    findings: list[Finding] = []
    for landed in fan_out([job for job in jobs if job[1]], lambda job: _isolated(job[2]), limit=_AT_ONCE):
        check = landed.result or Check(landed.item[0], "failed", str(landed.error))
        checks.append(Checked(name=check.name, standing=check.standing, detail=check.detail))
        findings += check.findings
    checks += [Checked(name=name, standing="off") for name in dict.fromkeys(name for name, on, _ in jobs if not on)]
    return {
        "checks": [check.model_dump() for check in checks],
        "findings": [finding.model_dump(mode="json") for finding in findings],
    }


def _isolated(work: Callable[[], Check]) -> Check:
    """Nothing that one look trips over keeps the others from being taken."""
    try:
        return work()
    except BottegaError:
        raise
    except Exception as error:
        raise InputError(f"{type(error).__name__}: {error}") from error


def tree_of(state: ReviewState, run: ReviewRun, files: Sequence[FileChange]) -> Tree:
    root = run.tools.root
    read = texts_of(root, state.side)
    here = texts_of(root, WORKING_TREE)

    def matches(file: FileChange) -> bool:
        text = here(file.path)
        return file.status == "deleted" or (text is not None and fits(text, file))

    is_here = state.side == WORKING_TREE or all(matches(file) for file in files)
    if state.side == UNKNOWN:
        by_path = {file.path: file for file in files}

        def known(path: str) -> str | None:
            text = read(path)
            return text if text is not None and path in by_path and fits(text, by_path[path]) else None

        return Tree(root, known, is_here, run.tools.mask, rules_of(state, run))
    return Tree(root, read, is_here, run.tools.mask, rules_of(state, run))


class _Looks:
    """Looks at a change that tell the reviewers something, beside what they find."""

    def __init__(self, run: ReviewRun, files: Sequence[FileChange], tree: Tree, rules: RepositoryFiles) -> None:
        self._run = run
        self._rules = rules
        self._files = files
        self._tree = tree
        self._around: list[str] = []
        self._classes: dict[str, str] = {}
        self._notes: list[str] = []
        self._looked_up = False

    def told(self) -> dict[str, object]:
        return {
            "around": sorted(self._around, key=lambda line: not line.startswith("impact")),
            "classes": self._classes,
            "notes": self._notes[:_MOST_NOTES],
            "freshness": self._run.tools.surroundings.standing() if self._looked_up else "",
        }

    def classified(self) -> Check:
        self._classes = {file.path: class_of(file) for file in self._files}
        return Check("classification", "ran", ", ".join(sorted(set(self._classes.values()))))

    def impact(self) -> Check:
        self._looked_up = True
        found = self._run.tools.surroundings.impact(self._files, self._tree.masked)
        self._around += [f"impact: {line}" for line in found.told]
        state = "" if self._tree.is_here else ", in the working tree"
        state += f"; no time for {found.unread} files" if found.unread else ""
        return Check("impact", "ran", f"{len(found.told)} changed things are used elsewhere{state}", found.findings)

    def companions(self) -> Check:
        self._looked_up = True
        found = self._run.tools.surroundings.companions(self._files)
        self._around += [f"usually together: {line}" for line in found.told]
        return Check("co-change", "ran", f"{len(found.told)} files that usually change too", found.findings)

    def noted(self) -> Check:
        """Files that projects keep for assistants: context, not orders."""
        for name in assistant_files(self._rules):
            text = read_text(self._rules, name)
            if text and text.strip():
                self._notes.append(f"{name}:\n{text.strip()[:_LONGEST_NOTE]}")
        return Check("rule files", "ran", f"{len(self._notes)} found")


@action(DONE)
def apply_rules(state: ReviewState, run: ReviewRun) -> str:
    """Hold the project's own patterns against every added line."""
    if not settings_of(run).rules:
        state.checks = (*state.checks, Checked(name=RULES_FILE, standing="off"))
        return DONE

    def found() -> dict[str, object]:
        try:
            rules = _rules(state, run)
            findings = applied(rules, files_of(state))
        except InputError as error:
            return {"check": {"name": RULES_FILE, "standing": "failed", "detail": str(error)}, "findings": []}
        standing = "ran" if rules else "not run"
        detail = f"{len(rules)} rules, {len(findings)} matches" if rules else "there is no such file"
        return {
            "check": {"name": RULES_FILE, "standing": standing, "detail": detail},
            "findings": [finding.model_dump(mode="json") for finding in findings],
        }

    told = run.effect("rules", found)
    state.checks = (*state.checks, Checked.model_validate(told["check"]))
    state.findings = (*state.findings, *(Finding.model_validate(entry) for entry in told["findings"]))
    return DONE


def _rules(state: ReviewState, run: ReviewRun) -> tuple[Rule, ...]:
    """Those from before the change: it is not judged by rules that it brings."""
    text = read_text(rules_of(state, run), RULES_FILE)
    return read_rules(text) if text is not None else ()


def rules_of(state: ReviewState, run: ReviewRun) -> RepositoryFiles:
    """The repository's files as they were before the change, for whatever steers a review."""
    return files_before(run.tools.root, state.diff, state.base, state.side, state.touched)


def _own_rules(state: ReviewState, run: ReviewRun) -> Checked:
    """Say which of the rules that steer a review the change touches."""
    files, settings = rules_of(state, run), settings_of(run)
    folders = run.tools.pipeline_folders
    touched = touched_rules(
        run.tools.root,
        state.diff,
        state.side,
        files,
        touched=state.touched,
        personas=settings.personas,
        folders=folders,
    )
    detail = "the change touches none of them"
    if touched:
        detail = f"the change touches {', '.join(touched)}: the version before it is in force"
    return Checked(name="settings and rules", standing="ran", detail=detail)


@action("chosen", "no_model")
def choose_panel(state: ReviewState, run: ReviewRun) -> str:
    """Choose models for the personas: by what became of their work, mixed by family, with a seed that is recorded."""
    personas = settings_of(run).personas
    for persona in personas:
        persona_text(persona, rules_of(state, run))

    def chosen() -> dict[str, list[str]]:
        pool = [one for one in run.tools.pool() if not run.roster.rests(one.model)]
        if not pool:
            return {"models": [], "remarks": []}
        panel = run.tools.bandit.choose(pool, len(personas), Random(state.seed), Wishes())  # noqa: S311 - a draw, no secret
        return {"models": list(panel.models), "remarks": list(panel.remarks)}

    found = run.effect("panel", chosen)
    models = found["models"]
    if not models:
        run.decide("panel", 0, "no model is configured")
        return "no_model"
    names = names_of(personas)
    state.panel = tuple(Reviewer(name=name, model=models[at % len(models)]) for at, name in enumerate(names))
    state.remarks = tuple(found["remarks"])
    state.independence = _independence(state.panel)
    run.decide("panel", [f"{one.name}: {one.model}" for one in state.panel], f"seed {state.seed}")
    run.say(f"panel: {state.independence}")
    return "chosen"


def _independence(panel: Sequence[Reviewer]) -> str:
    models = {one.model for one in panel}
    families = {family_of(model) for model in models}
    said = ", ".join(_counted(*one) for one in ((panel, "reviewer"), (models, "model"), (families, "family")))
    if len(models) == 1 and len(panel) > 1:
        return f"{said}: one model in different roles, whose agreement proves little"
    return said if len(families) > 1 or len(panel) == 1 else f"{said}: relatives, who make the same mistakes"


def _counted(things: Collection[object], name: str) -> str:
    plural = name if len(things) == 1 else f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{len(things)} {plural}"


def persona_text(persona: str, files: RepositoryFiles) -> str:
    """The words of a persona: one that comes with the package, or a file of the project."""
    if persona in PERSONAS:
        place = Path(__file__).parents[1] / "personas" / f"{persona}.md"
        return " ".join(place.read_text(encoding="utf-8").split())
    text = read_text(files, persona)
    if not text or not text.strip():
        raise InputError(
            f"there is no persona {persona!r}", hint=f"Known: {', '.join(PERSONAS)}; or name a file below the root."
        )
    return text.strip()[:_LONGEST_PERSONA]


def names_of(personas: Sequence[str]) -> list[str]:
    """A name for each reviewer, none twice."""
    names: list[str] = []
    for persona in personas:
        plain = persona if persona in PERSONAS else Path(persona).stem
        free = (f"{plain}-{number}" for number in range(2, len(personas) + 2))
        names.append(plain if plain not in names else next(name for name in free if name not in names))
    return names
