"""Process many items in a bounded thread pool; results keep the order of the items, errors become values."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

from bottega.cancellation import current_cancellation, keep_scope
from bottega.errors import BottegaError

I = TypeVar("I")  # noqa: E741 - an item
R = TypeVar("R")
H = TypeVar("H", bound=Hashable)
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ItemResult(Generic[I, R]):
    """The result of one item, or the error that it raised."""

    item: I
    result: R | None
    error: BottegaError | None

    @property
    def ok(self) -> bool:
        return self.error is None

    def value(self) -> R:
        """Return the result, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]  # without an error there is a result


def fan_out(
    items: Sequence[I], work: Callable[[I], R], *, limit: int, on_progress: OnProgress | None = None
) -> list[ItemResult[I, R]]:
    """Process all items at once; a `BottegaError` becomes the item's error, any other exception is raised.

    `on_progress` is told how many items are processed, and of how many.
    """
    work = _count_items(work, len(items), on_progress)
    if limit <= 1 or len(items) <= 1:
        return [_process(item, work) for item in items]
    process = keep_scope(_process)
    with ThreadPoolExecutor(max_workers=min(limit, len(items))) as pool:
        try:
            return [future.result() for future in [pool.submit(process, item, work) for item in items]]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def fan_in(
    items: Sequence[H],
    needs: Mapping[H, Sequence[H]],
    work: Callable[[H], R],
    *,
    limit: int,
    on_progress: OnProgress | None = None,
) -> list[ItemResult[H, R]]:
    """Like `fan_out` for items that depend on others: each starts once those are processed, well or with an error.

    Items that are ready start in their order. Needs that are not among the items count as processed.
    """
    work = _count_items(work, len(items), on_progress)
    results: dict[H, ItemResult[H, R]] = {}
    waiting = list(items)
    known = set(items)
    running: dict[Future[ItemResult[H, R]], H] = {}

    def is_ready(item: H) -> bool:
        return all(need in results or need not in known for need in needs.get(item, ()))

    process = keep_scope(_process)
    with ThreadPoolExecutor(max_workers=max(1, limit)) as pool:
        try:
            while waiting or running:
                for item in [entry for entry in waiting if is_ready(entry)][: max(1, limit) - len(running)]:
                    waiting.remove(item)
                    running[pool.submit(process, item, work)] = item
                assert running, f"{len(waiting)} items depend on each other"
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    results[running.pop(future)] = future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [results[item] for item in items]


def _count_items(work: Callable[[I], R], total: int, on_progress: OnProgress | None) -> Callable[[I], R]:
    """The same work, which tells after each item how many are processed, in order and whatever became of them."""
    if on_progress is None:
        return work
    tell, lock, done = on_progress, threading.Lock(), 0
    tell(0, total)

    def counted(item: I) -> R:
        nonlocal done
        try:
            return work(item)
        finally:
            with lock:
                done += 1
                tell(done, total)

    return counted


def _process(item: I, work: Callable[[I], R]) -> ItemResult[I, R]:
    current_cancellation().check()
    try:
        return ItemResult(item, work(item), None)
    except BottegaError as error:
        return ItemResult(item, None, error)
