"""The tools that projects use: how each is found and started, and which of them a project uses."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bottega.review.linter_output import (
    Message,
    read_cargo,
    read_eslint,
    read_go_vet,
    read_mypy,
    read_ruff,
    read_tsc,
)
from bottega.sandbox import CommandResult
from bottega.source.programs import find_program


@dataclass(frozen=True, slots=True)
class Linter:
    """How a tool is found, started and understood.

    `exit_codes` are those of a tool that did its work. One that `reads_project` needs more than the changed files: the
    project itself, or the files whose names end as in `copies`. `mounts` are directories of its own that it needs.
    `missing` is what the report says where the tool is not installed.
    """

    name: str
    endings: tuple[str, ...]
    is_used_in: Callable[[Path], bool]
    command: Callable[[str, Path, Sequence[str]], list[str]]
    read: Callable[[CommandResult], Iterator[Message]]
    exit_codes: tuple[int, ...]
    find: Callable[[Path], str | None]
    settings: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    reads_project: bool = False
    mounts: Callable[[Path], Sequence[str]] = lambda _: ()
    missing: str = "it is not installed here"


def _has_settings(*names: str, section: str = "") -> Callable[[Path], bool]:
    """One of these files; or, where a section is named, a pyproject.toml that has it."""

    def is_used(root: Path) -> bool:
        if any((root / name).is_file() for name in names):
            return True
        project = root / "pyproject.toml"
        return bool(section) and project.is_file() and section in project.read_text(encoding="utf-8", errors="replace")

    return is_used


def _find_for_python(name: str) -> Callable[[Path], str | None]:
    """A tool of this Python's own environment, or on the PATH; tools inside the repository are not trusted."""
    return lambda root: find_program(name, own=list_own_directories(), outside=root)


def list_own_directories() -> list[Path]:
    """The script directories of this Python."""
    schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
    found = [Path(sys.executable).parent, *(Path(sysconfig.get_path("scripts", scheme)) for scheme in schemes)]
    return list(dict.fromkeys(found))


def _find_in_modules(name: str) -> Callable[[Path], str | None]:
    def find(root: Path) -> str | None:
        place = root / "node_modules" / ".bin" / name
        return str(place) if place.exists() and find_program("node", outside=root) else None

    return find


def _find_on_path(name: str) -> Callable[[Path], str | None]:
    return lambda root: find_program(name, outside=root)


def _run_within(root: Path, *words: str) -> list[str]:
    """Run in the read-only project directory; build output goes to the tool's own directory."""
    script = 'export CARGO_TARGET_DIR="$HOME/target"; cd "$1" && shift && exec "$@"'
    return ["sh", "-c", script, "sh", str(root), *words]


def _list_go_mounts(root: Path) -> Sequence[str]:
    """The installation that the program belongs to."""
    program = find_program("go", outside=root)
    return [str(Path(program).resolve().parents[1])] if program else []


def _list_rust_mounts(root: Path) -> Sequence[str]:
    del root
    home = Path.home()
    return [str(home / place) for place in (".cargo/bin", ".cargo/registry", ".rustup")]


_RUFF_FILES = ("pyproject.toml", "ruff.toml", ".ruff.toml")
_MYPY_FILES = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
_SCRIPTS = ("js", "mjs", "cjs", "ts")


def _build_ruff_command(program: str, root: Path, paths: Sequence[str]) -> list[str]:
    """Use the project's own rules; where it has none, only those that find certain errors."""
    own = _has_settings("ruff.toml", ".ruff.toml", section="[tool.ruff")(root)
    chosen = [] if own else ["--isolated", "--select", "E9,F63,F7,F82"]
    return [program, "check", "--output-format=json", "--no-cache", "--no-force-exclude", *chosen, "--", *paths]


TOOLS = (
    Linter(
        "ruff",
        (".py", ".pyi"),
        lambda _root: True,
        _build_ruff_command,
        read_ruff,
        (0, 1),
        _find_for_python("ruff"),
        settings=_RUFF_FILES,
        missing="Python was not linted: ruff is not installed here; the extra review brings it (bottega docs install)",
    ),
    Linter(
        "mypy",
        (".py", ".pyi"),
        _has_settings("mypy.ini", ".mypy.ini", section="[tool.mypy]"),
        lambda program, _root, paths: [
            *(
                program,
                "--no-error-summary",
                "--no-color-output",
                "--no-pretty",
                "--follow-imports=silent",
                "--ignore-missing-imports",
            ),
            *("--cache-dir=/dev/null", "--", *paths),
        ],
        read_mypy,
        (0, 1),
        _find_for_python("mypy"),
        settings=_MYPY_FILES,
        copies=(".py", ".pyi", "py.typed", *_MYPY_FILES),
        reads_project=True,
    ),
    Linter(
        "tsc",
        (".ts", ".tsx", ".mts", ".cts"),
        _has_settings("tsconfig.json"),
        lambda program, root, _paths: _run_within(
            root, program, "--noEmit", "--pretty", "false", "--incremental", "false"
        ),
        read_tsc,
        (0, 1, 2),
        _find_in_modules("tsc"),
        reads_project=True,
    ),
    Linter(
        "eslint",
        (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"),
        _has_settings(
            *(f"eslint.config.{end}" for end in _SCRIPTS), *(f".eslintrc.{end}" for end in (*_SCRIPTS, "json", "yml"))
        ),
        lambda program, root, paths: _run_within(root, program, "--format", "json", "--", *paths),
        read_eslint,
        (0, 1),
        _find_in_modules("eslint"),
        reads_project=True,
    ),
    Linter(
        "go vet",
        (".go",),
        _has_settings("go.mod"),
        lambda program, root, paths: _run_within(
            root, program, "vet", *sorted({f"./{Path(path).parent.as_posix()}" for path in paths})
        ),
        read_go_vet,
        (0, 1),
        _find_on_path("go"),
        reads_project=True,
        mounts=_list_go_mounts,
    ),
    Linter(
        "cargo check",
        (".rs",),
        _has_settings("Cargo.toml"),
        lambda program, root, _paths: _run_within(
            root,
            program,
            "check",
            "--offline",
            "--quiet",
            "--message-format=json",
        ),
        read_cargo,
        (0, 101),
        _find_on_path("cargo"),
        reads_project=True,
        mounts=_list_rust_mounts,
    ),
)


def list_settings_files() -> frozenset[str]:
    """Files that hold the settings of tools; a pyproject.toml holds much else, and is compared by its sections."""
    scripts = (
        *(f"eslint.config.{end}" for end in _SCRIPTS),
        *(f".eslintrc.{end}" for end in (*_SCRIPTS, "json", "yml")),
    )
    return frozenset({*_RUFF_FILES, *_MYPY_FILES, "tsconfig.json", *scripts}) - {"pyproject.toml"}
