from __future__ import annotations

import os
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.sandbox import Rlimits, Sandbox
from bottega.sandbox.box import open_box

from .commands import python


@pytest.mark.parametrize(
    "name", ["/etc/cron.d/job", "../up", "a/../../up", "..", ".", "", "a\0b", "\ud800", "x" * 256, "a/" * 600]
)
def test_names_that_leave_the_directory_or_the_disk_are_refused(sandbox: Sandbox, name: str) -> None:
    with pytest.raises(InputError, match="File name"):
        sandbox.run(["true"], files={name: "text"})


@pytest.mark.parametrize("names", [("a", "a/b"), ("a/b", "a"), ("a", "./a")])
def test_names_that_clash_are_refused(names: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="clashes"):
        Rlimits().run(["true"], files=dict.fromkeys(names, ""))


def test_text_is_written_byte_for_byte_and_lone_surrogates_do_no_harm(sandbox: Sandbox) -> None:
    files = {"a": "é\r\n", "b": "\udcff", "c": "x\ud83dy"}
    ran = sandbox.run(["sh", "-c", "cat > d"], files=files, stdin="\udcfe", give_back=["*"])
    assert ran.files == {"a": "é\r\n".encode(), "b": b"\xff", "c": b"x?y", "d": b"\xfe"}


def test_a_locked_directory_is_removed() -> None:
    with open_box(b"") as box:
        (box.work / "a" / "b").mkdir(parents=True)
        (box.work / "a" / "b" / "c").touch()
        (box.work / "a" / "b").chmod(0)
        (box.work / "a").chmod(0)
    assert not box.root.exists()


def test_directories_nested_past_the_longest_path_are_removed(sandbox: Sandbox) -> None:
    code = "import os\nfor _ in range(1200): os.mkdir('deeper'); os.chdir('deeper')"
    assert sandbox.run(python(code), files={}).ok


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    with open_box(b"") as box:
        (box.work / "link").symlink_to(tmp_path)
        os.mkfifo(box.work / "pipe")
    assert not box.root.exists()
    assert (tmp_path / "precious").read_text() == "kept"
