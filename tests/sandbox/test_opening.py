from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bottega.errors import SandboxError
from bottega.sandbox import Bubblewrap, Limits, open_sandbox


def script(folder: Path, text: str) -> str:
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_bubblewrap_is_chosen_where_it_works(bubblewrap: Bubblewrap) -> None:
    assert open_sandbox() == bubblewrap
    assert open_sandbox(allow_unsafe=True).name == "bubblewrap"


def test_without_bubblewrap_nothing_runs_and_the_way_out_is_said() -> None:
    with pytest.raises(SandboxError, match="Nothing safe") as caught:
        open_sandbox(bwrap="/nowhere/bwrap")
    assert "/nowhere/bwrap" in str(caught.value)
    assert "apt install bubblewrap" in caught.value.hint
    assert "--allow-unsafe-sandbox" in caught.value.hint


def test_a_bubblewrap_that_the_kernel_forbids_is_not_used(tmp_path: Path) -> None:
    forbidden = script(tmp_path, "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    with pytest.raises(SandboxError, match="No permissions to create new namespace"):
        open_sandbox(bwrap=forbidden)


def test_the_unsafe_sandbox_must_be_asked_for(tmp_path: Path) -> None:
    sandbox = open_sandbox(allow_unsafe=True, bwrap=script(tmp_path, "exit 1"))
    assert sandbox.name == "unsafe-rlimits"
    assert sandbox.run([sys.executable, "-c", "print(1)"], files={}).stdout == "1\n"


def test_the_default_limits_are_the_documented_ones() -> None:
    assert Limits() == Limits(
        seconds=10.0,
        cpu_seconds=10,
        memory_mb=1024,
        output_bytes=200_000,
        processes=64,
        file_mb=64,
        disk_mb=256,
        files=20_000,
        given_back_mb=16,
    )
