"""The verb `models.recommend`: which models fit this machine, for each role. It writes and downloads nothing."""

from __future__ import annotations

import importlib.util
from typing import ClassVar

from pydantic import Field

from bottega.models.detect import FoundServer, find_servers
from bottega.models.recommend import (
    FitVerdict,
    KnownModel,
    Machine,
    inspect_machine,
    judge_fit,
    load_table,
    pull_command,
    rank_for_role,
    user_table_file,
)
from bottega.models.recommend.fitting import Fit, Place
from bottega.models.recommend.table import Role
from bottega.models.weights import find, installed, list_weights
from bottega.settings import ROLES
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult
from bottega.workshop.invocation import Invocation
from bottega.workshop.recommend_text import render_recommendation

_MOST_OFFERED = 3


class RecommendRequest(VerbRequest):
    """Which models to run on this machine, for each role."""

    verb: ClassVar[str] = "models.recommend"
    uses_models: ClassVar[bool] = False

    role: Role | None = Field(None, description="only for this role")


class MachineFacts(FrozenValue):
    """`memory_bytes` is `None` where the system does not tell."""

    memory_bytes: int | None
    cores: int
    gpus: tuple[str, ...]
    gpu_memory_bytes: int
    shares_memory: bool = Field(description="whether the GPU uses the machine's memory, as Apple's do")


class ServerFacts(FrozenValue):
    """A model server that answers on this machine."""

    provider: str
    url: str
    models: tuple[str, ...]


class RoleAdvice(FrozenValue):
    """The models for a role, the best one first; none where nothing fits."""

    role: str
    models: tuple[str, ...]


class ModelAdvice(FrozenValue):
    """A known model on this machine. Sizes are in bytes; `memory_bytes` is with a context window of 8192 tokens."""

    model: str
    file: str = Field("", description="the GGUF file of an embedded model")
    roles: tuple[str, ...]
    size_bytes: int
    memory_bytes: int
    context_window: int
    licence: str
    permits_commercial_use: bool
    good_for: str
    measured: str
    fit: Fit
    runs_on: Place = Field(description="GPU, processor, or both")
    is_slow: bool = Field(description="whether every token reads more weights than a processor does quickly")
    tokens_per_second: float | None = Field(description="generation as bottega measured it, for embedded models")
    measured_on: str = Field(description="the machine of that measurement")
    is_here: bool = Field(description="whether its server has it already")
    command: str = Field(description="what brings it here")
    source: str
    checked: str


class RecommendResult(VerbResult):
    machine: MachineFacts
    servers: tuple[ServerFacts, ...]
    roles: tuple[RoleAdvice, ...]
    models: tuple[ModelAdvice, ...]
    checked: str = Field(description="the oldest day on which a fact was checked")
    user_file: str = Field(description="where rows of one's own are read from")
    has_embedded_runtime: bool

    def render(self, form: str = "text") -> str:
        del form
        return render_recommendation(self)


def recommend(request: RecommendRequest, house: Invocation) -> RecommendResult:
    table = load_table(house.environ)
    machine = inspect_machine(outside=house.root)
    servers = find_servers(house.settings)
    verdicts = {model: judge_fit(row, machine) for model, row in table.items()}
    roles: tuple[str, ...] = ROLES if request.role is None else (request.role,)
    ranked = {role: rank_for_role(role, table, verdicts) for role in roles}
    here = _list_models_here(servers)
    has_runtime = importlib.util.find_spec("xllamacpp") is not None
    shown = [model for model, row in table.items() if set(row.roles) & set(roles)]
    return RecommendResult(
        machine=_describe_machine(machine),
        servers=tuple(ServerFacts(provider=each.provider, url=each.url, models=each.models) for each in servers),
        roles=tuple(RoleAdvice(role=role, models=tuple(names[:_MOST_OFFERED])) for role, names in ranked.items()),
        models=tuple(_advise(model, table[model], verdicts[model], here) for model in shown),
        checked=min(row.checked for row in table.values()).isoformat(),
        user_file=str(user_table_file(house.environ)),
        has_embedded_runtime=has_runtime,
    )


def _list_models_here(servers: list[FoundServer]) -> frozenset[str]:
    named = {f"{server.provider}/{model.removesuffix(':latest')}" for server in servers for model in server.models}
    return frozenset(named | {f"embedded/{weights.name}" for weights in list_weights() if installed(weights)})


def _describe_machine(machine: Machine) -> MachineFacts:
    return MachineFacts(
        memory_bytes=machine.memory_bytes,
        cores=machine.cores,
        gpus=tuple(gpu.name for gpu in machine.gpus),
        gpu_memory_bytes=machine.gpu_bytes,
        shares_memory=machine.shares_memory,
    )


def _advise(model: str, row: KnownModel, verdict: FitVerdict, here: frozenset[str]) -> ModelAdvice:
    provider, _, name = model.partition("/")
    known = {weights.name for weights in list_weights()}
    return ModelAdvice(
        model=model,
        file=find(name).file if provider == "embedded" and name in known else "",
        roles=row.roles,
        size_bytes=int(row.size_gb * 1e9),
        memory_bytes=verdict.memory_bytes,
        context_window=row.context_window,
        licence=row.licence,
        permits_commercial_use=row.permits_commercial_use,
        good_for=row.good_for,
        measured=row.measured,
        fit=verdict.fit,
        runs_on=verdict.place,
        is_slow=verdict.is_slow,
        tokens_per_second=row.speed.reply if row.speed else None,
        measured_on=row.speed.machine if row.speed else "",
        is_here=model in here,
        command=pull_command(model, row),
        source=row.source,
        checked=row.checked.isoformat(),
    )


RECOMMEND = Verb(RecommendRequest, RecommendResult, recommend)
