"""How a plan turned out, stored for the model that makes the next one."""

from __future__ import annotations

from typing import Any

from bottega.investigate.state import InvestigateState, LoopUsage

SECOND_LOOK = "second look"


def evaluate_plan(state: InvestigateState) -> dict[str, Any]:
    """Turns allotted and used, in total and for each directory."""
    loops = [usage for usage in state.used if usage.label in state.entries and usage.tier != SECOND_LOOK]
    allotted = sum(usage.turns_allotted for usage in loops)
    used = sum(usage.turns_used for usage in loops)
    return {
        "plan_order": state.plan.order if state.plan else "leaf-first",
        "total_dirs_investigated": len(loops),
        "total_turns_allocated": allotted,
        "total_turns_used": used,
        "overall_utilization": round(used / allotted, 2) if allotted else 0.0,
        "per_directory": [_evaluate_directory(usage, state) for usage in loops],
        "evaluated_at": state.began,
    }


def _evaluate_directory(usage: LoopUsage, state: InvestigateState) -> dict[str, Any]:
    share = round(usage.turns_used / usage.turns_allotted, 2) if usage.turns_allotted else 0.0
    return {
        "dir": usage.label or ".",
        "planned_tier": usage.tier,
        "turns_allocated": usage.turns_allotted,
        "turns_used": usage.turns_used,
        "utilization": share,
        "completeness": usage.completeness,
        "confidence": state.entries[usage.label].confidence,
        "reason": usage.reason,
    }
