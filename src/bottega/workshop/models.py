"""The verbs about models: what is configured and answers, measure one, rank reviewers, pull and remove weights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from pydantic import Field, ValidationError

from bottega.amounts import plural
from bottega.errors import BottegaError, InputError, ModelUnreachable
from bottega.models import Bandit, ModelConfig, Roster
from bottega.models import list_models as read_model_names
from bottega.models.probe import probe
from bottega.models.weights import Progress, find, installed, list_weights, pull, remove, weights_dir
from bottega.settings import ROLES, ModelChoice
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult
from bottega.workshop.embedded_remarks import LARGER_MODEL, PREFIX
from bottega.workshop.invocation import Invocation

_MEGABYTE = 1_000_000
_DEFAULT_WEIGHTS = "qwen2.5-coder-1.5b"
_BAR = 20


class ModelsRequest(VerbRequest):
    """Which models are configured, and what answers."""

    verb: ClassVar[str] = "models"


class ConfiguredModel(FrozenValue):
    """A model and the role or stage it works in; `problem` says why it does not answer. None is not measured yet."""

    role: str
    model: str
    context_window: int
    answers: bool
    problem: str
    json_schema: bool | None
    tokens_per_second: float | None


class EmbeddedWeights(FrozenValue):
    name: str
    size: int
    licence: str
    installed: bool


class ModelsResult(VerbResult):
    configured: tuple[ConfiguredModel, ...]
    embedded: tuple[EmbeddedWeights, ...]

    def render(self, form: str = "text") -> str:
        del form
        lines = [_render_model(model) for model in self.configured]
        if not lines:
            lines.append("no model is configured and none was found here; `bottega init` looks again")
        else:
            lines.append("")
        for weights in self.embedded:
            state = "on this machine" if weights.installed else f"bottega models pull {weights.name}"
            lines.append(f"embedded/{weights.name:<28} {weights.size / 1e9:.2f} GB  {weights.licence}  {state}")
        if any(model.model.startswith(PREFIX) for model in self.configured):
            lines += ["", LARGER_MODEL]
        elif not self.configured:
            lines += ["", "`bottega models recommend` names models that fit this machine, for each role"]
        return "\n".join(lines) + "\n"


class ProbeRequest(VerbRequest):
    """Measure one model: does it answer, does it honour a schema, how fast is it."""

    verb: ClassVar[str] = "models.probe"

    model: str = Field(description="provider/model")


class ProbeResult(VerbResult):
    """None is unknown."""

    model: str
    answers: bool
    problem: str = ""
    context_window: int
    context_length: int | None = None
    json_schema: bool | None = None
    tokens_per_second: float | None = None

    def render(self, form: str = "text") -> str:
        del form
        if not self.answers:
            return f"{self.model}: {self.problem}\n"
        schema = "honoured" if self.json_schema else "not honoured"
        return (
            f"{self.model}: answers, {self.tokens_per_second or '?'} tokens/s, JSON schema {schema},"
            f" window {self.context_window} of {self.context_length or '?'} tokens\n"
        )


class LeaderboardRequest(VerbRequest):
    """Which models' findings were worth it, in reviews."""

    verb: ClassVar[str] = "models.leaderboard"
    uses_models: ClassVar[bool] = False


class RankedModel(FrozenValue):
    model: str
    win_rate: float
    reviews: int


class LeaderboardResult(VerbResult):
    models: tuple[RankedModel, ...]

    def render(self, form: str = "text") -> str:
        del form
        if not self.models:
            return "no model has reviewed anything here yet; `bottega review` lets them\n"
        return "".join(map(_render_ranked, self.models))


class PullRequest(VerbRequest):
    """Fetch the weights of an embedded model; the file is what its hash says, whatever it came from."""

    verb: ClassVar[str] = "models.pull"
    uses_models: ClassVar[bool] = False

    name: str = _DEFAULT_WEIGHTS
    from_file: Path | None = Field(None, description="take them from this file")


class PullResult(VerbResult):
    """`source` is hub, parts, file, or cache where they were here already."""

    model: str
    path: Path
    source: str
    seconds: float

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"{self.path} ({self.source}, {self.seconds:.0f} s, sha256 verified)",)

    def render(self, form: str = "text") -> str:
        del form
        return f"{self.model}\n"


class RemoveWeightsRequest(VerbRequest):
    """Remove the weights of an embedded model from the cache."""

    verb: ClassVar[str] = "models.remove"
    uses_models: ClassVar[bool] = False

    name: str


class RemoveWeightsResult(VerbResult):
    freed_bytes: int

    def render(self, form: str = "text") -> str:
        del form
        return f"{self.freed_bytes / 1e9:.2f} GB freed\n" if self.freed_bytes else "nothing to remove\n"


