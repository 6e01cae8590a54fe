"""Requests to the models of `ask`, what they may hold, and how evidence reads in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bottega.ask.state import AskSettings, AskState
from bottega.ask.tools import AskRun, Knowledge
from bottega.models import Request, fenced, load_prompt
from bottega.retrieve.package import Piece
from bottega.source import estimate_tokens, quote_line, quote_name

ROLES = {
    "router": "router",
    "answer": "reasoning",
    "answer_numbered": "reasoning",
    "direct": "reasoning",
    "summarize_history": "summarizer",
    "summarize_context": "summarizer",
    "translate_in": "translator",
    "translate_out": "translator",
}
_RELATIONS_SHARE = 0.12
# Evidence takes at most this part of a window: a small model that reads on a processor takes its time.
_WINDOW_SHARE = 4
# Up to this window a model is asked to choose numbers from a list; larger ones write citations into their text.
_SMALL_WINDOW = 8192
_LONGEST_ABOUT = 200


def request_of(name: str, **values: str) -> Request:
    prompt = load_prompt("bottega.ask", name)
    return Request.of(
        prompt.fill(**values),
        system=prompt.fill_system(**values),
        stage=f"ask.{name.removesuffix('_numbered')}",
        prompt_version=prompt.version,
    )


def settings_of(run: AskRun) -> AskSettings:
    return run.settings_as(AskSettings)


def knowledge_of(run: AskRun) -> Knowledge:
    return run.tools.open(settings_of(run).repository)


def measured(run: AskRun, name: str) -> Callable[[str], int]:
    """How many tokens a text costs the model that a prompt goes to; without a model, the general estimate."""
    if not run.roster.router.chosen():
        return estimate_tokens
    config = run.roster.router.resolve(ROLES[name], f"ask.{name}")
    return lambda text: run.roster.ledger.estimate(config.id, text)


def room(run: AskRun, name: str, **values: str) -> int:
    """What is free in the window beside a prompt and its reply."""
    request = request_of(name, **values)
    config = run.roster.router.resolve(ROLES[name], request.stage)
    return run.roster.ledger.account(config, request).free


def evidence_room(state: AskState, run: AskRun) -> int:
    """Tokens that evidence may take in the prompt of the answer; the question is never cut for it."""
    wanted = settings_of(run).max_context_tokens
    if not run.roster.router.chosen():
        return wanted
    free = room(run, "answer_numbered", history=state.history, evidence="", question=state.question_en)
    window = run.roster.router.resolve(ROLES["answer"], "ask.answer").context_window
    return max(0, min(wanted, free, window // _WINDOW_SHARE))


def chooses_numbers(run: AskRun) -> bool:
    """Whether the answering model is a small one, or is to be treated as one."""
    form = settings_of(run).answer_form
    window = run.roster.router.resolve(ROLES["answer"], "ask.answer").context_window
    return form == "numbered" or (form == "auto" and window <= _SMALL_WINDOW)


def shown_piece(number: int, piece: Piece) -> str:
    """All of a piece stands in its fence: paths and names come from the repository too."""
    return f"[{number}]\n" + fenced(f"{headed(piece)}\n{piece.text}")


def headed(piece: Piece) -> str:
    """Where a piece is and what it is called, in one line; no name can pretend to be another."""
    name = f" {piece.kind} {quote_name(piece.symbol)}" if piece.symbol else ""
    about = f" (a file that, a model said, {piece.about[:_LONGEST_ABOUT]})" if piece.about else ""
    return quote_line(f"{piece.span}{name}{about}")


def keyed(number: int, piece: Piece) -> str:
    """A piece by its key alone, for what has no room for more."""
    signature = f": {piece.signature}" if piece.signature else ""
    return quote_line(f"[{number}] {piece.node or piece.span} at {piece.span}{signature}")


def evidence_text(state: AskState) -> str:
    """The evidence as a prompt shows it."""
    parts = [shown_piece(number, piece) for number, piece in enumerate(state.pieces[: state.shown], 1)]
    if state.digest:
        parts.append(f"Also found:\n{fenced(state.digest)}")
    if state.relations:
        parts.append("Relations:\n" + fenced("\n".join(quote_line(line) for line in state.relations)))
    return "\n\n".join(parts) if parts else "(nothing was found)"


def shown_numbers(state: AskState) -> list[int]:
    """The numbers that stand in the evidence, in full or in a line."""
    more = [int(number) for number in re.findall(r"^\[(\d{1,4})\]", state.digest, re.MULTILINE)]
    known = range(1, len(state.pieces) + 1)
    return [number for number in known if number <= state.shown or number in more]


def fitting_relations(relations: Sequence[str], tokens: int, cost: Callable[[str], int]) -> tuple[str, ...]:
    """The surest relations, within a small share of the evidence."""
    kept: list[str] = []
    left = int(tokens * _RELATIONS_SHARE)
    for line in relations:
        left -= cost(line)
        if left < 0:
            break
        kept.append(line)
    return tuple(kept)
