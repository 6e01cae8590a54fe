"""Secrets go in through every public method; none of their bytes may lie under `.bottega/` afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bottega.journal import Dismissal, Enrichment, Event, Journal, Turn, now, open_journal

from .entries import begin, bytes_at_rest, complete, record, send
from .shapes import SHAPES, Planted

ENVIRON = {"SERVICE_TOKEN": "tok/Xk3vTn7rYb+2cLm", "DB_PASS": 'with "quotes" and \\ 9'}
DOTENV = "SESSION=Jd4fHs6gAe1uRo5i\n"
KNOWN = {
    **SHAPES,
    "variable": Planted("use tok/Xk3vTn7rYb+2cLm now", "tok/Xk3vTn7rYb+2cLm"),
    "variable with quotes": Planted(f"use {ENVIRON['DB_PASS']} now", 'with "quotes"'),
    "env file": Planted("use Jd4fHs6gAe1uRo5i now", "Jd4fHs6gAe1uRo5i"),
}
TEXT = {shape: planted.text for shape, planted in KNOWN.items() if shape != "private key without its end"}
EVERYTHING = "\n".join(["before", *TEXT.values(), KNOWN["private key without its end"].text])


def write_everywhere(journal: Journal, text: str) -> str:
    """Once through each public method that stores text."""
    run_id = begin(journal, text=text)
    journal.runs.begin_step(run_id, 1, "draft", "call_coder")
    call_id = send(journal, run_id, text=text)
    journal.calls.attempt(call_id, 1, started_at=now(), error=text)
    complete(journal, call_id, text=text, thinking=text, tool_calls=[{"name": "read", "arguments": {text: text}}])
    journal.calls.rule(call_id, "refused", text)
    journal.calls.fail(send(journal, run_id, nth=1, text=text), text)
    journal.notes.record_effect(run_id, 1, "tests", 0, {"output": [text], text: 1})
    journal.notes.decide(run_id, 1, "escalate", {"why": text, "password": text}, text)
    journal.notes.validate(run_id, 1, "syntax", "failed", text)
    journal.notes.outcome(run_id, "accepted", text, text)
    journal.facts.put("ollama/a", "banner", {"text": text})
    journal.enrichments.put(run_id, Enrichment("a.py", "0", "ollama/a", "1", {"purpose": text}, text))
    journal.events.add([Event(run_id, 1, now(), "draft", "text", name="reply", text=text)])
    journal.runs.end_step(run_id, 1, error=text)
    journal.runs.end(run_id, "failed", error=text, final_state={"code": text, "parts": (text,)})
    fields = ("original_prompt", "normalized_prompt", "coder_output", "reviewer_output", "final_output")
    journal.history.append(record(**dict.fromkeys(fields, text), judge={"reason": text}))
    _write_documents(journal, run_id, text)
    return run_id


def _write_documents(journal: Journal, run_id: str, text: str) -> None:
    journal.chats.add("port", Turn(now(), run_id, text, text, text, text))
    journal.chats.summarize("port", text, len(journal.chats.get("port").turns))
    review = journal.reviews.begin()
    files = {"report.md": text, "change.diff": text, "reviews/ada.md": text}
    journal.reviews.write(review, {"result.json": journal.reviews.masked({"text": text}), **files})
    journal.dismissals.add(Dismissal(text, text, text, text, text, now(), "9999", review))
    name = journal.investigations.open("/target")
    journal.investigations.write(name, "survey.json", {"text": text})
    journal.investigations.put(name, "files", "a.py", {"relative_path": "a.py", text: text})
    journal.investigations.append(name, "log.jsonl", {"text": text})
    journal.investigations.rewrite(name, "flags.jsonl", [{"text": text}])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".env").write_text(DOTENV)
    return tmp_path


def assert_nothing_leaked(root: Path) -> None:
    files = bytes_at_rest(root)
    leaked = {
        (shape, name)
        for shape, planted in KNOWN.items()
        for name, content in files.items()
        if planted.secret.encode() in content
    }
    assert leaked == set()


def test_no_secret_reaches_a_file(root: Path) -> None:
    journal = open_journal(root, environ=ENVIRON)
    run_id = write_everywhere(journal, EVERYTHING)
    for text in TEXT.values():
        write_everywhere(journal, text)
    session = journal.sessions.open(run_id)
    session.put({"state": {"texts": list(TEXT.values())}, "all": EVERYTHING})
    written = bytes_at_rest(root)
    assert any(name.startswith(".bottega/sessions/") and b"before" in content for name, content in written.items())
    assert_nothing_leaked(root)

    journal.sessions.archive(run_id, session)
    assert_nothing_leaked(root)
    journal.close()

    assert_nothing_leaked(root)
    stored = bytes_at_rest(root)
    unmasked = {name for name, content in stored.items() if "«masked:".encode() not in content}
    assert {name for name in unmasked if not name.endswith(".lock")} == {
        ".bottega/.gitignore",
        ".bottega/seal.json",
        ".bottega/investigations/investigations.json",
    }
    assert {".bottega/raw.sqlite", ".bottega/chats/port.json", ".bottega/reviews/dismissals.json"} <= set(stored)


def test_a_decision_stays_json_whatever_it_holds(journal: Journal) -> None:
    run_id = begin(journal)
    journal.notes.decide(run_id, 1, "d", {"said": 'password="abcdefgh"ij', "password": 'abcdefgh"ij'}, "")
    (note,) = journal.notes.of_run(run_id)
    assert json.loads(note.value) == {"said": 'password="«masked:value»"ij', "password": "«masked:value»"}


def test_the_folder_is_for_this_person_only_and_ignores_itself(tmp_path: Path, journal: Journal) -> None:
    folder = tmp_path / ".bottega"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / ".gitignore").read_text() == "*\n"
    journal.history.append(record())
    journal.sessions.open(begin(journal)).close()
    for inner in ("history", "sessions"):
        assert (folder / inner).stat().st_mode & 0o777 == 0o700
