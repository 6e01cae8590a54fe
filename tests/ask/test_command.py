"""`bottega ask`, `chat` and `chats` as a person runs them."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ask.quay import ROUTE, numbered
from tests.cli.bottega import Ended, ask, refused, script

GOOD = numbered(("Too much cargo raises `Overloaded`.", [1]))
FAKE = numbered(("Too much cargo calls `sink_the_ship`.", [1]))
QUESTION = "what happens when a ship takes too much cargo?"


def asked(quay: Path, *arguments: str, replies: list[str], stdin: bytes | None = None) -> Ended:
    model = script(quay.parent, {"ask.router": [ROUTE] * len(replies), "ask.answer": replies})
    return ask(*arguments, "--model", model, cwd=quay, stdin=stdin)


def test_the_answer_is_on_standard_output_and_progress_is_not(quay: Path) -> None:
    done = asked(quay, "ask", QUESTION, replies=[GOOD])
    assert done.code == 0
    assert done.out.startswith("Too much cargo raises `Overloaded` [quay/ships.py:")
    assert "\nSources:\n  quay/ships.py:" in done.out
    assert "compared 1 statement with the cited lines by their words: 1 found there by names and words\n" in done.err


def test_exit_code_4_tells_that_nothing_holds(quay: Path) -> None:
    done = asked(quay, "ask", QUESTION, replies=[FAKE])
    assert done.code == 4
    assert done.out == "Too much cargo calls `sink_the_ship` [unsupported].\n"
    assert "nothing in the answer was found at the lines it cites: compared 1 statement" in done.err
    assert "1 unsupported; 1 citation removed" in done.err


def test_json_and_markdown_carry_everything(quay: Path) -> None:
    data = json.loads(asked(quay, "ask", "--format", "json", QUESTION, replies=[GOOD]).out)
    assert (data["grounding"], data["unsupported"], data["dropped_citations"]) == ("match", 0, 0)
    assert (data["supported"], data["weak"], data["uncited"], data["moved_citations"]) == (1, 0, 0, 0)
    assert (
        data["checked"] == "compared 1 statement with the cited lines by their words: 1 found there by names and words"
    )
    assert (data["sentences"][0]["status"], data["sentences"][0]["level"]) == ("supported", "names and words")
    assert data["sources"][0]["span"]["path"] == "quay/ships.py"
    assert data["sentences"][0]["citations"]
    page = asked(quay, "ask", "--format", "markdown", QUESTION, replies=[GOOD]).out
    assert "\n## Sources\n\n- `quay/ships.py:" in page


def test_a_claim_whose_words_stand_elsewhere_is_marked_and_ends_with_exit_code_4(quay: Path) -> None:
    wrong = numbered(("`Overloaded` lifts cargo in lots that the crane can hold.", [1]))
    done = asked(quay, "ask", QUESTION, replies=[wrong])
    assert done.code == 4
    assert " weak]." in done.out
    assert "1 weak: its words or a number stand elsewhere" in done.err
    assert "grounded" not in done.out + done.err


def test_a_claim_whose_names_alone_stand_there_is_no_match(quay: Path) -> None:
    invented = numbered(("`Overloaded` encrypts passwords before they reach the database.", [1]))
    done = asked(quay, "ask", "--json", QUESTION, replies=[invented])
    result = json.loads(done.out)
    assert (done.code, result["grounding"], result["named"]) == (0, "partial match", 1)
    assert result["checked"] == "compared 1 statement with the cited lines by their words: 1 by names alone"


def test_without_a_model_evidence_comes_and_says_so(quay: Path) -> None:
    done = ask("ask", QUESTION, cwd=quay)
    assert done.code == 0
    assert "[quay/ships.py:" in done.out
    assert "no model answered" in done.err


def test_evidence_for_nothing_at_all_is_not_grounded(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = ask("ask", "where is the retry delay?", cwd=tmp_path / "empty")
    assert (done.code, done.out) == (4, "Nothing in this repository matches the question.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ask", ""], "the question is empty"),
        (["ask", "--no-model", "--pipeline", "ask-rules", "x"], "--no-model and --pipeline"),
        (["ask", "--pipeline", "write", "where is cargo?"], "is of the kind write, not ask"),
        (["ask", "--chat", "../x", "where is cargo?"], "cannot name a conversation"),
        (["chats", "show", "nobody"], "there is no conversation nobody"),
        (["chats", "delete", "nobody"], "there is no conversation nobody"),
    ],
)
def test_bad_input_gets_one_message(quay: Path, arguments: list[str], message: str) -> None:
    done = asked(quay, *arguments, replies=[GOOD]) if arguments[0] == "ask" else ask(*arguments, cwd=quay)
    assert done.code == 2
    assert message in done.err
    assert "hint: " in done.err


def test_a_hundred_kilobytes_of_question_are_answered_with_evidence(quay: Path) -> None:
    done = ask("ask", "-", cwd=quay, stdin=("how much cargo may a ship take? " * 3200).encode())
    assert done.code == 0
    assert "[quay/ships.py:" in done.out


def test_a_chat_goes_on_after_a_failure_and_keeps_its_turns(quay: Path) -> None:
    lines = f"{QUESTION}\n/sources\n/mode bm25\n/mode nonsense\n/what\nand then?\n/quit\nnever read\n"
    done = asked(quay, "chat", "port", replies=[GOOD], stdin=lines.encode())
    assert done.code == 0
    assert "conversation port, 0 turns" in done.err
    assert "  quay/ships.py:" in done.out
    assert "mode: bm25" in done.err
    assert "there is no mode nonsense" in done.err
    assert "there is no command /what" in done.err
    assert "no line left" in done.err
    listed = ask("chats", "list", cwd=quay)
    assert listed.out.split() == ["port", "1", "turn", *QUESTION.split()]
    assert QUESTION in ask("chats", "show", "port", cwd=quay).out
    assert ask("chats", "delete", "port", cwd=quay).code == 0
    assert ask("chats", "list", cwd=quay).out == ""


def test_a_damaged_conversation_keeps_no_other_from_being_listed(quay: Path) -> None:
    asked(quay, "ask", "--chat", "port", QUESTION, replies=[GOOD])
    (quay / ".bottega" / "chats" / "broken.json").write_text("{")
    listed = ask("chats", "list", cwd=quay)
    assert (listed.code, listed.out.split()[0]) == (0, "port")
    assert "broken.json is damaged" in listed.err


def test_resume_prints_the_answer_of_a_run_that_failed(quay: Path) -> None:
    refused_run = asked(quay, "ask", QUESTION, replies=[])
    assert refused_run.code == 3
    model = script(quay.parent, {"ask.router": [ROUTE], "ask.answer": [GOOD]})
    done = ask("resume", "last", "--model", model, cwd=quay)
    assert done.code == 0, done.err
    assert done.out.startswith("Too much cargo raises `Overloaded` [quay/ships.py:")


def test_on_a_terminal_the_answer_is_shown_as_it_is_made_and_only_once(quay: Path) -> None:
    reply = "[Answer:] Cargo is kept by `Ship` [quay/ships.py:6-10].\nIt sinks all by itself.\n"
    model = script(quay.parent, {"ask.router": [ROUTE], "ask.answer": [reply]})
    near, far = pty.openpty()
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(quay.parent / "home"),
        "BOTTEGA_INDEX_VECTORS": "manual",
        "LANG": "C.UTF-8",
        "BOTTEGA_BUDGET_CONTEXT_WINDOW": "32000",
    }
    child = subprocess.Popen(
        [sys.executable, "-m", "bottega", "ask", "--model", model, QUESTION],
        cwd=quay,
        env=environ,
        stdout=far,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    os.close(far)
    shown = b""
    while True:
        try:
            piece = os.read(near, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(near)
    assert child.wait() == 0
    text = shown.decode().replace("\r\n", "\n")
    assert text.count("Cargo is kept by `Ship` [quay/ships.py:6-10].") == 1
    assert text.count("It sinks all by itself [uncited].") == 1
    assert text.index("It sinks") < text.index("Sources:")


def test_refusals_are_two_lines(quay: Path) -> None:
    refused(ask("chats", "show", "nobody", cwd=quay), "there is no conversation nobody")
