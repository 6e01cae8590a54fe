"""A project that a command may work on."""

from __future__ import annotations

from dataclasses import dataclass

from bottega.sandbox.layer import Layer


@dataclass(frozen=True, slots=True)
class Workspace:
    """A layer as the work directory of a run."""

    layer: Layer
    keep: bool = True
    """Take what the command changes into the layer; otherwise forget it. Nothing is taken of a run that overran a
    limit or was cancelled."""
    git: bool = True
    """Show a private repository with the project's history, in which git commands work; its changes are forgotten."""
