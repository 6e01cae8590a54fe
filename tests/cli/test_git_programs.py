"""Whatever a repository's git configuration names as a program, no verb runs it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.bottega import Ended, ask, script

FILTER_NAMES = ("plain", "a=b", "with space", "dotted.name", 'quo"te', "b\udcffad")
# Every kind of key by which git is told to run something; `{}` is a command that leaves a mark.
KEYS = (
    *("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.gitProxy"),
    *("core.alternateRefsCommand", "sequence.editor", "credential.helper", "gpg.program", "gpg.ssh.program"),
    *("gpg.x509.program", "gpg.ssh.defaultKeyCommand", "diff.external", "interactive.diffFilter", "pager.diff"),
    *("pager.log", "pager.config", "trailer.sign.command", "trailer.sign.cmd", "browser.x.cmd", "man.x.cmd"),
    *("mergetool.x.cmd", "difftool.x.cmd", "merge.own.driver", "remote.origin.vcs", "remote.origin.uploadpack"),
    *("remote.origin.receivepack", "uploadpack.packObjectsHook", "alias.diff", "alias.log", "alias.rev-parse"),
    *("alias.ls-files", "alias.cat-file", "alias.config", "submodule.sub.update", "sendemail.sendmailcmd"),
    *("guitool.x.cmd", "web.browser", "init.templateDir", "core.attributesFile", "core.hooksPath"),
)
VERBS = (
    *(("index",), ("search", "water"), ("show", "boil"), ("graph", "boil"), ("map",), ("stats",)),
    *(("ask", "what boils?"), ("enrich",), ("scan",), ("investigate", "."), ("write", "///raw double")),
    *(("review", "--no-model"), ("review", "--staged", "--no-model"), ("review", "--commit", "HEAD", "--no-model")),
    *(("review", "--from", "HEAD~1", "--to", "HEAD"), ("review", "list"), ("runs",), ("config", "show")),
)


@pytest.fixture
def kettle(tmp_path: Path) -> Path:
    """A repository that asks git to run a marker in every way there is, and has something to run it for."""
    root = tmp_path / "repo"
    _commit(root, {"kettle.py": "def boil():\n    return 'water'\n", "other.txt": "x\n"})
    _commit(root, {".gitattributes": "* filter=plain diff=own merge=own\n*.txt filter=a=b\n"}, again=True)
    _submodule(root)
    marker = tmp_path / "ran"
    marker.mkdir()
    _configure(root, marker)
    _hooks(root, marker)
    (root / "kettle.py").write_text("def boil():\n    return 'steam'\n")
    (root / "other.txt").write_text("y\n")
    (root / "sub" / "inner.txt").write_text("changed\n")
    (root / "new.py").write_text("def pour():\n    return 1\n")
    return root


def test_the_marker_works(kettle: Path) -> None:
    """Git by itself does run what this repository names: the other tests can fail."""
    subprocess.run(["git", "-C", str(kettle), "status"], capture_output=True, check=False)
    subprocess.run(["git", "-C", str(kettle), "--no-pager", "diff"], capture_output=True, check=False)
    subprocess.run(["git", "-C", str(kettle / "sub"), "status"], capture_output=True, check=False)
    ran = _ran(kettle)
    assert any("filter" in name for name in ran), ran
    assert "included" in ran
    assert any("sub.filter" in name for name in ran), ran


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_no_verb_runs_what_git_is_configured_to_run(kettle: Path, verb: tuple[str, ...]) -> None:
    ended = _verb(kettle, *verb)
    assert "Traceback" not in ended.err
    assert _ran(kettle) == []


def test_a_review_still_sees_the_change(kettle: Path) -> None:
    ended = _verb(kettle, "review", "--no-model", "--format", "json")
    assert ended.code in {0, 1, 4}, ended.err
    for name in ("kettle.py", "other.txt", "new.py"):
        assert name in ended.out


def test_a_bare_repository_that_a_clone_brings_is_no_repository(tmp_path: Path) -> None:
    """`git clone` brings a directory with HEAD, objects, refs and config as ordinary files."""
    root, marker = tmp_path / "repo", tmp_path / "ran"
    marker.mkdir()
    _commit(root, {"kettle.py": "x = 1\n"})
    inner = root / "docs"
    subprocess.run(["git", "init", "-q", "--bare", str(inner)], check=True)
    (inner / "config").write_text(
        f'[core]\n\trepositoryformatversion = 0\n\tworktree = "{root}"\n\tbare = false\n'
        f'\tfsmonitor = "{_marker(marker, "bare")}"\n'
    )
    (inner / "bottega.toml").write_text("")
    _commit(root, {}, again=True)
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(root), str(clone)], check=True)
    for verb in (("index",), ("review", "--no-model"), ("scan",), ("search", "x")):
        ended = ask(*verb, cwd=clone / "docs")
        assert "Traceback" not in ended.err
    assert list(marker.iterdir()) == []


def test_a_git_on_a_relative_path_is_not_run(tmp_path: Path) -> None:
    root, marker = tmp_path / "repo", tmp_path / "ran"
    marker.mkdir()
    _commit(root, {"kettle.py": "x = 1\n"})
    (root / "git").write_text(f"#!/bin/sh\n{_marker(marker, 'path')}\n")
    (root / "git").chmod(0o755)
    for path in (f".:{os.environ['PATH']}", f":{os.environ['PATH']}", f"bin/..:{os.environ['PATH']}"):
        ended = ask("index", cwd=root, env={"PATH": path})
        assert ended.code == 0, ended.err
    assert list(marker.iterdir()) == []


def test_replaced_objects_are_not_what_is_reviewed(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    _commit(root, {"kettle.py": "x = 1\n"})
    _commit(root, {"kettle.py": "x = 1\nos.system('rm -rf /')\n"}, again=True)
    evil = _git(root, "rev-parse", "HEAD:kettle.py")
    good = subprocess.run(
        ["git", "-C", str(root), "hash-object", "-w", "--stdin"], input=b"x = 1\n", capture_output=True, check=True
    )
    _git(root, "replace", evil, good.stdout.decode().strip())
    ended = ask("review", "--commit", "HEAD", "--no-model", "--format", "json", cwd=root)
    assert "kettle.py" in ended.out
    assert ended.code != 2, ended.err


@pytest.mark.parametrize("name", ["HEAD", "index", "config", "packed-refs", "info/exclude", "refs/heads/main"])
@pytest.mark.parametrize("verb", [("index",), ("review", "--no-model")], ids=" ".join)
def test_a_pipe_in_the_place_of_a_file_that_git_reads_does_not_hang(
    tmp_path: Path, name: str, verb: tuple[str, ...]
) -> None:
    root = tmp_path / "repo"
    _commit(root, {"kettle.py": "x = 1\n"})
    place = root / ".git" / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    ended = ask(*verb, cwd=root)
    assert "Traceback" not in ended.err
    assert ended.code == 0 or ".git" in ended.err


@pytest.mark.parametrize("name", [".gitattributes", ".gitignore"])
def test_a_pipe_in_the_place_of_a_rule_file_does_not_hang(tmp_path: Path, name: str) -> None:
    root = tmp_path / "repo"
    _commit(root, {"kettle.py": "x = 1\n"})
    (root / "kettle.py").write_text("x = 2\n")
    os.mkfifo(root / name)
    for verb in (("index",), ("review", "--no-model")):
        ended = ask(*verb, cwd=root)
        assert "Traceback" not in ended.err
        assert ended.code == 0 or name in ended.err, ended.err


def _verb(root: Path, *arguments: str) -> Ended:
    model = ["--model", script(root.parent, ["x = 1\n"] * 3)] if arguments[0] in {"write", "enrich"} else []
    return ask(*arguments, *model, cwd=root, env={"GIT_EXTERNAL_DIFF": _marker(root.parent / "ran", "environment")})


def _ran(root: Path) -> list[str]:
    return sorted(entry.name for entry in (root.parent / "ran").iterdir())


def _marker(folder: Path, name: str) -> str:
    return f"touch '{folder}/{name}'; cat"


def _configure(root: Path, marker: Path) -> None:
    drivers = [f"diff.own.{key}" for key in ("command", "textconv")]
    filters = [f"filter.{name}.{key}" for name in FILTER_NAMES for key in ("clean", "smudge", "process")]
    included = root / ".git" / "more"
    included.write_text(f'[core]\n\tfsmonitor = "{_marker(marker, "included")}"\n')
    for number, key in enumerate((*KEYS, *drivers, *filters)):
        name = key if key in KEYS else f"{key.split('.')[0]}{number}"
        command = _marker(marker, name)
        value = f"!{command}" if key.startswith(("alias.", "credential.")) else command
        subprocess.run(["git", "config", "--file", str(root / ".git/config"), os.fsencode(key), value], check=True)
    with (root / ".git" / "config").open("a") as config:
        config.write('[include]\n\tpath = more\n[includeIf "gitdir:/"]\n\tpath = more\n')
        config.write('[filter "a=b"]\n\trequired = true\n')


def _hooks(root: Path, marker: Path) -> None:
    for name in ("post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout", "reference-transaction"):
        hook = root / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\n{_marker(marker, f'hook-{name}')}\n")
        hook.chmod(0o755)


def _submodule(root: Path) -> None:
    inner = root.parent / "inner"
    _commit(inner, {"inner.txt": "x\n", ".gitattributes": "* filter=own\n"})
    command = ["git", "-C", str(root), "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner)]
    subprocess.run([*command, "sub"], check=True)
    _commit(root, {}, again=True)
    config = root / ".git" / "modules" / "sub" / "config"
    mark = _marker(root.parent / "ran", "sub.filter")
    for key in ("filter.own.clean", "core.fsmonitor"):
        subprocess.run(["git", "config", "--file", str(config), key, mark], check=True)


def _commit(root: Path, files: dict[str, str], *, again: bool = False) -> None:
    if not again:
        subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    for name, text in files.items():
        (root / name).write_text(text)
    _git(root, "add", "-A")
    _git(root, "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "--allow-empty", "-m", "work")


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=True)
    return done.stdout.decode().strip()
