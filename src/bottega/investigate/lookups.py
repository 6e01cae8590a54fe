"""Reads of the target while one directory is investigated, recorded so that resume and replay see the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bottega.errors import InputError
from bottega.investigate.files import TargetFiles
from bottega.investigate.listing import describe_path
from bottega.investigate.units import Unit

Effect = Callable[[str, Callable[[], Any]], Any]


@dataclass(frozen=True, slots=True)
class Lookups:
    """`effect` is `Run.effect`; names of effects begin with the directory's, because directories run in parallel."""

    unit: Unit
    files: TargetFiles
    effect: Effect

    def read(self, tool: str, written: Any, read: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
        """What `read` returns for the path that a model wrote; failures are recorded and raised as `InputError`."""

        def act() -> dict[str, Any]:
            try:
                return read(self.resolve(written))
            except InputError as error:
                return {"error": str(error), "hint": error.hint}

        result: dict[str, Any] = self.effect(f"{self.unit.label}: {tool} {written}", act)
        if "error" in result:
            raise InputError(result["error"], hint=result["hint"])
        return result

    def resolve(self, written: Any) -> str:
        return self.files.resolve(written, self.unit.path)

    def require(self, written: Any) -> str:
        """The path that a model wrote; raises `InputError` when nothing is there."""
        path = self.resolve(written)
        self.read("stat", path or ".", lambda found: {"text": describe_path(self.files, found)})
        return path

    def find_missing(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those names that no file, directory, symbolic link or excluded entry has."""
        if not names:
            return ()
        missing: list[str] = self.effect(
            f"{self.unit.label}: names",
            lambda: [name for name in names if not self.files.has_name(name, self.unit.path)],
        )
        return tuple(missing)
