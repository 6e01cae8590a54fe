"""A shop."""

from .store import Store
from .store.base import open_store as opened

__all__ = ["Store", "opened"]
