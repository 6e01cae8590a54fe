"""The directories of a target as an investigation sees them."""

from __future__ import annotations

from hashlib import blake2b

from pydantic import BaseModel, ConfigDict

from bottega.index.decode import is_text
from bottega.investigate.scan import Folder, Scan
from bottega.investigate.scan.kinds import identify
from bottega.source import quote_name

MOST_LISTED = 400


class Seen(BaseModel):
    """A file of a directory; `digest` is of its content as it was scanned."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    size: int
    digest: str
    category: str
    language: str = ""


class Unit(BaseModel):
    """A directory to investigate. `path` is "" for the target, else it ends with a slash.

    `files` are the first ones by name; `count` is how many there are, `bytes` what they hold together.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    content: str
    files: tuple[Seen, ...]
    count: int
    bytes: int
    total_files: int
    total_bytes: int
    children: tuple[str, ...]
    more_children: int = 0
    problem: str = ""
    kinds: tuple[tuple[str, int], ...]

    @property
    def shown(self) -> str:
        return named(self.path) or "."

    @property
    def is_passed_on(self) -> bool:
        """Whether it holds nothing but another directory, or nothing: no model needs to say what it is."""
        return not self.count and not self.more_children and len(self.children) < 2

    def needs_no_model(self, *, is_small: bool) -> bool:
        """A model with a small window says of directories together what is true of one; a rule names them all."""
        return self.is_passed_on or (is_small and not self.count)

    @property
    def dominant(self) -> str:
        return self.kinds[0][0] if self.kinds else "empty"


def units_of(scan: Scan, *, most: int) -> tuple[list[Unit], int, int]:
    """Directories, the target first, at most so many: the shallow ones come before the deep ones.

    Also how many are left, and how many have names that are not text. What is below a directory that is not
    investigated is part of its content all the same.
    """
    ranked = sorted(range(len(scan.folders)), key=lambda at: (scan.folders[at].path.count("/"), scan.folders[at].path))
    named_ones = [at for at in ranked if is_text(scan.folders[at].path)]
    chosen = set(named_ones[:most]) if most else set(named_ones)
    units = [_unit(scan, at, chosen) for at in sorted(chosen, key=lambda at: scan.folders[at].path)]
    return units, len(named_ones) - len(units), len(scan.folders) - len(named_ones)


def _unit(scan: Scan, at: int, chosen: set[int]) -> Unit:
    folder = scan.folders[at]
    kinds: dict[str, int] = {}
    for language, size in folder.languages.items():
        kinds[language] = kinds.get(language, 0) + size
    return Unit(
        path=folder.path,
        content=folder.key,
        files=tuple(_seen(folder, place) for place in _listed(folder)),
        count=len(folder.names),
        bytes=folder.own_bytes,
        total_files=folder.files,
        total_bytes=folder.bytes,
        children=tuple(scan.folders[child].path for child in folder.children if child in chosen),
        more_children=sum(child not in chosen for child in folder.children),
        problem=folder.problem,
        kinds=tuple(
            sorted(((name, size) for name, size in kinds.items() if size > 0), key=lambda one: (-one[1], one[0]))
        )[:8],
    )


def _listed(folder: Folder) -> list[int]:
    return [place for place, name in enumerate(folder.names) if is_text(name)][:MOST_LISTED]


def _seen(folder: Folder, place: int) -> Seen:
    known = identify(folder.names[place])
    return Seen(
        name=folder.names[place],
        size=folder.sizes[place],
        digest=folder.digest(place),
        category=known.category or "unknown",
        language=known.language,
    )


def named(path: str) -> str:
    """A name that cannot make a line of its own, nor steer a screen."""
    return quote_name(path)


def within(text: str, room: int) -> str:
    """As many whole lines of a text as there is room for."""
    return text if len(text) <= room else text[:room].rsplit("\n", 1)[0] + "\n… (cut)"


def shortened(text: str, most: int) -> str:
    """As many whole words of a text as there is room for."""
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"


def key_of(*parts: str) -> str:
    """One key for all that a result depends on."""
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
