"""Stream an answer while the model writes it: each complete sentence is checked before it is shown."""

from __future__ import annotations

from functools import cache

from bottega.ask.checking import create_checker
from bottega.ask.claims import render_claim
from bottega.ask.contracts import ANSWER, read_complete_statements
from bottega.ask.parts import split_blocks, split_sentences
from bottega.ask.state import AskState
from bottega.ask.tools import AskRun

_SENTENCE_ENDS = ".!?]}\n"


class AnswerStream:
    """Takes a reply in fragments and streams, under the name `answer`, its complete sentences once checked."""

    def __init__(self, state: AskState, run: AskRun) -> None:
        self._run = run
        checker = create_checker(state, run, recorded=False)
        self._render_sentence = cache(lambda sentence: render_claim(checker.check_sentence(sentence)))
        self._received = ""
        self._sent = 0

    def feed(self, text: str) -> None:
        self._received += text
        if not any(mark in text for mark in _SENTENCE_ENDS):
            return
        reply = self._received.lstrip()
        if reply.startswith("{"):
            body = read_complete_statements(reply)
        elif reply.startswith(ANSWER):
            body = reply[len(ANSWER) :].lstrip()
        else:
            return
        rendered = self._render(body)
        if len(rendered) > self._sent:
            self._run.stream("answer", rendered[self._sent :])
            self._sent = len(rendered)

    def _render(self, body: str) -> str:
        """All complete sentences so far, as the finished answer will show them."""
        blocks = list(split_blocks(body))
        if not blocks:
            return ""
        *finished, last = blocks
        text = "".join(
            block.text
            if block.is_code
            else block.lead + "".join(map(self._render_sentence, split_sentences(block.text)))
            for block in finished
        )
        if last.is_code or not last.text:
            return text
        sentences = split_sentences(last.text)[:-1]
        return text + last.lead + "".join(map(self._render_sentence, sentences)) if sentences else text
