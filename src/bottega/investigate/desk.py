"""What is on the desk while one directory is investigated: what was read, kept, flagged and submitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from bottega.errors import InputError
from bottega.investigate.entries import SEVERITIES, Citation, Coverage, FileEntry, Flag
from bottega.investigate.numbers import share, whole
from bottega.investigate.toolbox import Looking
from bottega.investigate.units import Unit, named, within
from bottega.investigate.words import is_echo, made_up
from bottega.models import ToolCall, fenced

Effect = Callable[[str, Callable[[], Any]], Any]
_LONGEST_SUMMARY = 1500
_LONGEST_FINDING = 600
_LONGEST_QUOTE = 300
_ORDERS = "the line it cites gives orders to its reader: judge it yourself"
# The most that a model can be sure of a file that it was not shown.
_UNSEEN = 0.3
_MOST_ECHOES = 2
_GENERAL = frozenset({"", "general", "."})


@dataclass(slots=True)
class Desk:
    """One directory at work. `effect` records whatever touches the disk, so that a resumed run sees it again."""

    unit: Unit
    looking: Looking
    effect: Effect
    now: str
    orders: Mapping[str, frozenset[int]]
    room: int = 4000
    common: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    echoes: int = 0
    made_up: tuple[str, ...] = ()
    files: dict[str, FileEntry] = field(default_factory=dict)
    flags: list[Flag] = field(default_factory=list)
    dropped: int = 0
    summary: str = ""
    completeness: float | None = None
    is_submitted: bool = False
    own_summary: str = ""
    confidence: float | None = None
    confidence_reason: str = ""
    changed: list[str] = field(default_factory=list)
    reads: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)
    outlined: set[str] = field(default_factory=set)
    cut: int = 0
    _under_way: list[Mapping[str, Any]] = field(default_factory=list)
    _sent: list[Mapping[str, Any]] = field(default_factory=list)

    def use(self, call: ToolCall, room: int) -> str:
        """Do what a model wants; what is wrong with it is said to the model, and ends nothing."""
        self.room = room
        tools: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
            "read_file": self._read_file,
            "list_directory": self._list_directory,
            "search_text": self._search_text,
            "stat": self._stat,
            "parse_structure": self._parse_structure,
            "write_cache": self._write_cache,
            "think": _noted,
            "checkpoint": _noted,
            "flag": self._flag,
            "submit_report": self._submit,
        }
        if call.name not in tools:
            return f"error: there is no tool {call.name[:40]!r}"
        try:
            return tools[call.name](call.arguments)
        except InputError as error:
            return f"error: {error}" + (f" {error.hint}" if error.hint else "")

    def has_seen_all(self) -> bool:
        """Whether every file of the directory was shown, in part at least, by its outline, or is known from earlier."""
        seen = {*self.reads, *self.outlined, *self.files}
        return self.unit.count == len(self.unit.files) and all(
            f"{self.unit.path}{file.name}" in seen or not file.size for file in self.unit.files
        )

    def coverage(self) -> Coverage:
        own = {f"{self.unit.path}{file.name}" for file in self.unit.files}
        read = {path: spans for path, spans in self.reads.items() if path in own}
        return Coverage(
            files=self.unit.count,
            files_read=len(read),
            bytes=self.unit.bytes,
            bytes_read=sum(_distinct(spans) for spans in read.values()),
            cut=self.cut,
        )

    def turned(self) -> None:
        """A turn is over: what it looked up is shown with the next request, and what the last one did has been seen."""
        for told in self._sent:
            self.note_read(told)
        self._sent, self._under_way = self._under_way, []

    def note_read(self, told: Mapping[str, Any]) -> None:
        """Remember what was shown, and whether it is still what the scan saw."""
        path = str(told["path"])
        if "first" not in told:
            self.outlined.add(path)
            return
        self.reads.setdefault(path, []).append((told["first"], told["last"], told["bytes"]))
        self.cut += bool(told["cut"])
        known = next((file for file in self.unit.files if f"{self.unit.path}{file.name}" == path), None)
        if known is not None and known.size and told["digest"] and not str(told["digest"]).startswith(known.digest):
            self.changed.append(path)

    def _read_file(self, given: Mapping[str, Any]) -> str:
        first = whole(given.get("first"), least=1, most=10_000_000) or 1
        last = whole(given.get("last"), least=1, most=10_000_000) or 0
        told = self._looked("read_file", given, lambda path: asdict(self.looking.extract(path, first, last, self.room)))
        self._under_way.append(told)
        place = f"{named(told['path'])}, lines {told['first']}-{told['last']} of {told['lines']}"
        more = f"\n(cut: read on with first={told['last'] + 1})" if told["cut"] else ""
        return fenced(f"{place}:\n{told['text']}" if told["lines"] else f"{named(told['path'])}: (empty file)") + more

    def _list_directory(self, given: Mapping[str, Any]) -> str:
        hidden = given.get("show_hidden") is not False
        told = self._looked(
            "list_directory", given, lambda path: {"text": self.looking.list_directory(path, show_hidden=hidden)}
        )
        return fenced(within(told["text"], self.room))

    def _search_text(self, given: Mapping[str, Any]) -> str:
        wanted = given.get("text")
        if not isinstance(wanted, str):
            raise InputError("text is missing")
        where = {"path": given.get("path") or self.unit.path or "."}
        told = self._looked("search_text", where, lambda path: {"text": self.looking.search_text(wanted, path)})
        return fenced(within(told["text"], self.room))

    def _stat(self, given: Mapping[str, Any]) -> str:
        return fenced(self._looked("stat", given, lambda path: {"text": self.looking.stat(path)})["text"])

    def _parse_structure(self, given: Mapping[str, Any]) -> str:
        told = self._looked(
            "parse_structure", given, lambda path: {"path": path, "text": self.looking.structures([path]).get(path, "")}
        )
        self._under_way.append({"path": told["path"]})
        if not told["text"]:
            raise InputError(f"{told['path']} is in no language that can be parsed", hint="Use read_file.")
        return fenced(within(told["text"], self.room))

    def _write_cache(self, given: Mapping[str, Any]) -> str:
        summary = _line(given.get("summary"), _LONGEST_SUMMARY)
        if not summary:
            raise InputError("summary is missing")
        forbidden = [name for name in ("content", "contents", "raw") if name in given]
        if forbidden:
            raise InputError(f"{forbidden[0]} is refused: summaries are kept, contents never")
        confidence = share(given.get("confidence"))
        reason = _line(given.get("confidence_reason"), _LONGEST_QUOTE)
        if given.get("kind") == "dir" or given.get("cache_type") == "dir":
            self.own_summary, self.confidence, self.confidence_reason = summary, confidence, reason
            return "kept"
        path = self.looking.path(given.get("path"), self.unit.path)
        seen = next((file for file in self.unit.files if f"{self.unit.path}{file.name}" == path), None)
        if seen is None:
            raise InputError(f"{path} is no file of this directory", hint="Keep what belongs to this directory.")
        if (
            path not in self.reads
            and path not in self.outlined
            and path not in {str(one["path"]) for one in self._sent}
        ):
            confidence, reason = min(confidence or 0.0, _UNSEEN), "said without having seen it"
        notable = _line(given.get("notable_reason"), _LONGEST_QUOTE)
        self.files[path] = FileEntry(
            relative_path=path,
            digest=seen.digest,
            size_bytes=seen.size,
            category=seen.category,
            summary=summary,
            notable=bool(notable),
            notable_reason=notable,
            confidence=confidence,
            confidence_reason=reason,
            cached_at=self.now,
        )
        return "kept"

    def _flag(self, given: Mapping[str, Any]) -> str:
        finding = _line(given.get("finding"), _LONGEST_FINDING)
        severity = next((one for one in SEVERITIES if one == given.get("severity")), None)
        if not finding or severity is None:
            self.dropped += 1
            raise InputError(f"a flag needs a finding and a severity of {', '.join(SEVERITIES)}")
        said = given.get("path")
        try:
            path = "" if isinstance(said, str) and said.strip() in _GENERAL else self.exists(said)
        except InputError:
            self.dropped += 1
            raise
        citation = self._cited(path, given) if path else None
        note = ""
        if not path and severity == "critical":
            note, severity = "it names no place", "concern"
        if citation is not None and citation.first in self.orders.get(citation.path, ()):
            note, severity = _ORDERS, "concern" if severity == "critical" else severity
        flag = Flag(
            path=path or self.unit.path.rstrip("/") or "general",
            finding=finding,
            severity=severity,
            citation=citation,
            source=self.unit.shown,
            note=note,
        )
        if flag not in self.flags:
            self.flags.append(flag)
        return "flagged"

    def exists(self, said: Any) -> str:
        """The path that a model means; raises where nothing is there."""
        path = self.looking.path(said, self.unit.path)
        self._looked("stat", {"path": path or "."}, lambda found: {"text": self.looking.stat(found)})
        return path

    def _cited(self, path: str, given: Mapping[str, Any]) -> Citation | None:
        """The line a flag is about, re-read; a flag about a text needs one, a flag about anything else has none."""
        quote = _line(given.get("quote"), _LONGEST_QUOTE)
        near = whole(given.get("line"), least=1, most=10_000_000) or 0
        found = self._looked("cite", {"path": path}, lambda there: self.looking.find_line(there, quote, near))
        if not found["is_text"]:
            return None
        if not found["line"]:
            self.dropped += 1
            raise InputError(
                f"the quote does not stand in {path}" if quote else f"{path} is a text: quote the line you mean",
                hint="Give line and quote exactly as read_file shows them, or flag nothing.",
            )
        place = int(found["line"])
        return Citation(path=path, first=place, last=place, quote=str(found["text"])[:_LONGEST_QUOTE])

    def _submit(self, given: Mapping[str, Any]) -> str:
        summary = _line(given.get("summary"), _LONGEST_SUMMARY)
        if not summary:
            raise InputError("summary is missing")
        if any(is_echo(summary, said) for said in self.common):
            self.echoes += 1
            if self.echoes < _MOST_ECHOES:
                raise InputError(
                    "that is said of the whole tree", hint=f"Say what {self.unit.shown} itself is for. {self.recap()}"
                )
            summary = ""
        told, self.made_up = self.made_up, self._not_there(made_up(summary, self.names))
        self.summary, self.completeness = summary, share(given.get("completeness"))
        if self.made_up and not told:
            raise InputError(
                f"{', '.join(self.made_up)} is not there",
                hint="Name files that you have seen, or none, and submit again.",
            )
        self.is_submitted = True
        return "submitted"

    def _not_there(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those that are no link, no directory and nothing that was left out either."""
        if not names:
            return ()
        found: list[str] = self.effect(
            f"{self.unit.shown}: names", lambda: [one for one in names if not self.looking.is_name(one, self.unit.path)]
        )
        return tuple(found)

    def recap(self) -> str:
        """What was kept of the files, for one who is to say what they are together."""
        kept = [f"{path.rpartition('/')[2]}: {entry.summary[:160]}" for path, entry in list(self.files.items())[:8]]
        return "You kept: " + "; ".join(kept) if kept else ""

    def _looked(self, tool: str, given: Mapping[str, Any], look: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
        """A look at the disk, recorded with what went wrong."""

        def act() -> dict[str, Any]:
            try:
                return look(self.looking.path(given.get("path"), self.unit.path))
            except InputError as error:
                return {"error": str(error), "hint": error.hint}

        told: dict[str, Any] = self.effect(f"{self.unit.shown}: {tool} {given.get('path')}", act)
        if "error" in told:
            raise InputError(told["error"], hint=told["hint"])
        return told


def _noted(given: Mapping[str, Any]) -> str:
    """A model's notes to itself are in its reply, which the journal keeps."""
    del given
    return "noted"


def _distinct(spans: list[tuple[int, int, int]]) -> int:
    """Bytes of what was shown; lines that were shown twice count once, by their share."""
    total, until = 0.0, 0
    for first, last, size in sorted(spans):
        lines = last - first + 1
        new = last - max(first - 1, until)
        if lines > 0 and new > 0:
            total += size * new / lines
            until = last
    return int(total)


def _line(value: Any, most: int) -> str:
    return " ".join(value.split())[:most] if isinstance(value, str) else ""
