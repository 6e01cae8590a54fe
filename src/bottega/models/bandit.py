"""Choose models for a panel by Thompson sampling over how their earlier work was judged."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from bottega.journal import FactStore, now

_MOST_COUNTS = 20.0
_PRIOR_OF_NEW = (3.0, 2.0)
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
_DISTILLED_FROM = re.compile(r"distill[-_ ]?(\w+)")
_REASONING = re.compile(r"(?:^|[^a-z])r1(?:[^a-z0-9]|$)|reason|think|qwq")


@dataclass(frozen=True, slots=True)
class Arm:
    """The beta distribution of a model: how often its work was accepted (alpha) and refused (beta); both begin at 1."""

    model: str
    alpha: float = 1.0
    beta: float = 1.0
    reviews: int = 0
    last_used: str = ""

    @property
    def win_rate(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    def sample(self, random: Random) -> float:
        """A sample of its success rate. Capped counts keep it uncertain; a new model has an optimistic prior."""
        if not self.reviews:
            return random.betavariate(*_PRIOR_OF_NEW)
        return random.betavariate(min(self.alpha + 1, _MOST_COUNTS), min(self.beta + 1, _MOST_COUNTS))


@dataclass(frozen=True, slots=True)
class Candidate:
    model: str
    context_window: int

    @property
    def family(self) -> str:
        return family_of(self.model)

    @property
    def is_reasoning(self) -> bool:
        return bool(_REASONING.search(self.model.partition("/")[2].lower()))


@dataclass(frozen=True, slots=True)
class PanelPreferences:
    """What a panel should be like, as far as the pool of models allows."""

    families: int = 3
    min_reasoning: int = 1
    max_reasoning: int = 2
    min_context_window: int = 32_000
    exploration: float = 0.1


@dataclass(frozen=True, slots=True)
class Panel:
    """The chosen models; `remarks` says which preferences the pool could not meet."""

    models: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def family_of(model: str) -> str:
    """The maker of a model, or of the one it was distilled from: models of a family make the same mistakes."""
    name = model.partition("/")[2].lower() or model.lower()
    base = _DISTILLED_FROM.search(name)
    if base and (family := _match_family(base[1])):
        return family
    return _match_family(name) or re.split(r"[-_.:/0-9]", name, maxsplit=1)[0] or name


def _match_family(name: str) -> str:
    return next((family for family, pattern in _FAMILIES if pattern.search(name)), "")


class Bandit:
    """Thompson sampling over models; its counts are stored with the other facts about them."""

    def __init__(self, facts: FactStore) -> None:
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

    def choose(self, pool: Sequence[Candidate], count: int, random: Random, preferences: PanelPreferences) -> Panel:
        """At most `count` different models, best first; equal states of `random` give equal panels."""
        remarks: list[str] = []
        large_enough = [candidate for candidate in pool if candidate.context_window >= preferences.min_context_window]
        if len(large_enough) < min(count, len(pool)):
            small = len(pool) - len(large_enough)
            remarks.append(f"{small} of {len(pool)} models have windows below {preferences.min_context_window} tokens")
            large_enough = list(pool)
        arms = {candidate.model: self.arm(candidate.model) for candidate in large_enough}
        sampled = {model: arm.sample(random) for model, arm in sorted(arms.items())}
        ordered = sorted(large_enough, key=lambda candidate: (-sampled[candidate.model], candidate.model))
        count = min(count, len(ordered))
        explored = max(1, math.floor(count * preferences.exploration)) if count >= 2 else 0
        chosen = ordered[: count - explored]
        rest = [candidate for candidate in ordered if candidate not in chosen]
        chosen += sorted(
            rest, key=lambda candidate: (arms[candidate.model].reviews, -sampled[candidate.model], candidate.model)
        )[:explored]
        chosen = _balance_families(chosen, ordered, preferences, remarks)
        chosen = _balance_reasoning(chosen, ordered, preferences)
        return Panel(tuple(candidate.model for candidate in chosen), tuple(remarks))


def _balance_families(
    chosen: list[Candidate], ordered: Sequence[Candidate], preferences: PanelPreferences, remarks: list[str]
) -> list[Candidate]:
    """Replace the last model of the commonest family until there are enough families or the pool has no other."""
    wanted = min(preferences.families, len(chosen))
    while len({candidate.family for candidate in chosen}) < wanted:
        known = {candidate.family for candidate in chosen}
        other = next((candidate for candidate in ordered if candidate.family not in known), None)
        if other is None:
            remarks.append(f"the models come from {len(known)} of {wanted} families asked for")
            break
        commonest = Counter(candidate.family for candidate in chosen).most_common(1)[0][0]
        last = max(at for at, candidate in enumerate(chosen) if candidate.family == commonest)
        chosen = [*chosen[:last], *chosen[last + 1 :], other]
    return chosen


def _balance_reasoning(
    chosen: list[Candidate], ordered: Sequence[Candidate], preferences: PanelPreferences
) -> list[Candidate]:
    """Keep the number of reasoning models within the preferences, as far as the pool has others."""
    others = [candidate for candidate in ordered if candidate not in chosen]
    while sum(candidate.is_reasoning for candidate in chosen) > preferences.max_reasoning:
        plain = next((candidate for candidate in others if not candidate.is_reasoning), None)
        if plain is None:
            break
        last = max(at for at, candidate in enumerate(chosen) if candidate.is_reasoning)
        others.remove(plain)
        chosen = [*chosen[:last], *chosen[last + 1 :], plain]
    while sum(candidate.is_reasoning for candidate in chosen) < min(preferences.min_reasoning, len(chosen) - 1):
        reasoning = next((candidate for candidate in others if candidate.is_reasoning), None)
        if reasoning is None:
            break
        last = max(at for at, candidate in enumerate(chosen) if not candidate.is_reasoning)
        others.remove(reasoning)
        chosen = [*chosen[:last], *chosen[last + 1 :], reasoning]
    return chosen
