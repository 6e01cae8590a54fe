"""An isolated git directory: symbolic links to the repository's objects and refs, with a configuration of our own.

A repository's configuration can name programs in dozens of keys (filters, drivers, hooks, monitors, includes of more
such files). Git reads the configuration of the directory in `GIT_DIR`, so it gets one that contains only a few checked
values of the repository's own configuration.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from bottega.errors import InputError
from bottega.source.cache import cache_folder
from bottega.source.files import read_regular_file
from bottega.source.git.locate import GitDirectory

_OWN = ("index", "FETCH_HEAD", "MERGE_HEAD", "ORIG_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")
_COMMON = ("objects", "refs", "packed-refs", "reftable", "shallow", "logs")
_CONFIG = """[core]
\trepositoryformatversion = {version}
\tbare = false
\tfsmonitor = false
\tuntrackedCache = false
\thooksPath = /dev/null
\tpager = cat
\tquotePath = false
\tattributesFile = /dev/null
\tbigFileThreshold = 32m
\tlogAllRefUpdates = false
\tcommitGraph = false
\tmultiPackIndex = false
[log]
\tshowSignature = false
[submodule]
\trecurse = false
[protocol]
\tallow = never
[gc]
\tauto = 0
[maintenance]
\tauto = false
[diff]
\trenameLimit = 2000
"""
_EXTENSIONS = {"extensions.objectformat": ("sha1", "sha256"), "extensions.refstorage": ("files", "reftable")}
_LONGEST_HEAD = 8192
_SWITCH = re.compile(r"(?i)true|false|yes|no|on|off|0|1|")
_ONE_LINE = re.compile(r"[^\0\r\n]{1,1000}")
# Keys and values of a repository's configuration that change what git prints and cannot name a program.
_HARMLESS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(r"core\.autocrlf"), re.compile(r"(?i)input|true|false|yes|no|on|off|0|1")),
    (re.compile(r"core\.eol"), re.compile(r"(?i)lf|crlf|native")),
    (re.compile(r"core\.(?:filemode|ignorecase|precomposeunicode|symlinks)"), _SWITCH),
    (re.compile(r"core\.excludesfile"), _ONE_LINE),
    (re.compile(r"user\.(?:name|email)"), _ONE_LINE),
    (re.compile(r"branch\..+\.(?:remote|merge)"), _ONE_LINE),
    (re.compile(r"remote\..+\.fetch"), _ONE_LINE),
)


def isolate(directory: GitDirectory, configured: Mapping[str, str]) -> Path:
    """Create or refresh the isolated copy of a git directory; `configured` is the repository's own configuration."""
    name = sha256(os.fsencode(directory.own) + b"\0" + os.fsencode(directory.common)).hexdigest()[:24]
    try:
        folder = cache_folder() / "git" / name
        _write_files(folder, directory, configured)
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        folder = _create_temporary(name)
        _write_files(folder, directory, configured)
    return folder


def select_harmless(configured: Mapping[str, str]) -> dict[str, str]:
    """The part of a configuration that may be passed to git."""
    return {
        key: value
        for key, value in configured.items()
        if any(known.fullmatch(key) and allowed.fullmatch(value) for known, allowed in _HARMLESS)
    }


def _write_files(folder: Path, directory: GitDirectory, configured: Mapping[str, str]) -> None:
    (folder / "info").mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in (*_OWN, *_list_shared_indexes(directory.own)):
        _link(folder / name, directory.own / name)
    for name in _COMMON:
        _link(folder / name, directory.common / name)
    _link(folder / "info" / "exclude", directory.common / "info" / "exclude")
    _write(folder / "config", _render_config(configured))
    copy_head(folder, directory.own)


def copy_head(folder: Path, own: Path) -> None:
    """Copy the current HEAD, which git does not read through a link; raise `InputError` where it is not a file."""
    head = own / "HEAD"
    try:
        if head.is_symlink():  # a former format: the link itself names the branch
            text = f"ref: {head.readlink()}\n"
        else:
            text = read_regular_file(head, limit=_LONGEST_HEAD).decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{head} {error.strerror or error}", hint="Git needs it to be a regular file.") from None
    _write(folder / "HEAD", text)


def _list_shared_indexes(own: Path) -> Iterator[str]:
    """The shared part of a split index is in another file."""
    return (entry.name for entry in os.scandir(own) if entry.name.startswith("sharedindex."))


def _render_config(configured: Mapping[str, str]) -> str:
    named = {key: configured.get(key, "").lower() for key in _EXTENSIONS}
    known = {key: value for key, value in named.items() if value in _EXTENSIONS[key]}
    lines = [f"\t{key.partition('.')[2]} = {value}\n" for key, value in known.items()]
    return _CONFIG.format(version=1 if lines else 0) + ("[extensions]\n" + "".join(lines) if lines else "")


def _link(path: Path, target: Path) -> None:
    """A link whose target does not exist reads as a missing file, until git creates the target."""
    try:
        if path.readlink() == target:
            return
    except OSError:
        pass
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(target)
    temporary.replace(path)


def _write(path: Path, text: str) -> None:
    if path.is_file() and not path.is_symlink() and path.read_text(encoding="utf-8") == text:
        return
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _create_temporary(name: str) -> Path:
    base = Path(tempfile.mkdtemp(prefix="bottega-git-"))
    atexit.register(shutil.rmtree, base, ignore_errors=True)
    return base / name
