"""The models a scripted server claims to have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

OLLAMA_WINDOW = 4096
"""The window Ollama loads a model with when the request does not name one."""


@dataclass(frozen=True, slots=True)
class ServedModel:
    name: str
    context_length: int = 8192
    quantization: str = "Q4_K_M"
    family: str = "llama"
    parameters: str = "8.0B"
    size: int = 4_900_000_000
    num_ctx: int = 0
    capabilities: tuple[str, ...] = ("completion", "tools", "thinking")

    @property
    def digest(self) -> str:
        return sha256(self.name.encode()).hexdigest()


class Shelf:
    """Without a list every model is known; `loaded` remembers the window each was last asked with."""

    def __init__(self, models: Sequence[ServedModel] | None = None) -> None:
        self.models = tuple(models or ())
        self._knows_all = models is None
        self._windows: dict[str, int] = {}

    def find(self, name: str) -> ServedModel | None:
        if self._knows_all:
            return ServedModel(name)
        return next((model for model in self.models if _tagged(model.name) == _tagged(name)), None)

    def load(self, model: ServedModel, window: int | None) -> None:
        self._windows[model.name] = min(window or OLLAMA_WINDOW, model.context_length)

    @property
    def loaded(self) -> tuple[tuple[ServedModel, int], ...]:
        found = ((self.find(name), window) for name, window in tuple(self._windows.items()))
        return tuple((model, window) for model, window in found if model)


def _tagged(name: str) -> str:
    return name if ":" in name else f"{name}:latest"
