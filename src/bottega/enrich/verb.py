"""The verbs: describe files, count the files to describe, copy descriptions into the knowledge base."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bottega.amounts import plural
from bottega.enrich.actions import ACTIONS, load_describe_prompt
from bottega.enrich.knowledge import ROLE, estimate_prompt_tokens, find_undescribed, open_tools, promote
from bottega.enrich.state import DescribedFile, EnrichState
from bottega.errors import InputError
from bottega.models import TimeEstimate, estimate_time, find_speed
from bottega.pipeline import Finished, House, Kind
from bottega.verbs import FrozenValue, Gate, Verb, VerbRequest, VerbResult

# Measured with the embedded model of 1.5 B parameters.
_REPLY_TOKENS = 200


class EnrichRequest(VerbRequest):
    """Describe the code files that have no description of their current content."""

    verb: ClassVar[str] = "enrich"
    uses_index: ClassVar[bool] = True

    paths: tuple[str, ...] = Field((), description="only these files, folders or patterns")
    limit: int = Field(0, ge=0, description="the most files to describe; 0 is all")
    promote: bool = Field(False, description="copy the descriptions into the knowledge base afterwards")


class FailedFile(FrozenValue):
    path: str
    error: str


class EnrichResult(VerbResult):
    """`promoted` is `None` where descriptions were not copied into the knowledge base."""

    run: str
    described: int
    failed: tuple[FailedFile, ...]
    promoted: int | None = None

    @property
    def gate(self) -> Gate:
        return "incomplete" if self.failed else "passed"

    @property
    def gate_reason(self) -> str:
        return plural(len(self.failed), "file is not described", "files are not described") if self.failed else ""

    @property
    def gate_hint(self) -> str:
        return "Run it again: only those files are described."

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(f"not described: {file.path}: {file.error}" for file in self.failed)

    def render(self, form: str = "text") -> str:
        del form
        promoted = "" if self.promoted is None else f", {self.promoted} in the knowledge base"
        return f"{plural(self.described, 'file')} described, {len(self.failed)} failed{promoted}\n"


class EnrichEstimateRequest(VerbRequest):
    """Count the files that would be described."""

    verb: ClassVar[str] = "enrich.estimate"

    paths: tuple[str, ...] = ()
    limit: int = Field(0, ge=0, description="the most files to describe; 0 is all")


class EnrichEstimate(VerbResult):
    """What to expect; `minutes` is `None` where the speed of the model is not known."""

    files: int
    model: str
    prompt_tokens: int
    reply_tokens: int
    minutes: float | None = Field(description="model time, one call after another")
    minutes_from: str = Field(description="what the minutes rest on")

    def render(self, form: str = "text") -> str:
        del form
        files = f"{plural(self.files, 'file')} to describe with {self.model}"
        if not self.files:
            return f"{files}\n"
        time = TimeEstimate(self.model, self.minutes, self.minutes_from)
        return f"{files}: about {self.prompt_tokens:,} + {self.reply_tokens:,} tokens; {time}\n"


class PromoteRequest(VerbRequest):
    """Copy the descriptions of the current content into the knowledge base; no model is called."""

    verb: ClassVar[str] = "enrich.promote"
    uses_models: ClassVar[bool] = False


class PromoteResult(VerbResult):
    promoted: int

    def render(self, form: str = "text") -> str:
        del form
        return f"{plural(self.promoted, 'file')} described in the knowledge base\n"


def enrich(request: EnrichRequest, house: House) -> EnrichResult:
    """Describe files; an error is stored with its file and does not end the run."""
    house.knowledge.refresh(progress=house.progress, remark=house.remark)
    house.require_model()
    if request.paths:
        _refuse_unmatched(request.paths, house)
    state = EnrichState(paths=request.paths, limit=request.limit)
    result = read_result(house.run_pipeline(house.pipelines.get("enrich"), state))
    if not request.promote:
        return result
    return result.model_copy(update={"promoted": promote(house.knowledge, house.journal)})


def estimate_enrich(request: EnrichEstimateRequest, house: House) -> EnrichEstimate:
    house.knowledge.refresh(progress=house.progress, remark=house.remark)
    house.require_model()
    model = house.roster.router.resolve(ROLE).id
    known = house.journal.enrichments.described(model, load_describe_prompt().version)
    with house.knowledge.reading(refresh=False) as reader:
        files = find_undescribed(reader.base, request.paths, known)
        files = files[: request.limit or len(files)]
        prompt = estimate_prompt_tokens(reader.base, files, house.roster)
    reply = len(files) * _REPLY_TOKENS
    time = estimate_time(model, find_speed(model, house.journal.calls, house.environ), prompt, reply)
    return EnrichEstimate(
        files=len(files),
        model=model,
        prompt_tokens=prompt,
        reply_tokens=reply,
        minutes=time.minutes,
        minutes_from=time.known_from,
    )


def promote_descriptions(request: PromoteRequest, house: House) -> PromoteResult:
    del request
    house.knowledge.refresh(progress=house.progress, remark=house.remark)
    return PromoteResult(promoted=promote(house.knowledge, house.journal))


def read_result(finished: Finished) -> EnrichResult:
    state = finished.state
    assert isinstance(state, EnrichState)
    failed = tuple(_read_failure(entry) for entry in state.entries if entry.description is None)
    return EnrichResult(run=finished.run_id, described=len(state.entries) - len(failed), failed=failed)


def _read_failure(entry: DescribedFile) -> FailedFile:
    return FailedFile(path=entry.path, error=entry.error)


def _refuse_unmatched(paths: tuple[str, ...], house: House) -> None:
    with house.knowledge.reading(refresh=False) as reader:
        if not find_undescribed(reader.base, paths, frozenset()):
            raise InputError(f"no code file matches {' '.join(paths)}", hint="Name files or folders below the root.")


KIND = Kind(
    "enrich",
    EnrichState,
    ACTIONS,
    package="bottega.enrich",
    open_tools=open_tools,
    read_result=read_result,
    subject="paths",
)
ENRICH = Verb(EnrichRequest, EnrichResult, enrich)
ENRICH_ESTIMATE = Verb(EnrichEstimateRequest, EnrichEstimate, estimate_enrich)
ENRICH_PROMOTE = Verb(PromoteRequest, PromoteResult, promote_descriptions)
