"""Summaries become what `search` and `ask` know of files and directories."""

from __future__ import annotations

from pathlib import Path

from bottega.index import open_store
from bottega.index.knowledge import KnowledgeBase
from bottega.index.snapshot import take_snapshot
from bottega.models import Request
from bottega.models.providers.scripted import Line
from bottega.retrieve.search import Hit, Searcher, SearchQuery
from tests.investigate.museum import Visitor, build, calls, submit, visit


def found(root: Path, question: str) -> list[Hit]:
    keeper = open_store(root)
    keeper.refresh()
    snapshot = take_snapshot(keeper.root, keeper.location)
    assert snapshot is not None
    searcher = Searcher(snapshot, is_current=True, folder=keeper.location.folder, by_meaning=False)
    return list(searcher.search(SearchQuery(question, "hybrid", 10)).hits)


def folders(root: Path) -> dict[str, str]:
    keeper = open_store(root)
    snapshot = take_snapshot(keeper.root, keeper.location)
    assert snapshot is not None
    return KnowledgeBase(snapshot.connection).get_directory_summaries()


def curator(_: Request, path: str) -> Line:
    said = {
        "tool": "write_cache",
        "kind": "file",
        "path": "hall/door.py",
        "summary": "admits visitors",
        "confidence": 0.9,
    }
    return calls(*([said] if path == "hall/" else []), submit(f"chamber {path}"))


def test_search_finds_and_shows_what_was_said_of_a_file(tmp_path: Path) -> None:
    open_store(build(tmp_path)).refresh()
    assert found(tmp_path, "who admits visitors") == []
    visit(tmp_path, Visitor(curator))
    hit = found(tmp_path, "who admits visitors")[0]
    assert (hit.span.path, hit.purpose) == ("hall/door.py", "admits visitors")


def test_what_was_said_of_another_content_does_not_count(tmp_path: Path) -> None:
    open_store(build(tmp_path)).refresh()
    visit(tmp_path, Visitor(curator))
    assert folders(tmp_path)["hall/"] == "chamber hall/"
    assert folders(tmp_path)["./"] == "chamber ."
    (tmp_path / "hall" / "door.py").write_text("def open_door(): ...\n")
    assert all(not hit.purpose for hit in found(tmp_path, "who admits visitors"))
    assert set(folders(tmp_path)) == {"hall/attic/", "cellar/", "cellar/logs/"}


def test_words_about_a_directory_lead_to_its_files(tmp_path: Path) -> None:
    open_store(build(tmp_path)).refresh()
    visit(tmp_path, Visitor(lambda _, path: calls(submit("hydraulic machinery" if path == "cellar/" else "a room"))))
    assert [hit.span.path for hit in found(tmp_path, "hydraulic machinery")] == ["cellar/pump.sh"]


def test_without_an_index_none_is_made(tmp_path: Path) -> None:
    visit(build(tmp_path), Visitor(curator))
    assert not (tmp_path / ".bottega" / "curated.sqlite").exists()


def test_a_target_below_the_root_is_named_from_the_root(tmp_path: Path) -> None:
    from tests.investigate.museum import examine, workshop

    open_store(build(tmp_path)).refresh()
    said = {"tool": "write_cache", "kind": "file", "path": "door.py", "summary": "admits visitors", "confidence": 0.9}
    house = workshop(
        tmp_path, Visitor(lambda _, path: calls(*([said] if path == "." else []), submit(f"chamber {path}")))
    )
    examine(house, tmp_path / "hall")
    house.close()
    assert found(tmp_path, "who admits visitors")[0].purpose == "admits visitors"
    assert folders(tmp_path)["hall/"] == "chamber ."
