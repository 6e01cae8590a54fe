"""A command works on a project, and the project stays as it is."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bottega.errors import InputError, SandboxError
from bottega.sandbox import Bubblewrap, Layer, Limits, Rlimits, Sandbox, Workspace, open_layer

from .commands import python
from .projects import unchanged, write_project


def shell(script: str) -> list[str]:
    return ["sh", "-ec", script]


def test_a_command_sees_the_project_and_changes_a_layer(sandbox: Sandbox, layer: Layer) -> None:
    ran = sandbox.run(shell("./run.sh; echo more >> README; rm run.sh"), files={}, workspace=Workspace(layer))
    assert (ran.code, ran.stdout) == (0, "running\n")
    assert layer.read("README") == b"A shop.\nmore\n"
    assert [str(change) for change in layer.diff().changes] == ["changed README", "deleted run.sh"]


def test_the_next_command_goes_on_where_the_last_one_ended(sandbox: Sandbox, layer: Layer) -> None:
    sandbox.run(shell("mkdir -p build/empty; echo 1 > build/n; chmod +x build/n"), files={}, workspace=Workspace(layer))
    ran = sandbox.run(shell("test -d build/empty; test -x build/n; cat build/n"), files={}, workspace=Workspace(layer))
    assert (ran.code, ran.stdout) == (0, "1\n")


def test_a_failed_command_leaves_its_changes_as_a_successful_one(sandbox: Sandbox, layer: Layer) -> None:
    assert sandbox.run(shell("echo 1 > new; exit 3"), files={}, workspace=Workspace(layer)).code == 3
    assert layer.read("new") == b"1\n"


def test_changes_are_forgotten_on_request(sandbox: Sandbox, layer: Layer) -> None:
    ran = sandbox.run(shell("echo x > README; cat README"), files={}, workspace=Workspace(layer, keep=False))
    assert ran.stdout == "x\n"
    assert not layer.diff()


def test_files_lie_over_the_project_for_one_run(sandbox: Sandbox, layer: Layer) -> None:
    files = {"README": "other", "probe/p.txt": "p"}
    ran = sandbox.run(shell("cat README probe/p.txt; echo x >> README"), files=files, workspace=Workspace(layer))
    assert ran.stdout == "otherp"
    assert not layer.diff()
    assert layer.read("README") == b"A shop.\n"


@pytest.mark.parametrize("name", ["shop", "README/x", ".git/config"])
def test_a_file_that_clashes_with_the_project_is_refused(sandbox: Sandbox, layer: Layer, name: str) -> None:
    with pytest.raises(InputError, match="clashes"):
        sandbox.run(["true"], files={name: ""}, workspace=Workspace(layer))


def test_times_of_files_are_those_of_the_project(sandbox: Sandbox, project: Path, tmp_path: Path) -> None:
    os.utime(project / "README", ns=(10**18, 10**18))
    with open_layer(project, into=tmp_path / "l") as layer:
        ran = sandbox.run(["stat", "-c", "%Y", "README"], files={}, workspace=Workspace(layer))
    assert ran.stdout == "1000000000\n"


def test_home_and_temporary_files_are_not_part_of_the_project(sandbox: Sandbox, layer: Layer) -> None:
    ran = sandbox.run(shell('echo x > "$HOME/cache"; echo x > "$TMPDIR/t"'), files={}, workspace=Workspace(layer))
    assert ran.ok
    assert not layer.diff()


def test_behind_bubblewrap_the_project_has_its_own_path(bubblewrap: Bubblewrap, layer: Layer) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        project = write_project(Path(folder) / "a b" / "project")
        with open_layer(project, into=Path(folder) / "layer") as own:
            ran = bubblewrap.run(["sh", "-c", f"pwd; ls '{project}/..'"], files={}, workspace=Workspace(own))
            assert ran.stdout == f"{project}\nproject\n"
    ran = bubblewrap.run(["cat", f"{layer.project}/README"], files={}, workspace=Workspace(layer))
    assert ran.stdout == "A shop.\n"


@pytest.mark.parametrize("place", ["/", "/usr", "/etc", "/proc/self", "/dev", "/tmp"])
def test_behind_bubblewrap_no_place_of_the_system_is_a_workspace(
    bubblewrap: Bubblewrap, layer: Layer, place: str
) -> None:
    odd = Layer(Path(place), layer.folder, (), (), layer.base, layer.tree)
    with pytest.raises(SandboxError, match="cannot lie at"):
        bubblewrap.run(["true"], files={}, workspace=Workspace(odd))


def test_a_shared_directory_is_read_in_place_and_not_copied(sandbox: Sandbox, project: Path, tmp_path: Path) -> None:
    write_project(project, {"deps/lib/a.txt": "dependency"})
    with unchanged(project), open_layer(project, into=tmp_path / "l", shared=["deps"]) as layer:
        ran = sandbox.run(shell("cat deps/lib/a.txt; echo 1 > new"), files={}, workspace=Workspace(layer))
        assert ran.stdout == "dependency"
        assert layer.diff().paths == ("new",)
        assert "deps" not in layer.tree


def test_behind_bubblewrap_a_shared_directory_cannot_be_written(
    bubblewrap: Bubblewrap, project: Path, tmp_path: Path
) -> None:
    write_project(project, {"deps/a.txt": "dependency"})
    with unchanged(project), open_layer(project, into=tmp_path / "l", shared=["deps"]) as layer:
        for script in ("echo x > deps/a.txt", "echo x > deps/new", "rm -rf deps", "mv deps other"):
            assert not bubblewrap.run(shell(script), files={}, workspace=Workspace(layer)).ok


def test_hard_links_of_the_project_do_not_lead_back_to_it(sandbox: Sandbox, project: Path, tmp_path: Path) -> None:
    os.link(project / "README", tmp_path / "twin")
    with unchanged(project), open_layer(project, into=tmp_path / "l") as layer:
        sandbox.run(shell("echo changed > README; ln README second"), files={}, workspace=Workspace(layer))
        assert layer.read("second") == b"changed\n"
    assert (tmp_path / "twin").read_text() == "A shop.\n"


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Path]:
    folder = write_project(tmp_path / "outside", {"precious": "kept"})
    yield folder
    assert (folder / "precious").read_text() == "kept"
    assert len(list(folder.iterdir())) == 1


def test_links_of_the_project_that_lead_out_are_no_way_out(
    sandbox: Sandbox, project: Path, outside: Path, tmp_path: Path
) -> None:
    planted = {"way": str(outside), "up": "../outside", "self": str(project), "inside": "shop"}
    for name, target in planted.items():
        (project / name).symlink_to(target)
    script = "for way in way up self; do echo x > $way/README; echo x > $way/precious; done; echo x > inside/new; true"
    with unchanged(project), open_layer(project, into=tmp_path / "l") as layer:
        assert sandbox.run(["sh", "-c", script], files={}, workspace=Workspace(layer)).ok
        assert layer.read("shop/new") == b"x\n"


def test_links_out_that_a_command_makes_are_kept_as_links(sandbox: Sandbox, layer: Layer, outside: Path) -> None:
    script = f"ln -s {outside}/precious stolen; ln -s {outside} away; ln -s / root; rm README; ln -s /etc/passwd README"
    ran = sandbox.run(shell(script), files={}, workspace=Workspace(layer), give_back=["**"])
    assert ran.ok
    assert set(ran.left_out) == {"stolen", "away", "root", "README"}
    assert all(b"kept" not in content for content in ran.files.values())
    assert layer.read("stolen") is None
    listed = {change.path: str(change) for change in layer.diff().changes}
    assert listed["stolen"] == f"added stolen -> {outside}/precious"
    assert listed["README"] == "changed README -> /etc/passwd"


def test_without_walls_a_link_out_made_by_one_command_is_not_there_for_the_next(layer: Layer, outside: Path) -> None:
    Rlimits().run(shell(f"ln -s {outside} away"), files={}, workspace=Workspace(layer))
    ran = Rlimits().run(shell("echo x > away/precious"), files={}, workspace=Workspace(layer))
    assert not ran.ok
    assert layer.diff().paths == ("away",)


def test_a_command_that_closes_its_files_cannot_hide_them(sandbox: Sandbox, layer: Layer) -> None:
    script = "mkdir d; echo 1 > d/f; chmod 0 d/f; chmod 0 d; echo 2 > g; chmod 0 g; chmod 0 ."
    assert sandbox.run(shell(script), files={}, workspace=Workspace(layer)).ok
    assert layer.read("d/f") == b"1\n"
    assert layer.read("g") == b"2\n"


def test_pipes_and_sockets_are_not_taken(sandbox: Sandbox, layer: Layer) -> None:
    code = "import os, socket; os.mkfifo('pipe'); socket.socket(socket.AF_UNIX).bind('sock'); open('f', 'w')"
    ran = sandbox.run(python(code), files={}, workspace=Workspace(layer), give_back=["*"])
    assert layer.diff().paths == ("f",)
    assert {"pipe", "sock"} <= set(ran.left_out)


def test_changes_of_git_and_bottega_directories_are_forgotten(sandbox: Sandbox, layer: Layer) -> None:
    script = "mkdir -p .git/hooks .bottega sub/.GIT; touch .git/hooks/post-commit .bottega/x sub/.GIT/config sub/ok"
    assert sandbox.run(shell(script), files={}, workspace=Workspace(layer)).ok
    assert layer.diff().paths == ("sub/ok",)


def test_written_through_a_mapping_a_file_counts_as_changed(sandbox: Sandbox, layer: Layer) -> None:
    code = (
        "import mmap\n"
        "with open('README', 'r+b') as file:\n"
        "    view = mmap.mmap(file.fileno(), 0)\n"
        "    view[0]; view[0:1] = b'B'\n"
    )
    assert sandbox.run(python(code), files={}, workspace=Workspace(layer)).ok
    assert layer.read("README") == b"B shop.\n"


def test_a_project_that_does_not_fit_is_refused(sandbox: Sandbox, layer: Layer) -> None:
    layer.write({"big": bytes(3 << 20)})
    with pytest.raises(SandboxError, match="does not fit into the sandbox: more than 2 MB on disk"):
        sandbox.run(["true"], files={}, workspace=Workspace(layer), limits=Limits(disk_mb=2))
    with pytest.raises(SandboxError, match="more than 4 files"):
        sandbox.run(["true"], files={}, workspace=Workspace(layer), limits=Limits(files=4))


def test_two_commands_cannot_change_a_layer_at_once(sandbox: Sandbox, layer: Layer) -> None:
    with layer.running(), pytest.raises(SandboxError, match="Another command"):
        sandbox.run(["true"], files={}, workspace=Workspace(layer))
    assert sandbox.run(["true"], files={}, workspace=Workspace(layer)).ok
