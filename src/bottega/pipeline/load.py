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
from bottega.pipeline.read import Draft, read_draft, suggestion
from bottega.pipeline.spec import Pipeline, Place, StepSpec
from bottega.source.tree import DiskFiles, RepositoryFiles

_DEFAULT_MAX_STEPS = 40


@dataclass(frozen=True, slots=True)
class Folder:
    """A directory of pipeline files. `shown` stands for it in messages, and is its path where `files` are given."""

    path: Path
    shown: str
    files: RepositoryFiles | None = None

    def drafts(self) -> Iterator[Draft]:
        files, folder = (self.files, self.shown) if self.files else (DiskFiles(self.path), ".")
        for name in files.names(folder):
            if name.endswith((".yaml", ".yml")):
                yield read_draft(f"{folder}/{name}", f"{self.shown}/{name}", files)


class Library:
    """Every pipeline that can be run here. No two files may share a name: nothing shadows what ships."""

    def __init__(self, folders: Sequence[Folder], kinds: Mapping[str, Kind]) -> None:
        self._kinds = kinds
        self._drafts: dict[str, Draft] = {}
        for folder in folders:
            for draft in folder.drafts():
                self._add(draft)

    def names(self) -> list[str]:
        return sorted(self._drafts)

    def get(self, name: str) -> Pipeline:
        if name not in self._drafts:
            raise PipelineError(f"there is no pipeline {name}", hint=suggestion(name, self._drafts))
        return resolve(self._lineage(name), self._kinds)

    def find(self, name: str) -> Pipeline:
        """By its name, or by the path of its file."""
        if not name.endswith((".yaml", ".yml")):
            return self.get(name)
        if not Path(name).is_file():
            raise PipelineError(f"there is no file {name}")
        return self.load_file(Path(name))

    def load_file(self, path: Path) -> Pipeline:
        """A pipeline outside the known folders; it may extend those inside."""
        draft = read_draft(path.name, str(path), DiskFiles(path.parent))
        return resolve(self._lineage_of(draft), self._kinds)

    def _add(self, draft: Draft) -> None:
        other = self._drafts.get(draft.name)
        if other is not None:
            raise PipelineError(
                f"{draft.place}: the name {draft.name} is taken by {other.place.file}",
                hint="Give it another name; `extends` takes over everything from the other.",
            )
        self._drafts[draft.name] = draft

    def _lineage(self, name: str) -> list[Draft]:
        return self._lineage_of(self._drafts[name])

    def _lineage_of(self, draft: Draft) -> list[Draft]:
        """The root parent first."""
        chain = [draft]
        while chain[0].extends:
            child = chain[0]
            if child.extends in {entry.name for entry in chain}:
                names = " -> ".join([*(entry.name for entry in reversed(chain)), child.extends])
                raise PipelineError(f"{child.place}: `extends` goes round in a circle: {names}")
            if child.extends not in self._drafts:
                raise PipelineError(
                    f"{child.place}: extends {child.extends}, which does not exist",
                    hint=suggestion(child.extends, self._drafts),
                )
            chain.insert(0, self._drafts[child.extends])
        return chain


def resolve(lineage: Sequence[Draft], kinds: Mapping[str, Kind]) -> Pipeline:
    """Merge from the root to the child, then refuse what cannot run."""
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
        raise PipelineError(f"{child.place}: {what}", hint=suggestion(kind_name, kinds))
    pipeline = Pipeline(
        name=child.name,
        kind=kind_name,
        description=next((draft.description for draft in reversed(lineage) if draft.description), ""),
        entry=_entry(settings, child),
        max_steps=_max_steps(settings),
        settings={key: entry.plain() for key, entry in settings.items() if key not in {"entry_step_id", "max_steps"}},
        steps=steps,
        place=child.place,
        lineage=tuple(draft.name for draft in lineage),
    )
    _check_merged(pipeline, kinds[kind_name], {key: entry.place for key, entry in settings.items()})
    return pipeline


def _check_merged(pipeline: Pipeline, kind: Kind, settings_places: Mapping[str, Place]) -> None:
    """What is wrong may stand in a parent's file; it is wrong because of the child."""
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


def _entry(settings: Mapping[str, Entry], child: Draft) -> str:
    found = settings.get("entry_step_id")
    if found is None or not isinstance(found.value, str):
        place: Place = found.place if found else child.place
        fault = "must be text" if found else "is missing"
        raise PipelineError(f"{place}: settings.entry_step_id {fault}: it names the first step")
    return found.value


def _max_steps(settings: Mapping[str, Entry]) -> int:
    found = settings.get("max_steps")
    if found is None:
        return _DEFAULT_MAX_STEPS
    if not isinstance(found.value, int) or isinstance(found.value, bool) or found.value < 1:
        raise PipelineError(f"{found.place}: settings.max_steps must be a whole number above 0")
    return found.value
