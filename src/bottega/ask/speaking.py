"""An answer while it is made: sentence by sentence, each checked before it is shown."""

from __future__ import annotations

from functools import cache

from bottega.ask.checking import gate_of
from bottega.ask.claims import shown_claim
from bottega.ask.contracts import ANSWER, statements_so_far
from bottega.ask.parts import blocks, sentences
from bottega.ask.state import AskState
from bottega.ask.tools import AskRun
from bottega.pipeline import Event

_ENDS = ".!?]}\n"


class Speaker:
    """Hears the pieces of a reply and says, as events named `answer`, what of it may be seen already."""

    def __init__(self, state: AskState, run: AskRun) -> None:
        self._run = run
        gate = gate_of(state, run, recorded=False)
        self._checked = cache(lambda sentence: shown_claim(gate.sentence(sentence)))
        self._heard = ""
        self._said = 0

    def hear(self, text: str) -> None:
        self._heard += text
        if not any(mark in text for mark in _ENDS):
            return
        reply = self._heard.lstrip()
        if reply.startswith("{"):
            body = statements_so_far(reply)
        elif reply.startswith(ANSWER):
            body = reply[len(ANSWER) :].lstrip()
        else:
            return
        shown = self._shown(body)
        if len(shown) > self._said:
            self._run.on_event(Event("answer", self._run.step, shown[self._said :]))
            self._said = len(shown)

    def _shown(self, body: str) -> str:
        """All whole sentences so far, as the finished answer will show them."""
        parts = list(blocks(body))
        if not parts:
            return ""
        *whole, last = parts
        said = "".join(
            block.text if block.is_code else block.lead + "".join(map(self._checked, sentences(block.text)))
            for block in whole
        )
        if last.is_code or not last.text:
            return said
        ended = sentences(last.text)[:-1]
        return said + last.lead + "".join(map(self._checked, ended)) if ended else said
