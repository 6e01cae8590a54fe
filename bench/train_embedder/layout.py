"""How records are laid out as numbers: what packs and what trains agree on, without a package of either."""

from __future__ import annotations

KINDS = ("function", "piece", "section", "test", "change")
# Most pieces of a first sentence, of what follows it, of a name, of a path and of a body.
FIELDS = {"d": 30, "D": 64, "n": 10, "p": 12, "b": 126}
