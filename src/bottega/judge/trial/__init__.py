"""Whether a model earns to rerank files: measured on the repository's own commits, whose files are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from pydantic import Field

from bottega.amounts import plural
from bottega.errors import InputError
from bottega.index import KnowledgeReader
from bottega.journal import FactStore, now
from bottega.judge.reranking import SHUFFLES, rerank, resolve_judge
from bottega.pipeline import DONE, Finished, House, Kind, Run, State, action
from bottega.retrieve.context import ContextTask, FileOutline, find_first_file, list_trials, outline_candidates
from bottega.verbs import Verb, VerbRequest, VerbResult

FACT = "rerank_trial"
_LEAST_TRIALS = 10
# A model earns it when so much more of the commits have a right file first, and twice as many are won as lost.
_LEAST_GAIN, _LEAST_RATIO = 0.05, 2


class TrialRequest(VerbRequest):
    """Measure whether a model ranks the files of this repository's commits better than the search does."""

    verb: ClassVar[str] = "models.trial"
    uses_index: ClassVar[bool] = True

    model: str = Field("", description="provider/model; empty is the model of the role classifier")
    commits: int = Field(40, ge=_LEAST_TRIALS, le=500, description="newest commits to try; three calls for each")


class TrialResult(VerbResult):
    """`found` are the commits with a changed file first by the search alone, `found_with_votes` with the votes."""

    run: str
    model: str
    commits: int
    found: int
    found_with_votes: int
    won: int
    lost: int
    earned: bool

    def render(self, form: str = "text") -> str:
        del form
        verdict = (
            "it reranks files in `ask` from now on"
            if self.earned
            else "it has not earned to rerank files in `ask`; `retrieve --rerank` asks it all the same"
        )
        return (
            f"{self.model}: a changed file first for {self.found_with_votes} of {plural(self.commits, 'commit')},"
            f" without it for {self.found}; {self.won} won, {self.lost} lost\n{verdict}\n"
        )


class TrialState(State):
    model: str
    count: int
    trials: tuple[dict[str, Any], ...] = ()
    found: int = 0
    found_with_votes: int = 0
    won: int = 0
    lost: int = 0
    earned: bool = False


@dataclass(frozen=True, slots=True)
class TrialTools:
    """`list_trials` gives commits, `outline` the first files of a task, `find_first` its best file with votes."""

    list_trials: Callable[[int], list[dict[str, Any]]]
    outline: Callable[[ContextTask], list[dict[str, Any]]]
    find_first: Callable[[ContextTask], str]
    facts: FactStore
    parallel: int


TrialRun = Run[TrialTools]


@action(DONE)
def list_commits(state: TrialState, run: TrialRun) -> str:
    """List the newest commits that change a few files of code."""
    state.trials = tuple(run.effect("commits", lambda: run.tools.list_trials(state.count)))
    if len(state.trials) < _LEAST_TRIALS:
        raise InputError(
            f"only {plural(len(state.trials), 'commit')} of this repository can be tried; {_LEAST_TRIALS} are needed",
            hint="A commit counts that changes one to three files of code and says so in five words or more.",
        )
    return DONE


@action(DONE)
def rank_commits(state: TrialState, run: TrialRun) -> str:
    """Rank the files of each commit without the history that it is part of, with and without votes."""
    report = run.count("trying, commits")
    state.found = state.found_with_votes = state.won = state.lost = 0
    for number, trial in enumerate(state.trials, 1):
        first, with_votes = _try_commit(trial, number, state.model, run)
        state.found, state.found_with_votes = state.found + first, state.found_with_votes + with_votes
        state.won, state.lost = state.won + (with_votes and not first), state.lost + (first and not with_votes)
        report(number, len(state.trials))
    return DONE


def _try_commit(trial: Mapping[str, Any], number: int, model: str, run: TrialRun) -> tuple[bool, bool]:
    """Whether a changed file is first without votes, and with them."""
    task = ContextTask(trial["task"], by_history=False)
    outlines = run.effect(f"outlines {number}", lambda: run.tools.outline(task))
    files = [FileOutline(outline["path"], tuple(outline["lines"])) for outline in outlines]
    votes = rerank(task.text, files, run, parallel=run.tools.parallel, model=model) if files else {}
    first = run.effect(f"first {number}", lambda: run.tools.find_first(task))
    voted = run.effect(
        f"voted {number}", lambda: run.tools.find_first(ContextTask(task.text, votes=votes, by_history=False))
    )
    return first in trial["paths"], voted in trial["paths"]


@action()
def finish(state: TrialState, run: TrialRun) -> str:
    """Keep what was measured."""
    count = len(state.trials)
    gain = (state.found_with_votes - state.found) / count
    state.earned = gain >= _LEAST_GAIN and state.won >= _LEAST_RATIO * state.lost
    measured = {"commits": count, "gain": gain, "won": state.won, "lost": state.lost, "earned": state.earned}
    run.effect("keep", lambda: run.tools.facts.put(state.model, FACT, {**measured, "at": now()}))
    run.outcome("earned", "yes" if state.earned else "no", f"{state.won} won, {state.lost} lost of {count}")
    return DONE


def has_earned_reranking(model: str, facts: FactStore) -> bool:
    """Whether a trial on this repository has shown that the model ranks files better than the search."""
    measured = facts.get(model, FACT)
    return isinstance(measured, dict) and measured.get("earned") is True


def try_model(request: TrialRequest, house: House) -> TrialResult:
    """Raise `SettingsError` for a model that no provider has, before a run starts."""
    roster = house.roster
    if not request.model:
        house.require_model()
    config = roster.router.named(request.model) if request.model else resolve_judge(roster)
    roster.model(config)
    house.remark(f"{config.id} is asked {SHUFFLES * request.commits} times; a cancelled trial can be resumed")
    state = TrialState(model=config.id, count=request.commits)
    return read_result(house.run_pipeline(house.pipelines.find("model-trial"), state))


@contextmanager
def open_tools(house: House) -> Iterator[TrialTools]:
    """Open one snapshot of the index when it is first used, and keep it until the run ends."""
    with ExitStack() as stack:
        opened: list[KnowledgeReader] = []

        def reader() -> KnowledgeReader:
            if not opened:
                reading = house.knowledge.reading(progress=house.progress, remark=house.remark)
                opened.append(stack.enter_context(reading))
            return opened[0]

        router = house.roster.router
        yield TrialTools(
            lambda count: [asdict(trial) for trial in list_trials(reader(), count)],
            lambda task: [asdict(outline) for outline in outline_candidates(task, reader())[0]],
            lambda task: find_first_file(task, reader()),
            house.journal.facts,
            resolve_judge(house.roster).concurrency if router.list_choices() else 1,
        )


def read_result(finished: Finished) -> TrialResult:
    state = finished.state
    assert isinstance(state, TrialState)
    counts = {name: getattr(state, name) for name in ("found", "found_with_votes", "won", "lost", "earned", "model")}
    return TrialResult(run=finished.run_id, commits=len(state.trials), **counts)


TRIAL_KIND = Kind(
    "trial",
    TrialState,
    {each.name: each for each in (list_commits, rank_commits, finish)},
    package="bottega.judge.trial",
    open_tools=open_tools,
    read_result=read_result,
    subject="model",
)
TRIAL = Verb(TrialRequest, TrialResult, try_model)
