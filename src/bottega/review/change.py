"""The change to review, from git or from a file, with what its author says about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from bottega.amounts import plural
from bottega.errors import InputError
from bottega.review.findings import Finding
from bottega.review.leaks import MOST_FINDINGS, find_leaks
from bottega.review.masking import mask_diff, mask_names, mask_text
from bottega.review.sides import STAGED, UNKNOWN, WORKING_TREE, read_content
from bottega.review.untracked import diff_untracked
from bottega.source import FileChange, parse_diff, parse_diff_layout
from bottega.source.git import Git, open_git
from bottega.source.secrets import Masker, find_secrets
from bottega.source.text import decode

_DIFF_OPTIONS = (
    *("--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=3", "--relative"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--no-indent-heuristic", "--submodule=short", "--ignore-submodules=dirty"),
)
_LONGEST_INTENT = 4000
_LARGEST_DIFF = 50_000_000
_CONTEXT_DIFF = re.compile(r"(?m)^\*{15}\n\*\*\* \d")


@dataclass(frozen=True, slots=True)
class ChangeSelection:
    """Selects the change to review: the first field that is set counts, and none selects the working tree."""

    diff: str | None = None
    commit: str = ""
    since: str = ""
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


def read_change(root: Path, wanted: ChangeSelection, *, mask: Masker) -> Change:
    """The change with its secrets found and masked. Raise `InputError` where there is no such change to be had."""
    return mask_change(read_raw_change(root, wanted), mask)


def mask_change(change: Change, mask: Masker) -> Change:
    """Look for secrets in the change as it is, then mask it: nothing after this holds a secret."""
    layouts = parse_diff_layout(change.text)
    files = [layout.file for layout in layouts]
    names = mask_names(files, mask)
    found = find_leaks(files, names, mask)
    return replace(
        change,
        text=mask_diff(change.text, layouts, names, mask),
        intent=_shorten_intent(mask_text(change.intent, "", mask)),
        origin=mask(change.origin),
        touched=tuple(sorted({path for file in files for path in (file.path, file.old_path)})),
        secrets=tuple(found[:MOST_FINDINGS]),
        secret_note=_describe_secrets(found, change.intent),
    )


def _describe_secrets(found: list[Finding], intent: str) -> str:
    added = sum(finding.is_grave for finding in found)
    note = f"{added} added, {len(found) - added} removed"
    if len(found) > MOST_FINDINGS:
        note += f"; the first {MOST_FINDINGS} are listed"
    if find_secrets(intent):
        note += "; the description of the change holds a secret too: rotate it, commit messages are kept"
    return note


def read_raw_change(root: Path, wanted: ChangeSelection) -> Change:
    """The change as it is, secrets included; it is masked before anything else is done with it."""
    if wanted.diff is not None:
        return Change(_refuse_unreadable(wanted.diff), wanted.message, "a diff from outside", UNKNOWN)
    git = open_git(root)
    if git is None:
        raise InputError(
            "this is not a git repository, so there is no change to read", hint="Give the change with --diff FILE."
        )
    if wanted.commit:
        return _read_commit(git, wanted)
    if wanted.start or wanted.end:
        return _read_range(git, wanted)
    if wanted.since:
        return _read_since(git, root, wanted)
    head = git.head()
    against = head or git.empty_tree
    if wanted.is_staged:
        text = _ask_diff(git, "--cached", against)
        return Change(text, wanted.message, f"what is staged, against {head[:9] or 'nothing'}", STAGED, against)
    text = _refuse_unreadable(_ask_diff(git, against) + diff_untracked(git, root))
    origin = f"the working tree, against {head[:9] or 'nothing'}"
    return Change(text, wanted.message, origin, WORKING_TREE, against)


def _ask_diff(git: Git, *sides: str) -> str:
    """What git says changed. Text that the repository's own attributes call binary is asked for as text."""
    text = _refuse_unreadable(_ask_text(git, "diff", *_DIFF_OPTIONS, *sides))
    hidden = [file.path for file in parse_diff(text).files if file.is_binary and _is_text(git, file, sides)]
    if not hidden:
        return text
    rest = _ask_text(git, "diff", *_DIFF_OPTIONS, *sides, "--", ".", *(f":(exclude,literal){path}" for path in hidden))
    more = _ask_text(git, "diff", "--text", *_DIFF_OPTIONS, *sides, "--", *(f":(literal){path}" for path in hidden))
    return _refuse_unreadable(rest + more)


