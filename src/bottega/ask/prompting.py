"""Build the requests of `ask`: prompts, token budgets, and the text of the evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bottega.ask.state import AskSettings, AskState
from bottega.ask.tools import AskRun, RepositoryView
from bottega.models import Request, fenced, load_prompt
from bottega.retrieve.package import ContextChunk
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
# Evidence takes at most a quarter of the context window: a model on a CPU reads long prompts slowly.
_WINDOW_DIVISOR = 4
# A model with at most this context window cites evidence by number; a larger one writes citations into its text.
_SMALL_WINDOW = 8192
_LONGEST_ABOUT = 200


def build_request(name: str, **values: str) -> Request:
    prompt = load_prompt("bottega.ask", name)
    return Request.of(
        prompt.fill(**values),
        system=prompt.fill_system(**values),
        stage=f"ask.{name.removesuffix('_numbered')}",
        prompt_version=prompt.version,
    )


def get_settings(run: AskRun) -> AskSettings:
    return run.settings_as(AskSettings)


def get_repository(run: AskRun) -> RepositoryView:
    return run.tools.open(get_settings(run).repository)


def get_token_counter(run: AskRun, name: str) -> Callable[[str], int]:
    """Return a function that counts tokens for the model of a prompt; without a model, the general estimate."""
    if not run.roster.router.list_choices():
        return estimate_tokens
    config = run.roster.router.resolve(ROLES[name], f"ask.{name}")
    return lambda text: run.roster.ledger.estimate(config.id, text)


def count_free_tokens(run: AskRun, name: str, **values: str) -> int:
    """Tokens of the context window that a prompt and its reserved reply leave free."""
    request = build_request(name, **values)
    config = run.roster.router.resolve(ROLES[name], request.stage)
    return run.roster.ledger.account(config, request).free


def get_evidence_budget(state: AskState, run: AskRun) -> int:
    """Token budget of the evidence in the prompt of the answer."""
    wanted = get_settings(run).max_context_tokens
    if not run.roster.router.list_choices():
        return wanted
    free = count_free_tokens(run, "answer_numbered", history=state.history, evidence="", question=state.question_en)
    window = run.roster.router.resolve(ROLES["answer"], "ask.answer").context_window
    return max(0, min(wanted, free, window // _WINDOW_DIVISOR))


def uses_numbered_answers(run: AskRun) -> bool:
    """Whether the answering model cites by number: its context window is small, or `answer_form` says so."""
    form = get_settings(run).answer_form
    window = run.roster.router.resolve(ROLES["answer"], "ask.answer").context_window
    return form == "numbered" or (form == "auto" and window <= _SMALL_WINDOW)


def format_chunk(number: int, chunk: ContextChunk) -> str:
    """A numbered chunk in a fence, its path and name included: they are untrusted text of the repository too."""
    return f"[{number}]\n" + fenced(f"{format_heading(chunk)}\n{chunk.text}")


def format_heading(chunk: ContextChunk) -> str:
    """Span, symbol and purpose of a chunk on one line, quoted so that a name cannot imitate another line."""
    name = f" {chunk.kind} {quote_name(chunk.symbol)}" if chunk.symbol else ""
    about = f" (a file that, a model said, {chunk.about[:_LONGEST_ABOUT]})" if chunk.about else ""
    return quote_line(f"{chunk.span}{name}{about}")


def format_key_line(number: int, chunk: ContextChunk) -> str:
    """A chunk as one line with its key and signature, for chunks whose text exceeds the token budget."""
    signature = f": {chunk.signature}" if chunk.signature else ""
    return quote_line(f"[{number}] {chunk.node or chunk.span} at {chunk.span}{signature}")


def format_evidence(state: AskState) -> str:
    """The evidence as it is written into a prompt."""
    parts = [format_chunk(number, chunk) for number, chunk in enumerate(state.chunks[: state.shown], 1)]
    if state.digest:
        parts.append(f"Also found:\n{fenced(state.digest)}")
    if state.relations:
        parts.append("Relations:\n" + fenced("\n".join(quote_line(line) for line in state.relations)))
    return "\n\n".join(parts) if parts else "(nothing was found)"


def list_shown_numbers(state: AskState) -> list[int]:
    """The evidence numbers that the prompt contains, with their text or as one line."""
    listed = [int(number) for number in re.findall(r"^\[(\d{1,4})\]", state.digest, re.MULTILINE)]
    numbers = range(1, len(state.chunks) + 1)
    return [number for number in numbers if number <= state.shown or number in listed]


def select_relations(relations: Sequence[str], tokens: int, cost: Callable[[str], int]) -> tuple[str, ...]:
    """The first relations, the most certain ones, that fit a small share of the token budget."""
    kept: list[str] = []
    left = int(tokens * _RELATIONS_SHARE)
    for line in relations:
        left -= cost(line)
        if left < 0:
            break
        kept.append(line)
    return tuple(kept)
