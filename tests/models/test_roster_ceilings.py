"""A run has ceilings of tokens, money and minutes, and stops before the call that comes after them."""

from __future__ import annotations

import pytest

from bottega.errors import CeilingReached
from bottega.models import Ceilings, Reply, Request, Usage
from bottega.models.providers.scripted import ScriptedModel
from bottega.settings import Limits, Price, Settings
from bottega.testing import Say, ScriptedServer

from .doubles import Clock, Desk, OpenDesk, settings_for

SAID = Reply("done", usage=Usage(600, 400))
PRICED = {"scripted/model": Price(input=1000, output=2000)}
AWAY = settings_for("away/m", away={"kind": "openai", "base_url": "https://models.example/v1"})


def ask(desk: Desk, ceilings: Ceilings, seq: int = 1) -> str:
    return desk.roster.complete(Request.of("go"), role="coding", log=desk.log(seq), ceilings=ceilings).text


def stopped(desk: Desk, ceilings: Ceilings) -> str:
    with pytest.raises(CeilingReached) as caught:
        desk.roster.complete(Request.of("one more"), role="coding", log=desk.log(9), ceilings=ceilings)
    assert "[limits]" in caught.value.hint
    return str(caught.value)


def test_a_ceiling_of_tokens_stops_the_next_call_before_it_is_sent(open_desk: OpenDesk) -> None:
    with ScriptedServer([Say("done", prompt_tokens=600, completion_tokens=400)], repeat_last=True) as server:
        desk = open_desk(server, "openai")
        ceilings = Ceilings(Limits(tokens=1000))
        assert ask(desk, ceilings) == "done"
        assert stopped(desk, ceilings) == "the run reached its ceiling: 1000 of 1000 tokens used"
    assert len(server.asked) == len(desk.calls) == 1


def test_a_ceiling_of_money_is_counted_by_the_prices(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel([SAID] * 3), prices=PRICED)
    ceilings = Ceilings(Limits(cost=2.0))
    assert ask(desk, ceilings, 1) == ask(desk, ceilings, 2) == "done"
    assert stopped(desk, ceilings) == "the run reached its ceiling: $2.8000 of $2 spent"
    assert [call.cost for call in desk.calls] == [1.4, 1.4]


def test_a_ceiling_of_minutes_is_read_from_the_clock(open_desk: OpenDesk) -> None:
    clock = Clock(1000.0)
    ceilings = Ceilings(Limits(minutes=2), clock=clock)
    desk = open_desk(ScriptedModel([SAID] * 2))
    clock.time += 119
    assert ask(desk, ceilings) == "done"
    clock.time += 1
    assert stopped(desk, ceilings) == "the run reached its ceiling: 2 minutes"


def test_an_unknown_price_is_refused_under_a_ceiling_of_money(open_desk: OpenDesk) -> None:
    model = ScriptedModel([SAID])
    desk = open_desk(model, settings=AWAY)
    assert "the price of away/m is unknown" in stopped(desk, Ceilings(Limits(cost=5)))
    assert (model.requests, desk.calls) == ([], [])


def test_an_unknown_price_is_recorded_as_unknown(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel([SAID]), settings=AWAY)
    assert ask(desk, Ceilings(Limits())) == "done"
    assert desk.calls[0].cost is None
    assert desk.journal.runs.usage(desk.run_id).cost is None


def test_a_model_on_this_machine_costs_nothing_and_passes_a_ceiling_of_money(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel([SAID]))
    assert ask(desk, Ceilings(Limits(cost=0.01))) == "done"
    assert desk.calls[0].cost == 0.0


def test_earlier_sittings_of_a_run_count(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel([SAID]))
    assert "tokens used" in stopped(desk, Ceilings(Limits(tokens=500), tokens=500, cost=0.0))
    assert "$3.0000 of $2 spent" in stopped(desk, Ceilings(Limits(cost=2), cost=3.0))
    assert "is unknown" in stopped(desk, Ceilings(Limits(cost=2), cost=None))


def test_no_ceilings_are_none(open_desk: OpenDesk) -> None:
    clock = Clock()
    ceilings = Ceilings(Settings().limits, tokens=10**9, cost=None, clock=clock)
    clock.time = 10.0**9
    assert ask(open_desk(ScriptedModel([SAID])), ceilings) == "done"


def test_a_recalled_call_passes_every_ceiling(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel([SAID]))
    ceilings = Ceilings(Limits(tokens=1000))
    assert ask(desk, ceilings) == "done"
    assert ask(desk, ceilings) == "done"
    assert len(desk.calls) == 1


def test_usage_that_a_server_does_not_report_is_estimated_marked_and_counted(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel([Reply("word " * 2000)] * 2), prices=PRICED)
    ceilings = Ceilings(Limits(tokens=1500))
    ask(desk, ceilings)
    [call] = desk.calls
    assert bool(call.usage_is_estimated)
    assert call.prompt_tokens is not None
    assert call.completion_tokens is not None
    assert 2000 < call.completion_tokens < 4000
    assert call.cost is not None
    assert "tokens used" in stopped(desk, ceilings)


def test_usage_that_a_server_reports_is_not_marked(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel([SAID]))
    ask(desk, Ceilings(Limits()))
    assert [(call.prompt_tokens, call.completion_tokens, bool(call.usage_is_estimated)) for call in desk.calls] == [
        (600, 400, False)
    ]
