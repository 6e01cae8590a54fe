"""The survey and the plan of an investigation, as models submit them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from bottega.investigate.numbers import parse_int, parse_share

Tier = Literal["priority", "default", "shallow", "skip"]
MAX_TURNS = 25
_TRUSTED_CONFIDENCE = 0.5
_PROTECTED_TOOLS = frozenset({"read_file", "write_cache", "submit_report"})
_MAX_TEXT_CHARS = 2000
_MAX_NAMED, _MAX_TEXTS = 500, 50
_DIVIDERS = re.compile(r"\s*[,;\n]\s*|\s+and\s+")
# What models put around the name of a directory: quotes, a glob for everything in it, the word itself.
_DECORATION = re.compile(
    r"^[`'\"\[(]+|[`'\"\])]+$|(?:/\*{1,2}[/*]*)[`'\"]*$|\s+(?:directory|folder|dir)$", re.IGNORECASE
)


class FrozenModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Survey(FrozenModel):
    """What the target is, and how to investigate it. Tools in neither list are offered as usual."""

    description: str = ""
    approach: str = ""
    relevant_tools: tuple[str, ...] = ()
    skip_tools: tuple[str, ...] = ()
    domain_notes: str = ""
    confidence: float | None = None

    @property
    def hidden_tools(self) -> frozenset[str]:
        """Tools that directories are not offered; only a confident survey hides any, and none that the loop needs."""
        is_sure = self.confidence is not None and self.confidence >= _TRUSTED_CONFIDENCE
        return (
            frozenset(self.skip_tools) - _PROTECTED_TOOLS - frozenset(self.relevant_tools) if is_sure else frozenset()
        )


class DirectoryChoice(FrozenModel):
    """A directory that a plan names, with the turns it suggests."""

    path: str
    reason: str = ""
    turns: int | None = None


class Plan(FrozenModel):
    """`unknown` is what the model named and what is no directory to investigate."""

    priority: tuple[DirectoryChoice, ...] = ()
    shallow: tuple[DirectoryChoice, ...] = ()
    skip: tuple[DirectoryChoice, ...] = ()
    order: Literal["leaf-first", "priority-first"] = "leaf-first"
    notes: str = ""
    unknown: tuple[str, ...] = ()


class Allotment(FrozenModel):
    """The turns of a directory; a skipped one gets none."""

    path: str
    tier: Tier
    turns: int = Field(ge=0, le=MAX_TURNS)
    reason: str = ""


def parse_survey(arguments: Any, tools: Iterable[str]) -> Survey | None:
    """A survey from what a model sent, without the tools it invents; `None` when it has no description."""
    if not isinstance(arguments, dict):
        return None
    known = frozenset(tools)
    description = _parse_text(arguments.get("description"))
    if not description:
        return None
    return Survey(
        description=description,
        approach=_parse_text(arguments.get("approach")),
        relevant_tools=tuple(name for name in _parse_texts(arguments.get("relevant_tools")) if name in known),
        skip_tools=tuple(name for name in _parse_texts(arguments.get("skip_tools")) if name in known),
        domain_notes=_parse_text(arguments.get("domain_notes")),
        confidence=parse_share(arguments.get("confidence")),
    )


def parse_plan(arguments: Any, directories: Sequence[str], target_name: str) -> Plan | None:
    """A plan from what a model sent; `None` when it is no object at all."""
    if not isinstance(arguments, dict):
        return None
    known = frozenset(directories)
    unknown: list[str] = []

    def choose(key: str, *, with_turns: bool = False) -> tuple[DirectoryChoice, ...]:
        choices: dict[str, DirectoryChoice] = {}
        items = arguments.get(key)
        items = [items] if isinstance(items, (str, dict)) else items
        for item in items[:_MAX_NAMED] if isinstance(items, list) else ():
            fields = item if isinstance(item, dict) else {"path": item}
            turns = parse_int(fields.get("suggested_turns"), least=1, most=MAX_TURNS) if with_turns else None
            for written in _split_names(fields.get("path"), known, target_name):
                path = find_directory(written, known, target_name)
                if path is None:
                    unknown.append(_parse_text(written)[:200])
                else:
                    reason = _parse_text(fields.get("reason"))
                    choices.setdefault(path, DirectoryChoice(path=path, reason=reason, turns=turns))
        return tuple(choices.values())

    order = arguments.get("investigation_order")
    return Plan(
        priority=choose("priority_dirs", with_turns=True),
        shallow=choose("shallow_dirs"),
        skip=choose("skip_dirs"),
        order="priority-first" if order == "priority-first" else "leaf-first",
        notes=_parse_text(arguments.get("notes")),
        unknown=tuple(dict.fromkeys(unknown)),
    )


def find_directory(written: Any, known: frozenset[str], target_name: str) -> str | None:
    """The known directory that a model means, however it writes it; the target is ".", "" or its own name."""
    if not isinstance(written, str):
        return None
    path = _DECORATION.sub("", written.strip()).replace("\\", "/").removeprefix("./").strip("/")
    if path in {"", "."}:
        return ""
    if f"{path}/" in known:
        return f"{path}/"
    if path == target_name:
        return ""
    below = path.rpartition(f"{target_name}/")[2]
    if f"{below}/" in known:
        return f"{below}/"
    ending = f"/{path.lower()}/"
    matches = [directory for directory in known if f"/{directory.lower()}".endswith(ending)]
    return matches[0] if len(matches) == 1 else None


def _split_names(written: Any, known: frozenset[str], target_name: str) -> list[Any]:
    """Directories that a model wrote into one text, as in "doc, src"; a text that is a known name is not split."""
    if not isinstance(written, str) or find_directory(written, known, target_name) is not None:
        return [written]
    return [part for part in _DIVIDERS.split(written) if part.strip()] or [written]


def _parse_text(value: Any) -> str:
    return value.strip()[:_MAX_TEXT_CHARS] if isinstance(value, str) else ""


def _parse_texts(value: Any) -> list[str]:
    return (
        [_parse_text(item) for item in value[:_MAX_TEXTS] if isinstance(item, str)] if isinstance(value, list) else []
    )
