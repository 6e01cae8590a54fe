from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bottega.home import FileLock


def test_a_lock_is_held_by_one_until_it_is_released(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert not first.is_held()
    assert not (tmp_path / "lock").exists()
    assert first.take()
    assert second.is_held()
    assert not second.take()
    first.release()
    assert not second.is_held()
    assert second.take()
    second.release()


def test_whoever_waited_for_a_lock_whose_file_was_deleted_holds_the_new_file(tmp_path: Path) -> None:
    holder, waiter, third = (FileLock(tmp_path / "lock") for _ in range(3))
    assert holder.take()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(waiter.take, wait=True)
        time.sleep(0.1)  # the waiter has the file open by now
        holder.path.unlink()
        holder.release()
        assert waiting.result(30)
    assert not third.take()
    waiter.release()
    assert third.take()
    third.release()
