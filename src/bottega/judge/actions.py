"""The actions of `retrieve`: list candidates, rerank files, judge symbols, assemble."""

from __future__ import annotations

from bottega.amounts import plural
from bottega.judge.judging import judge
from bottega.judge.reranking import rerank
from bottega.judge.state import RetrieveRun, RetrieveState
from bottega.pipeline import DONE, action
from bottega.retrieve.context import FileOutline, SymbolText


@action("some", "none")
def list_candidates(state: RetrieveState, run: RetrieveRun) -> str:
    """List the first files and symbols by rank."""
    found = run.effect("candidates", lambda: run.tools.list_candidates(state.request))
    state.files, state.symbols = tuple(found["files"]), tuple(found["symbols"])
    return "some" if state.files else "none"


@action(DONE)
def rerank_files(state: RetrieveState, run: RetrieveRun) -> str:
    """Have a model vote on the order of the first files, where that was asked for."""
    if state.request.rerank:
        outlines = [FileOutline(file["path"], tuple(file["lines"])) for file in state.files]
        state.votes = dict(rerank(state.task, outlines, run, parallel=run.tools.parallel))
    return DONE


@action(DONE)
def judge_symbols(state: RetrieveState, run: RetrieveRun) -> str:
    """Have a model judge the first symbols yes or no, where that was asked for."""
    if state.request.judge:
        texts = [SymbolText(symbol["node"], symbol["place"], symbol["text"]) for symbol in state.symbols]
        state.verdicts = dict(judge(state.task, texts, run, run.tools.facts, parallel=run.tools.parallel))
        refused = sum(verdict == "no" for verdict in state.verdicts.values())
        run.say(f"{plural(refused, 'symbol')} of {len(texts)} judged not to matter")
    return DONE


@action(DONE)
def assemble_package(state: RetrieveState, run: RetrieveRun) -> str:
    """Assemble the package, and record every decision."""
    by = "rank and a model" if state.votes or state.verdicts else "rank"
    task = state.build_task()
    state.found = run.effect("package", lambda: run.tools.assemble(state.request, task, by).as_json())
    for decision in state.found["decisions"]:
        reason = f"{decision['level']}, tier {decision['tier']}: {decision['reason']}"
        run.decide("context", decision["what"], reason)
    return DONE


@action()
def finish(state: RetrieveState, run: RetrieveRun) -> str:
    """End the run."""
    assert state.found is not None
    run.outcome("retrieved", "something" if state.found["units"] else "nothing")
    return DONE


ACTIONS = {each.name: each for each in (list_candidates, rerank_files, judge_symbols, assemble_package, finish)}
