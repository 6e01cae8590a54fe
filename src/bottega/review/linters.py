"""The tools that projects use: which of them a project uses, how each is run, and what its output means."""

from __future__ import annotations

import json
import re
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bottega.review.findings import Severity
from bottega.sandbox import Ran
from bottega.source.programs import find_program

_LINE_MESSAGE = re.compile(r"^(?P<path>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?P<message>.+)$", re.MULTILINE)
_TSC = re.compile(r"^(?P<path>[^(\n]+)\((?P<line>\d+),\d+\): error (?P<message>.+)$", re.MULTILINE)
_UNDEFINED = re.compile(r"^(?:E999|F63|F7|F82)|^invalid-syntax")


@dataclass(frozen=True, slots=True)
class Message:
    """What a tool says of one line."""

    path: str
    line: int
    text: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class Tool:
    """How a tool is found, started and understood; a `whole` one reads all of a project, `copies` is what it needs.

    `missing` is what the report says where the tool is not installed.
    """

    name: str
    endings: tuple[str, ...]
    used: Callable[[Path], bool]
    command: Callable[[str, Path, Sequence[str]], list[str]]
    read: Callable[[Ran], Iterator[Message]]
    fine: tuple[int, ...]
    program: Callable[[Path], str | None]
    settings: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    whole: bool = False
    beside: Callable[[Path], Sequence[str]] = lambda _: ()
    missing: str = "it is not installed here"


def _has(*names: str, section: str = "") -> Callable[[Path], bool]:
    """One of these files; or, where a section is named, a pyproject.toml that has it."""

    def used(root: Path) -> bool:
        if any((root / name).is_file() for name in names):
            return True
        project = root / "pyproject.toml"
        return bool(section) and project.is_file() and section in project.read_text(encoding="utf-8", errors="replace")

    return used


def _of_python(name: str) -> Callable[[Path], str | None]:
    """A tool of this Python's own environment, or on the PATH; one that the repository brings is not believed."""
    return lambda root: find_program(name, own=own_folders(), outside=root)


def own_folders() -> list[Path]:
    """Where the packages of this Python put their programs."""
    schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
    found = [Path(sys.executable).parent, *(Path(sysconfig.get_path("scripts", scheme)) for scheme in schemes)]
    return list(dict.fromkeys(found))


def _in_modules(name: str) -> Callable[[Path], str | None]:
    def program(root: Path) -> str | None:
        place = root / "node_modules" / ".bin" / name
        return str(place) if place.exists() and find_program("node", outside=root) else None

    return program


def _on_path(name: str) -> Callable[[Path], str | None]:
    return lambda root: find_program(name, outside=root)


def _within(root: Path, *words: str) -> list[str]:
    """In the project's directory, which cannot be written to; what a tool builds goes to its own."""
    script = 'export CARGO_TARGET_DIR="$HOME/target"; cd "$1" && shift && exec "$@"'
    return ["sh", "-c", script, "sh", str(root), *words]


def _ruff(ran: Ran) -> Iterator[Message]:
    for entry in json.loads(ran.stdout):
        code = str(entry["code"] or "invalid-syntax")
        severity: Severity = (
            "CRITICAL"
            if _UNDEFINED.match(code)
            else "WARNING"
            if code.startswith(("F", "B", "S", "E7"))
            else "SUGGESTION"
        )
        yield Message(str(entry["filename"]), int(entry["location"]["row"]), f"{code} {entry['message']}", severity)


def _mypy(ran: Ran) -> Iterator[Message]:
    for match in _LINE_MESSAGE.finditer(ran.stdout):
        if match["message"].startswith("error: "):
            yield Message(match["path"], int(match["line"]), match["message"].removeprefix("error: "), "WARNING")


def _tsc(ran: Ran) -> Iterator[Message]:
    for match in _TSC.finditer(ran.stdout):
        yield Message(match["path"], int(match["line"]), match["message"], "CRITICAL")


def _eslint(ran: Ran) -> Iterator[Message]:
    files = json.loads(ran.stdout)
    if not files:
        raise ValueError("it looked at nothing")
    for file in files:
        for entry in file["messages"]:
            severity: Severity = "WARNING" if entry["severity"] == 2 else "SUGGESTION"
            yield Message(str(file["filePath"]), int(entry.get("line") or 1), str(entry["message"]), severity)


def _vet(ran: Ran) -> Iterator[Message]:
    for match in _LINE_MESSAGE.finditer(ran.stderr):
        yield Message(match["path"], int(match["line"]), match["message"], "WARNING")


