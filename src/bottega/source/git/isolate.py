"""A stand-in for a git directory: its objects and refs by symbolic link, a configuration of our own.

A repository's configuration can name programs in dozens of keys (filters, drivers, hooks, monitors, includes of more
such files). Git reads the configuration of the directory that `GIT_DIR` names, so it gets one that holds nothing of
the repository's but a few values that are checked one by one.
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
# Values of a repository's own configuration that change what git prints and can name no program.
_HARMLESS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(r"core\.autocrlf"), re.compile(r"(?i)input|true|false|yes|no|on|off|0|1")),
    (re.compile(r"core\.eol"), re.compile(r"(?i)lf|crlf|native")),
    (re.compile(r"core\.(?:filemode|ignorecase|precomposeunicode|symlinks)"), _SWITCH),
    (re.compile(r"core\.excludesfile"), _ONE_LINE),
    (re.compile(r"user\.(?:name|email)"), _ONE_LINE),
    (re.compile(r"branch\..+\.(?:remote|merge)"), _ONE_LINE),
    (re.compile(r"remote\..+\.fetch"), _ONE_LINE),
)


def isolate(found: GitDirectory, configured: Mapping[str, str]) -> Path:
    """Make or refresh the stand-in of a git directory; `configured` is the repository's own configuration."""
    name = sha256(os.fsencode(found.own) + b"\0" + os.fsencode(found.common)).hexdigest()[:24]
    try:
        folder = cache_folder() / "git" / name
        _fill(folder, found, configured)
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        folder = _temporary(name)
        _fill(folder, found, configured)
    return folder


def harmless(configured: Mapping[str, str]) -> dict[str, str]:
    """The part of a configuration that git may be given."""
    return {
        key: value
        for key, value in configured.items()
        if any(known.fullmatch(key) and allowed.fullmatch(value) for known, allowed in _HARMLESS)
    }


def _fill(folder: Path, found: GitDirectory, configured: Mapping[str, str]) -> None:
    (folder / "info").mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in (*_OWN, *_shared_indexes(found.own)):
        _link(folder / name, found.own / name)
    for name in _COMMON:
        _link(folder / name, found.common / name)
    _link(folder / "info" / "exclude", found.common / "info" / "exclude")
    _write(folder / "config", _config(configured))
    copy_head(folder, found.own)


def copy_head(folder: Path, own: Path) -> None:
    """Give the stand-in the HEAD that is current: git takes none by a link. Raise `InputError` where it is no file."""
    head = own / "HEAD"
    try:
        if head.is_symlink():  # an old form: the link itself names the branch
            text = f"ref: {head.readlink()}\n"
        else:
            text = read_regular_file(head, limit=_LONGEST_HEAD).decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{head} {error.strerror or error}", hint="Git needs it to be a regular file.") from None
    _write(folder / "HEAD", text)


def _shared_indexes(own: Path) -> Iterator[str]:
    """A split index keeps its larger part in a file of another name."""
    return (entry.name for entry in os.scandir(own) if entry.name.startswith("sharedindex."))


def _config(configured: Mapping[str, str]) -> str:
    named = {key: configured.get(key, "").lower() for key in _EXTENSIONS}
    known = {key: value for key, value in named.items() if value in _EXTENSIONS[key]}
    lines = [f"\t{key.partition('.')[2]} = {value}\n" for key, value in known.items()]
    return _CONFIG.format(version=1 if lines else 0) + ("[extensions]\n" + "".join(lines) if lines else "")


def _link(place: Path, target: Path) -> None:
    """Links that lead nowhere read as files that are not there, and come alive when git makes them."""
    try:
        if place.readlink() == target:
            return
    except OSError:
        pass
    beside = place.with_name(f"{place.name}.{os.getpid()}.new")
    beside.unlink(missing_ok=True)
    beside.symlink_to(target)
    beside.replace(place)


def _write(place: Path, text: str) -> None:
    if place.is_file() and not place.is_symlink() and place.read_text(encoding="utf-8") == text:
        return
    beside = place.with_name(f"{place.name}.{os.getpid()}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(place)


def _temporary(name: str) -> Path:
    base = Path(tempfile.mkdtemp(prefix="bottega-git-"))
    atexit.register(shutil.rmtree, base, ignore_errors=True)
    return base / name
