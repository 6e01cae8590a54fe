"""Run the real command in a real process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.command import command_for

GOOD = "def double(n):\n    return 2 * n\n"
SURE = '{"judgement_summary": "Right.", "confidence_score": 9, "conflict_score": 1}'


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


def run(
    *arguments: str, cwd: Path, stdin: bytes | None = None, env: dict[str, str] | None = None, timeout: float = 60
) -> Ended:
    """An empty home, no keys, no colours; standard input closed unless given."""
    environ = {
        "PATH": os.environ["PATH"],
        "BOTTEGA_INDEX_VECTORS": "manual",
        "HOME": str(cwd / "home"),
        "LANG": "C.UTF-8",
        "OLLAMA_HOST": "127.0.0.1:9",
        **(env or {}),
    }
    done = subprocess.run(
        [*command_for(environ), *arguments],
        cwd=cwd,
        input=stdin if stdin is not None else b"",
        capture_output=True,
        env=environ,
        timeout=timeout,
        check=False,
    )
    return Ended(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def sealed(folder: Path, home: Path | None = None) -> Path:
    """`.bottega` of a directory and what lies below it, as the command makes it for this home."""
    code = (
        "import pathlib, sys; from bottega.home import make_private_directory as make\nmake(pathlib.Path(sys.argv[1]))"
    )
    root = next(parent for parent in folder.parents if parent / ".bottega" in (folder, *folder.parents))
    environ = {"PATH": os.environ["PATH"], "HOME": str(home or root / "home")}
    subprocess.run([sys.executable, "-c", code, str(folder)], env=environ, check=True)
    return folder


def ask(*arguments: str, cwd: Path, stdin: bytes | None = None, env: dict[str, str] | None = None) -> Ended:
    """The same with the home beside the directory, so that nothing of it is read with the repository."""
    return run(*arguments, cwd=cwd, stdin=stdin, env={"HOME": str(cwd.parent / "home"), **(env or {})})


def refused(ended: Ended, message: str, code: int = 2) -> None:
    """One message, one hint, nothing on standard output."""
    assert (ended.code, ended.out) == (code, ""), ended.err
    lines = ended.err.splitlines()
    assert len(lines) == 2, ended.err
    assert lines[0].startswith("bottega: ")
    assert message in lines[0]
    assert lines[1].startswith("  hint: ")


def script(folder: Path, parts: Mapping[str, Sequence[str]] | Sequence[str], name: str = "replies.yaml") -> str:
    """The id of a scripted model that says these lines."""
    path = folder / name
    content = {stage: list(lines) for stage, lines in parts.items()} if isinstance(parts, Mapping) else list(parts)
    path.write_text(yaml.safe_dump(content))
    return f"scripted/{path}"


def good_script(folder: Path, times: int = 1) -> str:
    return script(folder, {"write.coder": [GOOD] * times, "write.judge": [SURE] * times})
