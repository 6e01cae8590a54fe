"""Build the requests of `ask`: prompts, token budgets, and the text of the evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bottega.ask.state import AskSettings, AskState
from bottega.ask.tools import AskRun, RepositoryView
from bottega.models import Request, fenced, load_prompt
from bottega.retrieve.context import BudgetConfig, ContextUnit, DetailLevel
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
# Tokens of evidence that no model reads: the best places are listed from it.
_WITHOUT_MODEL = 16_000
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
    settings, budget = get_settings(run), run.tools.budget
    if not run.roster.router.list_choices():
        return settings.max_context_tokens or budget.context_tokens or _WITHOUT_MODEL
    free = count_free_tokens(run, "answer_numbered", history=state.history, evidence="", question=state.question_en)
    window = run.roster.router.resolve(ROLES["answer"], "ask.answer").context_window
    reserved = min(budget.reserved_tokens, window - 1)
    config = BudgetConfig(window, reserved)
    wanted = settings.max_context_tokens or config.limit(budget.context_share, budget.context_tokens)
    return max(0, min(wanted, free, config.effective_budget))


def uses_numbered_answers(run: AskRun) -> bool:
    """Whether the answering model cites by number: its context window is small, or `answer_form` says so."""
    form = get_settings(run).answer_form
    window = run.roster.router.resolve(ROLES["answer"], "ask.answer").context_window
    return form == "numbered" or (form == "auto" and window <= _SMALL_WINDOW)


def format_unit(number: int, unit: ContextUnit) -> str:
    """A numbered unit in a fence, its path and name included: they are untrusted text of the repository too."""
    return f"[{number}]\n" + fenced(f"{format_heading(unit)}\n{unit.text}".rstrip())


def format_heading(unit: ContextUnit) -> str:
    """Span, symbol and purpose of a unit on one line, quoted so that a name cannot imitate another line."""
    name = f" {unit.kind} {quote_name(unit.symbol)}" if unit.symbol else ""
    why = f", {quote_name(unit.origin)}" if unit.level is DetailLevel.SUPPORTING else ""
    about = f" (a file that, a model said, {unit.about[:_LONGEST_ABOUT]})" if unit.about else ""
    return quote_line(f"{unit.span}{name}{why}{about}")


def format_key_line(number: int, unit: ContextUnit) -> str:
    """A unit as one line with its key and signature, for units whose text exceeds the token budget."""
    signature = f": {unit.signature}" if unit.signature else ""
    return quote_line(f"[{number}] {unit.node or unit.span} at {unit.span}{signature}")


def format_evidence(state: AskState) -> str:
    """The evidence as it is written into a prompt."""
    parts = [format_unit(number, unit) for number, unit in enumerate(state.units[: state.shown], 1)]
    if state.digest:
        parts.append(f"Also found:\n{fenced(state.digest)}")
    if state.relations:
        parts.append("Relations:\n" + fenced("\n".join(quote_line(line) for line in state.relations)))
    return "\n\n".join(parts) if parts else "(nothing was found)"


def list_shown_numbers(state: AskState) -> list[int]:
    """The evidence numbers that the prompt contains, with their text or as one line."""
    listed = [int(number) for number in re.findall(r"^\[(\d{1,4})\]", state.digest, re.MULTILINE)]
    numbers = range(1, len(state.units) + 1)
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
