"""A workshop whose models say what a test tells them to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

from bottega.errors import ModelFault
from bottega.journal import Journal, open_journal
from bottega.models import Model, Request, RetryPolicy
from bottega.models.providers.scripted import Line, ScriptedModel
from bottega.workshop import Opening, Workshop

Script = Mapping[str, Sequence[Line]] | Iterable[Line] | Callable[[Request], Line]


def scripted_workshop(
    root: Path,
    script: Script | Model,
    *,
    settings: Sequence[str] = (),
    unsafe: bool = False,
    model: str = "scripted/model",
    open_journal: Callable[..., Journal] = open_journal,
) -> Workshop:
    """A workshop at `root`. A mapping gives each stage its own lines; `settings` are KEY=VALUE as for --set.

    Every model id is the one scripted model; retries do not wait, and nothing is embedded in the background.
    `open_journal` puts the records elsewhere.
    """
    opening = Opening(
        root,
        assignments=("index.vectors=manual", *settings),
        model=model,
        allow_unsafe_sandbox=unsafe,
        is_exact=True,
        environ={"HOME": str(root)},
    )
    speaker = _open_model(script)
    return Workshop(
        opening,
        open_model=lambda config, environ: speaker,  # noqa: ARG005 - every id is the one scripted model
        retry=RetryPolicy(sleep=lambda seconds: None),  # noqa: ARG005 - tests do not wait
        open_journal=open_journal,
    )


def _open_model(script: Script | Model) -> Model:
    if isinstance(script, Mapping):
        return ScriptedModel(_by_stage(script))
    return cast("Model", script) if hasattr(script, "complete") else ScriptedModel(script)


def _by_stage(parts: Mapping[str, Sequence[Line]]) -> Callable[[Request], Line]:
    remaining = {stage: list(lines) for stage, lines in parts.items()}

    def play(request: Request) -> Line:
        lines = remaining.get(request.stage, [])
        if not lines:
            raise ModelFault("scripted/model", f"no line left for {request.stage}", passing=False)
        return lines.pop(0)

    return play
