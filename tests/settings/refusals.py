"""A file of one mistake, the message that refuses it, and the hint."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from bottega.errors import SettingsError

from .places import Places

A_CHOICE = '[models.coding]\nmodel = "ollama/a"\n'


class Refusal(NamedTuple):
    toml: str
    message: str
    hint: str


def see(key: str) -> str:
    return f"`bottega docs settings` describes {key}."


def assert_refused(places: Places, refusal: Refusal) -> None:
    with pytest.raises(SettingsError) as caught:
        places.repository(refusal.toml).load()
    assert (str(caught.value), caught.value.hint) == (refusal.message, refusal.hint)
