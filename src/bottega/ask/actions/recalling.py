"""What was said before: loaded oldest first, summarised once it no longer fits."""

from __future__ import annotations

from bottega.ask.contracts import PlainContract
from bottega.ask.prompting import ROLES, measured, request_of, room, settings_of
from bottega.ask.state import AskState, Past
from bottega.ask.tools import AskRun
from bottega.errors import PromptTooLong, ReplyRejected
from bottega.models import fenced
from bottega.pipeline import DONE, action

_SHARE = 4
_WORDS_PER_TOKEN = 0.6
_CUT = " […] "


@action(DONE)
def load_conversation_history(state: AskState, run: AskRun) -> str:
    """Load the turns of the conversation and the summary of its older ones."""
    if not state.chat:
        return DONE

    def load() -> dict[str, object]:
        chat = run.tools.chats.get(state.chat)
        newer = chat.turns[chat.summary.turns :]
        turns = [{"question": turn.question_en, "answer": turn.answer_en} for turn in newer]
        return {"turns": turns, "summary": chat.summary.text, "summarized": chat.summary.turns}

    found = run.effect("history", load)
    state.turns = tuple(Past(**turn) for turn in found["turns"])
    state.summary, state.summarized = found["summary"], found["summarized"]
    return DONE


def history_fits(state: AskState, run: AskRun) -> bool:
    """Whether the summary and the turns since fit their budget; if so, they are what prompts will say."""
    text = _told(state.summary, state.turns)
    fits = bool(run.effect("history fits", lambda: measured(run, "answer")(text) <= _budget(state, run)))
    if fits:
        state.history = text
    run.decide("history", len(state.turns), "turns fit" if fits else "turns do not fit their budget")
    return fits


def summarize_history(state: AskState, run: AskRun) -> None:
    """Fold the turns since the last summary into a new one, and keep it; without a usable one, keep what fits."""
    if not run.effect("budget", lambda: _budget(state, run)):
        state.remark("earlier turns are left out: there is no room for any")
        return
    try:
        summary = state.summary
        for part in run.effect("parts", lambda: _parts(state, run)):
            words = run.effect("words", lambda: max(30, int(_budget(state, run) * _WORDS_PER_TOKEN)))
            request = request_of(
                "summarize_history",
                words=str(words),
                question=state.question_en,
                conversation=_told(summary, []) + part,
            )
            summary = run.ask(request, PlainContract(), role=ROLES["summarize_history"]).value
    except (ReplyRejected, PromptTooLong) as error:
        _trim(state, run, str(error))
        return
    kept: str = run.effect("summary", lambda: _within(summary, _budget(state, run), run))
    state.summary, state.summarized, state.turns = kept, state.summarized + len(state.turns), ()
    run.effect("keep summary", lambda: run.tools.chats.summarize(state.chat, kept, state.summarized))
    state.history = _told(kept, [])
    run.decide("history", "summary", f"{state.summarized} turns are now a summary")


def _trim(state: AskState, run: AskRun, reason: str) -> None:
    """The newest turns that fit, when they cannot be summarised."""

    def newest() -> int:
        cost, budget = measured(run, "answer"), _budget(state, run)
        count = 0
        while count < len(state.turns) and cost(_told("", state.turns[-count - 1 :])) <= budget:
            count += 1
        return count

    count: int = run.effect("newest", newest)
    state.history = _told("", state.turns[len(state.turns) - count :])
    state.remark(f"{len(state.turns) - count} of {len(state.turns)} earlier turns are left out: {reason}")


def _budget(state: AskState, run: AskRun) -> int:
    """A part of what the window leaves beside the question; the rest is for evidence."""
    free = room(run, "answer", history="", evidence="", question=state.question_en)
    return max(0, min(settings_of(run).max_history_tokens, free // _SHARE))


def _parts(state: AskState, run: AskRun) -> list[str]:
    """The turns since the last summary, in parts that fit the summariser's window; a giant one is cut in its middle."""
    cost = measured(run, "summarize_history")
    free = room(run, "summarize_history", words="1000", question=state.question_en, conversation=state.summary)
    limit = max(100, free - _budget(state, run))
    parts: list[str] = [""]
    for turn in state.turns:
        text = _turn(turn)
        while cost(text) > limit:
            third = len(text) // 3
            text = text[:third] + _CUT + text[len(text) - third :]
        if parts[-1] and cost(parts[-1] + text) > limit:
            parts.append("")
        parts[-1] += text
    return parts


def _within(text: str, tokens: int, run: AskRun) -> str:
    """Whole sentences of a summary, as many as its budget allows."""
    cost = measured(run, "answer")
    while text and cost(_told(text, [])) > tokens:
        shorter = text[: len(text) * 9 // 10]
        text = shorter[: shorter.rfind(". ") + 1] or shorter.rpartition(" ")[0] or shorter
    return text


def _told(summary: str, turns: list[Past] | tuple[Past, ...]) -> str:
    if not summary and not turns:
        return ""
    earlier = f"Summary of earlier turns:\n{fenced(summary)}\n\n" if summary else ""
    return f"Conversation so far:\n{earlier}{''.join(map(_turn, turns))}\n"


def _turn(turn: Past) -> str:
    """Answers hold what repositories say, so they are fenced like it."""
    return f"Q: {turn.question}\nA:\n{fenced(turn.answer)}\n\n"
