"""Judge symbols yes or no, one request each; verdicts are kept by task, content, prompt and model."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from bottega.errors import ModelError, PromptTooLong, ReplyRejected
from bottega.journal import FactStore
from bottega.judge.contracts import Verdict, VerdictContract
from bottega.models import Request, fenced, load_prompt
from bottega.pipeline import Run, fan_out
from bottega.retrieve.context import SymbolText
from bottega.source import quote_line

ROLE = "classifier"


def judge(
    task: str, symbols: Sequence[SymbolText], run: Run[Any], facts: FactStore, *, parallel: int = 1
) -> dict[str, Verdict]:
    """A verdict for each symbol by its key; a symbol whose judgement fails has none."""
    model = run.roster.router.resolve(ROLE, "retrieve.judge").id

    def ask_verdict(symbol: SymbolText) -> Verdict:
        request = _build_request(task, symbol)
        key = f"judged:{_hash(request)}"
        known: Verdict | None = run.effect(f"known {symbol.node}", lambda: facts.get(model, key))
        if known is not None:
            return known
        verdict: Verdict = run.ask(request, VerdictContract(), role=ROLE).value
        run.effect(f"keep {symbol.node}", lambda: facts.put(model, key, verdict))
        return verdict

    verdicts: dict[str, Verdict] = {}
    report: Callable[[int, int], None] = run.count("judging, symbols")
    for result in fan_out(symbols, ask_verdict, limit=parallel, on_progress=report):
        if isinstance(result.error, ReplyRejected | PromptTooLong | ModelError):
            run.say(f"{result.item.place} is not judged: {result.error}")
            continue
        verdicts[result.item.node] = result.value()
        run.decide("judge", result.item.node, verdicts[result.item.node])
    return verdicts


def _build_request(task: str, symbol: SymbolText) -> Request:
    prompt = load_prompt("bottega.judge", "judge")
    return Request.of(
        prompt.fill(task=fenced(task), symbol=fenced(f"{quote_line(symbol.place)}\n{symbol.text}")),
        system=prompt.fill_system(),
        stage="retrieve.judge",
        prompt_version=prompt.version,
        max_tokens=16,
    )


def _hash(request: Request) -> str:
    content = json.dumps([request.as_json(), request.prompt_version], sort_keys=True, ensure_ascii=False)
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:32]
