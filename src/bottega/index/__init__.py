"""The knowledge base of a repository: read once, kept in step, provably the same as if read anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bottega.index.keeper import Keeper, open_keeper
    from bottega.index.refresh import Refreshed

__all__ = ["Keeper", "Refreshed", "open_keeper"]


def __getattr__(name: str) -> Any:
    """Nothing is imported before it is used: the processes that read files start through here, many times a day."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bottega.index import keeper

    return getattr(keeper, name)