def _is_text(git: Git, file: FileChange, sides: tuple[str, ...]) -> bool:
    """Whether a file holds text on its new side, or on its old one where it is gone."""
    base, *end = [side for side in sides if side != "--cached"]
    new = STAGED if "--cached" in sides else end[0] if end else WORKING_TREE
    content = read_content(git, base if file.status == "deleted" else new, file.path)
    return content is not None and b"\0" not in content and decode(content) is not None  # git prints UTF-16 as it is


def _read_commit(git: Git, wanted: ChangeSelection) -> Change:
    commit = _resolve(git, wanted.commit)
    parent = git.ask("rev-parse", "--verify", "--quiet", f"{commit}^1")
    if parent is None and git.is_shallow:
        raise InputError(
            f"the commit before {commit[:9]} is not in this shallow clone", hint="`git fetch --unshallow` brings it."
        )
    base = parent.decode().strip() if parent else git.empty_tree
    said = _ask_text(git, "log", "-1", "--format=%B", commit)
    text = _ask_diff(git, base, commit)
    return Change(text, wanted.message or said, f"commit {commit[:9]}", commit, base)


def _read_range(git: Git, wanted: ChangeSelection) -> Change:
    """What one side did since it left the other, as a pull request shows it."""
    end = _resolve(git, wanted.end or "HEAD")
    base = _find_base(git, _resolve(git, wanted.start or "HEAD"), end)
    said = _ask_text(git, "log", "--reverse", "--format=%B", f"{base}..{end}")
    text = _ask_diff(git, base, end)
    return Change(text, wanted.message or said, f"{base[:9]} to {end[:9]}", end, base)


def _read_since(git: Git, root: Path, wanted: ChangeSelection) -> Change:
    """What HEAD and the working tree did since they left a commit."""
    head = _resolve(git, "HEAD")
    base = _find_base(git, _resolve(git, wanted.since), head)
    said = _ask_text(git, "log", "--reverse", "--format=%B", f"{base}..{head}")
    text = _refuse_unreadable(_ask_diff(git, base) + diff_untracked(git, root))
    return Change(text, wanted.message or said, f"the working tree, against {base[:9]}", WORKING_TREE, base)


def _find_base(git: Git, start: str, end: str) -> str:
    """Where `end` left `start`; `start` itself where they share no history."""
    common = git.ask("merge-base", start, end)
    if common is None and git.is_shallow:
        raise InputError(
            "where the two sides parted is not in this shallow clone", hint="`git fetch --unshallow` brings it."
        )
    return common.decode().strip() if common else start


def _resolve(git: Git, name: str) -> str:
    found = git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if not found:
        raise InputError(f"git knows no commit {name[:80]!r} here", hint="`git log --oneline` names commits.")
    return found.decode().strip().splitlines()[-1]


def _ask_text(git: Git, *arguments: str) -> str:
    printed = git.ask(*arguments)
    if printed is None:
        raise InputError(f"git could not tell the change: git {' '.join(arguments[:6])[:200]} failed")
    return printed.decode("utf-8", "replace")


def _refuse_unreadable(text: str) -> str:
    if _CONTEXT_DIFF.search(text):
        raise InputError("a context diff cannot be read", hint="Make a unified one: diff -u, git diff.")
    if len(text) > _LARGEST_DIFF:
        raise InputError(
            f"the change has {plural(len(text), 'character')}; at most {_LARGEST_DIFF:,} are read",
            hint="Review it in parts: --path, or commit by commit.",
        )
    return text


def _shorten_intent(said: str) -> str:
    said = said.strip()
    return said if len(said) <= _LONGEST_INTENT else said[:_LONGEST_INTENT] + " …"
