"""Find pipelines by name, resolve `extends`, merge, check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bottega.errors import PipelineError
from bottega.pipeline.check import check
from bottega.pipeline.entries import Entry
from bottega.pipeline.kinds import Kind
from bottega.pipeline.read import Draft, read_draft, suggest
from bottega.pipeline.spec import Pipeline, Place, StepSpec
from bottega.source.tree import DiskFiles, RepositoryFiles

_DEFAULT_MAX_STEPS = 40


@dataclass(frozen=True, slots=True)
class Folder:
    """A directory of pipeline files. `shown` is its name in messages, and its path inside `files` where given."""

    path: Path
    shown: str
    files: RepositoryFiles | None = None

    def read_drafts(self) -> Iterator[Draft]:
        files, folder = (self.files, self.shown) if self.files else (DiskFiles(self.path), ".")
        for name in files.names(folder):
            if name.endswith((".yaml", ".yml")):
                yield read_draft(f"{folder}/{name}", f"{self.shown}/{name}", files)


class Library:
    """Every pipeline that can be run here. Names are unique: no file replaces a built-in pipeline."""

    def __init__(self, folders: Sequence[Folder], kinds: Mapping[str, Kind]) -> None:
        self._kinds = kinds
        self._drafts: dict[str, Draft] = {}
        for folder in folders:
            for draft in folder.read_drafts():
                self._add(draft)

    def names(self) -> list[str]:
        return sorted(self._drafts)

    def get(self, name: str) -> Pipeline:
        if name not in self._drafts:
            raise PipelineError(f"there is no pipeline {name}", hint=suggest(name, self._drafts))
        return resolve(self._trace_lineage(self._drafts[name]), self._kinds)

    def find(self, name: str) -> Pipeline:
        """Find a pipeline by its name, or by the path of its file."""
        if not name.endswith((".yaml", ".yml")):
            return self.get(name)
        if not Path(name).is_file():
            raise PipelineError(f"there is no file {name}")
        return self.load_file(Path(name))

    def load_file(self, path: Path) -> Pipeline:
        """Load a pipeline from any file; it may extend the pipelines of the library."""
        draft = read_draft(path.name, str(path), DiskFiles(path.parent))
        return resolve(self._trace_lineage(draft), self._kinds)

    def _add(self, draft: Draft) -> None:
        other = self._drafts.get(draft.name)
        if other is not None:
            raise PipelineError(
                f"{draft.place}: the name {draft.name} is taken by {other.place.file}",
                hint="Give it another name; `extends` inherits everything from the other.",
            )
        self._drafts[draft.name] = draft

    def _trace_lineage(self, draft: Draft) -> list[Draft]:
        """A draft and its ancestors, the root first."""
        chain = [draft]
        while chain[0].extends:
            child = chain[0]
            if child.extends in {entry.name for entry in chain}:
                names = " -> ".join([*(entry.name for entry in reversed(chain)), child.extends])
                raise PipelineError(f"{child.place}: `extends` forms a cycle: {names}")
            if child.extends not in self._drafts:
                raise PipelineError(
                    f"{child.place}: extends {child.extends}, which does not exist",
                    hint=suggest(child.extends, self._drafts),
                )
            chain.insert(0, self._drafts[child.extends])
        return chain


def resolve(lineage: Sequence[Draft], kinds: Mapping[str, Kind]) -> Pipeline:
    """Merge drafts from the root to the child, and check the result."""
    settings: dict[str, Entry] = {}
    steps: dict[str, StepSpec] = {}
    for draft in lineage:
        settings = _deep_merge(settings, draft.settings.value)
        for name, place in draft.remove.items():
            if name not in steps:
                raise PipelineError(f"{place}: remove names {name}, which no parent has")
            del steps[name]
        steps |= draft.steps
    child = lineage[-1]
    kind_name = next((draft.kind for draft in reversed(lineage) if draft.kind), "")
    if kind_name not in kinds:
        what = f"there is no kind {kind_name}" if kind_name else "the pipeline has no kind"
        raise PipelineError(f"{child.place}: {what}", hint=suggest(kind_name, kinds))
    pipeline = Pipeline(
        name=child.name,
        kind=kind_name,
        description=next((draft.description for draft in reversed(lineage) if draft.description), ""),
        entry=_read_entry_step(settings, child),
        max_steps=_read_max_steps(settings),
        settings={key: entry.plain() for key, entry in settings.items() if key not in {"entry_step_id", "max_steps"}},
        steps=steps,
        place=child.place,
        lineage=tuple(draft.name for draft in lineage),
    )
    _check_merged(pipeline, kinds[kind_name], {key: entry.place for key, entry in settings.items()})
    return pipeline


def _check_merged(pipeline: Pipeline, kind: Kind, settings_places: Mapping[str, Place]) -> None:
    """Check a merged pipeline; an error in a parent's file also names the child that caused it."""
    try:
        check(pipeline, kind, settings_places)
    except PipelineError as error:
        if str(error).startswith(f"{pipeline.place.file}:"):
            raise
        raise PipelineError(f"{error} (in {pipeline.name}, {pipeline.place})", hint=error.hint) from None


def _deep_merge(parent: Mapping[str, Entry], child: Mapping[str, Entry]) -> dict[str, Entry]:
    merged = dict(parent)
    for key, entry in child.items():
        known: Any = merged[key].value if key in merged else None
        if isinstance(known, dict) and isinstance(entry.value, dict):
            merged[key] = Entry(_deep_merge(known, entry.value), entry.place)
        else:
            merged[key] = entry
    return merged


def _read_entry_step(settings: Mapping[str, Entry], child: Draft) -> str:
    entry = settings.get("entry_step_id")
    if entry is None or not isinstance(entry.value, str):
        place: Place = entry.place if entry else child.place
        fault = "must be text" if entry else "is missing"
        raise PipelineError(f"{place}: settings.entry_step_id {fault}: it names the first step")
    return entry.value


def _read_max_steps(settings: Mapping[str, Entry]) -> int:
    entry = settings.get("max_steps")
    if entry is None:
        return _DEFAULT_MAX_STEPS
    if not isinstance(entry.value, int) or isinstance(entry.value, bool) or entry.value < 1:
        raise PipelineError(f"{entry.place}: settings.max_steps must be a whole number above 0")
    return entry.value
