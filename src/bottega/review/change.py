"""The change to review, from git or from a file, with what its author says about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from bottega.errors import InputError
from bottega.index.decode import decode
from bottega.review.findings import Finding
from bottega.review.leaks import MOST_FINDINGS, find_leaks
from bottega.review.masking import is_masked_form, mask_diff, mask_text, masked_names
from bottega.source import FileChange, diff_layout, parse_diff
from bottega.source.files import read_regular_file
from bottega.source.git import Git, open_git
from bottega.source.secrets import Masker, find_secrets

WORKING_TREE, STAGED, UNKNOWN = "working tree", "index", "unknown"
_PLAIN = (
    *("--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=3", "--relative"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--no-indent-heuristic", "--submodule=short", "--ignore-submodules=dirty"),
)
_LONGEST_INTENT = 4000
_LARGEST_NEW = 1_000_000
_LARGEST_DIFF = 50_000_000
_MOST_NEW = 20_000
_LINK = "120000"
_CONTEXT_DIFF = re.compile(r"(?m)^\*{15}\n\*\*\* \d")


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
    """`side` is where files can be read as they are afterwards: a commit, the index, the working tree, or nowhere.

    `base` is the commit before the change, where there is one; `touched` are the names of its files, old ones included.

    `read_change` masks the secrets in all of it; `secrets` are the findings about them, `secret_note` says how many.
    """

    text: str
    intent: str
    origin: str
    side: str
    base: str = UNKNOWN
    touched: tuple[str, ...] = ()
    secrets: tuple[Finding, ...] = ()
    secret_note: str = ""


def read_change(root: Path, wanted: Wanted, *, mask: Masker) -> Change:
    """The change with its secrets found and masked. Raise `InputError` where there is no such change to be had."""
    return mask_change(read_raw_change(root, wanted), mask)


def mask_change(change: Change, mask: Masker) -> Change:
    """Look for secrets in the change as it is, then mask it: nothing after this holds a secret."""
    layouts = diff_layout(change.text)
    files = [layout.file for layout in layouts]
    names = masked_names(files, mask)
    found = find_leaks(files, names, mask)
    return replace(
        change,
        text=mask_diff(change.text, layouts, names, mask),
        intent=_intent(mask_text(change.intent, "", mask)),
        origin=mask(change.origin),
        touched=tuple(sorted({path for file in files for path in (file.path, file.old_path)})),
        secrets=tuple(found[:MOST_FINDINGS]),
        secret_note=_secret_note(found, change.intent),
    )


def _secret_note(found: list[Finding], intent: str) -> str:
    added = sum(finding.is_grave for finding in found)
    note = f"{added} added, {len(found) - added} removed"
    if len(found) > MOST_FINDINGS:
        note += f"; the first {MOST_FINDINGS} are listed"
    if find_secrets(intent):
        note += "; the description of the change holds a secret too: rotate it, commit messages are kept"
    return note


def read_raw_change(root: Path, wanted: Wanted) -> Change:
    """The change as it is, secrets included; it is masked before anything else is done with it."""
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
    against = head or git.empty_tree
    if wanted.is_staged:
        text = _diffed(git, "--cached", against)
        return Change(text, wanted.message, f"what is staged, against {head[:9] or 'nothing'}", STAGED, against)
    text = _bounded(_diffed(git, against) + _untracked(git, root))
    origin = f"the working tree, against {head[:9] or 'nothing'}"
    return Change(text, wanted.message, origin, WORKING_TREE, against)


def _diffed(git: Git, *sides: str) -> str:
    """What git says changed. Text that the repository's own attributes call binary is asked for as text."""
    text = _bounded(_asked(git, "diff", *_PLAIN, *sides))
    hidden = [file.path for file in parse_diff(text).files if file.is_binary and _is_text(git, file, sides)]
    if not hidden:
        return text
    rest = _asked(git, "diff", *_PLAIN, *sides, "--", ".", *(f":(exclude,literal){path}" for path in hidden))
    more = _asked(git, "diff", "--text", *_PLAIN, *sides, "--", *(f":(literal){path}" for path in hidden))
    return _bounded(rest + more)


def _is_text(git: Git, file: FileChange, sides: tuple[str, ...]) -> bool:
    """Whether a file holds text on its new side, or on its old one where it is gone."""
    base, *end = [side for side in sides if side != "--cached"]
    new = STAGED if "--cached" in sides else end[0] if end else WORKING_TREE
    content = content_of(git, base if file.status == "deleted" else new, file.path)
    return content is not None and b"\0" not in content and decode(content) is not None  # git prints UTF-16 as it is


