"""What people do with a project: its tests, its compiler, its repository; and what goes wrong with it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from bottega.sandbox import Bubblewrap, Layer, Limits, Rlimits, Sandbox, Workspace, open_layer

from .commands import FORK_BOMB, SLEEP, is_gone, python, spawn
from .projects import FILES, git, unchanged, write_project

PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


@pytest.fixture
def worktree(tmp_path: Path) -> Path:
    """A project in a git worktree, whose `.git` is a file that points elsewhere."""
    main = write_project(tmp_path / "main")
    git(main, "init", "-q")
    git(main, "add", ".")
    git(main, "commit", "-qm", "first")
    git(main, "tag", "-am", "one", "v1.0")
    git(main, "remote", "add", "origin", "https://user:sk-secret@example.invalid/shop.git")
    git(main, "worktree", "add", "-q", str(tmp_path / "tree"))
    return tmp_path / "tree"


@pytest.fixture
def layer_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Outside of the directory that must not change."""
    return tmp_path_factory.mktemp("layers") / "layer"


def test_a_projects_own_pytest_runs_in_a_worktree(
    sandbox: Sandbox, worktree: Path, tmp_path: Path, layer_folder: Path
) -> None:
    with unchanged(tmp_path), open_layer(worktree, into=layer_folder) as layer:
        ran = sandbox.run(PYTEST, files={}, workspace=Workspace(layer), environment={"PYTHONPATH": "."})
        assert ran.ok, ran.stdout + ran.stderr
        assert "1 passed" in ran.stdout
        layer.write({"shop/price.py": b"def total(prices):\n    return 0\n"})
        ran = sandbox.run(PYTEST, files={}, workspace=Workspace(layer), environment={"PYTHONPATH": "."})
        assert ran.code == 1
        assert "1 failed" in ran.stdout
        assert layer.diff().paths == ("shop/price.py",)


def test_git_works_in_the_layer_and_leaves_the_repository_alone(
    sandbox: Sandbox, worktree: Path, tmp_path: Path, layer_folder: Path
) -> None:
    script = (
        "git describe; git status --porcelain; echo more >> README; git diff --stat | head -n 1;"
        "git commit -qam second; git log --format=%s; git config --list --local; git remote"
    )
    times = (
        sandbox.promises.isolates_files
    )  # without walls, git refreshes the times of objects that it would write again
    with unchanged(tmp_path, times=times), open_layer(worktree, into=layer_folder) as layer:
        ran = sandbox.run(["sh", "-ec", script], files={}, workspace=Workspace(layer))
        assert ran.ok, ran.stderr
        assert ran.stdout.startswith("v1.0\n README | 1 +\nsecond\nfirst\n")
        assert "sk-secret" not in ran.stdout
        assert "origin" not in ran.stdout
        assert layer.diff().paths == ("README",)
        ran = sandbox.run(["git", "log", "--format=%s"], files={}, workspace=Workspace(layer))
        assert ran.stdout == "first\n"


def test_the_repository_is_only_shown_on_request(sandbox: Sandbox, worktree: Path, tmp_path: Path) -> None:
    with open_layer(worktree, into=tmp_path / "layer") as layer:
        assert not sandbox.run(["git", "log"], files={}, workspace=Workspace(layer, git=False)).ok


@pytest.mark.usefixtures("bubblewrap")
def test_the_example_of_the_documentation_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text()
    example = page.partition("```python\n")[2].partition("```")[0]
    project = write_project(tmp_path / "shop", {**FILES, "shop/price.py": "def total(prices):\n    return 0\n"})
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    shown = capsys.readouterr().out
    assert shown.startswith("exit 0 after")
    assert "+    return sum(prices)\n" in shown
    assert (project / "shop/price.py").read_text() == FILES["shop/price.py"]
    assert not (tmp_path / ".bottega/layers/1").exists()


@needs_gcc
def test_a_compiler_writes_beside_its_sources_and_the_program_runs(sandbox: Sandbox, tmp_path: Path) -> None:
    sources = {
        "src/main.c": '#include <stdio.h>\nint answer(void);\nint main(void) { printf("%d\\n", answer()); }\n',
        "src/answer.c": "int answer(void) { return 42; }\n",
    }
    project = write_project(tmp_path / "project", sources)
    with unchanged(project), open_layer(project, into=tmp_path / "layer") as layer:
        build = "cd src && gcc -c main.c && gcc -c answer.c && gcc -o answer main.o answer.o"
        built = sandbox.run(["sh", "-c", build], files={}, workspace=Workspace(layer), give_back=["src/*.o"])
        assert built.ok, built.stderr
        assert set(built.files) == {"src/main.o", "src/answer.o"}
        assert sandbox.run(["./src/answer"], files={}, workspace=Workspace(layer)).stdout == "42\n"
        assert layer.diff().paths == ("src/answer", "src/answer.o", "src/main.o")
        assert layer.diff().not_shown == layer.diff().paths


FILL = "import os\nfor n in range(200): open(f'f{n}', 'wb').write(os.urandom(1 << 20))"


