"""Choosing files and having them described."""

from __future__ import annotations

from functools import partial

from bottega.enrich.state import Description, EnrichState, Entry, Wanted
from bottega.enrich.tools import EnrichRun
from bottega.models import Prompt, Request, SchemaContract, fenced, load_prompt
from bottega.pipeline import DONE, action, fan_out
from bottega.source import quote_line, quote_name


def prompt() -> Prompt:
    return load_prompt("bottega.enrich", "describe")


@action("some", "none")
def choose_files(state: EnrichState, run: EnrichRun) -> str:
    """List the files whose present content nobody has described yet."""
    found = run.effect(
        "wanted", lambda: [file.model_dump() for file in run.tools.wanted(state.paths, prompt().version)]
    )
    wanted = [Wanted.model_validate(file) for file in found]
    if state.limit and len(wanted) > state.limit:
        run.decide("files", state.limit, f"{len(wanted)} files are not described; the limit is {state.limit}")
        wanted = wanted[: state.limit]
    state.wanted = tuple(wanted)
    return "some" if wanted else "none"


@action(DONE)
def describe_files(state: EnrichState, run: EnrichRun) -> str:
    """Ask about each file; what fails is written down and does not end the run."""

    def describe(file: Wanted) -> Description:
        material = run.effect(f"read {file.path}", lambda: _read(run, file.path))
        request = Request.of(
            prompt().fill(
                file=fenced(f"{quote_name(file.path)} ({quote_name(file.language) or 'text'})"),
                outline=fenced("\n".join(map(quote_line, material["outline"].split("\n")))),
                source=fenced(material["text"]),
            ),
            system=prompt().fill_system(),
            stage="enrich.describe",
            prompt_version=prompt().version,
        )
        described = run.ask(request, SchemaContract(Description), role="summarizer").value
        run.say(f"{file.path}: {described.purpose}")
        return described

    entries = []
    for landed in fan_out(state.wanted, describe, limit=run.tools.parallel):
        file, error = landed.item, landed.error
        entry = Entry(
            path=file.path,
            hash=file.hash,
            description=None if error is not None else landed.value(),
            error="" if error is None else str(error),
        )
        run.effect(f"keep {file.path}", partial(run.tools.keep, run.id, entry, prompt().version))
        entries.append(entry)
    state.entries = tuple(entries)
    return DONE


@action()
def finish(state: EnrichState, run: EnrichRun) -> str:
    """Say how many files are described."""
    described = sum(entry.description is not None for entry in state.entries)
    run.outcome("described", f"{described} of {len(state.wanted)}")
    return DONE


def _read(run: EnrichRun, path: str) -> dict[str, str]:
    material = run.tools.material(path)
    return {"outline": material.outline, "text": material.text}


ACTIONS = {item.name: item for item in (choose_files, describe_files, finish)}
