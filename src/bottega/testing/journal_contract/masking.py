"""No store keeps a secret: neither one of a known shape nor the value of a variable that holds one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any

import pytest

from bottega.journal import Enrichment, Journal, now
from bottega.testing.journal_contract.factory import Contract, JournalFactory
from bottega.testing.journal_contract.samples import (
    ENVIRON,
    SECRET,
    SECRET_TEXT,
    VARIABLE_SECRET,
    begin,
    complete,
    dismissal,
    event,
    history_record,
    send,
    turn,
)


class MaskingContract(Contract):
    """Whatever is read back has `«masked:…»` where the secrets were, and the rest of the text as it was."""

    @pytest.fixture
    def masking(self, factory: JournalFactory) -> Iterator[Journal]:
        with closing(factory.open(environ=ENVIRON)) as opened:
            yield opened

    def test_every_store_masks_what_it_keeps(self, masking: Journal) -> None:
        for store in _STORES:
            kept = [repr(value) for value in store(masking)]
            assert kept, store.__name__
            for text in kept:
                assert SECRET not in text, store.__name__
                assert VARIABLE_SECRET not in text, store.__name__
                assert text.count("«masked:") >= 2, store.__name__

    def test_masking_leaves_json_that_can_be_read(self, masking: Journal) -> None:
        session = masking.sessions.open(begin(masking))
        session.put({"state": {"password": 'w7Kd"02mXp9', "plain": "x"}})
        assert session.get("state") == {"password": "«masked:value»", "plain": "x"}
        session.close()

    def test_a_diff_keeps_its_lines_and_signs(self, masking: Journal) -> None:
        review = masking.reviews.begin()
        key = ["+-----BEGIN RSA PRIVATE KEY-----", "+MIIE" + "vQIBADAN", "+-----END RSA PRIVATE KEY-----"]
        lines = ["+before", f"-{SECRET_TEXT}", *key, " after", ""]
        masking.reviews.write(review, {"change.diff": "\n".join(lines)})
        kept = masking.reviews.read(review, "change.diff").split("\n")
        assert [line[:1] for line in kept] == [line[:1] for line in lines]
        assert (kept[0], kept[-2]) == ("+before", " after")
        assert not any(secret in line for secret in (SECRET, VARIABLE_SECRET, "vQIBADAN") for line in kept)


def _run(journal: Journal) -> Iterable[Any]:
    run_id = begin(journal, text=SECRET_TEXT)
    journal.runs.begin_step(run_id, 1, "draft", "call_coder")
    journal.runs.end_step(run_id, 1, error=SECRET_TEXT)
    journal.runs.end(run_id, "failed", error=SECRET_TEXT, final_state={"code": SECRET_TEXT, SECRET_TEXT: 1})
    run = journal.runs.get(run_id)
    return [run.definition, run.input, run.settings, run.error, run.final_state, journal.runs.steps(run_id)]


def _calls(journal: Journal) -> Iterable[Any]:
    run_id = begin(journal)
    completed, failed = send(journal, run_id, text=SECRET_TEXT), send(journal, run_id, nth=1, text=SECRET_TEXT)
    complete(journal, completed, text=SECRET_TEXT)
    journal.calls.rule(completed, "refused", SECRET_TEXT)
    journal.calls.attempt(failed, 1, started_at=now(), error=SECRET_TEXT)
    journal.calls.fail(failed, SECRET_TEXT)
    first, second = journal.calls.of_run(run_id)
    replied = [first.reply, first.thinking, first.tool_calls, first.verdict_reason]
    return [first.request, *replied, second.request, second.error]


def _notes(journal: Journal) -> Iterable[Any]:
    run_id = begin(journal)
    returned = journal.notes.record_effect(run_id, 1, "tests", 0, {"output": [SECRET_TEXT], SECRET_TEXT: 1})
    journal.notes.decide(run_id, 1, "escalate", {"why": SECRET_TEXT}, SECRET_TEXT)
    journal.notes.validate(run_id, 1, "syntax", "failed", SECRET_TEXT)
    journal.notes.outcome(run_id, "accepted", SECRET_TEXT, SECRET_TEXT)
    return [returned, *journal.notes.of_run(run_id)]


def _events(journal: Journal) -> Iterable[Any]:
    run_id = begin(journal)
    journal.events.add([event(run_id, 1, "text", text=SECRET_TEXT)])
    return journal.events.after(run_id, 0)


def _session(journal: Journal) -> Iterable[Any]:
    session = journal.sessions.open(begin(journal))
    session.put({"state": {"texts": [SECRET_TEXT]}, "position": {"outcome": SECRET_TEXT}})
    kept = [session.get("state"), session.get("position")]
    session.close()
    return kept


def _models(journal: Journal) -> Iterable[Any]:
    journal.facts.put("ollama/a", "banner", {"text": SECRET_TEXT})
    described = Enrichment("a.py", "0", "ollama/a", "1", {"purpose": SECRET_TEXT}, "")
    journal.enrichments.put(begin(journal), described)
    return [journal.facts.get("ollama/a", "banner"), *journal.enrichments.newest()]


def _chat(journal: Journal) -> Iterable[Any]:
    journal.chats.add("port", turn("r1", SECRET_TEXT))
    journal.chats.summarize("port", SECRET_TEXT, 1)
    chat = journal.chats.get("port")
    return [chat.turns, chat.summary]


def _review(journal: Journal) -> Iterable[Any]:
    review = journal.reviews.begin()
    result = journal.reviews.masked({"title": SECRET_TEXT})
    names = ("result.json", "report.md", "change.diff", "discussions/d1/round-1.md")
    journal.reviews.write(review, {**dict.fromkeys(names, SECRET_TEXT), "result.json": result})
    return [journal.reviews.read(review, name) for name in names]


def _dismissal(journal: Journal) -> Iterable[Any]:
    return [journal.dismissals.add(dismissal(because=SECRET_TEXT)), *journal.dismissals.in_force()]


def _investigation(journal: Journal) -> Iterable[Any]:
    store = journal.investigations
    name = store.open("/target")
    store.write(name, "survey.json", {"text": SECRET_TEXT})
    store.put(name, "files", "a.py", {"relative_path": "a.py", "summary": SECRET_TEXT})
    store.append(name, "log.jsonl", {"text": SECRET_TEXT})
    store.rewrite(name, "flags.jsonl", [{"text": SECRET_TEXT}])
    kept = [store.read(name, "survey.json"), store.entry(name, "files", "a.py")]
    return [*kept, *store.lines(name, "log.jsonl"), *store.lines(name, "flags.jsonl")]


def _history(journal: Journal) -> Iterable[Any]:
    journal.history.append(history_record(original_prompt=SECRET_TEXT, judge={"reason": SECRET_TEXT}))
    return journal.history.newest()


_STORES: tuple[Callable[[Journal], Iterable[Any]], ...] = (
    *(_run, _calls, _notes, _events, _session, _models),
    *(_chat, _review, _dismissal, _investigation, _history),
)
