"""The state of a run while it is carried out, and the claim that keeps other processes from carrying it out too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol


class SessionHandle(Protocol):
    """The open session of a run: keys with JSON values. Whoever holds it has the run claimed."""

    def put(self, values: Mapping[str, Any]) -> None:
        """Store all values or none, in place of earlier values of these keys."""

    def get(self, key: str) -> Any:
        """The value of a key, or `None`."""

    def keys(self, prefix: str = "") -> list[str]:
        """The stored keys that start with `prefix`, sorted."""

    def close(self) -> None:
        """Release the claim and leave the values for a later resume; a second time does nothing."""


class SessionStore(Protocol):
    """One session per run. The claim on a run ends when its holder closes the session, or dies."""

    def open(self, run_id: str) -> SessionHandle:
        """Claim a run and open its session; raise `InputError` while another process or thread holds the claim."""

    def exists(self, run_id: str) -> bool:
        """Whether a run has a session that was not archived."""

    def is_alive(self, run_id: str) -> bool:
        """Whether some process or thread holds the claim on a run."""

    def forget(self, is_known: Callable[[str], bool]) -> None:
        """Delete the sessions of runs for which `is_known` is false, except claimed ones."""

    def archive(self, run_id: str, session: SessionHandle) -> None:
        """Move a session into the records of its run, then release the claim."""
