"""Run a command in a sandbox with limits.

Start at `opening.py`, which picks the sandbox. `bubblewrap.py` and `rlimits.py` are the two there are. Both take a
checked `job.py`, start the command through `launch.py`, exchange files with it through `exchange.py`, read its output
with `watch.py` and measure it with `usage.py`. `layer.py` is a project that several commands work on.
"""

from bottega.sandbox.bubblewrap import Bubblewrap
from bottega.sandbox.changes import Change
from bottega.sandbox.layer import Layer, open_layer
from bottega.sandbox.limits import DEFAULT_LIMITS, Limits
from bottega.sandbox.opening import open_sandbox
from bottega.sandbox.patch import LayerDiff
from bottega.sandbox.protocol import CommandResult, Promises, Sandbox
from bottega.sandbox.rlimits import Rlimits
from bottega.sandbox.workspace import Workspace

__all__ = [
    "DEFAULT_LIMITS",
    "Bubblewrap",
    "Change",
    "CommandResult",
    "Layer",
    "LayerDiff",
    "Limits",
    "Promises",
    "Rlimits",
    "Sandbox",
    "Workspace",
    "open_layer",
    "open_sandbox",
]
