"""The verb `retrieve`: assemble what a model should read for a task, judged by a model where that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bottega.judge.actions import ACTIONS
from bottega.judge.reranking import ROLE
from bottega.judge.state import RetrieveState, RetrieveTools
from bottega.pipeline import Finished, House, Kind
from bottega.retrieve import RetrieveRequest, RetrieveResult, RetrieveSession, open_retrieval
from bottega.verbs import Verb


def retrieve(request: RetrieveRequest, house: House) -> RetrieveResult:
    """Assemble the context of a task. Raise `InputError` for a task without words."""
    if not (request.rerank or request.judge):
        with open_retrieval(house, refresh=request.refresh) as session:
            return session.assemble(request, session.read_task(request))
    house.require_model()
    pipeline = house.pipelines.find("retrieve")
    return read_result(house.run_pipeline(pipeline, RetrieveState(task=request.task, request=request)))


@contextmanager
def open_tools(house: House) -> Iterator[RetrieveTools]:
    """Open one snapshot of the index when it is first used, and keep it until the run ends."""
    router = house.roster.router
    parallel = router.resolve(ROLE).concurrency if router.list_choices() else 1
    with ExitStack() as stack:
        opened: list[RetrieveSession] = []

        def open_session(request: RetrieveRequest) -> RetrieveSession:
            if not opened:
                opened.append(stack.enter_context(open_retrieval(house, refresh=request.refresh)))
            return opened[0]

        yield RetrieveTools(
            lambda request: open_session(request).list_candidates(request),
            lambda request, task, by: open_session(request).assemble(request, task, by),
            house.journal.facts,
            parallel,
        )


def read_result(finished: Finished) -> RetrieveResult:
    state = finished.state
    assert isinstance(state, RetrieveState)
    return RetrieveResult.model_validate({**(state.found or {}), "run": finished.run_id})


KIND = Kind(
    "retrieve",
    RetrieveState,
    ACTIONS,
    package="bottega.judge",
    open_tools=open_tools,
    read_result=read_result,
    subject="task",
)
RETRIEVE = Verb(RetrieveRequest, RetrieveResult, retrieve)
