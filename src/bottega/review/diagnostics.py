"""What the project's own tools say of the changed files, in the sandbox; what did not run has found nothing out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from bottega.errors import BottegaError
from bottega.review.findings import Finding
from bottega.review.linters import TOOLS, Message, Tool
from bottega.review.masking import Mask, mask_text
from bottega.review.reading import before
from bottega.sandbox import Limits, Sandbox
from bottega.source import FileChange, Language, SyntaxFault, Unchecked, check_syntax, language_of_path
from bottega.source.git import open_git
from bottega.source.tree import DiskFiles, RepositoryFiles

Standing = Literal["ran", "not run", "failed"]

_CONFIDENCE = 90
_LIMITS = Limits(
    seconds=60, cpu_seconds=90, memory_mb=4096, output_bytes=4_000_000, processes=256, disk_mb=1024, files=100_000
)
_MOST_COPIED = 40_000_000


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
    `rules` are the repository's files from before the change, for the settings of tools.
    """

    root: Path
    text: Callable[[str], str | None]
    is_here: bool
    mask: Mask = str
    rules: RepositoryFiles | None = None

    def masked(self, path: str) -> str | None:
        """A changed file with its secrets masked, every line where it was: what may be quoted."""
        text = self.text(path)
        return None if text is None else mask_text(text, path, self.mask)


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
            quote = mask_text(text, file.path, tree.mask).split("\n")[result.line - 1]
            # A parser quotes the place and cuts it, and a part of a secret cannot be recognised.
            what = result.what if quote == text.split("\n")[result.line - 1] else "(not quoted: it holds a secret)"
            message = Message(file.path, result.line, f"{language} does not parse: {what}", "CRITICAL")
            found = _finding("parse", message, "the parser", quote.strip())
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
    tool: Tool,
    paths: Sequence[str],
    files: Sequence[FileChange],
    tree: Tree,
    open_sandbox: Callable[[], Sandbox],
) -> Check:
    program = tool.program(tree.root)
    if program is None:
        return Check(tool.name, "not run", tool.missing)
    if tool.whole and not tree.is_here:
        return Check(tool.name, "not run", "it reads the whole project, and the working tree is in another state")
    try:
        copied = _copied(tool, paths, tree)
        paths = [path for path in paths if tool.whole or path in copied]
        if not paths:
            return Check(tool.name, "not run", "the changed files cannot be read here")
        command = tool.command(program, tree.root, [f"./{path}" for path in paths])
        seen = [str(tree.root)] if tool.whole and not tool.copies else []
        mounts = [program, *seen, *tool.beside(tree.root)]
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
    path = message.path.removeprefix("./")
    place = Path(path)
    if place.is_absolute() and place.is_relative_to(root):
        path = place.relative_to(root).as_posix()
    elif place.is_absolute():
        path = "/".join(place.parts[place.parts.index("work") + 1 :]) if "work" in place.parts else path
    return replace(message, path=path)


def _names(root: Path) -> list[str]:
    """The files of a project: those that git does not ignore, or all where there is no git."""
    git = open_git(root)
    listed = git.ask("ls-files", "--cached", "--others", "--exclude-standard", "-z") if git else None
    if listed is not None:
        return [name for name in listed.decode("utf-8", "replace").split("\0") if name]
    return sorted(place.relative_to(root).as_posix() for place in root.rglob("*"))


def _copied(tool: Tool, paths: Sequence[str], tree: Tree) -> dict[str, str]:
    """The files that the tool finds in its directory: its settings, and what it is to read."""
    found: dict[str, str] = {}
    spent = 0
    for below in _names(tree.root) if tool.copies else ():
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
    return {name: text for name, text in found.items() if name not in tool.settings} | _settings(tool, tree)


def _settings(tool: Tool, tree: Tree) -> dict[str, str]:
    """The settings of a tool from before the change, which does not choose how it is looked at."""
    files = tree.rules or DiskFiles(tree.root)
    found: dict[str, str] = {}
    for name in tool.settings:
        try:
            content = files.read(name)
        except OSError:
            continue
        if content is not None:
            found[name] = content.decode("utf-8", "replace")
    return found
