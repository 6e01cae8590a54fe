"""One handle for many threads: consistent snapshots, shared refreshes, nothing closed under a reader."""

from __future__ import annotations

import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bottega.cancellation import Cancellation, cancel_scope
from bottega.errors import Cancelled, InputError
from bottega.home import FileLock
from bottega.index import Knowledge, KnowledgeReader, open_knowledge
from bottega.source import Span

from .trees import SETTLED_S, bottega, commit, differences, repository, write


def names_in(number: int) -> dict[str, list[str]]:
    """What two files define in each version: every name says which one it is of."""
    return {"a.py": [f"v{number}_f{n}" for n in range(number % 5 + 2)], "sub/b.py": [f"v{number}_g"] * 2}


def version(number: int) -> dict[str, str]:
    return {path: "".join(f"def {name}(): pass\n" for name in names) for path, names in names_in(number).items()}


@pytest.fixture
def knowledge(root: Path) -> Iterator[Knowledge]:
    repository(root, version(0))
    opened = open_knowledge(root)
    opened.refresh(workers=1)
    yield opened
    opened.close()


def symbols(reader: KnowledgeReader) -> set[str]:
    names = set()
    for file in reader.base.get_files():
        names |= {symbol.name for symbol in reader.base.get_symbols_for_file(file.id)}
    return names


def versions(reader: KnowledgeReader) -> set[str]:
    return {name.partition("_")[0].lower() for name in symbols(reader)}


def in_threads(*actions: Callable[[], object]) -> None:
    """Run all at once; raise what the first of them raised."""
    errors: list[BaseException] = []

    def guarded(action: Callable[[], object]) -> None:
        try:
            action()
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    if errors:
        raise errors[0]


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_reading_is_in_step_with_the_files(knowledge: Knowledge) -> None:
    with knowledge.reading() as reader:
        assert versions(reader) == {"v0"}
        assert reader.is_current
        assert reader.freshness.is_current
    write(knowledge.root, version(1))
    with knowledge.reading() as reader:
        assert versions(reader) == {"v1"}
    assert differences(knowledge.root) == ""


def test_reading_without_a_refresh_is_the_state_of_the_index_and_says_so(knowledge: Knowledge) -> None:
    write(knowledge.root, version(1))
    with knowledge.reading(refresh=False) as reader:
        assert versions(reader) == {"v0"}
        assert not reader.is_current
        assert not reader.freshness.is_current


def test_reading_where_nothing_is_indexed_is_refused(root: Path) -> None:
    opened = open_knowledge(root)
    assert not opened.exists
    with pytest.raises(InputError, match="nothing is indexed"), opened.reading(refresh=False):
        pass


@pytest.mark.parametrize("rebuild", [False, True])
def test_a_held_snapshot_does_not_change_while_others_refresh(knowledge: Knowledge, rebuild: bool) -> None:
    with knowledge.reading() as before:
        write(knowledge.root, version(1))
        knowledge.refresh(workers=1, rebuild=rebuild)
        with knowledge.reading() as after:
            assert versions(after) == {"v1"}
            assert versions(before) == {"v0"}
            assert before.freshness.refreshed <= after.freshness.refreshed
    assert differences(knowledge.root) == ""


def test_a_held_snapshot_does_not_change_while_another_process_refreshes(knowledge: Knowledge) -> None:
    with knowledge.reading() as before:
        for number in (1, 2):
            write(knowledge.root, version(number))
            assert bottega(knowledge.root, "index", "--workers", "1").code == 0
            assert versions(before) == {"v0"}
        with knowledge.reading(refresh=False) as after:
            assert versions(after) == {"v2"}


def test_a_held_snapshot_keeps_its_commit(root: Path) -> None:
    first = commit(repository(root, version(0)), "Second")
    opened = open_knowledge(root)
    with opened.reading() as before:
        second = commit(root, "Third", version(1))
        with opened.reading() as after:
            assert (before.freshness.commit, after.freshness.commit) == (first, second)
    opened.close()


def check_whole(reader: KnowledgeReader) -> None:
    """Every file has all the symbols of one of its versions, and none of another."""
    for path in ("a.py", "sub/b.py"):
        file = reader.base.get_file_by_path(path)
        assert file is not None
        names = [symbol.name for symbol in reader.base.get_symbols_for_file(file.id)]
        assert names == names_in(int(names[0].partition("_")[0][1:]))[path]


def test_many_threads_always_see_one_state_as_a_whole(knowledge: Knowledge) -> None:
    commits = {commit(knowledge.root, "v0"): "v0"}
    is_over = threading.Event()

    def change() -> None:
        try:
            for number in range(1, 9):
                commits[commit(knowledge.root, f"v{number}", version(number))] = f"v{number}"
                knowledge.refresh(workers=1, rebuild=number % 4 == 0)
        finally:
            is_over.set()

    def look() -> None:
        while not is_over.is_set():
            with knowledge.reading(refresh=False) as reader:
                first = symbols(reader)
                check_whole(reader)
                assert len(reader.snapshot.files) == 2
                assert reader.graph.find("a.py")
                time.sleep(0.01)
                assert symbols(reader) == first

    def refresh_and_look() -> None:
        while not is_over.is_set():
            with knowledge.reading() as reader:
                check_whole(reader)

    knowledge.refresh(workers=1)
    in_threads(change, *[look] * 4, *[refresh_and_look] * 2)
    with knowledge.reading() as reader:
        assert versions(reader) == {"v8"}
        assert commits[reader.freshness.commit] == "v8"
    assert differences(knowledge.root) == ""


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors in /proc")
def test_open_files_stay_bounded_and_close_closes_all(knowledge: Knowledge) -> None:
    before = open_files()
    with knowledge.reading():
        pass
    one = open_files() - before
    for number in range(1, 6):
        write(knowledge.root, version(number))
        with knowledge.reading() as held:
            write(knowledge.root, version(number + 10))
            with knowledge.reading():
                assert open_files() - before <= 3 * one + 4
            assert versions(held) == {f"v{number}"}
    assert open_files() - before <= one + 4  # segments are a few until they are merged
    knowledge.close()
    assert open_files() <= before