def test_behind_bubblewrap_the_layer_has_a_size(bubblewrap: Bubblewrap, layer: Layer) -> None:
    limits = Limits(disk_mb=16)
    ran = bubblewrap.run(python(FILL), files={}, workspace=Workspace(layer), limits=limits)
    assert ran.code == 1 or ran.overrun == "more than 16 MB on disk"
    assert sum(len(layer.read(path) or b"") for path in layer.tree) <= 16 << 20


def test_behind_bubblewrap_temporary_files_count_too(bubblewrap: Bubblewrap, layer: Layer) -> None:
    code = (
        "import time\n"
        "open('f', 'wb').write(bytes(12 << 20))\n"
        "open('/tmp/f', 'wb').write(bytes(12 << 20))\n"
        "time.sleep(30)\n"
    )
    ran = bubblewrap.run(python(code), files={}, workspace=Workspace(layer), limits=Limits(disk_mb=16))
    assert ran.overrun == "more than 16 MB on disk"


def test_a_command_that_fills_the_disk_leaves_the_layer_as_it_was(sandbox: Sandbox, layer: Layer) -> None:
    fill_more = "try: exec(sys.argv[1])\nexcept OSError: open('/tmp/x', 'wb').write(bytes(9 << 20))"
    code = f"import sys, time\n{fill_more}\ntime.sleep(30)"
    ran = sandbox.run(python(code, FILL), files={}, workspace=Workspace(layer), limits=Limits(disk_mb=16))
    assert ran.overrun == "more than 16 MB on disk"
    assert not layer.diff()


@pytest.mark.parametrize("pause", ["time.sleep(30)", ""])
def test_a_command_that_makes_too_many_files_leaves_the_layer_as_it_was(
    sandbox: Sandbox, layer: Layer, pause: str
) -> None:
    code = f"import time\nfor n in range(700): open(f'e{{n}}', 'w').close()\n{pause}"
    ran = sandbox.run(python(code), files={}, workspace=Workspace(layer), limits=Limits(files=500))
    assert ran.overrun == "more than 500 files"
    assert ran.code is None
    assert not layer.diff()


def test_sparse_files_count_by_their_length(sandbox: Sandbox, layer: Layer) -> None:
    code = "import os\nfor n in range(20): os.truncate(os.open(f's{n}', os.O_CREAT | os.O_RDWR), 1 << 20)"
    ran = sandbox.run(python(code), files={}, workspace=Workspace(layer), limits=Limits(disk_mb=16))
    assert "than" in ran.overrun
    assert not layer.diff()


def test_endless_directories_leave_the_layer_as_it_was(sandbox: Sandbox, layer: Layer) -> None:
    code = "import os\nfor _ in range(1200): os.mkdir('deeper'); os.chdir('deeper')"
    ran = sandbox.run(python(code), files={}, workspace=Workspace(layer))
    assert ran.overrun == "more than 100 nested directories"
    assert not layer.diff()


def test_a_fork_bomb_in_a_layer_ends(bubblewrap: Bubblewrap, layer: Layer) -> None:
    mark = uuid4().hex
    limits = Limits(seconds=1, processes=20)
    ran = bubblewrap.run(python(FORK_BOMB, mark), files={}, workspace=Workspace(layer), limits=limits)
    assert ran.timed_out
    assert is_gone(mark)


def test_a_command_that_hangs_keeps_what_it_wrote(sandbox: Sandbox, layer: Layer) -> None:
    code = f"open('partial', 'w').write('x')\n{SLEEP}"
    ran = sandbox.run(python(code), files={}, workspace=Workspace(layer), limits=Limits(seconds=0.7))
    assert ran.timed_out
    assert layer.read("partial") == b"x"


@pytest.mark.parametrize("leave_the_session", [False, True])
def test_a_daemon_is_gone_before_changes_are_taken(sandbox: Sandbox, layer: Layer, leave_the_session: bool) -> None:
    mark = uuid4().hex
    ran = sandbox.run(python(spawn(leave_the_session=leave_the_session), mark), files={}, workspace=Workspace(layer))
    assert ran.ok
    listed = sandbox.run(["true"], files={}, workspace=Workspace(layer))
    assert listed.ok
    assert is_gone(mark)


WRITER = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    while True:
        for n in range(50):
            with open(f"w{n}", "w") as file: file.write(str(time.monotonic()))
time.sleep(0.3)
"""


def test_a_daemon_that_goes_on_writing_is_stopped_first(sandbox: Sandbox, layer: Layer) -> None:
    ran = sandbox.run(python(WRITER), files={}, workspace=Workspace(layer), give_back=["w*"])
    assert ran.ok
    assert {path: layer.read(path) for path in ran.files} == dict(ran.files)


def test_a_killed_run_leaves_nothing_in_the_temporary_directory(
    layer: Layer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = tmp_path / "boxes"
    boxes.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(boxes))
    Rlimits().run(python(SLEEP), files={}, workspace=Workspace(layer), limits=Limits(seconds=0.3))
    assert not list(boxes.iterdir())
