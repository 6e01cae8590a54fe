"""The directories of a target as an investigation sees them, and text helpers for their names and summaries."""

from __future__ import annotations

from hashlib import blake2b

from pydantic import BaseModel, ConfigDict

from bottega.investigate.scan import Scan, ScannedDirectory
from bottega.investigate.scan.kinds import identify
from bottega.source import quote_name
from bottega.source.text import is_text

_MAX_FILES = 400
_MAX_KINDS = 8


class ScannedFile(BaseModel):
    """A file of a directory; `digest` is of its content when it was scanned."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    size: int
    digest: str
    category: str
    language: str = ""


class Unit(BaseModel):
    """A directory to investigate. `path` is "" for the target and otherwise ends with a slash.

    `files` are the first by name, `count` is the number of all; `content` is the key of everything below it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    content: str
    files: tuple[ScannedFile, ...]
    count: int
    bytes: int
    total_files: int
    total_bytes: int
    children: tuple[str, ...]
    more_children: int = 0
    problem: str = ""
    kinds: tuple[tuple[str, int], ...]

    @property
    def label(self) -> str:
        return format_path(self.path)

    @property
    def is_pass_through(self) -> bool:
        """Whether it holds nothing but one directory, or nothing: no model needs to describe it."""
        return not self.count and not self.more_children and len(self.children) < 2

    def needs_no_model(self, *, is_small: bool) -> bool:
        """With a small window, a model describes several directories by one of them, so a rule lists them instead."""
        return self.is_pass_through or (is_small and not self.count)

    @property
    def dominant_kind(self) -> str:
        return self.kinds[0][0] if self.kinds else "empty"

    def path_of(self, file: ScannedFile) -> str:
        return f"{self.path}{file.name}"

    def find_file(self, path: str) -> ScannedFile | None:
        return next((file for file in self.files if self.path_of(file) == path), None)


def select_units(scan: Scan, *, limit: int) -> tuple[list[Unit], int, int]:
    """The directories to investigate, shallow ones first up to the limit (0: all), sorted by path.

    Also how many are beyond the limit, and how many have names that are not text. What lies below a directory that is
    not investigated still counts as content of the directories above it.
    """
    folders = scan.folders
    ranked = sorted(range(len(folders)), key=lambda number: (folders[number].path.count("/"), folders[number].path))
    readable = [number for number in ranked if is_text(folders[number].path)]
    chosen = set(readable[:limit]) if limit else set(readable)
    units = [_build_unit(scan, number, chosen) for number in sorted(chosen, key=lambda number: folders[number].path)]
    return units, len(readable) - len(units), len(folders) - len(readable)


def _build_unit(scan: Scan, number: int, chosen: set[int]) -> Unit:
    folder = scan.folders[number]
    kinds = [(name, size) for name, size in folder.languages.items() if size > 0]
    return Unit(
        path=folder.path,
        content=folder.key,
        files=_list_files(folder),
        count=len(folder.names),
        bytes=folder.own_bytes,
        total_files=folder.files,
        total_bytes=folder.bytes,
        children=tuple(scan.folders[child].path for child in folder.children if child in chosen),
        more_children=sum(child not in chosen for child in folder.children),
        problem=folder.problem,
        kinds=tuple(sorted(kinds, key=lambda kind: (-kind[1], kind[0]))[:_MAX_KINDS]),
    )


def _list_files(folder: ScannedDirectory) -> tuple[ScannedFile, ...]:
    readable = [at for at, name in enumerate(folder.names) if is_text(name)][:_MAX_FILES]
    return tuple(_build_file(folder, at) for at in readable)


def _build_file(folder: ScannedDirectory, at: int) -> ScannedFile:
    kind = identify(folder.names[at])
    return ScannedFile(
        name=folder.names[at],
        size=folder.sizes[at],
        digest=folder.digest(at),
        category=kind.category or "unknown",
        language=kind.language,
    )


def format_path(path: str) -> str:
    """A path as people and models see it: "." for the target, no line ends, no control characters."""
    return quote_name(path) or "."


def find_parent(path: str) -> str:
    """The directory that a file or directory lies in; "" is the target."""
    return path.rstrip("/").rpartition("/")[0] + "/" if "/" in path.rstrip("/") else ""


def fit_lines(text: str, room: int) -> str:
    """As many whole lines of a text as there is room for."""
    return text if len(text) <= room else text[:room].rsplit("\n", 1)[0] + "\n… (cut)"


def fit_words(text: str, room: int) -> str:
    """As many whole words of a text as there is room for."""
    return text if len(text) <= room else text[:room].rsplit(" ", 1)[0] + " …"


def hash_key(*parts: str) -> str:
    """One key for everything that a stored result depends on."""
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
