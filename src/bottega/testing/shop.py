"""A workshop whose models say what a test tells them to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from bottega.errors import ModelFault
from bottega.models import Request, RetryPolicy
from bottega.models.providers.scripted import Line, ScriptedModel
from bottega.settings import load_settings
from bottega.workshop import Workshop

Script = Mapping[str, Sequence[Line]] | Iterable[Line] | Callable[[Request], Line]


def scripted_workshop(root: Path, script: Script, *, settings: Sequence[str] = (), unsafe: bool = False) -> Workshop:
    """A workshop at `root`. A mapping gives each stage its own lines; `settings` are KEY=VALUE as for --set.

    The model is at `workshop.roster.model(...)` like any other; retries do not wait.
    """
    model = ScriptedModel(_by_stage(script) if isinstance(script, Mapping) else script)
    loaded = load_settings(root, environ={"HOME": str(root)}, assignments=settings, model="scripted/model")
    return Workshop(
        root,
        loaded,
        environ={},
        open_model=lambda config, environ: model,  # noqa: ARG005 - every id is the one scripted model
        retry=RetryPolicy(sleep=lambda seconds: None),  # noqa: ARG005 - tests do not wait
        allow_unsafe_sandbox=unsafe,
    )


def _by_stage(parts: Mapping[str, Sequence[Line]]) -> Callable[[Request], Line]:
    remaining = {stage: list(lines) for stage, lines in parts.items()}

    def play(request: Request) -> Line:
        lines = remaining.get(request.stage, [])
        if not lines:
            raise ModelFault("scripted/model", f"no line left for {request.stage}", passing=False)
        return lines.pop(0)

    return play
