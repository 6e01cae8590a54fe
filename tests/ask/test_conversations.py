"""Conversations are loaded oldest first, stay within their budget, and never cut the question."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bottega.ask import AskRequest
from bottega.errors import InputError, StorageError
from bottega.home import make_private_directory
from bottega.journal import ChatStore, Turn, masker_for
from bottega.journal.chats import FileChatStore
from bottega.models import Request
from bottega.source import Span
from tests.ask.quay import LARGE, ROUTE, answer, build, numbered, shop

GOOD = "[Answer:] Cargo above `MOST_CARGO` raises `Overloaded` [quay/ships.py:13-17]."
TIGHT = "pipeline: {name: tight, extends: ask, settings: {max_history_tokens: 120}}\n"


def chats_of(quay: Path) -> ChatStore:
    return FileChatStore(quay / ".bottega" / "chats", masker_for(quay, {}))


def test_a_turn_is_kept_with_its_sources_and_told_in_the_next_prompt(quay: Path) -> None:
    seen: list[str] = []

    def play(request: Request) -> str:
        seen.append(request.messages[0].text)
        return ROUTE if request.stage == "ask.router" else GOOD

    answer(quay, play, AskRequest(question="what is too much?", chat="port"))
    answer(quay, play, AskRequest(question="and what does it raise?", chat="port"))
    (first, second) = chats_of(quay).get("port").turns
    assert (first.question, first.grounding, first.sources) == (
        "what is too much?",
        "match",
        (Span("quay/ships.py", 13, 17),),
    )
    assert second.question == "and what does it raise?"
    assert "Conversation so far" not in seen[0]
    assert seen[2].startswith("Conversation so far:\nQ: what is too much?\nA:\n```\nCargo above")


def test_history_over_its_budget_becomes_a_summary_that_is_kept_with_its_pointer(quay: Path) -> None:
    (quay / "tight.yaml").write_text(TIGHT)
    summaries: list[str] = []
    prompts: list[str] = []

    def play(request: Request) -> str:
        if request.stage == "ask.summarize_history":
            summaries.append(request.messages[0].text)
            return f"Summary number {len(summaries)} about cargo."
        prompts.append(request.messages[0].text)
        return ROUTE if request.stage == "ask.router" else GOOD

    for turn in range(9):
        question = f"question {turn} about the cargo of ships and how much of it there may be"
        answer(quay, play, AskRequest(question=question, chat="port"), pipeline=str(quay / "tight.yaml"))
    chat = chats_of(quay).get("port")
    assert len(chat.turns) == 9
    assert chat.summary.version == len(summaries) >= 2
    assert chat.summary.text == f"Summary number {len(summaries)} about cargo."
    assert "The next question: question" in summaries[-1]
    assert f"Summary number {len(summaries) - 1}" in summaries[-1]
    assert "question 0" not in summaries[-1]
    assert any("Summary of earlier turns:\n```\nSummary number 1" in prompt for prompt in prompts)


def test_a_summary_that_cannot_be_had_leaves_the_newest_turns(quay: Path) -> None:
    (quay / "tight.yaml").write_text(TIGHT)
    store = chats_of(quay)
    for turn in range(5):
        store.add(
            "port", Turn("", f"run {turn}", f"q{turn} " + "cargo " * 20, f"q{turn} " + "cargo " * 20, "yes", "yes")
        )
    script = {"ask.summarize_history": ["", ""], "ask.router": [ROUTE], "ask.answer": [GOOD]}
    got = answer(quay, script, AskRequest(question="and now?", chat="port"), pipeline=str(quay / "tight.yaml"))
    assert any("of 5 earlier turns are left out" in remark for remark in got.remarks)


@settings(
    max_examples=10,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(st.lists(st.tuples(st.integers(1, 1500), st.integers(1, 6000)), min_size=10, max_size=10), st.booleans())
def test_ten_turns_never_exceed_a_small_window_and_the_question_is_never_cut(
    sizes: list[tuple[int, int]], is_numbered: bool
) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        build(folder)
        form = "numbered" if is_numbered else "prefix"
        (folder / "own.yaml").write_text(f"pipeline: {{name: own, extends: ask, settings: {{answer_form: {form}}}}}\n")
        words = iter(sizes)
        current = ["", ""]

        def play(request: Request) -> str:
            if request.stage in {"ask.router", "ask.answer"}:
                assert current[0] in request.messages[0].text
            said = "cargo " * (current_size // 6) + "is heavy"
            if request.stage == "ask.router":
                return ROUTE
            if request.stage == "ask.answer" and is_numbered:
                return numbered((said[:390], [1]))
            return f"[Answer:] {said}." if request.stage == "ask.answer" else said

        workshop = shop(folder, play, settings=["budget.context_window=4096", "budget.reserved_tokens=1024"])
        try:
            for turn in range(10):
                asked, current_size = next(words)
                current[0] = f"question {turn}: {'how much cargo ' * (asked // 15)}".strip()
                pipeline = str(folder / "own.yaml")
                workshop.call(AskRequest(question=current[0], chat="port", pipeline=pipeline))
            for run in workshop.journal.runs.newest(20):
                assert run.status == "done"
        finally:
            workshop.close()
    finally:
        shutil.rmtree(folder)


def test_a_chat_file_of_an_older_version_is_read_and_goes_on(quay: Path) -> None:
    folder = quay / ".bottega" / "chats"
    make_private_directory(folder)
    (folder / "old.json").write_text(json.dumps([{"question": "what?", "answer": "that"}]))
    answer(quay, {"ask.router": [ROUTE], "ask.answer": [GOOD]}, AskRequest(question="and now?", chat="old"))
    assert [turn.question for turn in chats_of(quay).get("old").turns] == ["what?", "and now?"]


def test_sources_that_an_older_version_wrote_as_text_are_spans(quay: Path) -> None:
    folder = quay / ".bottega" / "chats"
    make_private_directory(folder)
    turn = {"question": "what?", "answer": "that", "run": "r1", "sources": ["quay/ships.py:13-17", "quay/a:b.py:4"]}
    (folder / "old.json").write_text(json.dumps({"version": 1, "turns": [turn]}))
    chats = chats_of(quay)
    spans = (Span("quay/ships.py", 13, 17), Span("quay/a:b.py", 4, 4))
    assert chats.get("old").turns[0].sources == spans
    chats.add("old", Turn("", "r2", "q", "q", "a", "a"))
    stored = json.loads((folder / "old.json").read_text())
    assert stored["version"] == 2
    assert stored["turns"][0]["sources"][0] == {"path": "quay/ships.py", "first": 13, "last": 17}
    assert chats.get("old").turns[0].sources == spans


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"version": 99, "turns": []}', "written by a newer bottega"),
        ("not json", "is damaged"),
        ('{"version": 1}', "is damaged"),
        ('{"version": 1, "turns": [1]}', "is damaged"),
        ('{"version": 1, "turns": [], "summary": {"turns": "x"}}', "is damaged"),
        ("[" * 100_000, "is damaged"),
    ],
)
def test_a_chat_file_that_cannot_be_read_is_refused_and_kept(quay: Path, content: str, message: str) -> None:
    folder = quay / ".bottega" / "chats"
    make_private_directory(folder)
    (folder / "odd.json").write_text(content)
    with pytest.raises(StorageError, match=message):
        answer(quay, {"ask.router": [ROUTE], "ask.answer": [GOOD]}, AskRequest(question="and now?", chat="odd"))
    assert (folder / "odd.json").read_text() == content


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "x" * 65, "a b", "ü"])
def test_names_that_are_no_file_names_are_refused(quay: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot name a conversation"):
        chats_of(quay).get(name)


def test_secrets_are_masked_in_conversations(quay: Path) -> None:
    key = "sk-" + "ant" + "-api03-" + "abcdEFGH1234" * 6
    answer(
        quay,
        {"ask.router": [ROUTE], "ask.answer": [GOOD]},
        AskRequest(question=f"is {key} right?", chat="port"),
        settings=LARGE,
    )
    assert key not in (quay / ".bottega" / "chats" / "port.json").read_text()


def test_translations_leave_code_and_citations_alone(quay: Path) -> None:
    def play(request: Request) -> str:
        text = request.messages[0].text
        if request.stage == "ask.translate_in":
            assert "⟦1⟧" in text
            return "How much may ⟦1⟧ carry?"
        if request.stage == "ask.translate_out":
            assert "MOST_CARGO" not in text
            return text.replace("Cargo above", "Ładunek powyżej").replace("raises", "powoduje")
        if request.stage == "ask.router":
            assert "How much may `Ship` carry?" in text
            return ROUTE
        return GOOD

    got = answer(quay, play, AskRequest(question="Ile może unieść `Ship`?", language="pl"))
    assert got.answer == "Ładunek powyżej `MOST_CARGO` powoduje `Overloaded` [quay/ships.py:13-17]."
    assert got.grounding == "match"


def test_a_translation_that_loses_code_is_not_used(quay: Path) -> None:
    script = {
        "ask.translate_in": ["Where is cargo?"],
        "ask.router": [ROUTE],
        "ask.answer": [GOOD],
        "ask.translate_out": ["貨物。", "貨物です。"],
    }
    got = answer(quay, script, AskRequest(question="貨物はどこですか", language="ja"))
    assert got.answer == "Cargo above `MOST_CARGO` raises `Overloaded` [quay/ships.py:13-17]."
    assert any("stays in English" in remark for remark in got.remarks)


@pytest.mark.parametrize("said", ["⟦9⟧ i ⟦1⟧ ⟦2⟧ ⟦3⟧.", "Nad ⟦1⟧ jest ⟦2⟧ ⟦3⟧. Burmistrz dzwoni [quay/fake.py:1-9]."])
def test_a_translation_that_invents_is_not_used(quay: Path, said: str) -> None:
    script = {
        "ask.translate_in": ["Where is cargo?"],
        "ask.router": [ROUTE],
        "ask.answer": [GOOD],
        "ask.translate_out": [said, said],
    }
    got = answer(quay, script, AskRequest(question="gdzie?", language="pl"))
    assert got.answer == "Cargo above `MOST_CARGO` raises `Overloaded` [quay/ships.py:13-17]."


def test_english_of_any_country_is_english(quay: Path) -> None:
    got = answer(quay, {"ask.router": [ROUTE], "ask.answer": [GOOD]}, AskRequest(question="where?", language="en-us"))
    assert got.grounding == "match"


def test_no_language_is_guessed_behind_the_user_s_back(quay: Path) -> None:
    got = answer(quay, {"ask.router": [ROUTE], "ask.answer": [GOOD]}, "Gdzie jest ładunek?")
    assert got.grounding == "match"
