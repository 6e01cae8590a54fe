"""What a layer copies, and how it is read, written, opened again and thrown away."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bottega.cancellation import Cancellation, cancel_scope
from bottega.errors import Cancelled, InputError, SandboxError
from bottega.sandbox import Layer, Limits, open_layer

from .projects import unchanged, write_project


def test_a_layer_holds_the_project_without_git_and_bottega(project: Path, tmp_path: Path) -> None:
    write_project(project, {".git/config": "", ".bottega/raw.sqlite": "", "sub/.git": "gitdir: /elsewhere"})
    layer = open_layer(project, into=tmp_path / "layer")
    assert layer.read("shop/price.py") == (project / "shop/price.py").read_bytes()
    assert not [path for path in layer.tree if ".git" in path or ".bottega" in path]


def test_a_layer_may_lie_in_bottegas_directory_of_its_project(project: Path) -> None:
    with open_layer(project, into=project / ".bottega" / "layers" / "1") as layer:
        assert layer.read("README") == b"A shop.\n"
    with pytest.raises(InputError, match="cannot lie in its own project"):
        open_layer(project, into=project / "layer")
    assert not (project / "layer").exists()


def test_what_cannot_be_copied_is_named(project: Path, tmp_path: Path) -> None:
    os.mkfifo(project / "pipe")
    layer = open_layer(project, into=tmp_path / "layer")
    assert layer.left_out == ("pipe",)


def test_patterns_leave_files_out(project: Path, tmp_path: Path) -> None:
    write_project(project, {".env": "KEY=1", "a/b/.env": "KEY=2", "a/b/kept": "", "logs/x/y.log": ""})
    layer = open_layer(project, into=tmp_path / "layer", exclude=["**/.env", "logs"])
    assert layer.read("a/b/kept") == b""
    assert not [path for path in layer.tree if path.endswith(".env") or path.startswith("logs")]


@pytest.mark.parametrize(
    ("limits", "reason"), [(Limits(files=5), "more than 5 files"), (Limits(disk_mb=1), "larger than allowed")]
)
def test_a_project_beyond_the_limits_is_refused_and_nothing_left(
    project: Path, tmp_path: Path, limits: Limits, reason: str
) -> None:
    (project / "big").write_bytes(bytes(2 << 20))
    with pytest.raises(SandboxError, match=reason) as caught:
        open_layer(project, into=tmp_path / "layer", limits=limits)
    assert "`shared`" in caught.value.hint
    assert not (tmp_path / "layer").exists()


def test_a_cancelled_copy_leaves_nothing(project: Path, tmp_path: Path) -> None:
    token = Cancellation()
    token.cancel()
    with cancel_scope(token), pytest.raises(Cancelled):
        open_layer(project, into=tmp_path / "layer")
    assert not (tmp_path / "layer").exists()


def test_a_layer_is_opened_again_with_its_changes(layer: Layer) -> None:
    layer.write({"README": b"new", "run.sh": None, "odd\udcff": b"x"})
    again = open_layer(layer.project, into=layer.folder)
    assert again.diff() == layer.diff()
    assert again.read("README") == b"new"
    assert again.read("run.sh") is None
    assert again.tree == layer.tree


def test_a_layer_of_another_project_or_a_damaged_one_is_refused(layer: Layer, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="belongs to"):
        open_layer(tmp_path, into=layer.folder)
    record = layer.folder / "layer.json"
    for damaged in ("{", "{}", record.read_text().replace('"README"', '"../README"')):
        record.write_text(damaged)
        with pytest.raises(SandboxError, match=r"cannot be read|damaged"):
            open_layer(layer.project, into=layer.folder)


def test_the_layer_stays_as_it_was_copied_while_the_project_changes(project: Path, tmp_path: Path) -> None:
    layer = open_layer(project, into=tmp_path / "layer")
    (project / "README").write_text("edited meanwhile")
    assert layer.read("README") == b"A shop.\n"
    assert not layer.diff()


def test_files_are_written_into_the_layer(layer: Layer) -> None:
    layer.write({"run.sh": b"#!/bin/sh\n", "new/deep/file": b"1", "README": None})
    assert [str(change) for change in layer.diff().changes] == [
        "deleted README",
        "added new/deep/file",
        "changed run.sh",
    ]
    assert "mode" not in layer.diff(["run.sh"]).text, "the file stays executable"


@pytest.mark.parametrize("name", ["../x", "/etc/x", ".git/hooks/x", "a/.bottega", "README/x", "shop", ""])
def test_names_that_no_layer_has_are_refused(layer: Layer, name: str) -> None:
    with pytest.raises(InputError):
        layer.write({name: b""})
    assert not layer.diff()


def test_a_layer_is_reset_and_discarded(layer: Layer) -> None:
    layer.write({"README": b"new"})
    layer.reset()
    assert not layer.diff()
    layer.discard()
    assert not layer.folder.exists()


def test_the_block_of_a_layer_ends_with_its_removal(project: Path, tmp_path: Path) -> None:
    with unchanged(project), open_layer(project, into=tmp_path / "layer") as layer:
        layer.write({"README": b"new"})
    assert not (tmp_path / "layer").exists()
