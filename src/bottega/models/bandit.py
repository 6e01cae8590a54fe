"""Which models to ask when several could: by what became of their earlier work, with some curiosity."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from bottega.journal import Facts, now

_CAP = 20.0
_UNKNOWN = (3.0, 2.0)
_FACT = "arm"
_FAMILIES = (
    ("deepseek", re.compile(r"deepseek")),
    ("qwen", re.compile(r"qwen|qwq")),
    ("llama", re.compile(r"llama")),
    ("mistral", re.compile(r"mi[sx]tral|codestral|devstral|magistral")),
    ("gemma", re.compile(r"gemma")),
    ("gemini", re.compile(r"gemini")),
    ("phi", re.compile(r"\bphi")),
    ("glm", re.compile(r"\bglm")),
    ("openai", re.compile(r"\bgpt|\bo[134]\b")),
    ("anthropic", re.compile(r"claude")),
    ("moonshot", re.compile(r"kimi")),
)
_BASE = re.compile(r"distill[-_ ]?(\w+)")
_REASONING = re.compile(r"(?:^|[^a-z])r1(?:[^a-z0-9]|$)|reason|think|qwq")


@dataclass(frozen=True, slots=True)
class Arm:
    """How often a model's work was worth it, and how often not; both begin at 1."""

    model: str
    alpha: float = 1.0
    beta: float = 1.0
    reviews: int = 0
    last_used: str = ""

    @property
    def win_rate(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    def drawn(self, random: Random) -> float:
        """A guess at its worth. Capped counts keep every model open to doubt; a new one gets a good start."""
        if not self.reviews:
            return random.betavariate(*_UNKNOWN)
        return random.betavariate(min(self.alpha + 1, _CAP), min(self.beta + 1, _CAP))


@dataclass(frozen=True, slots=True)
class Candidate:
    model: str
    context_window: int

    @property
    def family(self) -> str:
        return family_of(self.model)

    @property
    def reasons(self) -> bool:
        return bool(_REASONING.search(self.model.partition("/")[2].lower()))


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a panel should be like where the pool allows it."""

    families: int = 3
    reasoning_least: int = 1
    reasoning_most: int = 2
    context_least: int = 32_000
    exploration: float = 0.1


@dataclass(frozen=True, slots=True)
class Panel:
    """`remarks` says which wishes the pool could not fulfil."""

    models: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def family_of(model: str) -> str:
    """Who made it, or what it was made from: models of a family make the same mistakes."""
    name = model.partition("/")[2].lower() or model.lower()
    base = _BASE.search(name)
    if base and (found := _family(base[1])):
        return found
    return _family(name) or re.split(r"[-_.:/0-9]", name, maxsplit=1)[0] or name


def _family(name: str) -> str:
    return next((family for family, pattern in _FAMILIES if pattern.search(name)), "")


class Bandit:
    """Thompson sampling over models. What it has learnt lies with the other facts about them."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def arm(self, model: str) -> Arm:
        stored = self._facts.get(model, _FACT)
        return Arm(model, **stored) if isinstance(stored, dict) else Arm(model)

    def leaderboard(self) -> list[Arm]:
        arms = [self.arm(model) for model in self._facts.models(_FACT)]
        return sorted(arms, key=lambda arm: (-arm.win_rate, -arm.reviews, arm.model))

    def reward(self, model: str, *, won: bool) -> Arm:
        arm = self.arm(model)
        arm = replace(
            arm,
            alpha=arm.alpha + won,
            beta=arm.beta + (not won),
            reviews=arm.reviews + 1,
            last_used=now(),
        )
        stored = {"alpha": arm.alpha, "beta": arm.beta, "reviews": arm.reviews, "last_used": arm.last_used}
        self._facts.put(model, _FACT, stored)
        return arm

    def choose(self, pool: Sequence[Candidate], count: int, random: Random, wishes: Wishes) -> Panel:
        """At most `count` different models, best first; the same numbers from `random` give the same panel."""
        remarks: list[str] = []
        wide = [one for one in pool if one.context_window >= wishes.context_least]
        if len(wide) < min(count, len(pool)):
            small = len(pool) - len(wide)
            remarks.append(f"{small} of {len(pool)} models have windows below {wishes.context_least} tokens")
            wide = list(pool)
        arms = {one.model: self.arm(one.model) for one in wide}
        drawn = {model: arm.drawn(random) for model, arm in sorted(arms.items())}
        ordered = sorted(wide, key=lambda one: (-drawn[one.model], one.model))
        count = min(count, len(ordered))
        curious = max(1, math.floor(count * wishes.exploration)) if count >= 2 else 0
        chosen = ordered[: count - curious]
        rest = [one for one in ordered if one not in chosen]
        chosen += sorted(rest, key=lambda one: (arms[one.model].reviews, -drawn[one.model], one.model))[:curious]
        chosen = _mixed(chosen, ordered, wishes, remarks)
        chosen = _reasoned(chosen, ordered, wishes)
        return Panel(tuple(one.model for one in chosen), tuple(remarks))


def _mixed(
    chosen: list[Candidate], ordered: Sequence[Candidate], wishes: Wishes, remarks: list[str]
) -> list[Candidate]:
    """Replace the last of the commonest family until there are families enough, or no others to be had."""
    wanted = min(wishes.families, len(chosen))
    while len({one.family for one in chosen}) < wanted:
        known = {one.family for one in chosen}
        other = next((one for one in ordered if one.family not in known), None)
        if other is None:
            remarks.append(f"the models come from {len(known)} of {wanted} families wished for")
            break
        commonest = Counter(one.family for one in chosen).most_common(1)[0][0]
        last = max(at for at, one in enumerate(chosen) if one.family == commonest)
        chosen = [*chosen[:last], *chosen[last + 1 :], other]
    return chosen


def _reasoned(chosen: list[Candidate], ordered: Sequence[Candidate], wishes: Wishes) -> list[Candidate]:
    """No more models that think for long than wished for, and no fewer, where others are to be had."""
    others = [one for one in ordered if one not in chosen]
    while sum(one.reasons for one in chosen) > wishes.reasoning_most:
        plain = next((one for one in others if not one.reasons), None)
        if plain is None:
            break
        last = max(at for at, one in enumerate(chosen) if one.reasons)
        others.remove(plain)
        chosen = [*chosen[:last], *chosen[last + 1 :], plain]
    while sum(one.reasons for one in chosen) < min(wishes.reasoning_least, len(chosen) - 1):
        thinking = next((one for one in others if one.reasons), None)
        if thinking is None:
            break
        last = max(at for at, one in enumerate(chosen) if not one.reasons)
        others.remove(thinking)
        chosen = [*chosen[:last], *chosen[last + 1 :], thinking]
    return chosen
