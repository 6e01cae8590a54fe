"""One bounded loop for each directory, children before parents, in parallel as far as the server allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bottega.amounts import plural
from bottega.investigate.confidence import choose_second_looks
from bottega.investigate.context import create_turn_budget, get_model_profile, open_files
from bottega.investigate.directory_entry import build_container_entry, build_explored_entry
from bottega.investigate.directory_prompt import ask_for_second_look, build_directory_request
from bottega.investigate.entries import DirEntry, FileEntry
from bottega.investigate.evaluation import SECOND_LOOK, evaluate_plan
from bottega.investigate.exploration import Exploration
from bottega.investigate.flagging import FlagCollector, keep_flag
from bottega.investigate.lookups import Lookups
from bottega.investigate.plans import Allotment
from bottega.investigate.state import InvestigateState, LoopUsage
from bottega.investigate.stored import EVALUATION, load_files
from bottega.investigate.tools import InvestigateRun
from bottega.investigate.toolset import EXPLORING, SUBMIT_REPORT, select_directory_tools
from bottega.investigate.units import Unit, format_path
from bottega.journal import now
from bottega.models import ToolCall
from bottega.pipeline import DONE, action, fan_in
from bottega.pipeline.toolloop import LoopResult, ModelProfile, SchemaSubmit, ToolLoop, Turn, TurnBudget

_WRAP_UP = "write_cache for each file that matters"
# Of a model's arguments, the log keeps where it looked; its texts are kept in the entries.
_LOGGED = frozenset({"path", "first", "last", "line", "kind", "severity", "completeness", "confidence", "show_hidden"})


@dataclass(frozen=True, slots=True)
class _Explored:
    entry: DirEntry
    files: dict[str, FileEntry]
    usage: LoopUsage


@action(DONE)
def explore_directories(state: InvestigateState, run: InvestigateRun) -> str:
    """Investigate every directory that is not known already; whatever fails leaves a partial entry behind."""
    explorer = _Explorer(state, run)
    explored = explorer.explore_all()
    explored += explorer.look_again()
    state.entries = dict(sorted(explorer.entries.items()))
    fresh = {path: file for directory in explored for path, file in directory.files.items()}
    state.files = _all_files(state, run, {**state.files, **fresh})
    state.used = (*state.used, *(directory.usage for directory in explored))
    state.turns, state.tokens = explorer.budget.turns, explorer.budget.tokens
    partial = [format_path(path) for path, entry in state.entries.items() if entry.partial]
    if partial:
        state.gaps = (
            *state.gaps,
            f"{plural(len(partial), 'directory')} only partly investigated: {', '.join(partial[:5])}",
        )
    if explored:
        evaluation = evaluate_plan(state)
        run.effect("evaluate plan", lambda: run.tools.investigations.write(state.investigation, EVALUATION, evaluation))
    return DONE


class _Explorer:
    """The directories of one run. `entries` grows while directories are explored: parents read their children's."""

    def __init__(self, state: InvestigateState, run: InvestigateRun) -> None:
        self._state = state
        self._run = run
        self._model: ModelProfile = get_model_profile(state, run)
        self._file_names = _all_file_names(state)
        self.budget: TurnBudget = create_turn_budget(state, run)
        self.entries = dict(state.entries)
        self._explorations: dict[str, Exploration] = {}

    def explore_all(self) -> list[_Explored]:
        units = {unit.path: unit for unit in self._state.units}
        allotments = {entry.path: entry for entry in self._state.allotted if entry.tier != "skip"}
        places = {path: number for number, path in enumerate(allotments, 1)}

        def explore(path: str) -> _Explored:
            name, turns = format_path(path), allotments[path].turns
            self._run.say(f"directory {places[path]} of {len(places)}: {name} ({plural(turns, 'turn')})")
            explored = self._explore(units[path], allotments[path])
            self.entries[path] = explored.entry
            self._run.say(f"{name}: {plural(explored.usage.turns_used, 'turn')}; {self._describe_spending()}")
            return explored

        needs = {path: units[path].children for path in allotments}
        told = self._run.count("exploring, directories")
        landed = fan_in(list(allotments), needs, explore, limit=self._state.parallel, on_progress=told)
        return [directory.value() for directory in landed]

    def look_again(self) -> list[_Explored]:
        """A second loop for the directories that the model was least sure of; what it has seen and kept stays."""
        made = {path: self.entries[path] for path in self._explorations}
        allotments = {entry.path: entry for entry in self._state.allotted}
        explored = []
        for entry in choose_second_looks(made):
            if self.budget.exhausted_reason():
                break
            path = entry.relative_path
            sure = "no confidence given" if entry.confidence is None else f"confidence {entry.confidence:g}"
            self._run.say(f"second look: {format_path(path)} ({sure})")
            again = self._explore_with_model(self._explorations[path], allotments[path], doubt=entry)
            self.entries[path] = _choose_entry(entry, again.entry)
            self._store(self._explorations[path].unit, self.entries[path], again.files)
            explored.append(again)
        return explored

    def _explore(self, unit: Unit, allotment: Allotment) -> _Explored:
        if unit.needs_no_model(is_small=self._model.is_small):
            entry = build_container_entry(unit, self.entries, self._state)
            self._store(unit, entry, {})
            usage = LoopUsage(label=unit.path, tier=allotment.tier, turns_allotted=0, turns_used=0, tokens=0)
            return _Explored(entry, {}, usage)
        exploration = self._explorations[unit.path] = self._begin(unit)
        explored = self._explore_with_model(exploration, allotment)
        self._store(unit, explored.entry, explored.files)
        return explored

    def _explore_with_model(
        self, exploration: Exploration, allotment: Allotment, doubt: DirEntry | None = None
    ) -> _Explored:
        """One loop about a directory; `doubt` is the entry that a second look may replace."""
        result = self._hold_loop(exploration, allotment, doubt)
        entry = build_explored_entry(exploration, result, self.entries, self._state)
        changed = exploration.reads.changed
        files = {path: file for path, file in exploration.files.items() if path not in changed}
        usage = LoopUsage(
            label=exploration.unit.path,
            tier=SECOND_LOOK if doubt is not None else allotment.tier,
            turns_allotted=allotment.turns,
            turns_used=result.turns,
            tokens=result.tokens,
            completeness=entry.completeness,
            reason=entry.partial_reason,
        )
        return _Explored(entry, files, usage)

    def _begin(self, unit: Unit) -> Exploration:
        state, run = self._state, self._run
        lookups = Lookups(unit, open_files(state, run), run.effect)
        injections = {path: frozenset(lines) for path, lines in state.orders.items()}
        exploration = Exploration(
            lookups,
            FlagCollector(lookups, injections, lambda flag: keep_flag(flag, state, run)),
            state.began,
            tree_texts=_tree_texts(unit, state),
            file_names=self._file_names,
        )
        store = run.tools.investigations
        for value in run.effect(f"{unit.label}: kept files", lambda: load_files(unit, state, store)):
            file = FileEntry.model_validate(value)
            exploration.files[file.relative_path] = file
        return exploration

    def _hold_loop(self, exploration: Exploration, allotment: Allotment, doubt: DirEntry | None) -> LoopResult[str]:
        state, run, model = self._state, self._run, self._model
        tools = select_directory_tools(state.survey.hidden_tools if state.survey else (), slim=model.is_small)
        request = build_directory_request(
            exploration, self.entries, state, turns=allotment.turns, model=model, tools=[*tools, SUBMIT_REPORT]
        )
        if doubt is not None:
            request = ask_for_second_look(request, doubt)

        def end_turn(turn: int, reply: Turn) -> None:
            exploration.reads.end_turn()
            lines = [_format_log_line(exploration.unit, turn, call) for call in reply.calls]
            run.effect(f"{exploration.unit.label}: log {turn}", lambda: _write_log(state, run, lines))

        loop = ToolLoop(
            tools=exploration.bind(tools, EXPLORING),
            submit=SchemaSubmit(SUBMIT_REPORT, exploration.submit),
            model=model,
            max_turns=allotment.turns,
            budget=self.budget,
            has_seen_all=exploration.has_read_all(),
            wrap_up=_WRAP_UP,
            recap=exploration.recap,
            on_turn=end_turn,
        )
        again = ", second look" if doubt is not None else ""
        return loop.run(run, request, label=f"{exploration.unit.label}{again}")

    def _store(self, unit: Unit, entry: DirEntry, files: dict[str, FileEntry]) -> None:
        store, investigation = self._run.tools.investigations, self._state.investigation

        def write() -> None:
            for path, file in files.items():
                store.put(investigation, "files", path, file.model_dump(mode="json"))
            store.put(investigation, "dirs", unit.path, entry.model_dump(mode="json"))

        self._run.effect(f"{unit.label}: keep", write)

    def _describe_spending(self) -> str:
        turns, tokens, price = self.budget.turns, self.budget.tokens, self._state.price
        text = f"{plural(turns, 'turn')}, {plural(tokens, 'token')} so far"
        if not price or not any(price):
            return text
        # Nearly all tokens are prompt tokens, so all are priced as such; the report has the exact sum.
        return f"{text}, about ${tokens * price[0] / 1e6:.2f}"


