"""Every way in which a server can fail becomes one named error."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bottega.errors import (
    ModelBusy,
    ModelError,
    ModelFault,
    ModelMissing,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    PromptTooLong,
    ReplyCut,
)
from bottega.models import Request
from bottega.testing import CutStream, Delay, Fail, Hang, Redirect, Say, ScriptedServer, ServedModel, Step

from .doubles import HASTY, PATIENT, config_for, opened, talking


def failure(wire: str, step: Step, *, hasty: bool = False) -> ModelError:
    with talking(wire, ScriptedServer([step]), HASTY if hasty else PATIENT) as model:
        with pytest.raises(ModelError) as caught:
            model.complete(Request.of("hello"))
        assert caught.value.model == model.name
    return caught.value


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_names_its_variable_and_not_itself(wire: str, status: int) -> None:
    error = failure(wire, Fail(status, "bad key"))
    assert isinstance(error, ModelRefused)
    assert "bad key" in str(error)
    assert "MODEL_KEY" in error.hint
    assert "secret-of-the-house" not in f"{error} {error.hint}"


def test_a_wrong_key_is_refused_by_the_server_itself(wire: str) -> None:
    server = ScriptedServer([Say("never")], api_key="another")
    with talking(wire, server) as model, pytest.raises(ModelRefused):
        model.complete(Request.of("hello"))


def test_a_model_the_server_does_not_know_is_missing(wire: str) -> None:
    server = ScriptedServer([Say("never")], models=[ServedModel("other")])
    with talking(wire, server) as model, pytest.raises(ModelMissing) as caught:
        model.complete(Request.of("hello"))
    assert "bottega models" in caught.value.hint


@pytest.mark.parametrize("seconds", [7.0, None])
def test_a_busy_server_says_how_long_to_wait_if_it_knows(wire: str, seconds: float | None) -> None:
    error = failure(wire, Fail(429, retry_after=seconds))
    assert isinstance(error, ModelBusy)
    assert error.retry_after == seconds


def test_an_overloaded_anthropic_is_busy_not_broken() -> None:
    assert isinstance(failure("anthropic", Fail(529)), ModelBusy)


@pytest.mark.parametrize(("status", "passing"), [(500, True), (503, True), (400, False)])
def test_a_server_that_breaks_may_recover_and_a_bad_request_may_not(wire: str, status: int, passing: bool) -> None:
    error = failure(wire, Fail(status, "out of paper"))
    assert isinstance(error, ModelFault)
    assert "out of paper" in str(error)
    assert error.passing is passing


@pytest.mark.parametrize(
    ("hosted", "words"),
    [("openai", "This model's maximum context length is 8192 tokens"), ("anthropic", "prompt is too long: 9 > 8")],
)
def test_a_prompt_over_the_servers_window_is_too_long(hosted: str, words: str) -> None:
    assert isinstance(failure(hosted, Fail(400, words)), PromptTooLong)


def test_nothing_listening_is_unreachable_and_names_the_address(wire: str) -> None:
    with ScriptedServer([]) as server:
        pass
    with opened(config_for(wire, server.url)) as model, pytest.raises(ModelUnreachable) as caught:
        model.complete(Request.of("hello"))
    assert server.url in str(caught.value)


def test_a_server_that_never_answers_times_out(wire: str) -> None:
    error = failure(wire, Hang(), hasty=True)
    assert isinstance(error, ModelTimeout)
    assert "0.25 s" in str(error)


def test_a_slow_answer_within_the_timeout_is_waited_for(wire: str) -> None:
    with talking(wire, ScriptedServer([Delay(0.05, Say("at last"))])) as model:
        assert model.complete(Request.of("hello")).text == "at last"


@pytest.mark.parametrize("step", [Say("word " * 50, pace=0.02), Say("end", thinking="hm " * 50, pace=0.02)])
def test_a_trickle_of_text_or_thoughts_does_not_outlast_the_timeout(wire: str, step: Say) -> None:
    assert isinstance(failure(wire, step, hasty=True), ModelTimeout)


@pytest.mark.parametrize(("silent", "after"), [(False, 9), (True, 9), (True, 0)])
def test_a_stream_that_breaks_off_is_a_cut_reply_however_quietly(wire: str, silent: bool, after: int) -> None:
    assert isinstance(failure(wire, CutStream("this sentence has an end", after, silent)), ReplyCut)


def test_redirects_are_not_followed_with_key_and_prompt_in_hand(wire: str) -> None:
    with ScriptedServer([Say("come closer")], repeat_last=True) as stranger:
        paths = {"ollama": "/api/chat", "openai": "/v1/chat/completions", "anthropic": "/v1/messages"}
        error = failure(wire, Redirect(stranger.url + paths[wire]))
    assert isinstance(error, ModelFault)
    assert not error.passing
    assert "307" in str(error)
    assert stranger.requests == ()


def test_a_listing_fails_by_the_same_names(wire: str) -> None:
    with talking(wire, ScriptedServer([], api_key="another"), replace(PATIENT, model="m")) as model:
        for question in ("available", "context_length"):
            with pytest.raises(ModelRefused):
                getattr(model, question)()
