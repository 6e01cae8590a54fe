"""Let a model vote on the files of a question, where it has earned that or the pipeline says so."""

from __future__ import annotations

from dataclasses import asdict

from bottega.ask.prompting import get_repository, get_settings
from bottega.ask.state import AskState
from bottega.ask.tools import AskRun
from bottega.judge import has_earned_reranking, rerank, resolve_judge
from bottega.pipeline import DONE, action
from bottega.retrieve.context import ContextTask, FileOutline


@action(DONE)
def rerank_files(state: AskState, run: AskRun) -> str:
    """Have a model vote on the order of the first files, if it has earned that in a trial on this repository."""
    policy = get_settings(run).rerank
    if policy == "never" or not run.roster.router.list_choices():
        return DONE
    config = resolve_judge(run.roster)
    has_earned = policy == "always" or run.effect("earned", lambda: has_earned_reranking(config.id, run.tools.facts))
    if not has_earned:
        return DONE
    task = ContextTask(state.query or state.question_en)
    outlines = run.effect("outlines", lambda: list(map(asdict, get_repository(run).outline(task))))
    files = [FileOutline(outline["path"], tuple(outline["lines"])) for outline in outlines]
    if len(files) > 1:
        state.votes = dict(rerank(task.text, files, run, parallel=config.concurrency))
    return DONE
