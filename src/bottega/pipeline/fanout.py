"""Do one thing to many items at once: bounded, in order, and no failure is lost."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

from bottega.errors import BottegaError

I = TypeVar("I")  # noqa: E741 - an item
R = TypeVar("R")
H = TypeVar("H", bound=Hashable)


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
        return _landed(item, work)

    if limit <= 1 or len(items) <= 1:
        return [land(item) for item in items]
    with ThreadPoolExecutor(max_workers=min(limit, len(items))) as pool:
        return list(pool.map(land, items))


def fan_in(
    items: Sequence[H], needs: Mapping[H, Sequence[H]], work: Callable[[H], R], *, limit: int
) -> list[Landed[H, R]]:
    """The same for items that wait for others: each begins when all it needs have landed, well or badly.

    Of those that may begin, the one that stands first among the items does. Needs outside the items count as landed.
    """
    landed: dict[H, Landed[H, R]] = {}
    waiting = list(items)
    known = set(items)
    under_way: dict[Future[Landed[H, R]], H] = {}

    def is_ready(item: H) -> bool:
        return all(need in landed or need not in known for need in needs.get(item, ()))

    with ThreadPoolExecutor(max_workers=max(1, limit)) as pool:
        try:
            while waiting or under_way:
                for item in [one for one in waiting if is_ready(one)][: max(1, limit) - len(under_way)]:
                    waiting.remove(item)
                    under_way[pool.submit(_landed, item, work)] = item
                assert under_way, f"{len(waiting)} items wait for each other"
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    landed[under_way.pop(future)] = future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [landed[item] for item in items]


def _landed(item: I, work: Callable[[I], R]) -> Landed[I, R]:
    try:
        return Landed(item, work(item), None)
    except BottegaError as error:
        return Landed(item, None, error)
