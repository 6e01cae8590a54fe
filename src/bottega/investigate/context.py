"""What the steps of an investigation derive from the state and their run."""

from __future__ import annotations

from pathlib import Path

from bottega.investigate.files import TargetFiles
from bottega.investigate.scan import Options
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.tools import InvestigateRun
from bottega.pipeline.toolloop import Mode, ModelProfile, TurnBudget

ROLE = "reasoning"
DIRECTORY_STAGE = "investigate.directory"
_TINY_FILES = 5


def get_scan_options(state: InvestigateState) -> Options:
    return Options(state.exclude, state.everything, state.hidden, state.own)


def open_files(state: InvestigateState, run: InvestigateRun) -> TargetFiles:
    return TargetFiles(Path(state.target), get_scan_options(state), run.tools.mask)


def get_model_profile(state: InvestigateState, run: InvestigateRun) -> ModelProfile:
    """The profile that the scanning step measured and put into the state."""
    settings = run.settings_as(InvestigateSettings)
    reply_tokens = min(settings.reply_tokens, max(200, state.window // 4))
    mode: Mode = "native" if state.mode == "native" else "json"
    return ModelProfile(ROLE, mode, state.window, state.chars_per_token, reply_tokens)


def create_turn_budget(state: InvestigateState, run: InvestigateRun) -> TurnBudget:
    """The turns of all loops of this run, with those that earlier steps used."""
    settings = run.settings_as(InvestigateSettings)
    limit = state.max_turns or settings.max_turns or 10 * len(state.units) + 20
    return TurnBudget(limit, turns=state.turns, tokens=state.tokens)


def is_tiny(state: InvestigateState) -> bool:
    """Whether the target is too small for a survey or a plan to help."""
    return state.scan["files"] < _TINY_FILES and len(state.units) < 2
