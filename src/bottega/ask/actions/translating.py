"""Into the language of the prompts and back, with code left alone."""

from __future__ import annotations

import re
from collections import Counter

from bottega.ask.contracts import PlainContract
from bottega.ask.parts import blocks
from bottega.ask.prompting import ROLES, request_of, settings_of
from bottega.ask.state import AskState
from bottega.ask.tools import AskRun
from bottega.errors import PromptTooLong, ReplyRejected
from bottega.pipeline import DONE, action

# What must come through a translation unchanged: code in backticks, citations, names by their look, paths.
_KEPT = re.compile(
    r"`[^`\n]{1,400}`|\[[^\[\]\n]{1,400}:\d{1,9}(?:-\d{1,9})?(?: weak)?\]|\[unsupported\]|\[uncited\]|⟦\d{0,9}⟧"
    r"|(?<![\w./-])(?:[^\W_]{1,60}(?:_[^\W_]{1,60}){1,12}(?:\(\))?|\w{1,100}\(\)"
    r"|[\w.-]{1,100}(?:/[\w.-]{1,100}){1,20}|\w{1,60}(?:\.\w{1,60}){1,8})"
)
_NEUTRAL = "neutral"


@action(DONE)
def translate_in_if_needed(state: AskState, run: AskRun) -> str:
    """Put the question into the language of the prompts; what the user says is English is taken as such."""
    language = settings_of(run).model_language
    if state.is_english or language == _NEUTRAL:
        state.question_en = state.question
        run.decide("translate_in", "no", "the question is English" if state.is_english else "model_language is neutral")
        return DONE
    try:
        state.question_en = translated(run, "translate_in", state.question)
    except ReplyRejected as error:
        state.question_en = state.question
        state.remark(f"the question is used as it was asked: its translation was not usable ({error})")
    return DONE


def translate_out(state: AskState, run: AskRun) -> None:
    """The answer in the user's language; English where a translation would lose code or citations."""
    state.answer = state.answer_en
    if state.is_english or settings_of(run).model_language == _NEUTRAL or not state.answer_en:
        return
    try:
        said = [
            block.lead + block.text
            if block.is_code or not block.text.strip()
            else block.lead + _block(run, block.text, state.language)
            for block in blocks(state.answer_en)
        ]
    except (ReplyRejected, PromptTooLong) as error:
        state.remark(f"the answer stays in English: its translation was not usable ({error})")
        return
    state.answer = "".join(said)


def _block(run: AskRun, text: str, language: str) -> str:
    body = text.rstrip()
    return translated(run, "translate_out", body, language=language or "the user's language") + text[len(body) :]


def translated(run: AskRun, name: str, text: str, **values: str) -> str:
    """A translation in which everything that is code stands as it stood."""
    kept: list[str] = []

    def mark(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"⟦{len(kept)}⟧"

    marked = _KEPT.sub(mark, text)
    marks = Counter(f"⟦{number}⟧" for number in range(1, len(kept) + 1))
    answer = run.ask(request_of(name, text=marked, **values), PlainContract(marks), role=ROLES[name]).value
    return re.sub(r"⟦(\d+)⟧", lambda found: kept[int(found[1]) - 1], answer)
