"""Which of the known models to prefer for a role."""

from __future__ import annotations

from collections.abc import Mapping

from bottega.models.recommend.fitting import FitVerdict
from bottega.models.recommend.table import KnownModel

_ORDER = {"fits": 0, "tight": 1, "unknown": 2, "does not fit": 3}


def rank_for_role(role: str, table: Mapping[str, KnownModel], verdicts: Mapping[str, FitVerdict]) -> list[str]:
    """The models for a role, the best first, without those that do not fit.

    What fits comes before what is tight, what is not slow here before what is, and licences that permit commercial use
    before others; then the order of the table decides.
    """
    suited = [model for model, row in table.items() if role in row.roles and verdicts[model].fit != "does not fit"]

    def rank(model: str) -> tuple[int, bool, bool]:
        verdict = verdicts[model]
        return _ORDER[verdict.fit], verdict.is_slow, not table[model].permits_commercial_use

    return sorted(suited, key=rank)