def list_models(request: ModelsRequest, house: Invocation) -> ModelsResult:
    del request
    roster, facts = house.roster, house.facts
    configured = []
    for role, config in _configured(roster):
        answers, problem = _answers(roster, config)
        configured.append(
            ConfiguredModel(
                role=role,
                model=config.id,
                context_window=config.context_window,
                answers=answers,
                problem=problem,
                json_schema=facts.get(config.id, "json_schema"),
                tokens_per_second=facts.get(config.id, "tokens_per_second"),
            )
        )
    weights = tuple(
        EmbeddedWeights(name=entry.name, size=entry.size, licence=entry.licence, installed=installed(entry) is not None)
        for entry in list_weights()
    )
    return ModelsResult(configured=tuple(configured), embedded=weights)


def probe_model(request: ProbeRequest, house: Invocation) -> ProbeResult:
    config = house.roster.router.configure(read_model_choice(request.model))
    found = probe(house.roster.model(config), config, house.journal.facts)
    return ProbeResult(
        model=found.model,
        answers=found.answers,
        problem=found.problem,
        context_window=config.context_window,
        context_length=found.context_length,
        json_schema=found.json_schema,
        tokens_per_second=found.tokens_per_second,
    )


def rank_models(request: LeaderboardRequest, house: Invocation) -> LeaderboardResult:
    del request
    arms = Bandit(house.journal.facts).leaderboard() if house.has_journal else []
    return LeaderboardResult(
        models=tuple(RankedModel(model=arm.model, win_rate=round(arm.win_rate, 3), reviews=arm.reviews) for arm in arms)
    )


def pull_weights(request: PullRequest, house: Invocation) -> PullResult:
    weights = find(request.name)
    house.remark(f"{weights}, licence {weights.licence_url}")

    def show(progress: Progress) -> None:
        megabytes = (progress.done_bytes // _MEGABYTE, progress.total_bytes // _MEGABYTE)
        house.progress(f"{progress.phase} ({progress.source}), MB", *megabytes)

    pulled = pull(weights, into=weights_dir(), from_file=request.from_file, progress=show)
    return PullResult(model=f"embedded/{weights.name}", path=pulled.path, source=pulled.source, seconds=pulled.seconds)


def remove_weights(request: RemoveWeightsRequest, house: Invocation) -> RemoveWeightsResult:
    del house
    return RemoveWeightsResult(freed_bytes=remove(find(request.name)))


def read_model_choice(name: str) -> ModelChoice:
    """A model id that a person wrote."""
    try:
        return ModelChoice(model=name)
    except ValidationError:
        hint = "Ids read provider/model, e.g. ollama/qwen2.5-coder:7b."
        raise InputError(f"{name} is not a model id", hint=hint) from None


def _configured(roster: Roster) -> Iterator[tuple[str, ModelConfig]]:
    """Every role with a model of its own, the default, and the overrides of stages."""
    chosen = roster.router.list_choices()
    named = ("default", *ROLES)
    for role in (*(name for name in named if name in chosen), *(name for name in chosen if name not in named)):
        yield role, roster.router.configure(chosen[role])


def _answers(roster: Roster, config: ModelConfig) -> tuple[bool, str]:
    """Whether the server is there and knows the model; nothing is generated."""
    try:
        names = read_model_names(roster.model(config))
    except ModelUnreachable:
        return False, f"nothing answers at {config.base_url}"
    except BottegaError as error:
        return False, str(error)
    if names is None:
        return True, ""
    if config.protocol == "embedded" and config.model not in names and not config.model.endswith(".gguf"):
        return False, f"weights not here: bottega models pull {config.model}"
    if config.protocol == "ollama" and config.model not in names and f"{config.model}:latest" not in names:
        return False, f"not on the server: ollama pull {config.model}"
    return True, ""


def _render_model(model: ConfiguredModel) -> str:
    window = f"{model.context_window} tokens"
    schema = {True: "schema yes", False: "schema no", None: "schema ?"}[model.json_schema]
    speed = f"{model.tokens_per_second} tok/s" if model.tokens_per_second else "speed ?"
    state = "answers" if model.answers else model.problem
    return f"{model.role:<12} {model.model:<36} {window:>13}  {schema:<10}  {speed:<12}  {state}"


def _render_ranked(entry: RankedModel) -> str:
    bar = "#" * round(_BAR * entry.win_rate)
    return f"{entry.model:<40} {entry.win_rate:>4.0%} {bar:<{_BAR}} {plural(entry.reviews, 'review')}\n"


MODELS = Verb(ModelsRequest, ModelsResult, list_models)
PROBE = Verb(ProbeRequest, ProbeResult, probe_model)
LEADERBOARD = Verb(LeaderboardRequest, LeaderboardResult, rank_models)
PULL = Verb(PullRequest, PullResult, pull_weights)
REMOVE = Verb(RemoveWeightsRequest, RemoveWeightsResult, remove_weights)
