"""A repository with its settings, journal, knowledge, models and pipelines: the one way into every verb."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from bottega.errors import InputError, SettingsError
from bottega.home import is_known_by_records
from bottega.index import Knowledge, TreeSize, index_exists, measure_tree
from bottega.journal import FactStore, Journal, RunRecord, new_id, open_journal
from bottega.pipeline.events import EventLog, current_events
from bottega.settings import LoadedSettings, Settings, UserFiles
from bottega.source.git import open_git
from bottega.source.tree import DiskFiles, RepositoryFiles, is_below
from bottega.verbs import VerbRequest, VerbResult
from bottega.workshop.facts import LazyFactStore
from bottega.workshop.handles import RecordedRun, RunHandle
from bottega.workshop.invocation import Invocation
from bottega.workshop.opening import Opening, describe_set_aside
from bottega.workshop.recording import CALL_KIND, read_recorded_request, record_call
from bottega.workshop.registry import find_verb, load_kinds
from bottega.workshop.repository import OpenJournal, Repository

if TYPE_CHECKING:  # models, pipelines and the sandbox are loaded where they are used: a search needs none of them
    from bottega.models import Model, ModelConfig, RetryPolicy, Roster
    from bottega.pipeline import Kind, Library
    from bottega.sandbox import Sandbox

    OpenModel = Callable[[ModelConfig, Mapping[str, str]], Model]

_CLOSING_S = 10.0
Remark = Callable[[str], None]


class Workshop:
    """Opened once for many calls of any verb, from any thread; each part is made when first used.

    Remarks of a call go to its events; those of no call to `on_remark`.
    """

    def __init__(
        self,
        opening: Opening,
        *,
        on_remark: Remark = lambda _: None,
        retry: RetryPolicy | None = None,
        open_model: OpenModel | None = None,
        open_journal: OpenJournal = open_journal,
        files: RepositoryFiles | None = None,
        repository: Repository | None = None,
    ) -> None:
        self.opening = opening
        self._on_remark = on_remark
        self._retry = retry
        self._open_model = open_model
        self._files = files
        self._repository = repository or Repository(opening, self.remark, open_journal)
        self._lock = threading.RLock()
        self._roster_lock = threading.RLock()
        self._handles: list[RunHandle[Any]] = []
        self._replays: set[RunHandle[Any]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, request: VerbRequest) -> Any:
        """Carry a request out and wait for it; the result of its verb, or what it raises."""
        return self._handle(request).carry_out()

    def start(self, request: VerbRequest) -> RunHandle[Any]:
        """Begin to carry a request out in a thread of its own; the handle has the run's id at once."""
        return self._start(self._handle(request))

    def resume(self, run_id: str) -> RunHandle[Any]:
        """Go on with a run that was cancelled, interrupted or failed: its id, a unique part of it, or `last`."""
        record = self._find_record(run_id)
        if any(handle.id == record.id for handle in self._list_running()):
            raise InputError(f"run {record.id} is under way", hint=f"`bottega runs watch {record.id}` follows it.")
        events = EventLog(record.id, last=self.journal.events.last(record.id), earlier=self.journal.events)
        if record.kind == CALL_KIND:
            return self._start(self._new_handle(events, self._work_of(read_recorded_request(record), events)))

        def work() -> VerbResult:
            kind = self._kind(record.kind)
            invocation = Invocation(self, events)
            try:
                house = kind.restore_house(invocation, kind.state.model_validate_json(record.input))
                return kind.read_result(house.engine().resume(record.id, events=events))
            finally:
                invocation.close()

        return self._start(self._new_handle(events, work))

    def replay(self, run_id: str) -> RunHandle[Any]:
        """Carry a finished run out again from its records, without a model, and compare byte for byte."""
        record = self._find_record(run_id)
        events = EventLog(record.id)

        def work() -> VerbResult:
            finished = Invocation(self, events, looks_for_models=False).engine().replay(record.id)
            return self._kind(record.kind).read_result(finished)

        return self._start(self._new_handle(events, work, is_replay=True))

    def find_run(self, run_id: str) -> RunHandle[Any] | RecordedRun:
        """A run of this process by its id, or any run that the journal knows, also by a part of its id or `last`."""
        for handle in self._list_running():
            if handle.id == run_id:
                return handle
        record = self._find_record(run_id)
        running = next((handle for handle in self._list_running() if handle.id == record.id), None)
        return running or RecordedRun(record.id, self.journal, self.kinds.get(record.kind))

    def _find_record(self, run_id: str) -> RunRecord:
        """Raise `InputError` for a run that there is not; looking creates no journal."""
        if not self.has_journal:
            raise InputError(f"there is no run {run_id}", hint="`bottega runs` lists them.")
        return self.journal.runs.get(run_id)

    def _list_running(self) -> list[RunHandle[Any]]:
        """Runs of this process, without replays, which carry the id of the run they repeat."""
        with self._lock:
            return [handle for handle in self._handles if handle not in self._replays]

    def with_files(self, files: RepositoryFiles) -> Workshop:
        """The same repository under the settings that these files hold, such as those from before a change.

        Whoever asks for it closes its models.
        """
        return Workshop(
            self.opening,
            on_remark=self._on_remark,
            retry=self._retry,
            open_model=self._open_model,
            files=files,
            repository=self._repository,
        )

    def remark(self, text: str) -> None:
        """Tell whoever watches the call that this thread works for, or else whoever opened the workshop."""
        events = current_events()
        if events is None:
            self._on_remark(text)
        else:
            events.emit("remark", text=text)

    @property
    def root(self) -> Path:
        return self._repository.root

    @property
    def environ(self) -> Mapping[str, str]:
        return self.opening.environ

    @property
    def home(self) -> Path:
        return self._repository.home

    @property
    def has_journal(self) -> bool:
        """Whether anything was recorded here; looking makes nothing."""
        return self._repository.has_journal

    @property
    def journal(self) -> Journal:
        return self._repository.journal(self.settings, self.environ)

    @property
    def is_indexed(self) -> bool:
        """Whether the repository has an index; looking makes nothing."""
        return index_exists(self.home)

    @property
    def facts(self) -> FactStore:
        """What is known of models; looking creates no journal."""
        return LazyFactStore(lambda: self.has_journal, lambda: self.journal.facts)

    @property
    def knowledge(self) -> Knowledge:
        """The index of the repository, shared by all calls."""
        return self._repository.knowledge()

    def measure_first_index(self) -> TreeSize | None:
        """The size of a directory that is no git repository and is not indexed yet; `None` for others."""
        if self.is_indexed or open_git(self.root) is not None:
            return None
        return measure_tree(self.root)

    @property
    def is_known_by_records(self) -> bool:
        """Whether the repository is the one of a directory above, and only because there are records."""
        is_above = not self.opening.is_exact and self.root != self.opening.directory.resolve()
        return is_above and is_known_by_records(self.root)

    def open_knowledge(self, root: Path) -> Knowledge:
        """The index of another repository."""
        return self._repository.knowledge(root)

    @property
    def loaded(self) -> LoadedSettings:
        """The settings, read once."""
        with self._lock:
            return self._loaded

    @cached_property
    def _loaded(self) -> LoadedSettings:
        loaded = self.opening.load_settings(self._repository.settings_root, self._files)
        if aside := describe_set_aside(loaded):
            self.remark(aside)
        return loaded

    @property
    def settings(self) -> Settings:
        return self.loaded.settings

    @property
    def kinds(self) -> Mapping[str, Kind]:
        return load_kinds()

    @cached_property
    def pipelines(self) -> Library:
        from bottega.pipeline import Folder, Library

        shipped = [Folder(kind.pipelines, kind.package) for kind in self.kinds.values() if kind.pipelines]
        of_user = UserFiles.of(self.environ).pipelines
        own = [Folder(of_user, str(of_user)), Folder(self.home / "pipelines", ".bottega/pipelines")]
        files = self._files or DiskFiles(self.root)
        named = [
            Folder(self.root / path, path, files if is_below(path) else None) for path in self.settings.pipelines.paths
        ]
        for folder in named:
            if not folder.path.is_dir():
                raise SettingsError(f"pipelines.paths: {folder.shown} is not a directory")
        return Library([*shipped, *own, *named], self.kinds)

    @property
    def roster(self) -> Roster:
        """The models of the settings, or one found on this machine where they name none."""
        from bottega.workshop.model_choice import names_model

        if names_model(self.settings):
            return self.configured_roster
        with self._roster_lock:  # looking for servers takes seconds, and must not keep other runs from starting
            return self._found_roster

    @property
    def configured_roster(self) -> Roster:
        """The models of the settings; nothing is looked for."""
        with self._roster_lock:
            return self._configured_roster

    @cached_property
    def _found_roster(self) -> Roster:
        from bottega.workshop.model_choice import add_found_model

        return self._open_roster(add_found_model(self.settings, self.environ, self.remark))

    @cached_property
    def _configured_roster(self) -> Roster:
        return self._open_roster(self.settings)

    def open_sandbox(self) -> Sandbox:
        from bottega.sandbox import open_sandbox

        is_unsafe_allowed = self.opening.allow_unsafe_sandbox or self.settings.sandbox.allow_unsafe
        return open_sandbox(allow_unsafe=is_unsafe_allowed, outside=self.root)

    def close(self) -> None:
        """Cancel what is under way, wait for it, and close everything that was opened."""
        with self._lock:
            running = list(self._handles)
        for handle in running:
            handle.cancel("the workshop closes")
        for handle in running:
            handle.wait(_CLOSING_S)
        self.close_models()
        self._repository.close()

    def close_models(self) -> None:
        for name in ("_found_roster", "_configured_roster"):
            roster = self.__dict__.pop(name, None)
            if roster is not None:
                roster.close()

    def _open_roster(self, settings: Settings) -> Roster:
        from bottega.models import Ledger, ModelRouter, RetryPolicy, Roster, ServedWindows, open_model

        facts = self.facts
        open_one = self._open_model or open_model
        windows = ServedWindows(lambda config: open_one(config, self.environ))
        return Roster(
            ModelRouter(
                settings, window_of=lambda model: facts.get(model, "context_length_max"), served_window=windows.find
            ),
            open_model=lambda config: open_one(config, self.environ),
            facts=facts,
            ledger=Ledger(facts, safety=settings.budget.safety),
            prices=settings.prices,
            retry=self._retry or RetryPolicy(retries=settings.limits.retries),
            on_wait=self.remark,
        )

    def _kind(self, name: str) -> Kind:
        kind = self.kinds.get(name)
        if kind is None:
            raise InputError(f"there is no kind {name} here", hint="It came from a package that is not installed.")
        return kind

    def _handle(self, request: VerbRequest) -> RunHandle[Any]:
        events = EventLog(new_id())
        return self._new_handle(events, self._work_of(request, events))

    def _work_of(self, request: VerbRequest, events: EventLog) -> Callable[[], VerbResult]:
        verb = find_verb(request.verb)
        invocation = Invocation(self, events, looks_for_models=request.looks_for_models)

        def work() -> VerbResult:
            if request.reads_settings:
                _ = self.loaded  # what cannot be is refused before anything is done
            if request.is_recorded:
                _ = self.knowledge  # a repository without files is refused before anything is recorded
            try:
                with record_call(request, events, lambda: self.journal):
                    result: VerbResult = verb.run(request, invocation)
            finally:
                invocation.close()
            return result

        return work

    def _new_handle(
        self, events: EventLog, work: Callable[[], VerbResult], *, is_replay: bool = False
    ) -> RunHandle[Any]:
        def is_cancel_requested() -> bool:
            journal = self._repository.opened_journal
            return events.is_kept and journal is not None and journal.runs.is_cancel_requested(events.run_id)

        handle = RunHandle(events, work, is_cancel_requested=is_cancel_requested, on_end=self._forget)
        with self._lock:
            self._handles.append(handle)
            if is_replay:
                self._replays.add(handle)
        return handle

    def _start(self, handle: RunHandle[Any]) -> RunHandle[Any]:
        handle.start()
        return handle

    def _forget(self, handle: RunHandle[Any]) -> None:
        with self._lock:
            self._handles.remove(handle)
            self._replays.discard(handle)
