"""Two small questions tell whether a model answers, how fast, and whether it honours a schema."""

from __future__ import annotations

import pytest

from bottega.errors import ModelTimeout
from bottega.journal import Journal
from bottega.models.probe import probe
from bottega.models.providers.scripted import ScriptedModel
from bottega.testing import Fail, Prose, Say, ScriptedServer, ServedModel

from .doubles import HASTY, config_for, opened, talking

COUNTED = Say("one, two, three", completion_tokens=40, delay=0.01)
OBEYED = Say('{"colour": "zq-ochre-3"}')


def test_a_model_that_answers_and_obeys_is_measured_and_remembered(wire: str, journal: Journal) -> None:
    server = ScriptedServer([COUNTED, OBEYED], models=[ServedModel("m", context_length=4096)])
    with talking(wire, server) as model:
        result = probe(model, config_for(wire, server.url), journal.facts)
    assert (result.model, result.answers, result.problem) == (f"{wire}/m", True, "")
    assert (result.json_schema, result.context_length) == (True, 4096)
    assert result.tokens_per_second is not None
    assert 0 < result.tokens_per_second <= 40 / 0.01
    facts = journal.facts
    assert facts.get(f"{wire}/m", "json_schema") is True
    assert facts.get(f"{wire}/m", "context_length_max") == 4096
    assert facts.get(f"{wire}/m", "tokens_per_second") == result.tokens_per_second


@pytest.mark.parametrize("reply", ['{"colour": "blue"}', "The sky is blue."])
def test_a_model_that_pays_no_attention_to_the_schema_is_found_out(journal: Journal, reply: str) -> None:
    with talking("openai", ScriptedServer([COUNTED, Prose(reply)])) as model:
        result = probe(model, config_for("openai", ""), journal.facts)
    assert result.json_schema is False
    assert journal.facts.get("openai/m", "json_schema") is False


def test_a_server_that_refuses_the_schema_answers_without_it(wire: str, journal: Journal) -> None:
    with talking(wire, ScriptedServer([COUNTED, OBEYED], honours_schema=False)) as model:
        result = probe(model, config_for(wire, ""), journal.facts)
    assert (result.answers, result.json_schema) == (True, False)


def test_a_model_that_does_not_answer_says_why_and_nothing_is_remembered(journal: Journal) -> None:
    with ScriptedServer([]) as server:
        pass
    config = config_for("ollama", server.url, HASTY)
    with opened(config) as model:
        result = probe(model, config, journal.facts)
    assert not result.answers
    assert server.url in result.problem
    assert (result.json_schema, result.context_length, result.tokens_per_second) == (None, None, None)
    assert journal.facts.get("ollama/m", "json_schema") is None


def test_a_server_that_breaks_over_the_second_question_does_not_count_as_answering(journal: Journal) -> None:
    with talking("openai", ScriptedServer([COUNTED, Fail(500)])) as model:
        assert not probe(model, config_for("openai", ""), journal.facts).answers
    assert journal.facts.get("openai/m", "json_schema") is None


def test_what_cannot_be_known_is_none(journal: Journal) -> None:
    model = ScriptedModel(["one", '{"colour": "zq-violet-7"}'])
    result = probe(model, config_for("openai", ""), journal.facts)
    assert (result.json_schema, result.context_length) == (True, None)
    slow = ScriptedModel([ModelTimeout("scripted/model", 300)])
    assert probe(slow, config_for("openai", ""), journal.facts).problem == "scripted/model gave no answer within 300 s"
