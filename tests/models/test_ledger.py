"""One account of tokens for each call, and the gate it stands at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bottega.errors import PromptTooLong
from bottega.journal import Journal
from bottega.models import Ledger, Message, ModelConfig, Reply, Request, Usage
from bottega.models.providers.scripted import ScriptedModel
from bottega.testing import Say, ScriptedServer

from .doubles import OpenDesk, base_url, settings_for

SMALL = ModelConfig("m", "scripted", context_window=1000, max_tokens=300)


def test_an_account_adds_up_to_the_window() -> None:
    request = Request((Message("user", "x" * 400), Message("assistant", "y" * 40)), system="z" * 80)
    account = Ledger(safety=1.0).account(SMALL, request)
    assert (account.system, account.messages, account.completion) == (21, 105 + 15, 300)
    assert account.system + account.messages + account.completion + account.margin + account.free == 1000


def test_the_safety_factor_makes_estimates_larger() -> None:
    assert Ledger(safety=2.0).estimate("m", "x" * 400) == 201
    assert Ledger(safety=1.0).estimate("m", "x" * 400) == 101
    assert Ledger().estimate("m", "") == 0


def test_a_request_over_the_window_is_refused_with_its_account_before_anything_is_sent(
    open_desk: OpenDesk, wire: str
) -> None:
    with ScriptedServer([Say("never")]) as server:
        desk = open_desk(server, wire)
        with pytest.raises(PromptTooLong) as caught:
            desk.complete("word " * 10_000)
    assert "system 0 + messages 13755 + reply 2048 + margin 64 against a window of 8192 tokens" in str(caught.value)
    assert "context_window" in caught.value.hint
    assert caught.value.exit_code == 2
    assert (server.requests, desk.calls) == ((), [])


def test_the_reply_is_part_of_the_account() -> None:
    prompt = Request.of("x" * 2000)
    Ledger().admit(SMALL, prompt)
    with pytest.raises(PromptTooLong):
        Ledger().admit(SMALL, replace(prompt, max_tokens=600))


def test_a_request_may_ask_for_less_than_the_configured_reply_and_not_for_more(open_desk: OpenDesk) -> None:
    model = ScriptedModel(["a", "b"])
    desk = open_desk(model)
    for wish in (100, 100_000):
        desk.roster.complete(Request.of("go", max_tokens=wish), role="coding", log=desk.log())
    assert [request.max_tokens for request in model.requests] == [100, 2048]


def test_the_first_count_a_server_reports_replaces_the_guess(journal: Journal) -> None:
    ledger = Ledger(journal.facts)
    assert ledger.chars_per_token("m") == 4.0
    ledger.learn("m", Request.of("x" * 1000), 500)
    assert ledger.chars_per_token("m") == 2.0


def test_later_counts_move_the_estimate_a_little(journal: Journal) -> None:
    ledger = Ledger(journal.facts)
    for tokens in (250, 500):
        ledger.learn("m", Request.of("x" * 1000), tokens)
    assert ledger.chars_per_token("m") == pytest.approx(3.6)
    assert ledger.chars_per_token("other") == 4.0


@pytest.mark.parametrize(("chars", "tokens"), [(100, 90), (1000, None), (1000, 0)])
def test_short_prompts_and_missing_counts_teach_nothing(journal: Journal, chars: int, tokens: int | None) -> None:
    ledger = Ledger(journal.facts)
    ledger.learn("m", Request.of("x" * chars), tokens)
    assert journal.facts.get("m", "chars_per_token") is None


@pytest.mark.parametrize(("tokens", "learned"), [(1, 8.0), (100_000, 1.0)])
def test_absurd_counts_are_bounded(journal: Journal, tokens: int, learned: float) -> None:
    ledger = Ledger(journal.facts)
    ledger.learn("m", Request.of("x" * 1000), tokens)
    assert ledger.chars_per_token("m") == learned


def test_what_a_server_counts_tightens_the_gate_for_the_next_call(open_desk: OpenDesk) -> None:
    dense = "x" * 12_000
    desk = open_desk(ScriptedModel(lambda _: Reply("done", usage=Usage(12_000, 1))))
    assert desk.complete(dense) == "done"
    with pytest.raises(PromptTooLong):
        desk.complete(dense, desk.log(2))


def test_a_larger_window_lets_the_same_request_through(open_desk: OpenDesk) -> None:
    with ScriptedServer([Say("done")]) as server:
        place = {"base_url": base_url("openai", server.url), "context_window": 32_768}
        desk = open_desk(server, "openai", settings=settings_for("openai/m", openai=place))
        assert desk.complete("word " * 10_000) == "done"
