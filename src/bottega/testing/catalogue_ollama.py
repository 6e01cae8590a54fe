"""What Ollama tells about its models without running them."""

from __future__ import annotations

from collections.abc import Callable

from bottega.testing.shelf import ServedModel, Shelf
from bottega.testing.wire import Json

MODIFIED = "2026-01-01T00:00:00Z"
EXPIRES = "2099-01-01T00:00:00Z"


def version(_shelf: Shelf) -> Json:
    return {"version": "0.13.0"}


def tags(shelf: Shelf) -> Json:
    return {"models": [{**_identity(model), "modified_at": MODIFIED} for model in shelf.models]}


def running(shelf: Shelf) -> Json:
    """The window is the one the model is loaded with, which may be far below what it was trained for."""
    return {"models": [_running(model, window) for model, window in shelf.loaded]}


def show(model: ServedModel) -> Json:
    return {
        "modelfile": f"FROM {model.name}",
        "template": "{{ .Prompt }}",
        "parameters": f"num_ctx    {model.num_ctx}" if model.num_ctx else "",
        "details": _details(model),
        "model_info": {
            "general.architecture": model.family,
            f"{model.family}.context_length": model.context_length,
        },
        "capabilities": list(model.capabilities),
        "modified_at": MODIFIED,
    }


CATALOGUE: dict[str, Callable[[Shelf], Json]] = {
    "/api/version": version,
    "/api/tags": tags,
    "/api/ps": running,
}


def _running(model: ServedModel, window: int) -> Json:
    return {**_identity(model), "expires_at": EXPIRES, "size_vram": model.size, "context_length": window}


def _identity(model: ServedModel) -> Json:
    return {
        "name": model.name,
        "model": model.name,
        "size": model.size,
        "digest": model.digest,
        "details": _details(model),
    }


def _details(model: ServedModel) -> Json:
    return {
        "parent_model": "",
        "format": "gguf",
        "family": model.family,
        "families": [model.family],
        "parameter_size": model.parameters,
        "quantization_level": model.quantization,
    }
