from __future__ import annotations

import time
import uuid
from datetime import UTC, datetime

from bottega.journal import new_id, now


def test_an_id_is_a_uuid_of_version_7_that_tells_its_time() -> None:
    before = time.time_ns() // 1_000_000
    made = uuid.UUID(new_id())
    after = time.time_ns() // 1_000_000
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert before <= made.int >> 80 <= after


def test_ids_sort_by_the_time_they_were_made() -> None:
    made = []
    for _ in range(20):
        made.append(new_id())
        time.sleep(0.002)
    assert made == sorted(made)


def test_ids_made_at_once_differ() -> None:
    assert len({new_id() for _ in range(10_000)}) == 10_000


def test_times_are_utc_and_sort_as_text() -> None:
    times = [now() for _ in range(100)]
    assert times == sorted(times)
    assert times[0].endswith("Z")
    assert len({len(moment) for moment in times}) == 1
    assert abs(datetime.now(UTC) - datetime.fromisoformat(times[-1])).total_seconds() < 60
