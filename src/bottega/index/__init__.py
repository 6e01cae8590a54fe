"""The knowledge base of a repository: read once, kept in step, provably the same as if read anew."""

from __future__ import annotations

from bottega.index.keeper import Keeper, open_keeper
from bottega.index.refresh import Refreshed

__all__ = ["Keeper", "Refreshed", "open_keeper"]
