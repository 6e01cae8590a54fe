"""Rerank files by a model: shown as outlines in several shuffled orders, its votes count as far as they agree."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from bottega.errors import ModelError, PromptTooLong, ReplyRejected
from bottega.judge.contracts import LETTERS, Ballot, OrderContract
from bottega.models import ModelConfig, Request, Roster, fenced, load_prompt
from bottega.pipeline import Run, fan_out
from bottega.retrieve.context import FileOutline
from bottega.source import quote_line

ROLE, STAGE = "classifier", "retrieve.rerank"
SHUFFLES = 3
_ALTERNATIVES = 20


def rerank(
    task: str, candidates: Sequence[FileOutline], run: Run[Any], *, parallel: int = 1, model: str = ""
) -> Mapping[str, float]:
    """The votes for each path, between 0 and 1. An order that cannot be had votes for nothing; errors are remarks.

    `model` is the id of a model to ask instead of the role's.
    """
    candidates = candidates[: len(LETTERS)]
    orders = shuffle_candidates(len(candidates), task)

    def ask_order(number: int) -> Ballot:
        shuffled = orders[number]
        request = _build_request(task, [candidates[at] for at in shuffled])
        ballot = run.ask(request, OrderContract(len(shuffled)), role=ROLE, model=model).value
        # Recorded beside the call, because the journal keeps no probabilities of tokens.
        shown: dict[str, float] = run.effect(
            f"probabilities {number}", lambda: {str(at): value for at, value in ballot.probabilities.items()}
        )
        return Ballot(
            tuple(shuffled[at] for at in ballot.order), {shuffled[int(at)]: value for at, value in shown.items()}
        )

    ballots: list[Ballot] = []
    for result in fan_out(range(len(orders)), ask_order, limit=parallel):
        if isinstance(result.error, ReplyRejected | PromptTooLong | ModelError):
            run.say(f"reranking: {result.error}")
            ballots.append(Ballot(()))
        else:
            ballots.append(result.value())
    votes = fuse_votes(ballots, len(candidates))
    by = "probabilities" if all(ballot.probabilities for ballot in ballots) else "orders"
    for at, vote in sorted(votes.items(), key=lambda item: -item[1]):
        run.decide("rerank", candidates[at].path, f"{vote:.3f} of 1: the {by} of {len(orders)} shuffles")
    return {candidates[at].path: vote for at, vote in votes.items()}


def resolve_judge(roster: Roster) -> ModelConfig:
    """The model that is asked to rerank."""
    return roster.router.resolve(ROLE, STAGE)


def shuffle_candidates(count: int, task: str) -> list[list[int]]:
    """Orders in which candidates are shown, the same for the same task."""
    seed = int.from_bytes(sha256(task.encode("utf-8", "surrogatepass")).digest()[:8])
    dice = random.Random(seed)  # noqa: S311 - an order, no secret
    return [dice.sample(range(count), count) for _ in range(SHUFFLES)]


def fuse_votes(ballots: Sequence[Ballot], count: int) -> dict[int, float]:
    """For each candidate the product of its probabilities over all ballots.

    Where a server gives none, of the squares of its reciprocal ranks. Where the ballots differ it is near 0: a model
    that guesses, or follows the order it is shown, says nothing.
    """
    if ballots and all(ballot.probabilities for ballot in ballots):
        scores: list[Mapping[int, float]] = [ballot.probabilities for ballot in ballots]
    else:
        scores = [{at: 1 / rank**2 for rank, at in enumerate(ballot.order, 1)} for ballot in ballots]
    votes = {at: math.prod(score.get(at, 0.0) for score in scores) for at in range(count)}
    return {at: vote for at, vote in votes.items() if vote and scores}


def _build_request(task: str, candidates: Sequence[FileOutline]) -> Request:
    prompt = load_prompt("bottega.judge", "rerank")
    files = "\n\n".join(
        f"[{letter}]\n{_format_outline(outline)}" for letter, outline in zip(LETTERS, candidates, strict=False)
    )
    return Request.of(
        prompt.fill(task=fenced(task), files=files),
        system=prompt.fill_system(),
        stage=STAGE,
        prompt_version=prompt.version,
        alternatives=_ALTERNATIVES,
    )


def _format_outline(outline: FileOutline) -> str:
    return fenced("\n".join([quote_line(outline.path), *(quote_line(line, 200) for line in outline.lines)]))
