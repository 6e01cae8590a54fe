"""The votes of a model on an order of files: they count as far as they agree over shuffled orders."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from bottega.judge import Ballot, fuse_votes, shuffle_candidates
from bottega.judge.contracts import OrderContract
from bottega.models import Reply, TokenChoice


def by_order(*orders: Sequence[int]) -> list[Ballot]:
    return [Ballot(tuple(order)) for order in orders]


def test_a_model_that_always_names_the_same_file_first_counts_fully() -> None:
    votes = fuse_votes(by_order([4, 1], [4, 2], [4, 3]), 20)
    assert votes == {4: 1.0}


def test_a_file_that_an_order_leaves_out_has_no_vote() -> None:
    assert fuse_votes(by_order([4, 1], [4, 1], [1]), 20) == {1: pytest.approx(1 / 16)}


def test_an_order_that_could_not_be_had_leaves_no_vote() -> None:
    assert fuse_votes(by_order([4], [4], []), 20) == {}
    assert fuse_votes([], 20) == {}


def test_orders_are_shuffled_apart_and_the_same_for_the_same_task() -> None:
    orders = shuffle_candidates(20, "a task")
    assert orders == shuffle_candidates(20, "a task") != shuffle_candidates(20, "another")
    assert len({tuple(order) for order in orders}) == len(orders) == 3
    assert all(sorted(order) == list(range(20)) for order in orders)


def test_a_model_that_guesses_or_follows_the_order_it_is_shown_seldom_says_anything() -> None:
    dice = random.Random(1)
    strong = {"guess": 0, "follow": 0}
    for task in range(2_000):
        shown = shuffle_candidates(20, str(task))
        guessed = fuse_votes(by_order(*(dice.sample(range(20), 5) for _ in shown)), 20)
        followed = fuse_votes(by_order(*(order[:5] for order in shown)), 20)
        strong["guess"] += any(vote >= 0.25 for vote in guessed.values())
        strong["follow"] += any(vote >= 0.25 for vote in followed.values())
    assert strong["guess"] < 40
    assert strong["follow"] < 40


def test_probabilities_count_instead_of_ranks_where_every_ballot_has_them() -> None:
    sure = [Ballot((4, 1), {4: 0.9, 1: 0.1}), Ballot((4, 2), {4: 0.8, 2: 0.2}), Ballot((4,), {4: 1.0})]
    assert fuse_votes(sure, 20) == {4: pytest.approx(0.72)}
    assert fuse_votes([*sure[:2], Ballot((4,))], 20) == {4: 1.0}


def test_the_probabilities_are_those_in_the_place_of_the_first_letter() -> None:
    tokens = (
        TokenChoice('{"order', {'{"order': 1.0}),
        TokenChoice(' ["', {' ["': 0.9, "[": 0.1}),
        TokenChoice("B", {"B": 0.5, '"B': 0.1, "A": 0.2, "Z": 0.1, "the": 0.1}),
        TokenChoice("A", {"A": 1.0}),
    )
    ballot = OrderContract(3).parse(Reply('{"order": ["B", "A"]}', tokens=tokens))
    assert ballot.order == (1, 0)
    assert ballot.probabilities == {1: pytest.approx(0.75), 0: pytest.approx(0.25)}
    assert OrderContract(3).parse(Reply('{"order": ["B", "A"]}')).probabilities == {}