def _cargo(ran: Ran) -> Iterator[Message]:
    for line in ran.stdout.splitlines():
        entry: Mapping[str, Any] = json.loads(line)
        message = entry.get("message") or {}
        if entry.get("reason") != "compiler-message" or not message.get("spans"):
            continue
        severity: Severity = "CRITICAL" if message["level"] == "error" else "SUGGESTION"
        span = message["spans"][0]
        yield Message(str(span["file_name"]), int(span["line_start"]), str(message["message"]), severity)


def _go_places(root: Path) -> Sequence[str]:
    """The installation that the program belongs to."""
    program = find_program("go", outside=root)
    return [str(Path(program).resolve().parents[1])] if program else []


def _rust_places(root: Path) -> Sequence[str]:
    del root
    home = Path.home()
    return [str(home / place) for place in (".cargo/bin", ".cargo/registry", ".rustup")]


_RUFF_FILES = ("pyproject.toml", "ruff.toml", ".ruff.toml")
_MYPY_FILES = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
_SCRIPTS = ("js", "mjs", "cjs", "ts")


def _ruff_command(program: str, root: Path, paths: Sequence[str]) -> list[str]:
    """By the project's own rules; where it has none, only what cannot be right."""
    own = _has("ruff.toml", ".ruff.toml", section="[tool.ruff")(root)
    chosen = [] if own else ["--isolated", "--select", "E9,F63,F7,F82"]
    return [program, "check", "--output-format=json", "--no-cache", "--no-force-exclude", *chosen, "--", *paths]


TOOLS = (
    Tool(
        "ruff",
        (".py", ".pyi"),
        lambda _root: True,
        _ruff_command,
        _ruff,
        (0, 1),
        _of_python("ruff"),
        settings=_RUFF_FILES,
        missing="Python was not linted: ruff is not installed here; `pip install 'bottega[review]'` brings it",
    ),
    Tool(
        "mypy",
        (".py", ".pyi"),
        _has("mypy.ini", ".mypy.ini", section="[tool.mypy]"),
        lambda program, _root, paths: [
            *(
                program,
                "--no-error-summary",
                "--no-color-output",
                "--follow-imports=silent",
                "--ignore-missing-imports",
            ),
            *("--cache-dir=/dev/null", "--", *paths),
        ],
        _mypy,
        (0, 1),
        _of_python("mypy"),
        settings=_MYPY_FILES,
        copies=(".py", ".pyi", "py.typed", *_MYPY_FILES),
        whole=True,
    ),
    Tool(
        "tsc",
        (".ts", ".tsx", ".mts", ".cts"),
        _has("tsconfig.json"),
        lambda program, root, _paths: _within(root, program, "--noEmit", "--pretty", "false", "--incremental", "false"),
        _tsc,
        (0, 1, 2),
        _in_modules("tsc"),
        whole=True,
    ),
    Tool(
        "eslint",
        (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"),
        _has(
            *(f"eslint.config.{end}" for end in _SCRIPTS), *(f".eslintrc.{end}" for end in (*_SCRIPTS, "json", "yml"))
        ),
        lambda program, root, paths: _within(root, program, "--format", "json", "--", *paths),
        _eslint,
        (0, 1),
        _in_modules("eslint"),
        whole=True,
    ),
    Tool(
        "go vet",
        (".go",),
        _has("go.mod"),
        lambda program, root, paths: _within(
            root, program, "vet", *sorted({f"./{Path(path).parent.as_posix()}" for path in paths})
        ),
        _vet,
        (0, 1),
        _on_path("go"),
        whole=True,
        beside=_go_places,
    ),
    Tool(
        "cargo check",
        (".rs",),
        _has("Cargo.toml"),
        lambda program, root, _paths: _within(
            root,
            program,
            "check",
            "--offline",
            "--quiet",
            "--message-format=json",
        ),
        _cargo,
        (0, 101),
        _on_path("cargo"),
        whole=True,
        beside=_rust_places,
    ),
)


def tool_settings() -> frozenset[str]:
    """Files that hold the settings of tools; a pyproject.toml holds much else, and is compared by its sections."""
    scripts = (
        *(f"eslint.config.{end}" for end in _SCRIPTS),
        *(f".eslintrc.{end}" for end in (*_SCRIPTS, "json", "yml")),
    )
    return frozenset({*_RUFF_FILES, *_MYPY_FILES, "tsconfig.json", *scripts}) - {"pyproject.toml"}
