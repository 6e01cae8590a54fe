"""What a second attack found, each by the smallest change that showed it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from bottega.source.git import open_git
from bottega.testing.planted import plant
from tests.cli.bottega import Ended, ask
from tests.review.till import BEFORE, build, git, write

TOKEN = plant("github-token", 3).secret
RULES = "rules: [{id: no-evil, pattern: 'evil_call', severity: CRITICAL, message: No evil.}]\n"


def review(root: Path, *arguments: str, **environ: str) -> Ended:
    ended = ask("review", "--no-model", "--format", "json", *arguments, cwd=root, env=environ)
    assert "Traceback" not in ended.err
    return ended


def test_an_env_file_of_the_change_does_not_hide_its_code(tmp_path: Path) -> None:
    root = build(tmp_path / "r", after={"a.py": "import os\neval(input())\nos.system(input())\n"})
    write(root, {"ci/.env.test": "A_PASSWORD=eval\nB_PASSWORD=os.system\nC_SECRET=input\n"})
    git(root, "add", "-A")
    ended = review(root, "--staged")
    assert "python-eval" in ended.out
    assert "python-shell" in ended.out


def test_an_env_file_of_the_change_does_not_hide_the_rules_it_touches(tmp_path: Path) -> None:
    root = build(tmp_path / "r", before={**BEFORE, ".reviewrules": RULES}, after={".reviewrules": "rules: []\n"})
    write(root, {"ci/.env.test": "APP_PASSWORD=reviewrules\n", "a.py": "evil_call()\n"})
    git(root, "add", "-A")
    ended = review(root, "--staged", "--fail-on", "CRITICAL")
    assert ended.code == 1
    assert "no-evil" in ended.out
    assert ".reviewrules" in ended.out


def test_a_value_of_one_s_own_env_file_is_masked_all_the_same(tmp_path: Path) -> None:
    root = build(tmp_path / "r", before={**BEFORE, ".gitignore": ".env\n"}, after={"a.py": "x = 'correcthorse'\n"})
    write(root, {".env": "DB_PASSWORD=correcthorse\n"})
    assert "correcthorse" not in review(root).out


def test_a_secret_in_utf_16_is_no_text_that_was_read(tmp_path: Path) -> None:
    root = build(tmp_path / "r", after={"a.py": "x = 1\n"})
    (root / "conf.ps1").write_bytes(f'$token = "{TOKEN}"\r\n'.encode("utf-16"))
    git(root, "add", "-A")
    ended = review(root, "--staged", "--fail-on", "CRITICAL")
    assert '"complete": false' in ended.out or "conf.ps1" in ended.out
    stored = b"".join(path.read_bytes() for path in (root / ".bottega" / "reviews").rglob("*") if path.is_file())
    assert TOKEN.encode() not in stored.replace(b"\0", b"")


def test_a_linked_directory_leads_nowhere(tmp_path: Path) -> None:
    private = tmp_path / "private"
    write(private, {"notes.md": "the launch is on friday\n"})
    root = build(tmp_path / "r", after={"a.py": "x = 1\n"})
    (root / ".clinerules").symlink_to(private)
    ended = review(root)
    assert "rule files: ran, 0 found" in ended.out or '"0 found"' in ended.out
    assert "friday" not in ended.out


def test_an_earlier_commit_is_reviewed_under_the_rules_of_its_time(tmp_path: Path) -> None:
    root = build(tmp_path / "r", before={**BEFORE, ".reviewrules": RULES}, after={"a.py": "evil_call()\n"})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "a")
    write(root, {".reviewrules": "rules: []\n"})
    git(root, "commit", "-qam", "b")
    assert review(root, "--commit", "HEAD~1", "--fail-on", "CRITICAL").code == 1


def test_a_rule_file_that_a_patch_renames_still_holds(tmp_path: Path) -> None:
    root = build(tmp_path / "r", before={**BEFORE, ".reviewrules": RULES}, after={"a.py": "evil_call()\n"})
    git(root, "mv", ".reviewrules", "old.yml")
    git(root, "add", "-A")
    diff = tmp_path / "c.diff"
    diff.write_text(git(root, "diff", "--cached", "-M"))
    assert review(root, "--diff", str(diff), "--fail-on", "CRITICAL").code == 1


@pytest.mark.parametrize("name", ["util_pb2.py", "vendor/lib.py", "app.min.js", "dist/app.js"])
def test_a_name_buys_no_acceptance(tmp_path: Path, name: str) -> None:
    root = build(tmp_path / "r", after={})
    git(root, "checkout", "-q", ".")
    write(root, {name: "eval(input())\n"})
    ended = review(root)
    assert ended.code == 4
    assert "its name says" in ended.out


def test_settings_of_tools_come_from_before_the_change(tmp_path: Path) -> None:
    root = build(tmp_path / "r", after={"a.py": "print(undefined_name)\n"})
    write(root, {"ruff.toml": '[lint]\nselect = []\nignore = ["ALL"]\n'})
    git(root, "add", "-A")
    ended = review(root, "--staged")
    assert "F821" in ended.out
    assert "ruff.toml" in ended.out


def test_a_git_inside_the_repository_is_not_run(tmp_path: Path) -> None:
    root = build(tmp_path / "r")
    write(root, {".venv/bin/git": f"#!/bin/sh\ntouch {tmp_path}/ran\n"})
    (root / ".venv" / "bin" / "git").chmod(0o755)
    ask("search", "till", cwd=root, env={"PATH": f"{root}/.venv/bin:{os.environ['PATH']}"})
    assert not (tmp_path / "ran").exists()


@pytest.mark.timeout(60)
def test_a_pipe_named_by_a_diff_or_by_git_s_configuration_does_not_hang(tmp_path: Path) -> None:
    root = build(tmp_path / "r", after={"a.py": "x = 1\n"})
    os.mkfifo(root / "p.py")
    diff = tmp_path / "c.diff"
    diff.write_text("--- a/p.py\n+++ b/p.py\n@@ -1,1 +1,1 @@\n-x\n+y\n")
    assert review(root, "--diff", str(diff)).code in {0, 1, 4}
    os.mkfifo(root / "innocuous")
    git(root, "config", "core.excludesFile", str(root / "innocuous"))
    assert review(root).code in {0, 1, 4}


def test_a_forged_commit_graph_is_not_read(tmp_path: Path) -> None:
    root = build(tmp_path / "r")
    found = open_git(root)
    assert found is not None
    assert (found.ask("config", "core.commitGraph") or b"").strip() == b"false"


def test_a_repository_of_sha_256_is_reviewed(tmp_path: Path) -> None:
    root = tmp_path / "r"
    subprocess.run(["git", "init", "-q", "--object-format=sha256", str(root)], check=True)
    write(root, {"a.py": "x = 1\n"})
    assert review(root).code == 4
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    assert review(root, "--commit", "HEAD").code == 4


def test_a_context_diff_is_refused(tmp_path: Path) -> None:
    root = build(tmp_path / "r")
    diff = tmp_path / "c.diff"
    diff.write_text(f"*** a.py\n--- a.py\n***************\n*** 1,1 ****\n--- 1,2 ----\n+ t = '{TOKEN}'\n")
    ended = ask("review", "--no-model", "--diff", str(diff), cwd=root)
    assert ended.code == 2
    assert "context diff" in ended.err


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.c", "int f(void){return 1;}\n#a" + " " * 45_000 + "b\nint g(\n"),
        ("a.js", 'x="' + "&" * 150_000),
        ("a.h", "namespace a\n" * 16_666),
        ("b.h", "class a\n" * 25_000),
    ],
)
def test_a_file_that_made_a_pattern_slow_is_reviewed_and_indexed_in_time(tmp_path: Path, name: str, text: str) -> None:
    root = build(tmp_path / "r", after={})
    write(root, {name: text})
    assert review(root).code in {0, 1, 4}
