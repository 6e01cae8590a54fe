"""Panels of models: what worked before is asked again, what is new gets its turn, and families are mixed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bottega.journal import open_journal
from bottega.models import Bandit, Candidate, PanelPreferences, family_of

FREE = PanelPreferences(families=1, min_reasoning=0, max_reasoning=9, min_context_window=0)


@pytest.fixture
def bandit(tmp_path: Path) -> Iterator[Bandit]:
    journal = open_journal(tmp_path, environ={})
    yield Bandit(journal.facts)
    journal.close()


def pool(*names: str, window: int = 64_000) -> list[Candidate]:
    return [Candidate(f"here/{name}", window) for name in names]


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("ollama/deepseek-r1:8b", "deepseek"),
        ("ollama/qwq", "qwen"),
        ("openrouter/deepseek-r1-distill-llama-70b", "llama"),
        ("mistral/codestral-latest", "mistral"),
        ("openai/gpt-5", "openai"),
        ("moonshot/kimi-k2", "moonshot"),
        ("anthropic/claude-x", "anthropic"),
        ("here/starcoder2-7b", "starcoder"),
        ("embedded/qwen2.5-coder-1.5b", "qwen"),
    ],
)
def test_families(model: str, family: str) -> None:
    assert family_of(model) == family


def test_the_same_seed_gives_the_same_panel(bandit: Bandit) -> None:
    every = pool(*(f"model{letter}" for letter in "abcdefgh"))
    panels = {bandit.choose(every, 4, Random(7), FREE).models for _ in range(5)}
    assert len(panels) == 1
    assert len({bandit.choose(every, 4, Random(seed), FREE).models for seed in range(20)}) > 5


def test_what_was_worth_it_is_asked_more_often(bandit: Bandit) -> None:
    for _ in range(12):
        bandit.reward("here/good", won=True)
        bandit.reward("here/bad", won=False)
    chosen = [bandit.choose(pool("good", "bad"), 1, Random(seed), FREE).models[0] for seed in range(200)]
    assert chosen.count("here/good") > 190


def test_nothing_is_ever_beyond_doubt(bandit: Bandit) -> None:
    for _ in range(500):
        bandit.reward("here/good", won=True)
        bandit.reward("here/fair", won=True)
    bandit.reward("here/fair", won=False)
    chosen = [bandit.choose(pool("good", "fair"), 1, Random(seed), FREE).models[0] for seed in range(200)]
    assert 20 < chosen.count("here/fair") < 180


def test_one_place_is_for_who_was_asked_least(bandit: Bandit) -> None:
    for name in ("one", "two", "three"):
        for _ in range(30):
            bandit.reward(f"here/{name}", won=True)
    for _ in range(3):
        bandit.reward("here/new", won=False)
    every = pool("one", "two", "three", "new")
    assert all("here/new" in bandit.choose(every, 2, Random(seed), FREE).models for seed in range(30))


def test_families_are_mixed_where_that_can_be(bandit: Bandit) -> None:
    wishes = PanelPreferences(min_reasoning=0, max_reasoning=9)
    every = pool("qwen-a", "qwen-b", "qwen-c", "llama-a", "gemma-a")
    for seed in range(30):
        panel = bandit.choose(every, 3, Random(seed), wishes)
        assert len({family_of(model) for model in panel.models}) == 3
        assert len(set(panel.models)) == 3
    alone = bandit.choose(pool("qwen-a", "qwen-b", "qwen-c"), 3, Random(0), wishes)
    assert alone.remarks == ("the models come from 1 of 3 families asked for",)


def test_one_that_thinks_for_long_but_not_three(bandit: Bandit) -> None:
    wishes = PanelPreferences(families=1)
    every = pool("deepseek-r1", "qwq", "think-a", "plain-a", "plain-b", "plain-c")
    for seed in range(30):
        thinking = [m for m in bandit.choose(every, 4, Random(seed), wishes).models if not m.startswith("here/plain")]
        assert 1 <= len(thinking) <= 2


def test_small_windows_are_left_out_unless_nothing_else_is_here(bandit: Bandit) -> None:
    every = [*pool("wide-a", "wide-b"), *pool("small", window=8_000)]
    assert all("here/small" not in bandit.choose(every, 2, Random(seed), FREE_WIDE).models for seed in range(20))
    panel = bandit.choose(pool("small", window=8_000), 2, Random(0), FREE_WIDE)
    assert panel.models == ("here/small",)
    assert "windows below 32000" in panel.remarks[0]


FREE_WIDE = PanelPreferences(families=1, min_reasoning=0, max_reasoning=9)


def test_the_leaderboard_is_kept(tmp_path: Path) -> None:
    journal = open_journal(tmp_path, environ={})
    bandit = Bandit(journal.facts)
    bandit.reward("here/a", won=True)
    bandit.reward("here/b", won=False)
    bandit.reward("here/b", won=False)
    journal.close()
    again = open_journal(tmp_path, environ={})
    board = Bandit(again.facts).leaderboard()
    again.close()
    assert [(arm.model, round(arm.win_rate, 2), arm.reviews) for arm in board] == [
        ("here/a", 0.67, 1),
        ("here/b", 0.25, 2),
    ]
