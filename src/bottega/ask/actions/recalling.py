"""The history of a conversation: loaded oldest first, summarized once it exceeds its token budget."""

from __future__ import annotations

from bottega.amounts import plural
from bottega.ask.contracts import PlainContract
from bottega.ask.prompting import ROLES, build_request, count_free_tokens, get_settings, get_token_counter
from bottega.ask.state import AskState, EarlierTurn
from bottega.ask.tools import AskRun
from bottega.errors import PromptTooLong, ReplyRejected
from bottega.models import fenced
from bottega.pipeline import DONE, action

_HISTORY_DIVISOR = 4
_WORDS_PER_TOKEN = 0.6
_CUT = " […] "


@action(DONE)
def load_conversation_history(state: AskState, run: AskRun) -> str:
    """Load the turns of the conversation, and the summary of the older ones."""
    if not state.chat:
        return DONE

    def load() -> dict[str, object]:
        chat = run.tools.chats.get(state.chat)
        newer = chat.turns[chat.summary.turns :]
        turns = [{"question": turn.question_en, "answer": turn.answer_en} for turn in newer]
        return {"turns": turns, "summary": chat.summary.text, "summarized": chat.summary.turns}

    history = run.effect("history", load)
    state.turns = tuple(EarlierTurn(**turn) for turn in history["turns"])
    state.summary, state.summarized = history["summary"], history["summarized"]
    return DONE


def history_fits(state: AskState, run: AskRun) -> bool:
    """Whether the summary and the later turns fit their token budget; if so, they become `state.history`."""
    text = _format_history(state.summary, state.turns)
    fits = bool(
        run.effect("history fits", lambda: get_token_counter(run, "answer")(text) <= _get_history_budget(state, run))
    )
    if fits:
        state.history = text
    run.decide("history", len(state.turns), "turns fit" if fits else "turns do not fit their budget")
    return fits


def summarize_history(state: AskState, run: AskRun) -> None:
    """Summarize the turns since the last summary and store the result; if that fails, keep the newest that fit."""
    if not run.effect("budget", lambda: _get_history_budget(state, run)):
        state.remark("earlier turns are left out: the context window has no room for them")
        return
    try:
        summary = state.summary
        for part in run.effect("parts", lambda: _split_turns(state, run)):
            words = run.effect("words", lambda: max(30, int(_get_history_budget(state, run) * _WORDS_PER_TOKEN)))
            request = build_request(
                "summarize_history",
                words=str(words),
                question=state.question_en,
                conversation=_format_history(summary, []) + part,
            )
            summary = run.ask(request, PlainContract(), role=ROLES["summarize_history"]).value
    except (ReplyRejected, PromptTooLong) as error:
        _trim(state, run, str(error))
        return
    kept: str = run.effect("summary", lambda: _shorten_summary(summary, _get_history_budget(state, run), run))
    state.summary, state.summarized, state.turns = kept, state.summarized + len(state.turns), ()
    run.effect("keep summary", lambda: run.tools.chats.summarize(state.chat, kept, state.summarized))
    state.history = _format_history(kept, [])
    run.decide("history", "summary", f"{plural(state.summarized, 'turn')} summarized")


def _trim(state: AskState, run: AskRun, reason: str) -> None:
    """Keep the newest turns that fit."""

    def newest() -> int:
        cost, budget = get_token_counter(run, "answer"), _get_history_budget(state, run)
        count = 0
        while count < len(state.turns) and cost(_format_history("", state.turns[-count - 1 :])) <= budget:
            count += 1
        return count

    count: int = run.effect("newest", newest)
    state.history = _format_history("", state.turns[len(state.turns) - count :])
    state.remark(f"{len(state.turns) - count} of {len(state.turns)} earlier turns are left out: {reason}")


def _get_history_budget(state: AskState, run: AskRun) -> int:
    """Token budget of the history: a quarter of what the question leaves free; the rest is for evidence."""
    free = count_free_tokens(run, "answer", history="", evidence="", question=state.question_en)
    return max(0, min(get_settings(run).max_history_tokens, free // _HISTORY_DIVISOR))


def _split_turns(state: AskState, run: AskRun) -> list[str]:
    """The turns since the last summary, in parts that fit the summarizer; a turn longer than that loses its middle."""
    cost = get_token_counter(run, "summarize_history")
    free = count_free_tokens(
        run, "summarize_history", words="1000", question=state.question_en, conversation=state.summary
    )
    limit = max(100, free - _get_history_budget(state, run))
    parts: list[str] = [""]
    for turn in state.turns:
        text = _format_turn(turn)
        while cost(text) > limit:
            third = len(text) // 3
            text = text[:third] + _CUT + text[len(text) - third :]
        if parts[-1] and cost(parts[-1] + text) > limit:
            parts.append("")
        parts[-1] += text
    return parts


def _shorten_summary(text: str, tokens: int, run: AskRun) -> str:
    """The first sentences of a summary that fit the token budget."""
    cost = get_token_counter(run, "answer")
    while text and cost(_format_history(text, [])) > tokens:
        shorter = text[: len(text) * 9 // 10]
        text = shorter[: shorter.rfind(". ") + 1] or shorter.rpartition(" ")[0] or shorter
    return text


def _format_history(summary: str, turns: list[EarlierTurn] | tuple[EarlierTurn, ...]) -> str:
    if not summary and not turns:
        return ""
    earlier = f"Summary of earlier turns:\n{fenced(summary)}\n\n" if summary else ""
    return f"Conversation so far:\n{earlier}{''.join(map(_format_turn, turns))}\n"


def _format_turn(turn: EarlierTurn) -> str:
    """One turn as text; the answer is fenced, since it may quote untrusted text of the repository."""
    return f"Q: {turn.question}\nA:\n{fenced(turn.answer)}\n\n"