def _choose_entry(first: DirEntry, second: DirEntry) -> DirEntry:
    """The entry of the second look unless it is less sure or partial; the flags and turns of both."""
    is_better = (second.confidence or 0.0) >= (first.confidence or 0.0) and not second.partial
    return (second if is_better else first).model_copy(
        update={
            "flags": second.flags,
            "dropped_flags": second.dropped_flags,
            "turns_used": first.turns_used + second.turns_used,
        }
    )


def _all_file_names(state: InvestigateState) -> frozenset[str]:
    """The names of all files in lower case; none when not all are known."""
    if state.left_directories or any(unit.count > len(unit.files) for unit in state.units):
        return frozenset()
    return frozenset(file.name.lower() for unit in state.units for file in unit.files)


def _tree_texts(unit: Unit, state: InvestigateState) -> tuple[str, ...]:
    """What is said of the whole tree, which a small model likes to repeat for a part; the target itself may."""
    if not unit.path:
        return ()
    survey = state.survey
    texts = [state.plan.notes if state.plan else "", *((survey.description, survey.domain_notes) if survey else ())]
    return tuple(text for text in (*texts, " ".join(texts)) if text)


def _all_files(state: InvestigateState, run: InvestigateRun, fresh: dict[str, FileEntry]) -> dict[str, FileEntry]:
    """The entries of this run, and those of directories that were known already."""
    known = [unit for unit in state.units if unit.path in state.cached]
    store = run.tools.investigations
    stored = run.effect("kept files", lambda: [file for unit in known for file in load_files(unit, state, store)])
    files = {str(value["relative_path"]): FileEntry.model_validate(value) for value in stored}
    return dict(sorted({**files, **fresh}.items()))


def _format_log_line(unit: Unit, turn: int, call: ToolCall) -> dict[str, Any]:
    arguments = {
        str(name)[:40]: str(value)[:200] if name in _LOGGED else f"({len(str(value))} characters)"
        for name, value in call.arguments.items()
    }
    return {"directory": unit.label, "turn": turn, "timestamp": now(), "tool": call.name[:40], "args": arguments}


def _write_log(state: InvestigateState, run: InvestigateRun, lines: list[dict[str, Any]]) -> None:
    for line in lines:
        run.tools.investigations.append(state.investigation, "investigation.log", line)
