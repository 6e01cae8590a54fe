"""What the project's own tools say of the changed files, in the sandbox; what did not run has found nothing out."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from bottega.errors import BottegaError
from bottega.review.findings import Finding, Severity
from bottega.review.reading import before
from bottega.sandbox import Limits, Ran, Sandbox
from bottega.source import FileChange, Language, SyntaxFault, Unchecked, check_syntax, language_of_path

Standing = Literal["ran", "not run", "failed"]

_CONFIDENCE = 90
_LIMITS = Limits(seconds=60, cpu_seconds=90, memory_mb=4096, output_bytes=4_000_000, processes=256)
_MOST_COPIED = 40_000_000
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
class Check:
    """How one tool fared. `elsewhere` counts what it says of lines that did not change."""

    name: str
    standing: Standing
    detail: str
    findings: tuple[Finding, ...] = ()
    elsewhere: int = 0


@dataclass(frozen=True, slots=True)
class Tree:
    """The state under review: `text` gives a changed file as it is afterwards, `root` is where it lies.

    `is_here` says that the working tree is that state; only then can tools that read the whole project tell anything.
    """

    root: Path
    text: Callable[[str], str | None]
    is_here: bool


@dataclass(frozen=True, slots=True)
class _Tool:
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


def parse_check(files: Sequence[FileChange], tree: Tree) -> Check:
    """Whether every changed file still parses; needs nothing but what comes with the package."""
    findings, read, unknown = [], 0, 0
    for file in files:
        text = tree.text(file.path) if file.status != "deleted" else None
        language = language_of_path(file.path)
        if text is None or language is None:
            continue
        result = check_syntax(text, language)
        if isinstance(result, Unchecked):
            unknown += 1
            continue
        read += 1
        if isinstance(result, SyntaxFault) and not _was_broken(text, file, language):
            message = Message(file.path, result.line, f"{language} does not parse: {result.what}", "CRITICAL")
            quote = text.split("\n")[result.line - 1 : result.line]
            found = _finding("parse", message, "the parser", quote[0].strip() if quote else "")
            findings.append(found.model_copy(update={"source": "parse"}))
    if not read and not findings:
        return Check("parse", "not run", "no changed file is in a language that can be parsed here")
    detail = f"{read} files parsed" + (f", {unknown} in languages without an exact parser" if unknown else "")
    return Check("parse", "ran", detail, tuple(findings))


def _was_broken(text: str, file: FileChange, language: Language) -> bool:
    """Whether it did not parse before either, which is not this change's doing."""
    old = before(text, file)
    return old is not None and file.status != "added" and isinstance(check_syntax(old, language), SyntaxFault)


def tool_checks(
    files: Sequence[FileChange], tree: Tree, open_sandbox: Callable[[], Sandbox]
) -> list[Callable[[], Check]]:
    """One piece of work for each tool that the project uses and that has something to look at."""
    return [
        lambda tool=tool, paths=paths: _run(tool, paths, files, tree, open_sandbox)  # type: ignore[misc]
        for tool in TOOLS
        if (paths := [file.path for file in files if file.path.endswith(tool.endings) and file.status != "deleted"])
        and tool.used(tree.root)
    ]


def _run(
    tool: _Tool,
    paths: Sequence[str],
    files: Sequence[FileChange],
    tree: Tree,
    open_sandbox: Callable[[], Sandbox],
) -> Check:
    program = tool.program(tree.root)
    if program is None:
        return Check(tool.name, "not run", "it is not installed here")
    if tool.whole and not tree.is_here:
        return Check(tool.name, "not run", "it reads the whole project, and the working tree is in another state")
    try:
        copied = _copied(tool, paths, tree)
        paths = [path for path in paths if tool.whole or path in copied]
        if not paths:
            return Check(tool.name, "not run", "the changed files cannot be read here")
        command = tool.command(program, tree.root, [f"./{path}" for path in paths])
        mounts = [program, *(str(tree.root) for _ in (1,) if tool.whole and not tool.copies), *tool.beside(tree.root)]
        ran = open_sandbox().run(command, files=copied, limits=_LIMITS, shown=mounts)
    except (BottegaError, OSError) as error:
        return Check(tool.name, "not run", str(error)[:300])
    if ran.timed_out:
        return Check(tool.name, "failed", str(ran))
    try:
        messages = [_placed(message, tree.root) for message in tool.read(ran)]
        is_understood = True
    except (ValueError, KeyError, TypeError, AttributeError):
        messages, is_understood = [], False
    if not is_understood or ran.truncated or ran.code not in tool.fine or (ran.code and not messages):
        said = (ran.stderr.strip() or ran.stdout.strip()).splitlines()[-1:] or [""]
        return Check(tool.name, "not run", f"it could not do its work: {said[0][:200] or ran}")
    return _checked(tool.name, messages, paths, files)


def lint_texts(path: str, before: str, after: str, root: Path, open_sandbox: Callable[[], Sandbox]) -> str:
    """The first error that ruff has against a file after a change and did not have before; "" when there is none."""
    ruff = TOOLS[0]
    if not path.endswith(ruff.endings) or (program := ruff.program(root)) is None:
        return ""
    found: list[list[str]] = []
    for text in (before, after):
        tree = Tree(root, lambda _path, text=text: text, is_here=False)  # type: ignore[misc]
        try:
            ran = open_sandbox().run(
                ruff.command(program, root, [f"./{path}"]),
                files=_copied(ruff, [path], tree),
                limits=_LIMITS,
                shown=[program],
            )
            found.append([message.text for message in ruff.read(ran) if message.severity == "CRITICAL"])
        except (BottegaError, OSError, ValueError, KeyError, TypeError):
            return ""
    return next((text for text in found[1] if text not in found[0]), "")


