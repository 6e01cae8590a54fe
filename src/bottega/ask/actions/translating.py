"""Translate the question into the language of the prompts and the answer back, leaving code unchanged."""

from __future__ import annotations

import re
from collections import Counter

from bottega.ask.contracts import PlainContract
from bottega.ask.parts import split_blocks
from bottega.ask.prompting import ROLES, build_request, get_settings
from bottega.ask.state import AskState
from bottega.ask.tools import AskRun
from bottega.errors import PromptTooLong, ReplyRejected
from bottega.pipeline import DONE, action

# What a translation must not change: code in backticks, citations, words that look like names, paths.
_UNTRANSLATED = re.compile(
    r"`[^`\n]{1,400}`|\[[^\[\]\n]{1,400}:\d{1,9}(?:-\d{1,9})?(?: weak)?\]|\[unsupported\]|\[uncited\]|⟦\d{0,9}⟧"
    r"|(?<![\w./-])(?:[^\W_]{1,60}(?:_[^\W_]{1,60}){1,12}(?:\(\))?|\w{1,100}\(\)"
    r"|[\w.-]{1,100}(?:/[\w.-]{1,100}){1,20}|\w{1,60}(?:\.\w{1,60}){1,8})"
)
_NEUTRAL = "neutral"


@action(DONE)
def translate_in_if_needed(state: AskState, run: AskRun) -> str:
    """Translate the question into the language of the prompts, unless the user said it is English."""
    language = get_settings(run).model_language
    if state.is_english or language == _NEUTRAL:
        state.question_en = state.question
        run.decide("translate_in", "no", "the question is English" if state.is_english else "model_language is neutral")
        return DONE
    try:
        state.question_en = translate(run, "translate_in", state.question)
    except ReplyRejected as error:
        state.question_en = state.question
        state.remark(f"the question is used as it was asked: its translation was not usable ({error})")
    return DONE


def translate_out(state: AskState, run: AskRun) -> None:
    """Translate the answer into the user's language; keep English where a translation loses code or citations."""
    state.answer = state.answer_en
    if state.is_english or get_settings(run).model_language == _NEUTRAL or not state.answer_en:
        return
    try:
        translated = [
            block.lead + block.text
            if block.is_code or not block.text.strip()
            else block.lead + _translate_block(run, block.text, state.language)
            for block in split_blocks(state.answer_en)
        ]
    except (ReplyRejected, PromptTooLong) as error:
        state.remark(f"the answer stays in English: its translation was not usable ({error})")
        return
    state.answer = "".join(translated)


def _translate_block(run: AskRun, text: str, language: str) -> str:
    body = text.rstrip()
    return translate(run, "translate_out", body, language=language or "the user's language") + text[len(body) :]


def translate(run: AskRun, name: str, text: str, **values: str) -> str:
    """Translate text while code, citations and paths are replaced by numbered placeholders."""
    replaced: list[str] = []

    def replace_by_mark(match: re.Match[str]) -> str:
        replaced.append(match[0])
        return f"⟦{len(replaced)}⟧"

    marked = _UNTRANSLATED.sub(replace_by_mark, text)
    marks = Counter(f"⟦{number}⟧" for number in range(1, len(replaced) + 1))
    answer = run.ask(build_request(name, text=marked, **values), PlainContract(marks), role=ROLES[name]).value
    return re.sub(r"⟦(\d+)⟧", lambda mark: replaced[int(mark[1]) - 1], answer)
