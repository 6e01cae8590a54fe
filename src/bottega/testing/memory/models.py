"""Facts and enrichments in memory."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from bottega.journal import Enrichment, Masker
from bottega.testing.memory.records import MemoryRecords


class MemoryFactStore:
    """Implements `FactStore`."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def get(self, model: str, name: str) -> Any:
        text = self._records.facts.get((model, name))
        return None if text is None else json.loads(text)

    def models(self, name: str) -> list[str]:
        with self._records.lock:
            return sorted(model for model, known in self._records.facts if known == name)

    def put(self, model: str, name: str, value: Any) -> None:
        text = self._mask.json(value)
        with self._records.lock:
            self._records.facts[model, name] = text

    def forget(self, model: str) -> None:
        with self._records.lock:
            for key in [key for key in self._records.facts if key[0] == model]:
                del self._records.facts[key]


class MemoryEnrichmentStore:
    """Implements `EnrichmentStore`."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def put(self, run_id: str, entry: Enrichment) -> None:  # noqa: ARG002 - kept by content, also without its run
        text = None if entry.description is None else self._mask.json(entry.description)
        description = None if text is None else json.loads(text)
        with self._records.lock:
            self._records.enrichments.append(replace(entry, description=description, error=self._mask(entry.error)))

    def described(self, model: str, prompt_version: str) -> frozenset[tuple[str, str]]:
        with self._records.lock:
            return frozenset(
                (entry.path, entry.hash)
                for entry in self._records.enrichments
                if entry.description is not None and (entry.model, entry.prompt_version) == (model, prompt_version)
            )

    def newest(self) -> list[Enrichment]:
        with self._records.lock:
            described = [entry for entry in self._records.enrichments if entry.description is not None]
        return list({(entry.path, entry.hash): entry for entry in described}.values())
