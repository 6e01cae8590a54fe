"""The diff of a layer is the one that git would write, and git applies it."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest

from bottega.sandbox import Layer, Sandbox, Workspace, open_layer
from bottega.source import parse_diff

from .projects import git, write_project


def test_added_changed_and_deleted_files_are_shown(layer: Layer) -> None:
    layer.write({"README": b"A shop.\nOpen.\n", "new": b"1", "run.sh": None})
    assert layer.diff().text == (
        "diff --git a/README b/README\n--- a/README\n+++ b/README\n@@ -1 +1,2 @@\n A shop.\n+Open.\n"
        "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n"
        "@@ -0,0 +1 @@\n+1\n\\ No newline at end of file\n"
        "diff --git a/run.sh b/run.sh\ndeleted file mode 100755\n--- a/run.sh\n+++ /dev/null\n"
        "@@ -1,2 +0,0 @@\n-#!/bin/sh\n-echo running\n"
    )


def test_binary_and_large_files_are_named(layer: Layer) -> None:
    layer.write({"README": b"\0\1", "latin": b"caf\xe9", "large": b"x\n" * 600_000, "text": b"t\n"})
    diff = layer.diff()
    assert diff.not_shown == ("README", "large", "latin")
    assert "Binary files a/README and b/README differ\n" in diff.text
    assert "Binary files /dev/null and b/latin differ\n" in diff.text
    assert diff.paths == ("README", "large", "latin", "text")


def test_a_diff_beyond_its_bound_names_the_rest(layer: Layer) -> None:
    layer.write({f"f{number}": b"line\n" * 1000 for number in range(5)})
    diff = layer.diff(most=13_000)
    assert diff.not_shown == ("f2", "f3", "f4")
    assert len(diff.text) < 14_000


def test_links_and_modes_are_shown(sandbox: Sandbox, layer: Layer) -> None:
    sandbox.run(["sh", "-c", "chmod -x run.sh; ln -s shop link"], files={}, workspace=Workspace(layer))
    assert layer.diff().text == (
        "diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n"
        "@@ -0,0 +1 @@\n+shop\n\\ No newline at end of file\n"
        "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\n"
    )


def test_a_name_cannot_pose_as_a_part_of_the_diff(layer: Layer) -> None:
    layer.write({'a\n+++ b/"evil"': b"x\n", "tab\there": b"x\n", "with space": b"x\n", "ünï": b"x\n"})
    parsed = parse_diff(layer.diff().text)
    assert [change.path for change in parsed.files] == ['a\n+++ b/"evil"', "tab\there", "with space", "ünï"]


ALPHABET = ["a\n", "b\n", "c\n", "\n", "long line\n", "\r\n", "x\x0cy\n"]


def _random_text(chance: random.Random) -> str:
    text = "".join(chance.choice(ALPHABET) for _ in range(chance.randrange(60)))
    return text if chance.random() < 0.7 else text + "no newline"


def _edit(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    for _ in range(chance.randrange(6)):
        at = chance.randrange(len(lines) + 1)
        lines[at : at + chance.randrange(3)] = [chance.choice(ALPHABET)] * chance.randrange(3)
    return "".join(lines)


@pytest.mark.parametrize("seed", range(12))
def test_git_applies_the_diff(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    texts = {f"dir/f {number}": _random_text(chance) for number in range(12)}
    project = write_project(tmp_path / "project", {**texts, "gone": "x\n", "turned": "x\n"})
    layer = open_layer(project, into=tmp_path / "layer")
    edited: dict[str, bytes | None] = {name: _edit(text, chance).encode() for name, text in texts.items()}
    layer.write({**edited, "gone": None, "new/ä": b"1\n2", "turned": None, "turned2": b""})
    git(project, "init", "-q")
    subprocess.run(["git", "apply", "-"], input=layer.diff().text.encode(), cwd=project, check=True)
    applied = open_layer(project, into=tmp_path / "again")
    assert applied.tree == layer.tree


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\n" * 40_000, "b\na\n" * 20_000),
        ("".join(f"{n}\n" for n in range(40_000)), "".join(f"{n}\n" for n in reversed(range(40_000)))),
        ("a\nb\n" * 20_000, "b\na\nc\n" * 13_000),
    ],
    ids=["equal lines", "reversed", "shuffled"],
)
def test_hostile_texts_are_compared_in_bounded_time(tmp_path: Path, old: str, new: str) -> None:
    layer = open_layer(write_project(tmp_path / "project", {"text": old}), into=tmp_path / "layer")
    layer.write({"text": new.encode()})
    started = time.monotonic()
    assert layer.diff().text.startswith("diff --git a/text b/text\n")
    assert time.monotonic() - started < 5
