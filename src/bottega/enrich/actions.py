"""The actions of `enrich`: choose files, and ask a model to describe them."""

from __future__ import annotations

from functools import partial

from bottega.amounts import plural
from bottega.enrich.state import DescribedFile, Description, EnrichState, FileToDescribe
from bottega.enrich.tools import EnrichRun
from bottega.models import Prompt, Request, SchemaContract, fenced, load_prompt
from bottega.pipeline import DONE, action, fan_out
from bottega.source import quote_line, quote_name


def load_describe_prompt() -> Prompt:
    return load_prompt("bottega.enrich", "describe")


@action("some", "none")
def choose_files(state: EnrichState, run: EnrichRun) -> str:
    """List the files whose current content has no description yet."""
    version = load_describe_prompt().version
    listed = run.effect("wanted", lambda: [file.model_dump() for file in run.tools.find_files(state.paths, version)])
    wanted = [FileToDescribe.model_validate(file) for file in listed]
    if state.limit and len(wanted) > state.limit:
        run.decide(
            "files",
            state.limit,
            f"{plural(len(wanted), 'file')} not described; the limit is {state.limit}",
        )
        wanted = wanted[: state.limit]
    state.wanted = tuple(wanted)
    return "some" if wanted else "none"


@action(DONE)
def describe_files(state: EnrichState, run: EnrichRun) -> str:
    """Describe each file; an error is stored with its file and does not end the run."""

    def describe(file: FileToDescribe) -> Description:
        content = run.effect(f"read {file.path}", lambda: _read(run, file.path))
        request = Request.of(
            load_describe_prompt().fill(
                file=fenced(f"{quote_name(file.path)} ({quote_name(file.language) or 'text'})"),
                outline=fenced("\n".join(map(quote_line, content["outline"].split("\n")))),
                source=fenced(content["text"]),
            ),
            system=load_describe_prompt().fill_system(),
            stage="enrich.describe",
            prompt_version=load_describe_prompt().version,
        )
        description = run.ask(request, SchemaContract(Description), role="summarizer").value
        run.say(f"{file.path}: {description.purpose}")
        return description

    entries = []
    told = run.count("describing, files")
    for result in fan_out(state.wanted, describe, limit=run.tools.parallel, on_progress=told):
        file, error = result.item, result.error
        entry = DescribedFile(
            path=file.path,
            hash=file.hash,
            description=None if error is not None else result.value(),
            error="" if error is None else str(error),
        )
        run.effect(f"keep {file.path}", partial(run.tools.store, run.id, entry, load_describe_prompt().version))
        entries.append(entry)
    state.entries = tuple(entries)
    return DONE


@action()
def finish(state: EnrichState, run: EnrichRun) -> str:
    """Record how many files are described."""
    described = sum(entry.description is not None for entry in state.entries)
    run.outcome("described", f"{described} of {len(state.wanted)}")
    return DONE


def _read(run: EnrichRun, path: str) -> dict[str, str]:
    content = run.tools.read(path)
    return {"outline": content.outline, "text": content.text}


ACTIONS = {item.name: item for item in (choose_files, describe_files, finish)}
