"""Changes of a layer are carried into the project: all or none, and nothing outside of it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from bottega.errors import InputError, SandboxError
from bottega.sandbox import Layer, Sandbox, Workspace, open_layer

from .projects import unchanged, write_project


@pytest.fixture
def layer(project: Path, tmp_path: Path) -> Layer:
    return open_layer(project, into=tmp_path / "layer")


def run(sandbox: Sandbox, layer: Layer, script: str) -> None:
    ran = sandbox.run(["sh", "-ec", script], files={}, workspace=Workspace(layer))
    assert ran.ok, ran.stderr


def test_the_project_becomes_what_the_layer_is(sandbox: Sandbox, layer: Layer, project: Path, tmp_path: Path) -> None:
    run(
        sandbox, layer, "echo more >> README; rm -r tests; mkdir -p new/dir; echo 1 > new/dir/f; ln -s ../shop new/link"
    )
    run(sandbox, layer, "chmod -x run.sh; rm shop/__init__.py; mkdir shop/__init__.py; echo 2 > shop/__init__.py/f")
    run(sandbox, layer, "printf '\\000\\377' > blob; chmod +x blob")
    applied = layer.apply()
    assert applied == layer.diff().paths
    assert not (project / "tests").exists()
    assert (project / "new/link").readlink() == Path("../shop")
    assert os.access(project / "blob", os.X_OK)
    again = open_layer(project, into=tmp_path / "again")
    assert again.tree == layer.tree
    assert layer.apply() == applied, "a second time finds everything done"


def test_chosen_paths_are_applied_alone(layer: Layer, project: Path) -> None:
    layer.write({"README": b"new", "run.sh": None})
    assert layer.apply(paths=["README"]) == ("README",)
    assert (project / "README").read_text() == "new"
    assert (project / "run.sh").exists()
    with pytest.raises(InputError, match="has not changed"):
        layer.apply(paths=["shop/price.py"])


def test_changes_can_be_carried_into_another_copy(layer: Layer, project: Path, tmp_path: Path) -> None:
    layer.write({"README": b"new"})
    other = write_project(tmp_path / "other")
    with unchanged(project):
        layer.apply(to=other)
    assert (other / "README").read_text() == "new"


def test_a_conflict_is_named_and_nothing_is_written(layer: Layer, project: Path) -> None:
    layer.write({"README": b"ours", "shop/price.py": b"ours", "run.sh": None})
    (project / "shop/price.py").write_text("theirs")
    with unchanged(project), pytest.raises(SandboxError, match=r"shop/price.py' has changed in the project"):
        layer.apply()
    assert layer.apply(paths=["README", "run.sh"]) == ("README", "run.sh")


@pytest.mark.parametrize("meanwhile", ["a file", "a directory", "a pipe", "a link"])
def test_a_new_file_does_not_replace_what_took_its_place(layer: Layer, project: Path, meanwhile: str) -> None:
    layer.write({"new": b"ours"})
    place = project / "new"
    if meanwhile == "a file":
        place.write_text("theirs")
    elif meanwhile == "a directory":
        write_project(place, {"theirs": ""})
    elif meanwhile == "a pipe":
        os.mkfifo(place)
    else:
        place.symlink_to("README")
    with unchanged(project), pytest.raises(SandboxError, match="has changed in the project"):
        layer.apply()


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "../outside", "shop/../../outside", ".git/hooks", "way/../x", "loop", "sub/up/x", "."]
)
def test_links_that_leave_the_project_are_refused(
    sandbox: Sandbox, layer: Layer, project: Path, tmp_path: Path, target: str
) -> None:
    (project / "way").symlink_to(tmp_path)
    layer = open_layer(project, into=tmp_path / "own")
    run(sandbox, layer, f"mkdir sub; ln -s ../.. sub/up; ln -s loop loop; ln -s {target} link; echo 1 > new")
    if target == ".":
        assert layer.apply(paths=["link"]) == ("link",)
        return
    with unchanged(project), pytest.raises(SandboxError, match="is a link that leaves the project"):
        layer.apply(paths=["link", "new"])


def test_a_directory_that_became_a_link_is_not_followed(layer: Layer, project: Path, tmp_path: Path) -> None:
    outside = write_project(tmp_path / "outside", {"price.py": (project / "shop/price.py").read_text()})
    layer.write({"shop/price.py": b"ours", "shop/new": b"ours"})
    for path in (project / "shop").iterdir():
        path.unlink()
    (project / "shop").rmdir()
    (project / "shop").symlink_to(outside)
    with unchanged(outside), pytest.raises(SandboxError, match="has changed in the project"):
        layer.apply()


def test_other_hard_links_keep_their_content_and_permissions_stay(layer: Layer, project: Path, tmp_path: Path) -> None:
    os.link(project / "README", tmp_path / "twin")
    (project / "README").chmod(0o640)
    layer.write({"README": b"new"})
    layer.apply()
    assert (tmp_path / "twin").read_text() == "A shop.\n"
    assert stat.S_IMODE((project / "README").stat().st_mode) == 0o640


def test_no_file_of_a_command_arrives_with_special_rights(sandbox: Sandbox, layer: Layer, project: Path) -> None:
    run(sandbox, layer, "echo x > tool; chmod 6777 tool")
    layer.apply()
    assert stat.S_IMODE((project / "tool").stat().st_mode) == 0o755
