"""A recommendation as text: the machine, a model for each role, and the facts about every model that is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bottega.amounts import plural

if TYPE_CHECKING:
    from bottega.workshop.recommending import MachineFacts, ModelAdvice, RecommendResult, ServerFacts

_GIGABYTE = 1e9
_MOST_NAMED = 8


def render_recommendation(result: RecommendResult) -> str:
    fitting = [advice for advice in result.models if advice.fit != "does not fit"]
    named = {model for role in result.roles for model in role.models}
    lines = [_describe_machine(result.machine), *_describe_servers(result.servers, result.models), ""]
    lines += [*_list_roles(result), ""]
    for advice in fitting:
        if advice.model in named:
            lines += [*_describe_model(advice, has_runtime=result.has_embedded_runtime), ""]
    lines += _list_rest([advice for advice in fitting if advice.model not in named], "also possible")
    lines += _list_rest([advice for advice in result.models if advice.fit == "does not fit"], "does not fit")
    return "\n".join([*lines, *_describe_facts(result)]) + "\n"


def _describe_machine(machine: MachineFacts) -> str:
    memory = "unknown memory" if machine.memory_bytes is None else f"{_format_size(machine.memory_bytes)} of memory"
    gpu = "no NVIDIA or Apple GPU found"
    if machine.shares_memory:
        gpu = "a GPU that shares it"
    elif machine.gpus:
        gpu = f"{', '.join(machine.gpus)} with {_format_size(machine.gpu_memory_bytes)}"
    return f"this machine: {memory}, {plural(machine.cores, 'core')}, {gpu}"


def _describe_servers(servers: tuple[ServerFacts, ...], known: tuple[ModelAdvice, ...]) -> Iterator[str]:
    if not servers:
        yield "model server: none answers here; `ollama pull` needs the one from https://ollama.com"
    names = {advice.model for advice in known}
    for server in servers:
        others = [name for name in server.models if f"{server.provider}/{name.removesuffix(':latest')}" not in names]
        shown = ", ".join(others[:_MOST_NAMED]) + (" …" if len(others) > _MOST_NAMED else "")
        unlisted = f"; without facts here: {shown}" if others else ""
        yield f"model server: {server.provider} at {server.url}, {plural(len(server.models), 'model')}{unlisted}"


def _list_roles(result: RecommendResult) -> Iterator[str]:
    for role in result.roles:
        if role.models:
            best, *others = role.models
            yield f"{role.role:<11} {best}" + (f", else {', '.join(others)}" if others else "")
        else:
            yield f"{role.role:<11} nothing in the table fits"


def _describe_model(advice: ModelAdvice, *, has_runtime: bool) -> Iterator[str]:
    yield f"{advice.model}: {_describe_fit(advice)}"
    yield (
        f"    {_format_size(advice.size_bytes)} on disk, {_format_size(advice.memory_bytes)} in memory,"
        f" {advice.context_window // 1024}k window, {advice.licence}"
    )
    yield f"    {advice.good_for}"
    if advice.measured:
        yield f"    measured: {advice.measured}"
    if advice.tokens_per_second:
        yield f"    measured: {advice.tokens_per_second:g} tokens/s on {advice.measured_on}"
    if advice.file:
        yield f"    file: {advice.file}"
    yield f"    {_describe_command(advice, has_runtime=has_runtime)}"


def _describe_fit(advice: ModelAdvice) -> str:
    if advice.fit == "unknown":
        return "unknown whether it fits"
    slow = ", slow: it reads many GB for every token" if advice.is_slow else ""
    return f"{advice.fit}, on the {advice.runs_on}{slow}"


def _describe_command(advice: ModelAdvice, *, has_runtime: bool) -> str:
    lacks_runtime = advice.model.startswith("embedded/") and not has_runtime
    needs = "the extra bottega[embedded] (bottega docs install)" if lacks_runtime else ""
    if advice.is_here or not advice.command:
        return f"here; it needs {needs}" if needs else f"here already: --model {advice.model}"
    return f"$ {advice.command}, with {needs}" if needs else f"$ {advice.command}"


def _list_rest(rest: list[ModelAdvice], title: str) -> Iterator[str]:
    if rest:
        shown = ", ".join(f"{advice.model} ({_format_size(advice.memory_bytes)}{_mark(advice)})" for advice in rest)
        yield f"{title}: {shown}"


def _mark(advice: ModelAdvice) -> str:
    tight = ", tight" if advice.fit == "tight" else ""
    slow = ", slow" if advice.is_slow else ""
    return f"{tight}{slow}{'' if advice.permits_commercial_use else ', research only'}"


def _describe_facts(result: RecommendResult) -> Iterator[str]:
    yield f"facts: model cards and public pages, checked on {result.checked}; --json names each source"
    yield "memory: with a context window of 8k tokens; a larger window takes more"
    yield f"rows of your own: {result.user_file}"
    yield 'to use one: --model ID for a call, or [models] default = "ID" in bottega.toml (`bottega docs models`)'


def _format_size(size: int) -> str:
    return f"{size / _GIGABYTE:.1f} GB"
