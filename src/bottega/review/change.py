"""The change to review, from git or from a file, with what its author says about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bottega.errors import InputError
from bottega.index.decode import decode
from bottega.index.git import Git, open_git
from bottega.source import FileChange

WORKING_TREE, STAGED, UNKNOWN = "working tree", "index", "unknown"
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_PLAIN = (
    *("--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=3", "--relative"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--no-indent-heuristic"),
)
_LONGEST_INTENT = 4000
_LARGEST_NEW = 1_000_000
_LARGEST_DIFF = 50_000_000
_MOST_NEW = 2000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person asks to have reviewed; the first that is set counts, and nothing set is the working tree."""

    diff: str | None = None
    commit: str = ""
    start: str = ""
    end: str = ""
    is_staged: bool = False
    message: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """`side` is where files can be read as they are afterwards: a commit, the index, the working tree, or nowhere."""

    text: str
    intent: str
    origin: str
    side: str


def read_change(root: Path, wanted: Wanted) -> Change:
    """Raise `InputError` where there is no such change to be had."""
    if wanted.diff is not None:
        return Change(_bounded(wanted.diff), wanted.message, "a diff from outside", UNKNOWN)
    git = open_git(root)
    if git is None:
        raise InputError(
            "this is not a git repository, so there is no change to read", hint="Give the change with --diff FILE."
        )
    if wanted.commit:
        return _of_commit(git, wanted)
    if wanted.start or wanted.end:
        return _of_range(git, wanted)
    head = git.head()
    against = head or _EMPTY_TREE
    if wanted.is_staged:
        text = _asked(git, "diff", "--cached", *_PLAIN, against)
        return Change(_bounded(text), wanted.message, f"what is staged, against {head[:9] or 'nothing'}", STAGED)
    text = _asked(git, "diff", *_PLAIN, against) + _untracked(git, root)
    return Change(_bounded(text), wanted.message, f"the working tree, against {head[:9] or 'nothing'}", WORKING_TREE)


def _of_commit(git: Git, wanted: Wanted) -> Change:
    commit = _resolved(git, wanted.commit)
    parent = git.ask("rev-parse", "--verify", "--quiet", f"{commit}^1")
    base = parent.decode().strip() if parent else _EMPTY_TREE
    said = _asked(git, "log", "-1", "--format=%B", commit)
    text = _asked(git, "diff", *_PLAIN, base, commit)
    return Change(_bounded(text), _intent(wanted.message or said), f"commit {commit[:9]}", commit)


def _of_range(git: Git, wanted: Wanted) -> Change:
    """What one side did since it left the other, as a pull request shows it."""
    end = _resolved(git, wanted.end or "HEAD")
    start = _resolved(git, wanted.start or "HEAD")
    common = git.ask("merge-base", start, end)
    base = common.decode().strip() if common else start
    said = _asked(git, "log", "--reverse", "--format=%B", f"{base}..{end}")
    text = _asked(git, "diff", *_PLAIN, base, end)
    return Change(_bounded(text), _intent(wanted.message or said), f"{base[:9]} to {end[:9]}", end)


def _resolved(git: Git, name: str) -> str:
    found = git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if not found:
        raise InputError(f"git knows no commit {name[:80]!r} here", hint="`git log --oneline` names commits.")
    return found.decode().strip().splitlines()[-1]


def _asked(git: Git, *arguments: str) -> str:
    printed = git.ask(*arguments)
    if printed is None:
        raise InputError(f"git could not tell the change: git {' '.join(arguments[:2])} failed")
    return printed.decode("utf-8", "replace")


def _bounded(text: str) -> str:
    if len(text) > _LARGEST_DIFF:
        raise InputError(
            f"the change has {len(text):,} characters; at most {_LARGEST_DIFF:,} are read",
            hint="Review it in parts: --path, or commit by commit.",
        )
    return text


def _intent(said: str) -> str:
    said = said.strip()
    return said if len(said) <= _LONGEST_INTENT else said[:_LONGEST_INTENT] + " …"


def _untracked(git: Git, root: Path) -> str:
    """Files that git does not know yet and does not ignore, as if they were added."""
    printed = git.ask("ls-files", "--others", "--exclude-standard", "-z") or b""
    parts = []
    for name in printed.decode("utf-8", "replace").split("\0")[:_MOST_NEW]:
        place = root / name
        if not name or name.startswith(".bottega/") or place.is_symlink() or not place.is_file():
            continue
        quoted = f'"b/{_escaped(name)}"'
        data = place.read_bytes() if place.stat().st_size <= _LARGEST_NEW else b"\0"
        head = f"diff --git {quoted.replace('b/', 'a/', 1)} {quoted}\nnew file mode 100644\n"
        text = decode(data)
        if text is None:
            parts.append(f"{head}Binary files /dev/null and {quoted} differ\n")
            continue
        lines = text.split("\n")
        ended = lines[-1] == ""
        lines = lines[:-1] if ended else lines
        if lines:
            body = "".join(f"+{line}\n" for line in lines) + ("" if ended else "\\ No newline at end of file\n")
            parts.append(f"{head}--- /dev/null\n+++ {quoted}\n@@ -0,0 +1,{len(lines)} @@\n{body}")
        else:
            parts.append(head)
    return "".join(parts)


def _escaped(name: str) -> str:
    return "".join(f"\\{char}" if char in '"\\' else f"\\{ord(char):03o}" if ord(char) < 32 else char for char in name)


def texts_of(root: Path, side: str) -> Callable[[str], str | None]:
    """Read files as they are after the change; nothing outside of the root, nothing behind a link."""
    git = open_git(root)
    if side in {WORKING_TREE, UNKNOWN}:
        return lambda path: _on_disk(root, path)

    def text(path: str) -> str | None:
        if git is None:
            return None
        place = f":./{path}" if side == STAGED else f"{side}:./{path}"
        data = git.ask("cat-file", "blob", place)
        return decode(data) if data is not None else None

    return text


def _on_disk(root: Path, path: str) -> str | None:
    place = root / path
    try:
        if place.is_symlink() or not place.resolve().is_relative_to(root.resolve()):
            return None
        return decode(place.read_bytes())
    except OSError:
        return None


def fits(text: str, file: FileChange) -> bool:
    """Whether a text is the new side of a change."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return all(
        line.new <= len(lines) and lines[line.new - 1] == line.text
        for hunk in file.hunks
        for line in hunk.lines
        if line.new
    )
