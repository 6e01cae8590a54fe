"""What is taken in of a tree: regular files, whatever they are called, and nothing behind a link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .trees import bottega, commit, differences, git, listed, refreshed, repository, write


def test_a_directory_without_git_is_taken_in_with_its_own_rules(root: Path) -> None:
    write(root, {"a.py": "", "deep/er/b.py": "", ".gitignore": "*.log\n", "x.log": "", "deep/.gitignore": "/er\n"})
    refreshed(root)
    assert listed(root) == [".gitignore", "a.py", "deep/.gitignore"]


def test_a_tree_without_files_has_an_index_that_equals_a_rebuild(root: Path) -> None:
    assert refreshed(root).files == 0
    assert differences(root) == ""
    assert bottega(root, "search", "anything").out == "nothing found\n"


def test_a_repository_without_commits_is_read(root: Path) -> None:
    git(root, "init", "-q")
    write(root, {"a.py": "def f(): pass\n", ".gitignore": "b.py\n", "b.py": ""})
    refreshed(root)
    assert listed(root) == [".gitignore", "a.py"]
    assert differences(root) == ""
    assert "no commit" in bottega(root, "search", "f").err


def test_a_bare_repository_is_refused_with_a_way_out(root: Path) -> None:
    repository(root, {"a.py": ""})
    bare = root.parent / "bare.git"
    git(root, "clone", "-q", "--bare", str(root), str(bare))
    before = sorted(bare.iterdir())
    ended = bottega(bare, "index")
    assert ended.code == 2
    assert ended.err == (
        f"bottega: {bare} is a bare repository: there are no files to read\n  hint: Index a clone of it.\n"
    )
    assert sorted(bare.iterdir()) == before


def test_links_are_never_followed(root: Path) -> None:
    beside = write(root.parent / "beside", {"secret.py": "SECRET = 1\n"})
    repository(root, {"a.py": "", "folder/b.py": ""})
    (root / "to_a_file.py").symlink_to(root / "a.py")
    (root / "to_a_secret.py").symlink_to(beside / "secret.py")
    (root / "to_a_folder").symlink_to(beside)
    (root / "folder" / "loop").symlink_to(root)
    (root / "folder" / "itself").symlink_to("itself")
    (root / "to_nothing").symlink_to("nowhere")
    done = refreshed(root)
    assert listed(root) == ["a.py", "folder/b.py"]
    assert done.remarks == ()


def test_a_file_that_becomes_a_link_is_gone(root: Path) -> None:
    secret = write(root.parent / "beside", {"secret.py": "SECRET = 1\n"}) / "secret.py"
    write(root, {"a.py": "A = 1\n", "b.py": "B = 1\n"})
    refreshed(root)
    (root / "a.py").unlink()
    (root / "a.py").symlink_to(secret)
    refreshed(root)
    assert listed(root) == ["b.py"]
    assert differences(root) == ""


def test_pipes_and_sockets_are_not_opened(root: Path) -> None:
    write(root, {"a.py": ""})
    os.mkfifo(root / "pipe.py")
    refreshed(root)
    assert listed(root) == ["a.py"]


NAMES = (
    "with space.py",
    "naïve/日本語.py",
    "new\nline.py",
    "tab\there.py",
    'quo"te.py',
    "back\\slash.py",
    "-rf.py",
    "%s{0}.py",
)


def test_file_names_may_hold_anything_that_is_text(root: Path) -> None:
    repository(root, {name: f"def f{nth}(): pass\n" for nth, name in enumerate(NAMES)})
    done = refreshed(root)
    assert listed(root) == sorted(NAMES)
    assert done.remarks == ()
    assert differences(root) == ""
    found = bottega(root, "search", "f2", "--kind", "function")
    assert found.code == 0
    assert "line.py:1-1" in found.out


def test_a_name_that_is_no_text_is_left_out_and_said(root: Path) -> None:
    write(root, {"a.py": ""})
    try:
        (root / os.fsdecode(b"\xff\xfe.py")).write_text("x = 1\n")
    except OSError:
        pytest.skip("this file system refuses names that are no text")
    done = refreshed(root)
    assert listed(root) == ["a.py"]
    assert done.remarks == (("??.py", "its name is not text"),)
    ended = bottega(root, "index", "--rebuild")
    assert (ended.code, ended.err) == (0, "bottega: left out: ??.py: its name is not text\n")


def test_a_repository_inside_a_folder_with_an_odd_name_is_read_with_its_history(root: Path) -> None:
    odd = repository(root.parent / "odd\nname é", {"a.py": "", "b.py": "", ".gitignore": "b.py\n"})
    refreshed(odd)
    assert listed(odd) == [".gitignore", "a.py"]
    assert differences(odd) == ""


def test_other_repositories_inside_are_read_by_their_own_rules(root: Path) -> None:
    repository(root, {"a.py": "", ".gitignore": "*.log\n"})
    repository(root / "inner", {"b.py": "", ".gitignore": "made/\n", "made/c.py": "", "d.log": ""})
    refreshed(root)
    assert listed(root) == [".gitignore", "a.py", "inner/.gitignore", "inner/b.py"]


def test_the_files_of_a_submodule_are_taken_in_without_its_pointer(root: Path) -> None:
    library = repository(root.parent / "library", {"shelf.py": "class Shelf: pass\n"})
    repository(root, {"a.py": ""})
    git(root, "submodule", "add", "-q", str(library), "sub")
    commit(root, "Add a submodule")
    refreshed(root)
    assert listed(root) == [".gitmodules", "a.py", "sub/shelf.py"]
    assert differences(root) == ""


def test_the_pointer_of_a_worktree_is_no_file_of_it(root: Path) -> None:
    repository(root, {"a.py": ""})
    side = root.parent / "side"
    git(root, "worktree", "add", "-q", str(side))
    refreshed(side)
    assert listed(side) == ["a.py"]


def test_virtual_environments_and_caches_are_left_out(root: Path) -> None:
    write(
        root,
        {
            "a.py": "",
            "env/pyvenv.cfg": "home = /usr\n",
            "env/lib/site.py": "",
            "__pycache__/a.pyc": b"\0",
            ".mypy_cache/x.json": "{}",
            ".hg/store": "",
        },
    )
    refreshed(root)
    assert listed(root) == ["a.py"]


def test_a_tree_deeper_than_any_sane_one_is_cut_off_and_read(root: Path) -> None:
    deep = root
    for _ in range(260):
        deep = deep / "d"
    deep.mkdir(parents=True)
    write(root, {"a.py": "", "d/b.py": ""})
    write(deep, {"c.py": ""})
    refreshed(root)
    assert listed(root) == ["a.py", "d/b.py"]


def test_a_folder_that_takes_the_place_of_a_file_and_back(root: Path) -> None:
    write(root, {"thing": "text\n", "other/x.py": "X = 1\n"})
    refreshed(root)
    (root / "thing").unlink()
    (root / "other" / "x.py").unlink()
    (root / "other").rmdir()
    write(root, {"thing/y.py": "Y = 1\n", "other": "text\n"})
    refreshed(root)
    assert listed(root) == ["other", "thing/y.py"]
    assert differences(root) == ""
