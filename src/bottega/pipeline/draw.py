"""Draw a pipeline: as Mermaid for pages, as lines for terminals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bottega.pipeline.spec import Pipeline, StepSpec


def as_mermaid(pipeline: Pipeline) -> str:
    lines = ["flowchart TD", f"    start(( )) --> {_id(pipeline.entry)}"]
    for step in pipeline.steps.values():
        shape = ("{{", "}}") if step.action == "loop_guard" else ("[", "]") if step.targets() else ("([", "])")
        lines.append(f'    {_id(step.id)}{shape[0]}"{_safe(step.id)}<br/><i>{_safe(step.action)}</i>"{shape[1]}')
    for step in pipeline.steps.values():
        for outcome, target in _edges(step):
            arrow = f"-- {_safe(outcome)} -->" if outcome else "-->"
            lines.append(f"    {_id(step.id)} {arrow} {_id(target)}")
    return "\n".join(lines) + "\n"


def as_text(pipeline: Pipeline) -> str:
    """A tree from the entry; a step that was drawn before is named with an arrow back."""
    lines = [f"{pipeline.name} ({pipeline.kind})"]
    drawn: set[str] = set()
    lines += _branch(pipeline, pipeline.entry, "", "", drawn, is_last=True)
    return "\n".join(lines) + "\n"


def _branch(pipeline: Pipeline, name: str, label: str, indent: str, drawn: set[str], *, is_last: bool) -> Iterator[str]:
    corner = "└─" if is_last else "├─"
    title = f"{indent}{corner}{f' {label}:' if label else ''} "
    if name in drawn:
        yield f"{title}→ {name}"
        return
    drawn.add(name)
    step = pipeline.steps[name]
    yield f"{title}{name} [{step.action}]"
    edges = list(_edges(step))
    for number, (outcome, target) in enumerate(edges, 1):
        deeper = indent + ("   " if is_last else "│  ")
        yield from _branch(pipeline, target, outcome, deeper, drawn, is_last=number == len(edges))


def _edges(step: StepSpec) -> Iterator[tuple[str, str]]:
    yield from step.branches.items()
    if step.next:
        yield ("otherwise" if step.branches else "", step.next)


def _id(name: str) -> str:
    """A name of its own for every step: what Mermaid cannot read is spelt as its number."""
    return "s_" + re.sub(r"\W", lambda found: f"_{ord(found.group()):x}_", name, flags=re.ASCII)


def _safe(text: str) -> str:
    return re.sub(r"[^\w .,/-]", "_", text)
