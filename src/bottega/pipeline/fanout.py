"""Do one thing to many items at once: bounded, in order, and no failure is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

from bottega.errors import BottegaError

I = TypeVar("I")  # noqa: E741 - an item
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Landed(Generic[I, R]):
    """What became of one item: a result, or the error that stands in its place."""

    item: I
    result: R | None
    error: BottegaError | None

    @property
    def ok(self) -> bool:
        return self.error is None

    def value(self) -> R:
        """The result; raises what went wrong."""
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]  # without an error there is a result


def fan_out(items: Sequence[I], work: Callable[[I], R], *, limit: int) -> list[Landed[I, R]]:
    """Results in the order of the items. Expected errors are kept as values; bugs are raised."""

    def land(item: I) -> Landed[I, R]:
        try:
            return Landed(item, work(item), None)
        except BottegaError as error:
            return Landed(item, None, error)

    if limit <= 1 or len(items) <= 1:
        return [land(item) for item in items]
    with ThreadPoolExecutor(max_workers=min(limit, len(items))) as pool:
        return list(pool.map(land, items))
