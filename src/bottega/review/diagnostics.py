"""Run the project's own tools on the changed files in the sandbox; a tool that did not run gives no result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bottega.amounts import plural
from bottega.errors import SandboxError
from bottega.review.checks import CheckJob, CheckResult
from bottega.review.findings import Finding
from bottega.review.linter_output import Message
from bottega.review.linters import TOOLS, Linter
from bottega.review.tree import Tree
from bottega.sandbox import CommandResult, Limits, Sandbox
from bottega.source import FileChange, Span
from bottega.source.git import open_git
from bottega.source.tree import DiskFiles

_CONFIDENCE = 90
_LIMITS = Limits(
    seconds=60, cpu_seconds=90, memory_mb=4096, output_bytes=4_000_000, processes=256, disk_mb=1024, files=100_000
)
_MOST_COPIED = 40_000_000


def list_tool_jobs(files: Sequence[FileChange], tree: Tree, open_sandbox: Callable[[], Sandbox]) -> list[CheckJob]:
    """One check for each tool that the project uses and that has something to look at."""
    return [
        CheckJob(tool.name, lambda tool=tool, paths=paths: _run(tool, paths, files, tree, open_sandbox))  # type: ignore[misc]
        for tool in TOOLS
        if (paths := [file.path for file in files if file.path.endswith(tool.endings) and file.status != "deleted"])
        and tool.is_used_in(tree.root)
    ]


def _run(
    tool: Linter, paths: Sequence[str], files: Sequence[FileChange], tree: Tree, open_sandbox: Callable[[], Sandbox]
) -> CheckResult:
    program = tool.find(tree.root)
    if program is None:
        return CheckResult(tool.name, "not run", tool.missing)
    if tool.reads_project and not tree.is_here:
        return CheckResult(tool.name, "not run", "it reads the whole project, and the working tree is in another state")
    try:
        copied = _copy_files(tool, paths, tree)
        paths = [path for path in paths if tool.reads_project or path in copied]
        if not paths:
            return CheckResult(tool.name, "not run", "the changed files cannot be read here")
        command = tool.command(program, tree.root, [f"./{path}" for path in paths])
        project = [str(tree.root)] if tool.reads_project and not tool.copies else []
        mounts = [program, *project, *tool.mounts(tree.root)]
        ran = open_sandbox().run(command, files=copied, limits=_LIMITS, shown=mounts)
    except (SandboxError, OSError) as error:
        return CheckResult(tool.name, "not run", str(error)[:300])
    return _read_result(tool, ran, paths, files, tree.root)


def _read_result(
    tool: Linter, ran: CommandResult, paths: Sequence[str], files: Sequence[FileChange], root: Path
) -> CheckResult:
    if ran.timed_out:
        return CheckResult(tool.name, "failed", str(ran))
    messages = _read_messages(tool, ran)
    if messages is None or ran.truncated or ran.code not in tool.exit_codes or (ran.code and not messages):
        last_line = (ran.stderr.strip() or ran.stdout.strip()).splitlines()[-1:] or [""]
        return CheckResult(tool.name, "not run", f"it could not do its work: {last_line[0][:200] or ran}")
    return _find_on_added_lines(tool.name, [_relocate(message, root) for message in messages], paths, files)


def _read_messages(tool: Linter, ran: CommandResult) -> list[Message] | None:
    """`None` for output in a form that this version does not know."""
    try:
        return list(tool.read(ran))
    except ValueError:
        return None


def lint_texts(path: str, before: str, after: str, root: Path, open_sandbox: Callable[[], Sandbox]) -> str:
    """The first error that ruff has against a file after a change and did not have before.

    "" when there is none, and where ruff cannot be run.
    """
    ruff = TOOLS[0]
    if not path.endswith(ruff.endings) or (program := ruff.find(root)) is None:
        return ""
    errors: list[list[str]] = []
    for text in (before, after):
        tree = Tree(root, lambda _path, text=text: text, is_here=False)  # type: ignore[misc]
        try:
            ran = open_sandbox().run(
                ruff.command(program, root, [f"./{path}"]),
                files=_copy_files(ruff, [path], tree),
                limits=_LIMITS,
                shown=[program],
            )
        except (SandboxError, OSError):
            return ""
        messages = _read_messages(ruff, ran)
        if messages is None:
            return ""
        errors.append([message.text for message in messages if message.severity == "CRITICAL"])
    return next((text for text in errors[1] if text not in errors[0]), "")


def _find_on_added_lines(
    name: str, messages: Sequence[Message], paths: Sequence[str], files: Sequence[FileChange]
) -> CheckResult:
    """What is said of added lines is a finding; the rest of the file was so before."""
    lines = {file.path: {line.new: line.text for hunk in file.hunks for line in hunk.added} for file in files}
    findings, elsewhere = [], 0
    for message in messages:
        if message.path not in paths:
            continue
        if message.line in lines.get(message.path, {}):
            findings.append(make_finding(name, message, name, lines[message.path][message.line].strip()))
        else:
            elsewhere += 1
    detail = f"{len(findings)} on changed lines, {elsewhere} elsewhere in {plural(len(paths), 'changed file')}"
    return CheckResult(name, "ran", detail, tuple(findings))


def make_finding(name: str, message: Message, proof: str, quote: str) -> Finding:
    return Finding(
        id="",
        title=message.text.split("\n")[0][:200],
        span=Span(message.path, message.line, message.line),
        severity=message.severity,
        problem=f"{name}: {message.text}",
        confidence=_CONFIDENCE,
        source="tool",
        quotes=(quote,) if quote else (),
        verified=f"{proof} says so",
    )


def _relocate(message: Message, root: Path) -> Message:
    """Paths as the diff has them, whatever directory the tool saw them in."""
    path = message.path.removeprefix("./")
    place = Path(path)
    if place.is_absolute() and place.is_relative_to(root):
        path = place.relative_to(root).as_posix()
    elif place.is_absolute():
        path = "/".join(place.parts[place.parts.index("work") + 1 :]) if "work" in place.parts else path
    return replace(message, path=path)


def _list_names(root: Path) -> list[str]:
    """The files of a project: those that git does not ignore, or all where there is no git."""
    git = open_git(root)
    listed = git.ask("ls-files", "--cached", "--others", "--exclude-standard", "-z") if git else None
    if listed is not None:
        return [name for name in listed.decode("utf-8", "replace").split("\0") if name]
    return sorted(place.relative_to(root).as_posix() for place in root.rglob("*"))


def _copy_files(tool: Linter, paths: Sequence[str], tree: Tree) -> dict[str, str]:
    """The files that the tool finds in its directory: its settings, and what it is to read."""
    found: dict[str, str] = {}
    spent = 0
    for below in _list_names(tree.root) if tool.copies else ():
        place = tree.root / below
        if place.is_symlink() or not below.endswith(tool.copies) or not place.is_file():
            continue
        found[below] = place.read_text(encoding="utf-8", errors="replace")
        spent += len(found[below])
        if spent > _MOST_COPIED:
            raise OSError("the project is too large to be copied for it")
    for path in paths:
        text = tree.text(path)
        if text is not None:
            found[path] = text
    return {name: text for name, text in found.items() if name not in tool.settings} | _read_settings(tool, tree)


def _read_settings(tool: Linter, tree: Tree) -> dict[str, str]:
    """The settings of a tool from before the change, which does not choose how it is looked at."""
    files = tree.rules or DiskFiles(tree.root)
    found: dict[str, str] = {}
    for name in tool.settings:
        try:
            content = files.read(name)
        except OSError:  # a link, or too large to be settings: the tool runs without it
            continue
        if content is not None:
            found[name] = content.decode("utf-8", "replace")
    return found