def _of_commit(git: Git, wanted: Wanted) -> Change:
    commit = _resolved(git, wanted.commit)
    parent = git.ask("rev-parse", "--verify", "--quiet", f"{commit}^1")
    if parent is None and git.is_shallow:
        raise InputError(
            f"the commit before {commit[:9]} is not in this shallow clone", hint="`git fetch --unshallow` brings it."
        )
    base = parent.decode().strip() if parent else git.empty_tree
    said = _asked(git, "log", "-1", "--format=%B", commit)
    text = _diffed(git, base, commit)
    return Change(text, wanted.message or said, f"commit {commit[:9]}", commit, base)


def _of_range(git: Git, wanted: Wanted) -> Change:
    """What one side did since it left the other, as a pull request shows it."""
    end = _resolved(git, wanted.end or "HEAD")
    start = _resolved(git, wanted.start or "HEAD")
    common = git.ask("merge-base", start, end)
    if common is None and git.is_shallow:
        raise InputError(
            "where the two sides parted is not in this shallow clone", hint="`git fetch --unshallow` brings it."
        )
    base = common.decode().strip() if common else start
    said = _asked(git, "log", "--reverse", "--format=%B", f"{base}..{end}")
    text = _diffed(git, base, end)
    return Change(text, wanted.message or said, f"{base[:9]} to {end[:9]}", end, base)


def _resolved(git: Git, name: str) -> str:
    found = git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if not found:
        raise InputError(f"git knows no commit {name[:80]!r} here", hint="`git log --oneline` names commits.")
    return found.decode().strip().splitlines()[-1]


def _asked(git: Git, *arguments: str) -> str:
    printed = git.ask(*arguments)
    if printed is None:
        raise InputError(f"git could not tell the change: git {' '.join(arguments[:6])[:200]} failed")
    return printed.decode("utf-8", "replace")


def _bounded(text: str) -> str:
    if _CONTEXT_DIFF.search(text):
        raise InputError("a context diff cannot be read", hint="Make a unified one: diff -u, git diff.")
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
    names = [name for name in printed.decode("utf-8", "surrogateescape").split("\0") if name]
    names = [name for name in names if not name.startswith(".bottega/")]
    if len(names) > _MOST_NEW:
        raise InputError(
            f"{len(names)} files are new and not ignored; at most {_MOST_NEW} are read", hint="Ignore or commit them."
        )
    return "".join(_as_new(root / name, name) for name in names)


def _as_new(place: Path, name: str) -> str:
    """A diff that adds a file; of a link, where it leads."""
    quoted = f'"b/{_escaped(name)}"'
    is_link = place.is_symlink()
    head = f"diff --git {quoted.replace('b/', 'a/', 1)} {quoted}\nnew file mode {_LINK if is_link else '100644'}\n"
    binary = f"{head}Binary files /dev/null and {quoted} differ\n"
    try:
        if not is_link and (not place.is_file() or place.stat().st_size > _LARGEST_NEW):
            return binary
        text = str(place.readlink()) if is_link else decode(place.read_bytes())
    except OSError:
        return binary
    if text is None:
        return binary
    lines = text.split("\n")
    ended = lines[-1] == ""
    lines = lines[:-1] if ended else lines
    if not lines:
        return head
    body = "".join(f"+{line}\n" for line in lines) + ("" if ended else "\\ No newline at end of file\n")
    return f"{head}--- /dev/null\n+++ {quoted}\n@@ -0,0 +1,{len(lines)} @@\n{body}"


def _escaped(name: str) -> str:
    """As git quotes names: bytes that are no text by their number."""
    found = []
    for char in name:
        code = ord(char)
        if char in '"\\':
            found.append(f"\\{char}")
        elif code < 32 or 0xDC80 <= code <= 0xDCFF:
            found.append(f"\\{code & 0xFF:03o}")
        else:
            found.append(char)
    return "".join(found)


def texts_of(root: Path, side: str) -> Callable[[str], str | None]:
    """Read files as they are after the change; nothing outside of the root, nothing behind a link."""
    git = open_git(root)
    if side in {WORKING_TREE, UNKNOWN}:
        return lambda path: _on_disk(root, path)

    def text(path: str) -> str | None:
        if git is None:
            return None
        data = content_of(git, side, path)
        return decode(data) if data is not None else None

    return text


def content_of(git: Git, side: str, path: str) -> bytes | None:
    """The bytes of a file in the working tree, in git's index or in a commit."""
    if side == WORKING_TREE:
        try:
            return read_regular_file(git.root / path, limit=_LARGEST_DIFF, below=git.root)
        except OSError:
            return None
    return git.ask("cat-file", "blob", f":./{path}" if side == STAGED else f"{side}:./{path}")


def _on_disk(root: Path, path: str) -> str | None:
    place = root / path
    try:
        return decode(read_regular_file(place, limit=_LARGEST_DIFF, below=root))
    except OSError:
        return None


def fits(text: str, file: FileChange) -> bool:
    """Whether a text is the new side of a change, whose secrets may be masked."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return all(
        line.new <= len(lines) and is_masked_form(line.text, lines[line.new - 1])
        for hunk in file.hunks
        for line in hunk.lines
        if line.new
    )
