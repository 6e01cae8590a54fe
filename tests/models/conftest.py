from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bottega.journal import Journal, open_journal
from bottega.models import Model, ModelConfig, open_model
from bottega.settings import Settings
from bottega.testing import ScriptedServer

from .doubles import KEYS, Desk, OpenDesk, base_url, settings_for


@pytest.fixture(params=["ollama", "openai", "anthropic"])
def wire(request: pytest.FixtureRequest) -> str:
    """Each family of servers, one after the other."""
    return str(request.param)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(open_journal(tmp_path, environ={})) as opened:
        yield opened


@pytest.fixture
def open_desk(journal: Journal, tmp_path: Path) -> Iterator[OpenDesk]:
    """`open_desk(model)`, or `open_desk(server, "openai")` for a real client before a started server."""
    desks: list[Desk] = []

    def open_one(
        answering: Model | ScriptedServer, wire: str = "", settings: Settings | None = None, **rest: Any
    ) -> Desk:
        if isinstance(answering, ScriptedServer):
            place = {"base_url": base_url(wire, answering.url), "api_key_env": "MODEL_KEY"}
            chosen = settings or settings_for(f"{wire}/m", **{wire: place})
            desks.append(Desk(journal, tmp_path, chosen, _real, **rest))
        else:
            desks.append(Desk(journal, tmp_path, settings or settings_for(), lambda _: answering, **rest))
        return desks[-1]

    yield open_one
    for desk in desks:
        desk.roster.close()


def _real(config: ModelConfig) -> Model:
    return open_model(config, KEYS)
