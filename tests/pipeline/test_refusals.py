"""Every file in refused/ opens with the words it is refused with, as a comment: the message, then the hint if any."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from bottega.errors import PipelineError
from bottega.pipeline import Folder, Library, Pipeline

from .errand import KINDS
from .office import HERE, LIBRARY

FILES = sorted((HERE / "refused").glob("*.yaml"))
FOLDERS = sorted(path for path in (HERE / "refused").iterdir() if path.is_dir())


@pytest.fixture(autouse=True)
def _paths_are_shown_from_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


def told(error: PipelineError) -> str:
    return f"{error}\nhint: {error.hint}" if error.hint else str(error)


def expected(*files: Path) -> str:
    """The comment that one of the files opens with."""
    lines = [line for file in files for line in file.read_text("utf-8", "replace").splitlines()]
    return "\n".join(line.removeprefix("# ") for line in lines if line.startswith("# "))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_broken_file_is_refused_with_its_place_and_a_hint(path: Path) -> None:
    shown = path.relative_to(HERE)
    with pytest.raises(PipelineError) as refusal:
        LIBRARY.load_file(shown)
    assert told(refusal.value) == expected(path)
    assert f"{shown}:" in str(refusal.value)
    assert refusal.value.exit_code == 2


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_files_that_do_not_go_together_are_refused(folder: Path) -> None:
    shown = str(folder.relative_to(HERE))
    with pytest.raises(PipelineError) as refusal:
        every_pipeline(Library([Folder(folder, shown)], KINDS))
    assert told(refusal.value) == expected(*sorted(folder.glob("*.yaml")))


def test_every_refused_file_says_what_it_is_refused_with() -> None:
    assert all(expected(path).startswith(("refused/", "pipelines/")) for path in FILES)
    assert all(expected(*folder.glob("*.yaml")) for folder in FOLDERS)
    assert len(FILES) + len(FOLDERS) > 60


def test_valid_files_load() -> None:
    assert [pipeline.name for pipeline in every_pipeline(LIBRARY)] == LIBRARY.names()
    assert len(LIBRARY.names()) == len(list((HERE / "pipelines").glob("*.yaml")))


def test_one_broken_file_in_a_folder_is_not_passed_over(tmp_path: Path) -> None:
    shutil.copy(HERE / "pipelines" / "walk.yaml", tmp_path)
    shutil.copy(HERE / "refused" / "not_yaml.yaml", tmp_path)
    with pytest.raises(PipelineError, match=r"own/not_yaml\.yaml:3: not valid YAML"):
        Library([Folder(tmp_path, "own")], KINDS)


def test_a_file_beyond_two_megabytes_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    large.write_text("pipeline:\n" + "  # nothing but remarks\n" * 100_000)
    with pytest.raises(PipelineError, match=r"large\.yaml:1: 2400010 characters; a pipeline has at most 200000"):
        LIBRARY.load_file(large)


def test_an_alias_bomb_costs_no_time() -> None:
    started = time.monotonic()
    with pytest.raises(PipelineError, match="aliases count each time"):
        LIBRARY.load_file(Path("refused/alias_bomb.yaml"))
    assert time.monotonic() - started < 2


def test_deep_nesting_is_refused_quickly(tmp_path: Path) -> None:
    deep = tmp_path / "deep.yaml"
    deep.write_text("pipeline: " + "[" * 20_000)
    with pytest.raises(PipelineError, match=r"deep\.yaml:1: nested too deeply"):
        LIBRARY.load_file(deep)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path.mkdir(), "is not a file: it is a directory"),
        (lambda path: path.symlink_to("nowhere.yaml"), "is not a file: it is a symbolic link"),
        (lambda path: path.symlink_to(path.name), "is not a file: it is a symbolic link"),
    ],
    ids=["directory", "dangling link", "link to itself"],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(tmp_path: Path, make: object, reason: str) -> None:
    assert callable(make)
    make(tmp_path / "odd.yaml")
    with pytest.raises(PipelineError) as refusal:
        Library([Folder(tmp_path, "own")], KINDS)
    assert str(refusal.value) == f"own/odd.yaml: {reason}"


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(PipelineError) as refusal:
        LIBRARY.get("shoping")
    assert told(refusal.value) == "there is no pipeline shoping\nhint: Did you mean shopping?"


def test_a_folder_that_is_not_there_holds_no_pipelines(tmp_path: Path) -> None:
    assert Library([Folder(tmp_path / "none", "none")], KINDS).names() == []


def every_pipeline(library: Library) -> list[Pipeline]:
    return [library.get(name) for name in library.names()]
