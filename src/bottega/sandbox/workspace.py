"""A project that a command may work on."""

from __future__ import annotations

from dataclasses import dataclass

from bottega.sandbox.layer import Layer


@dataclass(frozen=True, slots=True)
class Workspace:
    """A layer as the work directory of a run."""

    layer: Layer
    keep: bool = True
    """Save the changes of the command to the layer; otherwise discard them. Nothing is saved of a run that exceeded a
    limit or was cancelled."""
    git: bool = True
    """Provide a private git repository with the project's history; changes to it are discarded."""
