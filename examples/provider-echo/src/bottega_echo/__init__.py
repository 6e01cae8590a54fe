"""A provider for bottega that answers with the last message of the request, reversed."""

from __future__ import annotations

from collections.abc import Mapping

from bottega.cancellation import current_cancellation
from bottega.errors import ModelFault
from bottega.models import ModelConfig, OnText, ProviderDefaults, Reply, Request, Usage


class Echo:
    """Required: the constructor, `name` and `complete`. `defaults` and `available` are optional."""

    defaults = ProviderDefaults(context_window=16_384, location="process")

    def __init__(self, config: ModelConfig, environ: Mapping[str, str]) -> None:
        del environ  # it would hold the key that `config.api_key_env` names
        self._config = config

    @property
    def name(self) -> str:
        return self._config.id

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """Refuses a schema: bottega remembers that, asks again without it, and checks the reply by itself."""
        if request.schema is not None:
            raise ModelFault(self.name, "json_schema is not supported", passing=False)
        text = request.messages[-1].text[::-1]
        for line in text.splitlines(keepends=True):
            current_cancellation().check()
            if on_text is not None:
                on_text(line)
        return Reply(text, usage=Usage(len(request.text()) // 4, len(text) // 4), model=self.name)

    def available(self) -> list[str]:
        return ["anything"]