def test_nothing_is_closed_under_a_reader_and_nothing_opens_after_a_close(knowledge: Knowledge) -> None:
    with knowledge.reading() as reader:
        connection = reader.snapshot.connection
        knowledge.close()
        assert versions(reader) == {"v0"}
    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")
    with pytest.raises(RuntimeError), knowledge.reading(refresh=False):
        pass


def held_now(knowledge: Knowledge, *, refresh: bool) -> tuple[int, str]:
    with knowledge.reading(refresh=refresh) as reader:
        return id(reader.snapshot), reader.snapshot.generation


def test_a_refresh_that_finds_nothing_keeps_the_open_snapshot(knowledge: Knowledge) -> None:
    time.sleep(SETTLED_S)
    knowledge.refresh()
    first = held_now(knowledge, refresh=True)
    assert held_now(knowledge, refresh=True) == first
    write(knowledge.root, version(1))
    assert held_now(knowledge, refresh=True)[1] != first[1]


def test_what_is_written_while_a_snapshot_rests_is_seen_by_the_next_reader(knowledge: Knowledge) -> None:
    first = held_now(knowledge, refresh=False)[1]
    assert bottega(knowledge.root, "index", "--rebuild").code == 0
    second = held_now(knowledge, refresh=False)[1]
    knowledge.describe([])
    assert len({first, second, held_now(knowledge, refresh=False)[1]}) == 3


def test_readers_of_one_snapshot_share_what_is_derived_from_it(knowledge: Knowledge) -> None:
    made: list[object] = []

    def make() -> object:
        time.sleep(0.02)
        made.append(object())
        return made[-1]

    seen: list[object] = []

    def look() -> None:
        with knowledge.reading(refresh=False) as reader:
            seen.append(reader.memo("derived", make))

    with knowledge.reading(refresh=False):
        in_threads(*[look] * 6)
    assert len(made) == 1
    assert seen == made * 6
    knowledge.refresh(rebuild=True, workers=1)
    look()
    assert len(made) == 2


def test_threads_that_ask_for_a_refresh_at_once_share_it(knowledge: Knowledge) -> None:
    results: list[object] = []
    with FileLock(knowledge.folder / "index.lock"):
        threads = [threading.Thread(target=lambda: results.append(knowledge.refresh(workers=1))) for _ in range(6)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        write(knowledge.root, version(1))
        assert not results
    for thread in threads:
        thread.join(60)
    assert len(results) == 6
    assert len({id(result) for result in results}) == 2  # the one that had begun, and one for all who asked after it


def test_a_thread_that_waits_for_a_refresh_of_another_process_can_be_cancelled(knowledge: Knowledge) -> None:
    token = Cancellation()
    ended: list[float] = []

    def wait() -> None:
        with cancel_scope(token), pytest.raises(Cancelled):
            knowledge.refresh()
        ended.append(time.monotonic())

    with FileLock(knowledge.folder / "index.lock"):
        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.2)
        cancelled = time.monotonic()
        token.cancel()
        thread.join(10)
    assert ended
    assert ended[0] - cancelled < 0.5


def test_reading_while_another_process_indexes_answers_from_the_state_before(knowledge: Knowledge) -> None:
    remarks: list[str] = []
    write(knowledge.root, version(1))
    with FileLock(knowledge.folder / "index.lock"), knowledge.reading(remark=remarks.append) as reader:
        assert versions(reader) == {"v0"}
        assert not reader.is_current
    assert remarks == ["another process is indexing: this is the state before it"]


def test_lines_are_those_of_indexed_files_as_they_are_now(knowledge: Knowledge) -> None:
    assert knowledge.lines(Span("a.py", 1, 2)) == "def v0_f0(): pass\ndef v0_f1(): pass"
    (knowledge.root / "a.py").write_text("changed = 1\r\nsecond = 2\r\n")
    assert knowledge.lines(Span("a.py", 1, 2)) == "changed = 1\nsecond = 2"
    assert knowledge.lines(Span("a.py", 1, 3)) is None
    (knowledge.root / "later.py").write_text("x = 1\n")
    assert knowledge.lines(Span("later.py", 1, 1)) is None
    (knowledge.root / "a.py").unlink()
    assert knowledge.lines(Span("a.py", 1, 1)) is None
    (knowledge.root / "a.py").symlink_to("/etc/hostname")
    assert knowledge.lines(Span("a.py", 1, 1)) is None
    assert knowledge.read(Span("gone.py", 1, 2)) == ""


def test_a_handle_says_where_its_index_is(knowledge: Knowledge) -> None:
    assert knowledge.folder == knowledge.root / ".bottega"
    assert knowledge.exists
    assert not knowledge.is_elsewhere


def test_sqlite_lets_threads_share_a_connection() -> None:
    assert sqlite3.threadsafety == 3


def test_verify_compares_with_an_index_made_from_nothing(knowledge: Knowledge) -> None:
    assert knowledge.verify(workers=1).is_same
    connection = sqlite3.connect(knowledge.folder / "curated.sqlite")
    connection.execute("UPDATE symbols SET name = 'other' WHERE id = 1")
    connection.commit()
    connection.close()
    assert knowledge.verify(workers=1).differing
