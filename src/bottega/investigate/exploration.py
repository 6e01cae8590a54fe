"""One directory under investigation: the tools of its loop, and what they have read and written down so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from bottega.errors import InputError
from bottega.investigate.entries import FileEntry
from bottega.investigate.flagging import MAX_LINE_NUMBER, MAX_QUOTE_CHARS, FlagCollector, join_lines
from bottega.investigate.listing import describe_path, list_directory, search_text
from bottega.investigate.lookups import Lookups
from bottega.investigate.numbers import parse_int, parse_share
from bottega.investigate.outlines import outline_files
from bottega.investigate.readlog import ReadLog
from bottega.investigate.toolset import FLAG
from bottega.investigate.units import Unit, fit_lines
from bottega.investigate.words import find_invented_names, is_echo
from bottega.models import Tool, fenced
from bottega.pipeline.toolloop import SchemaTool
from bottega.source import quote_name

Arguments = Mapping[str, Any]
_MAX_SUMMARY_CHARS = 1500
# The most that a model can be sure of a file that it was not shown.
_UNSEEN_CONFIDENCE = 0.3
_MAX_ECHOES = 2
_CONTENT_FIELDS = ("content", "contents", "raw")


@dataclass(slots=True)
class Exploration:
    """The state of one directory's loop.

    `tree_texts` say what the whole tree is: a summary that repeats them is refused once. `file_names` are those of
    the whole target in lower case, empty when not all are known: a summary that names other files is refused once.
    """

    lookups: Lookups
    flagging: FlagCollector
    now: str
    tree_texts: tuple[str, ...] = ()
    file_names: frozenset[str] = frozenset()
    files: dict[str, FileEntry] = field(default_factory=dict)
    summary: str = ""
    completeness: float | None = None
    is_submitted: bool = False
    own_summary: str = ""
    confidence: float | None = None
    confidence_reason: str = ""
    invented_names: tuple[str, ...] = ()
    echoes: int = 0
    refused_flags: int = 0
    reads: ReadLog = field(init=False)

    def __post_init__(self) -> None:
        self.reads = ReadLog(self.unit)

    @property
    def unit(self) -> Unit:
        return self.lookups.unit

    def has_read_all(self) -> bool:
        return self.reads.has_read_all(self.files)

    def bind(self, definitions: tuple[Tool, ...], exploring: frozenset[str]) -> list[SchemaTool]:
        """The tools of these definitions, at work on this directory."""
        handlers: Mapping[str, Callable[[Arguments, int], str]] = {
            "read_file": self._read_file,
            "list_directory": self._list_directory,
            "search_text": self._search_text,
            "stat": self._stat,
            "parse_structure": self._parse_structure,
            "write_cache": self._write_cache,
            "think": _take_note,
            "checkpoint": _take_note,
            "flag": self.flagging.flag,
        }
        return [
            SchemaTool(tool, handlers[tool.name], explores=tool.name in exploring, reports=tool.name == FLAG.name)
            for tool in definitions
        ]

    def _read_file(self, arguments: Arguments, room: int) -> str:
        first = parse_int(arguments.get("first"), least=1, most=MAX_LINE_NUMBER) or 1
        last = parse_int(arguments.get("last"), least=1, most=MAX_LINE_NUMBER) or 0
        excerpt = self.lookups.read(
            "read_file",
            arguments.get("path"),
            lambda path: asdict(self.lookups.files.read_excerpt(path, first, last, room)),
        )
        self.reads.request(excerpt)
        name = quote_name(excerpt["path"])
        if not excerpt["lines"]:
            return fenced(f"{name}: (empty file)")
        more = f"\n(cut: read on with first={excerpt['last'] + 1})" if excerpt["cut"] else ""
        lines = f"lines {excerpt['first']}-{excerpt['last']} of {excerpt['lines']}"
        return fenced(f"{name}, {lines}:\n{excerpt['text']}") + more

    def _list_directory(self, arguments: Arguments, room: int) -> str:
        show_hidden = arguments.get("show_hidden") is not False
        files = self.lookups.files
        listing = self.lookups.read(
            "list_directory",
            arguments.get("path"),
            lambda path: {"text": list_directory(files, path, show_hidden=show_hidden)},
        )
        return fenced(fit_lines(listing["text"], room))

    def _search_text(self, arguments: Arguments, room: int) -> str:
        query = arguments.get("text")
        if not isinstance(query, str):
            raise InputError("text is missing")
        where = arguments.get("path") or self.unit.path or "."
        files = self.lookups.files
        matches = self.lookups.read("search_text", where, lambda path: {"text": search_text(files, query, path)})
        return fenced(fit_lines(matches["text"], room))

    def _stat(self, arguments: Arguments, room: int) -> str:
        del room
        files = self.lookups.files
        described = self.lookups.read("stat", arguments.get("path"), lambda path: {"text": describe_path(files, path)})
        return fenced(described["text"])

    def _parse_structure(self, arguments: Arguments, room: int) -> str:
        files = self.lookups.files
        outline = self.lookups.read(
            "parse_structure",
            arguments.get("path"),
            lambda path: {"path": path, "text": outline_files(files, [path]).get(path, "")},
        )
        self.reads.request({"path": outline["path"]})
        if not outline["text"]:
            raise InputError(f"{outline['path']} is in no language that can be parsed", hint="Use read_file.")
        return fenced(fit_lines(outline["text"], room))

    def _write_cache(self, arguments: Arguments, room: int) -> str:
        del room
        summary = join_lines(arguments.get("summary"), _MAX_SUMMARY_CHARS)
        if not summary:
            raise InputError("summary is missing")
        forbidden = [name for name in _CONTENT_FIELDS if name in arguments]
        if forbidden:
            raise InputError(f"{forbidden[0]} is refused: summaries are kept, contents never")
        if arguments.get("kind") == "dir" or arguments.get("cache_type") == "dir":
            self.own_summary, self.confidence = summary, parse_share(arguments.get("confidence"))
            self.confidence_reason = join_lines(arguments.get("confidence_reason"), MAX_QUOTE_CHARS)
            return "kept"
        path = self.lookups.resolve(arguments.get("path"))
        self.files[path] = self._file_entry(path, summary, arguments)
        return "kept"

    def _file_entry(self, path: str, summary: str, arguments: Arguments) -> FileEntry:
        file = self.unit.find_file(path)
        if file is None:
            raise InputError(f"{path} is no file of this directory", hint="Keep what belongs to this directory.")
        confidence = parse_share(arguments.get("confidence"))
        reason = join_lines(arguments.get("confidence_reason"), MAX_QUOTE_CHARS)
        if not self.reads.was_shown(path):
            confidence, reason = min(confidence or 0.0, _UNSEEN_CONFIDENCE), "said without having seen it"
        notable_reason = join_lines(arguments.get("notable_reason"), MAX_QUOTE_CHARS)
        return FileEntry(
            relative_path=path,
            digest=file.digest,
            size_bytes=file.size,
            category=file.category,
            summary=summary,
            notable=bool(notable_reason),
            notable_reason=notable_reason,
            confidence=confidence,
            confidence_reason=reason,
            cached_at=self.now,
        )

    def submit(self, arguments: Arguments) -> str:
        """Accept the directory's summary, or raise `InputError` with what the model should mend."""
        summary = join_lines(arguments.get("summary"), _MAX_SUMMARY_CHARS)
        if not summary:
            raise InputError("summary is missing")
        if any(is_echo(summary, text) for text in self.tree_texts):
            self.echoes += 1
            if self.echoes < _MAX_ECHOES:
                hint = f"Say what {self.unit.label} itself is for. {self.recap()}"
                raise InputError("that is said of the whole tree", hint=hint)
            summary = ""
        refused_before = self.invented_names
        self.invented_names = self.lookups.find_missing(find_invented_names(summary, self.file_names))
        self.summary, self.completeness = summary, parse_share(arguments.get("completeness"))
        if self.invented_names and not refused_before:
            raise InputError(
                f"{', '.join(self.invented_names)} is not there",
                hint="Name files that you have seen, or none, and submit again.",
            )
        self.is_submitted = True
        return summary

    def recap(self) -> str:
        """What was kept about the files, for the model that has to sum them up."""
        entries = list(self.files.items())[:8]
        kept = [f"{path.rpartition('/')[2]}: {entry.summary[:160]}" for path, entry in entries]
        return "You kept: " + "; ".join(kept) if kept else ""


def _take_note(arguments: Arguments, room: int) -> str:
    """A model's notes to itself are part of its reply, which the journal keeps."""
    del arguments, room
    return "noted"
