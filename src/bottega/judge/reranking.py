"""Rerank files by a model: shown as outlines in several shuffled orders, its votes count as far as they agree."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from bottega.errors import ModelError, PromptTooLong, ReplyRejected
from bottega.judge.contracts import OrderContract
from bottega.models import Request, fenced, load_prompt
from bottega.pipeline import Run, fan_out
from bottega.retrieve.context import FileOutline
from bottega.source import quote_line

ROLE = "classifier"
SHUFFLES = 3


def rerank(task: str, candidates: Sequence[FileOutline], run: Run[Any], *, parallel: int = 1) -> Mapping[str, float]:
    """The votes for each path, between 0 and 1. An order that cannot be had votes for nothing; errors are remarks."""
    orders = shuffle_candidates(len(candidates), task)

    def ask_order(shuffled: Sequence[int]) -> list[int]:
        request = _build_request(task, [candidates[at] for at in shuffled])
        numbers = run.ask(request, OrderContract(len(shuffled)), role=ROLE).value
        return [shuffled[number - 1] for number in numbers]

    ranked: list[list[int]] = []
    for result in fan_out(orders, ask_order, limit=parallel):
        if isinstance(result.error, ReplyRejected | PromptTooLong | ModelError):
            run.say(f"reranking: {result.error}")
            ranked.append([])
        else:
            ranked.append(result.value())
    votes = fuse_votes(ranked, len(candidates))
    for at, vote in sorted(votes.items(), key=lambda item: -item[1]):
        run.decide("rerank", candidates[at].path, f"{vote:.3f} of 1: {len(orders)} orders")
    return {candidates[at].path: vote for at, vote in votes.items()}


def shuffle_candidates(count: int, task: str) -> list[list[int]]:
    """Orders in which candidates are shown, the same for the same task."""
    seed = int.from_bytes(sha256(task.encode("utf-8", "surrogatepass")).digest()[:8])
    dice = random.Random(seed)  # noqa: S311 - an order, no secret
    return [dice.sample(range(count), count) for _ in range(SHUFFLES)]


def fuse_votes(orders: Sequence[Sequence[int]], count: int) -> dict[int, float]:
    """For each candidate the square of the product of its reciprocal ranks over all orders.

    Where the orders differ it is near 0: a model that guesses, or follows the order it is shown, says nothing.
    """
    ranks = [{candidate: rank for rank, candidate in enumerate(order, 1)} for order in orders]
    votes = {at: math.prod(1 / rank[at] ** 2 if at in rank else 0.0 for rank in ranks) for at in range(count)}
    return {at: vote for at, vote in votes.items() if vote and ranks}


def _build_request(task: str, candidates: Sequence[FileOutline]) -> Request:
    prompt = load_prompt("bottega.judge", "rerank")
    files = "\n\n".join(f"[{number}]\n{_format_outline(outline)}" for number, outline in enumerate(candidates, 1))
    return Request.of(
        prompt.fill(task=fenced(task), files=files),
        system=prompt.fill_system(),
        stage="retrieve.rerank",
        prompt_version=prompt.version,
    )


def _format_outline(outline: FileOutline) -> str:
    return fenced("\n".join([quote_line(outline.path), *(quote_line(line, 200) for line in outline.lines)]))
