"""Draw a pipeline: as Mermaid for pages, as lines for terminals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bottega.pipeline.spec import Pipeline, StepSpec


def as_mermaid(pipeline: Pipeline) -> str:
    lines = ["flowchart TD", f"    start(( )) --> {_id(pipeline.entry)}"]
    for step in pipeline.steps.values():
        shape = ("{{", "}}") if step.action == "loop_guard" else ("[", "]") if step.targets() else ("([", "])")
        lines.append(f'    {_id(step.id)}{shape[0]}"{_escape(step.id)}<br/><i>{_escape(step.action)}</i>"{shape[1]}')
    for step in pipeline.steps.values():
        for outcome, target in _list_edges(step):
            arrow = f"-- {_escape(outcome)} -->" if outcome else "-->"
            lines.append(f"    {_id(step.id)} {arrow} {_id(target)}")
    return "\n".join(lines) + "\n"


def as_text(pipeline: Pipeline) -> str:
    """A tree from the entry step; a step that was drawn before appears as an arrow with its name."""
    lines = [f"{pipeline.name} ({pipeline.kind})"]
    drawn: set[str] = set()
    lines += _draw_branch(pipeline, pipeline.entry, "", "", drawn, is_last=True)
    return "\n".join(lines) + "\n"


def _draw_branch(
    pipeline: Pipeline, name: str, label: str, indent: str, drawn: set[str], *, is_last: bool
) -> Iterator[str]:
    corner = "└─" if is_last else "├─"
    title = f"{indent}{corner}{f' {label}:' if label else ''} "
    if name in drawn:
        yield f"{title}→ {name}"
        return
    drawn.add(name)
    step = pipeline.steps[name]
    yield f"{title}{name} [{step.action}]"
    edges = list(_list_edges(step))
    for number, (outcome, target) in enumerate(edges, 1):
        deeper = indent + ("   " if is_last else "│  ")
        yield from _draw_branch(pipeline, target, outcome, deeper, drawn, is_last=number == len(edges))


def _list_edges(step: StepSpec) -> Iterator[tuple[str, str]]:
    yield from step.branches.items()
    if step.next:
        yield ("otherwise" if step.branches else "", step.next)


def _id(name: str) -> str:
    """A unique Mermaid id for a step: other characters are written as their code points."""
    return "s_" + re.sub(r"\W", lambda character: f"_{ord(character.group()):x}_", name, flags=re.ASCII)


def _escape(text: str) -> str:
    return re.sub(r"[^\w .,/-]", "_", text)
