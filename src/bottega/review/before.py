"""Read rules and settings from before the change, so that a change cannot alter the rules of its own review."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from bottega.errors import SettingsError
from bottega.review.change import Change
from bottega.review.linters import list_settings_files
from bottega.review.reading import parse_cached, restore_before
from bottega.review.rules import FILE as RULES_FILE
from bottega.review.sides import UNKNOWN, WORKING_TREE, is_new_side, open_texts
from bottega.settings import REPOSITORY_FILES
from bottega.settings.layers import parse_layer
from bottega.source import FileChange
from bottega.source.git import open_git
from bottega.source.tree import DiskFiles, FilesBefore, RepositoryFiles

_ASSISTANT_FILES = (
    *("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursorrules", ".windsurfrules", ".clinerules"),
    *(".github/copilot-instructions.md", "CONVENTIONS.md"),
)
_ASSISTANT_FOLDERS = ((".cursor/rules", ".mdc"), (".clinerules", ".md"), (".github/instructions", ".instructions.md"))
_SETTINGS, _PROJECT = REPOSITORY_FILES


def open_files_before(root: Path, diff: str, base: str, side: str, touched: Sequence[str] = ()) -> RepositoryFiles:
    """The repository's files as they were before the change.

    `base` is the commit before it; files that git does not track are read from the disk. It is `UNKNOWN` for a diff
    that came from outside: there the files on the disk may be either side, and are compared with it. `touched` are the
    names in the change as they are, of which the diff may mask some.
    """
    disk = DiskFiles(root)
    changes = {path: file for file in parse_cached(diff).files for path in (file.old_path, file.path)}
    git = open_git(root) if base != UNKNOWN else None
    names = {*changes, *touched}
    if git is None:
        return FilesBefore(disk, names, lambda path: _undo(disk, path, changes.get(path)))
    before = lru_cache(maxsize=256)(lambda path: git.ask("cat-file", "blob", f"{base}:./{path}"))

    @lru_cache(maxsize=256)
    def is_later(path: str) -> bool:
        """In a review of an earlier commit, whatever git tracks may have changed since."""
        if side == WORKING_TREE:
            return False
        return before(path) is not None or git.ask("ls-files", "-z", "--", f":(literal){path}") not in {
            None,
            b"",
        }

    return FilesBefore(disk, names, before, is_later)


def open_files_before_change(root: Path, change: Change) -> RepositoryFiles:
    return open_files_before(root, change.text, change.base, change.side, change.touched)


def read_text(files: RepositoryFiles, path: str) -> str | None:
    """A text of the repository; `None` for what is not there or not a regular file."""
    try:
        content = files.read(path)
    except OSError:
        return None
    return None if content is None else content.decode("utf-8", "replace")


def list_assistant_files(files: RepositoryFiles) -> list[str]:
    """Files that projects keep for assistants, as far as they may exist."""
    listed = [f"{folder}/{name}" for folder, end in _ASSISTANT_FOLDERS for name in _list_by_ending(files, folder, end)]
    return [*_ASSISTANT_FILES, *listed]


def find_touched_rules(
    root: Path,
    diff: str,
    side: str,
    files: RepositoryFiles,
    *,
    touched: Sequence[str],
    personas: Iterable[str],
    folders: Sequence[str],
) -> list[str]:
    """What the change touches of the settings, rules, personas and pipelines that it is reviewed by."""
    paths = sorted({*touched, *(path for file in parse_cached(diff).files for path in (file.path, file.old_path))})
    named = {_SETTINGS, RULES_FILE, *_ASSISTANT_FILES, *personas, *list_settings_files()}
    return [
        path
        for path in paths
        if path in named or _is_below(path, folders) or (path == _PROJECT and _settings_differ(root, side, files))
    ]


def _is_below(path: str, folders: Sequence[str]) -> bool:
    ruled = [(folder.strip("/"), (".yaml", ".yml")) for folder in folders] + [
        (folder, (end,)) for folder, end in _ASSISTANT_FOLDERS
    ]
    return any(path.startswith(f"{folder}/") and path.endswith(ends) for folder, ends in ruled)


def _settings_differ(root: Path, side: str, files: RepositoryFiles) -> bool:
    """Whether pyproject.toml has other settings of ours than before."""
    return _parse_section(read_text(files, _PROJECT)) != _parse_section(open_texts(root, side)(_PROJECT))


def _parse_section(text: str | None) -> object:
    try:
        layer = parse_layer((text or "").encode("utf-8", "replace"), shown=_PROJECT, is_project=True)
    except SettingsError as error:
        return str(error)
    return layer.values if layer else None


def _undo(disk: DiskFiles, path: str, file: FileChange | None) -> bytes | None:
    """A file as it was before a diff, which may or may not be applied to what is on the disk."""
    content = disk.read(path)
    if file is None:
        return content
    if content is None and file.status == "renamed" and path == file.old_path:
        renamed = disk.read(file.path)
        old = restore_before((renamed or b"").decode("utf-8", "replace"), file)
        return None if renamed is None or old is None else old.encode()
    if content is None:
        removed = "\n".join(line.text for hunk in file.hunks for line in hunk.removed)
        return removed.encode() if file.status == "deleted" else None
    text = content.decode("utf-8", "replace")
    if file.status == "deleted" or not is_new_side(text, file):
        return content
    old = None if file.status == "added" or path != file.path else restore_before(text, file)
    return None if old is None else old.encode()


def _list_by_ending(files: RepositoryFiles, folder: str, end: str) -> list[str]:
    return [name for name in files.names(folder) if name.endswith(end)]
