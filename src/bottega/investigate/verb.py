"""The verbs: investigate a directory, say what that would take, forget what is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from bottega.amounts import plural
from bottega.errors import InputError
from bottega.investigate.actions import ACTIONS
from bottega.investigate.describing import describe
from bottega.investigate.entries import Severity
from bottega.investigate.estimating import estimate
from bottega.investigate.imports import list_directory_imports
from bottega.investigate.own import find_own_reports, note_report
from bottega.investigate.result import InvestigateResult, read_result
from bottega.investigate.scan import Options
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.tools import InvestigateTools
from bottega.models import find_speed
from bottega.pipeline import House, Kind, choose_pipeline
from bottega.source.text import is_text
from bottega.verbs import Verb, VerbRequest, VerbResult

WITHOUT_MODEL = "investigate-scan"


class TreeRequest(VerbRequest):
    """A directory and what of it to look at; `target` is absolute, without links in its path."""

    target: Path
    exclude: tuple[str, ...] = Field((), description="leave out files and directories of these names (* and ?)")
    everything: bool = Field(False, description="also what tools made and what git leaves out")
    hidden: bool = Field(True, description="also names that begin with a dot")

    def options(self, own: tuple[str, ...] = ()) -> Options:
        return Options(self.exclude, self.everything, self.hidden, own)


class InvestigateRequest(TreeRequest):
    """The directory to investigate, and bounds for it; 0 takes those of the settings or the pipeline."""

    verb: ClassVar[str] = "investigate"

    fresh: bool = Field(False, description="start over: nothing known from earlier is used")
    no_model: bool = Field(False, description="only the base scan and what follows from it")
    fail_on: Severity | None = Field(None, description="the gate fails for flags at or above this severity")
    max_directories: int = Field(0, ge=0, le=20_000, description="directories to investigate, shallow ones first")
    max_turns: int = Field(0, ge=0, le=100_000, description="turns of the whole run, survey and report included")
    max_tokens: int | None = Field(None, ge=1, description="tokens that the run may use")
    budget: float | None = Field(None, gt=0, description="dollars that the run may cost")
    minutes: float | None = Field(None, gt=0, description="minutes that the run may take")
    pipeline: str = Field("", description="another pipeline of the kind investigate, or its file")
    report_file: Path | None = Field(None, description="where the report is going to be written: no part of the target")


class EstimateRequest(TreeRequest):
    """What an investigation would take; no model is asked."""

    verb: ClassVar[str] = "investigate.estimate"

    fresh: bool = Field(False, description="as if nothing was known from earlier")
    max_directories: int = Field(0, ge=0, le=20_000)
    max_turns: int = Field(0, ge=0, le=100_000)


class EstimateResult(VerbResult):
    """`turns`, tokens, `cost` and `minutes` are what to expect, `None` where unknown; `most_turns` is the bound."""

    model: str
    directories: int
    known: int
    turns: int
    most_turns: int
    prompt_tokens: int
    reply_tokens: int
    tokens: int
    cost: float | None
    minutes: float | None = Field(description="model time, one call after another")
    minutes_from: str = Field(description="what the minutes rest on")
    text: str

    def render(self, form: str = "text") -> str:
        del form
        return f"{self.text}\n"


class ForgetRequest(VerbRequest):
    """Remove what investigations stored."""

    verb: ClassVar[str] = "investigate.forget"
    uses_models: ClassVar[bool] = False

    target: Path | None = Field(None, description="only those of this directory")


class ForgetResult(VerbResult):
    forgotten: int

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"bottega: {plural(self.forgotten, 'investigation')} forgotten",)

    def render(self, form: str = "text") -> str:
        del form
        return ""


class NoteReportRequest(VerbRequest):
    """Remember a report that was written into its target, so that the next run leaves it out."""

    verb: ClassVar[str] = "investigate.note_report"
    uses_models: ClassVar[bool] = False

    target: Path
    file: Path


class NoteReportResult(VerbResult):
    def render(self, form: str = "text") -> str:
        del form
        return ""


def investigate(request: InvestigateRequest, house: House) -> InvestigateResult:
    """Explain a directory. A failure on the way is stated in the report."""
    target, settings = request.target, house.settings.investigate
    _check_target(target)
    own = find_own_reports(target, request.report_file, house.journal.investigations)
    pipeline = choose_pipeline(
        house,
        "investigate",
        request.pipeline,
        usual=settings.pipeline,
        without_model=WITHOUT_MODEL,
        no_model=request.no_model,
        instead="this is the base scan alone",
    )
    state = InvestigateState(
        target=str(target),
        exclude=request.exclude,
        everything=request.everything,
        hidden=request.hidden,
        own=own,
        fresh=request.fresh,
        fail_on=request.fail_on or "",
        max_directories=request.max_directories or settings.max_directories,
        max_turns=request.max_turns or settings.max_turns,
    )
    limits = {"tokens": request.max_tokens, "cost": request.budget, "minutes": request.minutes}
    return read_result(house.run_pipeline(pipeline, state, limits=limits))


def estimate_investigation(request: EstimateRequest, house: House) -> EstimateResult:
    """Scan the directory, see what is known already, and count what is left."""
    _check_target(request.target)
    settings, store = house.settings.investigate, house.journal.investigations
    found = estimate(
        request.target,
        request.options(find_own_reports(request.target, None, store)),
        roster=house.roster,
        investigations=store,
        find_speed=lambda model: find_speed(model, house.journal.calls, house.environ),
        fresh=request.fresh,
        max_directories=request.max_directories or settings.max_directories,
        max_turns=request.max_turns or settings.max_turns,
    )
    return EstimateResult(**found.as_json(), text=str(found))


def forget(request: ForgetRequest, house: House) -> ForgetResult:
    target = "" if request.target is None else str(request.target)
    return ForgetResult(forgotten=house.journal.investigations.forget(target))


def note_written_report(request: NoteReportRequest, house: House) -> NoteReportResult:
    note_report(request.target, request.file, house.journal.investigations)
    return NoteReportResult()


def _check_target(target: Path) -> None:
    if not target.is_dir():
        raise InputError(f"{target} is not a directory", hint="Name a directory.")
    if not is_text(str(target)):
        raise InputError("the path of the target is not text", hint="`bottega scan` takes it; or give it another name.")


@contextmanager
def open_tools(house: House) -> Iterator[InvestigateTools]:
    yield InvestigateTools(
        root=house.root,
        investigations=house.journal.investigations,
        mask=house.journal.mask,
        describe=partial(describe, house),
        list_imports=partial(list_directory_imports, house),
        find_cost=lambda run_id: house.journal.runs.usage(run_id).cost,
    )


KIND = Kind(
    "investigate",
    InvestigateState,
    ACTIONS,
    InvestigateSettings,
    package="bottega.investigate",
    open_tools=open_tools,
    read_result=read_result,
    subject="target",
)
INVESTIGATE = Verb(InvestigateRequest, InvestigateResult, investigate)
ESTIMATE = Verb(EstimateRequest, EstimateResult, estimate_investigation)
FORGET = Verb(ForgetRequest, ForgetResult, forget)
NOTE_REPORT = Verb(NoteReportRequest, NoteReportResult, note_written_report)