def _checked(name: str, messages: Sequence[Message], paths: Sequence[str], files: Sequence[FileChange]) -> Check:
    """What is said of added lines is a finding; the rest of the file was so before."""
    lines = {file.path: {line.new: line.text for hunk in file.hunks for line in hunk.added} for file in files}
    findings, elsewhere = [], 0
    for message in messages:
        if message.path not in paths:
            continue
        if message.line in lines.get(message.path, {}):
            findings.append(_finding(name, message, name, lines[message.path][message.line].strip()))
        else:
            elsewhere += 1
    detail = f"{len(findings)} on changed lines, {elsewhere} elsewhere in {len(paths)} changed files"
    return Check(name, "ran", detail, tuple(findings), elsewhere)


def _finding(name: str, message: Message, proof: str, quote: str) -> Finding:
    return Finding(
        id="",
        title=message.text.split("\n")[0][:200],
        path=message.path,
        first=message.line,
        last=message.line,
        severity=message.severity,
        problem=f"{name}: {message.text}",
        confidence=_CONFIDENCE,
        source="tool",
        quotes=(quote,) if quote else (),
        verified=f"{proof} says so",
    )


def _placed(message: Message, root: Path) -> Message:
    """Paths as the diff has them, whatever directory the tool saw them in."""
    path = message.path.removeprefix("./").removeprefix("/sandbox/work/")
    place = Path(path)
    if place.is_absolute() and place.is_relative_to(root):
        path = place.relative_to(root).as_posix()
    elif place.is_absolute():
        path = "/".join(place.parts[place.parts.index("work") + 1 :]) if "work" in place.parts else path
    return replace(message, path=path)


def _copied(tool: _Tool, paths: Sequence[str], tree: Tree) -> dict[str, str]:
    """The files that the tool finds in its directory: its settings, and what it is to read."""
    found: dict[str, str] = {}
    for name in tool.settings:
        place = tree.root / name
        if place.is_file() and not place.is_symlink():
            found[name] = place.read_text(encoding="utf-8", errors="replace")
    spent = 0
    if tool.copies:
        for place in sorted(tree.root.rglob("*")):
            below = place.relative_to(tree.root).as_posix()
            hidden = any(part.startswith(".") or part == "node_modules" for part in below.split("/"))
            if hidden or place.is_symlink() or not below.endswith(tool.copies) or not place.is_file():
                continue
            found[below] = place.read_text(encoding="utf-8", errors="replace")
            spent += len(found[below])
            if spent > _MOST_COPIED:
                raise OSError("the project is too large to be copied for it")
    for path in paths:
        text = tree.text(path)
        if text is not None:
            found[path] = text
    return found


def _has(*names: str, section: str = "") -> Callable[[Path], bool]:
    """One of these files; or, where a section is named, a pyproject.toml that has it."""

    def used(root: Path) -> bool:
        if any((root / name).is_file() for name in names):
            return True
        project = root / "pyproject.toml"
        return bool(section) and project.is_file() and section in project.read_text(encoding="utf-8", errors="replace")

    return used


def _of_python(name: str) -> Callable[[Path], str | None]:
    """A tool beside this Python or on the PATH; one that the repository brings is not believed."""

    def program(root: Path) -> str | None:
        own = Path(sys.executable).parent / name
        if own.is_file():
            return str(own)
        found = shutil.which(name)
        return None if found is None or Path(found).resolve().is_relative_to(root.resolve()) else found

    return program


def _in_modules(name: str) -> Callable[[Path], str | None]:
    def program(root: Path) -> str | None:
        place = root / "node_modules" / ".bin" / name
        return str(place) if place.exists() and shutil.which("node") else None

    return program


def _on_path(name: str) -> Callable[[Path], str | None]:
    return lambda _root: shutil.which(name)


def _within(root: Path, *words: str) -> list[str]:
    return ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", str(root), *words]


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


def _rust_places(root: Path) -> Sequence[str]:
    del root
    home = Path.home()
    return [str(home / place) for place in (".cargo/bin", ".cargo/registry", ".rustup")]


_RUFF_FILES = ("pyproject.toml", "ruff.toml", ".ruff.toml")
_SCRIPTS = ("js", "mjs", "cjs", "ts")


def _ruff_command(program: str, root: Path, paths: Sequence[str]) -> list[str]:
    """By the project's own rules; where it has none, only what cannot be right."""
    own = _has("ruff.toml", ".ruff.toml", section="[tool.ruff")(root)
    chosen = [] if own else ["--isolated", "--select", "E9,F63,F7,F82"]
    return [program, "check", "--output-format=json", "--no-cache", "--no-force-exclude", *chosen, "--", *paths]


TOOLS = (
    _Tool(
        "ruff",
        (".py", ".pyi"),
        lambda _root: True,
        _ruff_command,
        _ruff,
        (0, 1),
        _of_python("ruff"),
        settings=_RUFF_FILES,
    ),
    _Tool(
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
        copies=(".py", ".pyi", "py.typed", "mypy.ini", "pyproject.toml", "setup.cfg"),
        whole=True,
    ),
    _Tool(
        "tsc",
        (".ts", ".tsx", ".mts", ".cts"),
        _has("tsconfig.json"),
        lambda program, root, _paths: _within(root, program, "--noEmit", "--pretty", "false", "--incremental", "false"),
        _tsc,
        (0, 1, 2),
        _in_modules("tsc"),
        whole=True,
    ),
    _Tool(
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
    _Tool(
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
        beside=lambda _root: ["/usr/local/go"],
    ),
    _Tool(
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
            "--target-dir",
            "/tmp/target",  # noqa: S108
        ),
        _cargo,
        (0, 101),
        _on_path("cargo"),
        whole=True,
        beside=_rust_places,
    ),
)
