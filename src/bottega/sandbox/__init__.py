"""Run a command somewhere safe, with limits.

Start at `opening.py`, which picks the sandbox. `bubblewrap.py` and `rlimits.py` are the two there are; both check files
with `files.py`, start the command through `launch.py`, read its output with `watch.py` and measure it with `usage.py`.
"""

from bottega.sandbox.bubblewrap import Bubblewrap
from bottega.sandbox.opening import open_sandbox
from bottega.sandbox.protocol import DEFAULT_LIMITS, Limits, Ran, Sandbox
from bottega.sandbox.rlimits import Rlimits

__all__ = ["DEFAULT_LIMITS", "Bubblewrap", "Limits", "Ran", "Rlimits", "Sandbox", "open_sandbox"]
