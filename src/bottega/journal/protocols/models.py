"""What is known of models and what they said about files; it outlives the runs it came from."""

from __future__ import annotations

from typing import Any, Protocol

from bottega.journal.documents import Enrichment


class FactStore(Protocol):
    """JSON values by model and name: what was measured or probed on this machine."""

    def get(self, model: str, name: str) -> Any:
        """The value of a fact, or `None`."""

    def models(self, name: str) -> list[str]:
        """Every model that has a fact of this name, sorted."""

    def put(self, model: str, name: str, value: Any) -> None:
        """Store a fact in place of an earlier value."""

    def forget(self, model: str) -> None:
        """Delete every fact of a model."""


class EnrichmentStore(Protocol):
    """Descriptions of files by the content, the prompt and the model they came from."""

    def put(self, run_id: str, entry: Enrichment) -> None:
        """Store a description, or the error in its place."""

    def described(self, model: str, prompt_version: str) -> frozenset[tuple[str, str]]:
        """The (path, hash) pairs that a model has described under a prompt; errors do not count."""

    def newest(self) -> list[Enrichment]:
        """The newest description of each (path, hash)."""
