"""What a loop knows about its model, and how many turns it may take."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from bottega.errors import BottegaError
from bottega.models import ModelConfig, Request, Roster
from bottega.pipeline.run import Run

Mode = Literal["native", "json"]
SMALL_WINDOW = 16_000
# All results of one turn together get this share of the context window.
_TURN_SHARE = 0.22
_MIN_RESULT_CHARS, _MAX_RESULT_CHARS = 400, 16_000
_NATIVE_PROTOCOLS = frozenset({"anthropic"})
_OPENAI_URL = "https://api.openai.com"


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """How a model is asked. Fixed once per run, so that resume and replay send the same requests."""

    role: str
    mode: Mode
    window: int
    chars_per_token: float
    reply_tokens: int

    @property
    def is_small(self) -> bool:
        """Whether the window is so small that tool results soon crowd out what the model has to write."""
        return self.window < SMALL_WINDOW

    @property
    def window_chars(self) -> float:
        return self.window * self.chars_per_token

    def result_chars(self, calls: int = 1) -> int:
        """The most characters of one tool result, when `calls` results share a turn."""
        return max(_MIN_RESULT_CHARS, min(_MAX_RESULT_CHARS, int(self.window_chars * _TURN_SHARE / max(1, calls))))

    def estimate_tokens(self, request: Request) -> int:
        return int(request.chars() / self.chars_per_token)


def measure_profile(run: Run[Any], *, role: str, stage: str, reply_tokens: int = 1200) -> ModelProfile:
    """The profile of the model that answers in this role and stage, recorded for resume and replay."""

    def measure() -> dict[str, Any]:
        config = run.roster.router.resolve(role, stage)
        limit = min(reply_tokens, max(200, config.context_window // 4))
        chars_per_token = run.roster.ledger.chars_per_token(config.id)
        mode = tool_mode(run.roster, config)
        return asdict(ModelProfile(role, mode, config.context_window, chars_per_token, limit))

    return ModelProfile(**run.effect(f"model profile: {role} {stage}", measure))


def tool_mode(roster: Roster, config: ModelConfig) -> Mode:
    """`native` where the server is known to support tool calling, otherwise `json`: tools through a JSON contract."""
    if config.protocol in _NATIVE_PROTOCOLS:
        return "native"
    calls_tools = getattr(roster.model(config), "calls_tools", None)
    if calls_tools is None:
        return "native" if config.protocol == "openai" and config.base_url.startswith(_OPENAI_URL) else "json"
    try:
        return "native" if calls_tools() else "json"
    except BottegaError:
        return "json"


@dataclass(slots=True)
class TurnBudget:
    """Turns and tokens used by several loops together, counted from any thread; `max_turns` 0 sets no limit."""

    max_turns: int = 0
    turns: int = 0
    tokens: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def exhausted_reason(self) -> str:
        """Why no further turn may start; "" while one may."""
        with self._lock:
            is_used_up = self.max_turns and self.turns >= self.max_turns
            return f"all {self.max_turns} turns of the run are used" if is_used_up else ""

    def count(self, *, turns: int = 0, tokens: int = 0) -> None:
        with self._lock:
            self.turns += turns
            self.tokens += tokens
