"""`scan`: the base scan of a directory alone, with no model and nothing written."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Protocol

from pydantic import Field

from bottega.amounts import plural
from bottega.errors import InputError
from bottega.investigate.files import TargetFiles
from bottega.investigate.introduction import read_readme
from bottega.investigate.reports.scan_page import render_scan_page
from bottega.investigate.reports.scanned import build_scan_json, render_tree
from bottega.investigate.reports.text import render_scan
from bottega.investigate.scan import Options
from bottega.investigate.scan import scan as scan_directory
from bottega.source import Span
from bottega.source.secrets import mask_secrets
from bottega.verbs import FrozenValue, Gate, Verb, VerbRequest, VerbResult

FORMATS = ("text", "json", "html")
_MOST_LINES = 120


class ScanHouse(Protocol):
    """The interface that a scan needs: progress alone, because it needs no repository."""

    def progress(self, stage: str, done: int, total: int) -> None: ...


class ScanRequest(VerbRequest):
    """The directory to scan, and what of it to look at; `target` is absolute, without links in its path."""

    verb: ClassVar[str] = "scan"
    uses_models: ClassVar[bool] = False
    reads_settings: ClassVar[bool] = False

    target: Path
    exclude: tuple[str, ...] = Field((), description="leave out files and directories of these names (* and ?)")
    everything: bool = Field(False, description="also what tools made and what git leaves out")
    hidden: bool = Field(True, description="also names that begin with a dot")
    depth: int = Field(2, ge=0, le=50, description="levels of the tree in the text")


class ScannedTally(FrozenValue):
    files: int
    bytes: int


class ScannedSignals(FrozenValue):
    """Counts of file name endings and of what their names say, with sample paths."""

    total_files: int
    extensions: tuple[tuple[str, int], ...]
    descriptions: tuple[tuple[str, int], ...]
    samples: tuple[str, ...]


class ScannedLanguage(FrozenValue):
    language: str
    files: int
    bytes: int
    code: int
    comment: int
    blank: int


class ScannedLargeFile(FrozenValue):
    path: str
    bytes: int
    lines: int


class ScannedRecentFile(FrozenValue):
    path: str
    modified: float


class ScannedUsage(FrozenValue):
    path: str
    files: int
    bytes: int
    disk_bytes: int


class ScannedDuplicates(FrozenValue):
    bytes: int
    copies: int
    paths: tuple[str, ...]
    wasted: int


class ScannedSuspect(FrozenValue):
    """A likely secret, or text that gives orders to a model."""

    span: Span
    kind: str
    is_test: bool


class ScannedLicence(FrozenValue):
    path: str
    licence: str


class ScannedEntryPoint(FrozenValue):
    path: str
    why: str


class ScannedLeftOut(FrozenValue):
    """A file or directory that was measured and not read."""

    path: str
    why: str
    files: int
    bytes: int


class ScannedSpecial(FrozenValue):
    path: str
    kind: str


class ScannedRemark(FrozenValue):
    path: str
    why: str


class ScannedCell(FrozenValue):
    """A directory with what lies directly in it: an area of a tree map.

    `kinds` are bytes and `code` lines of code, both by language.
    """

    path: str
    bytes: int
    kinds: tuple[tuple[str, int], ...]
    code: tuple[tuple[str, int], ...] = ()


class ScannedReadme(FrozenValue):
    """The beginning of the readme, secrets masked."""

    path: str
    text: str
    is_cut: bool


class ScanResult(VerbResult):
    """Long lists are cut to the most important entries, with the number of all beside them."""

    formats: ClassVar[tuple[str, ...]] = FORMATS

    target: str
    files: int
    directories: int
    bytes: int
    disk_bytes: int
    categories: dict[str, ScannedTally]
    signals: ScannedSignals
    languages: tuple[ScannedLanguage, ...]
    large: tuple[ScannedLargeFile, ...]
    large_count: int
    recent: tuple[ScannedRecentFile, ...]
    usage: tuple[ScannedUsage, ...]
    duplicates: tuple[ScannedDuplicates, ...]
    duplicate_files: int
    duplicate_bytes: int
    secrets: tuple[ScannedSuspect, ...]
    secret_count: int
    orders: tuple[ScannedSuspect, ...]
    licences: tuple[ScannedLicence, ...]
    licence_headers: dict[str, int]
    entry_points: tuple[ScannedEntryPoint, ...]
    entry_count: int
    left_out: tuple[ScannedLeftOut, ...]
    links: int
    broken_links: tuple[str, ...]
    outward_links: tuple[str, ...]
    specials: tuple[ScannedSpecial, ...]
    remarks: tuple[ScannedRemark, ...]
    remark_count: int
    unread: int
    sampled: int
    cells: tuple[ScannedCell, ...]
    tree: str
    readme: ScannedReadme | None = None

    @property
    def gate(self) -> Gate:
        return "incomplete" if self.remark_count else "passed"

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"bottega: {plural(self.remark_count, 'path')} could not be read",) if self.remark_count else ()

    def render(self, form: str = "text") -> str:
        content: dict[str, Any] = self.model_dump(mode="json")
        return render_scan_page(content, self.tree) if form == "html" else render_scan(content, self.tree)


def scan(request: ScanRequest, house: ScanHouse) -> ScanResult:
    """One walk: no other program is run, no link is followed, nothing is written."""
    if not request.target.is_dir():
        raise InputError(f"{request.target} is not a directory", hint="Name a directory.")
    options = Options(request.exclude, request.everything, request.hidden)

    def show_progress(files: int, directories: int) -> None:
        house.progress(f"files, in {directories:,} directories", files, 0)

    found = scan_directory(request.target, options, on_progress=show_progress)
    tree = render_tree(found, depth=request.depth, most=_MOST_LINES)
    readme = read_readme(TargetFiles(request.target, options, mask_secrets), found.folders[0].names)
    return ScanResult.model_validate({**build_scan_json(found, readme), "tree": tree})


SCAN = Verb(ScanRequest, ScanResult, scan)
