"""Flags that a model raises: each is checked against the files before it is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bottega.errors import InputError
from bottega.investigate.entries import SEVERITIES, Citation, Flag
from bottega.investigate.lookups import Lookups
from bottega.investigate.numbers import parse_int
from bottega.investigate.state import InvestigateState
from bottega.investigate.stored import FLAGS
from bottega.investigate.tools import InvestigateRun
from bottega.investigate.toolset import FLAG
from bottega.pipeline.toolloop import CallRecord
from bottega.source import Span, quote_line

MAX_LINE_NUMBER = 10_000_000
_MAX_FINDING_CHARS = 600
MAX_QUOTE_CHARS = 300
_INJECTION_NOTE = "the line it cites gives orders to its reader: judge it yourself"
_NO_PATH = frozenset({"", "general", "."})


@dataclass(slots=True)
class FlagCollector:
    """Flags about the files of a directory. `injections` are the lines of each file that give orders to a model.

    A flag is refused when it is malformed, about nothing that exists, or with a quote that is not there; `keep` stores
    and shows one that is not, at once.
    """

    lookups: Lookups
    injections: Mapping[str, frozenset[int]]
    keep: Callable[[Flag], None]
    flags: list[Flag] = field(default_factory=list)

    def flag(self, arguments: Mapping[str, Any], room: int) -> str:
        """The `flag` tool."""
        del room
        finding = join_lines(arguments.get("finding"), _MAX_FINDING_CHARS)
        severity = next((name for name in SEVERITIES if name == arguments.get("severity")), None)
        if not finding or severity is None:
            raise InputError(f"a flag needs a finding and a severity of {', '.join(SEVERITIES)}")
        path = self._require_path(arguments.get("path"))
        citation = self._cite(path, arguments) if path else None
        note = ""
        if not path and severity == "critical":
            note, severity = "it names no place", "concern"
        if citation is not None and citation.span.first in self.injections.get(citation.span.path, ()):
            note, severity = _INJECTION_NOTE, "concern" if severity == "critical" else severity
        unit = self.lookups.unit
        flag = Flag(
            path=path or unit.path.rstrip("/") or "general",
            finding=finding,
            severity=severity,
            citation=citation,
            source=unit.label,
            note=note,
        )
        if flag not in self.flags:
            self.flags.append(flag)
            self.keep(flag)
        return "flagged"

    def _require_path(self, written: Any) -> str:
        """The path of a flag; "" for one about the whole target."""
        if isinstance(written, str) and written.strip() in _NO_PATH:
            return ""
        return self.lookups.require(written)

    def _cite(self, path: str, arguments: Mapping[str, Any]) -> Citation | None:
        """The line that a flag quotes, read again; `None` for what is not text and needs no quote."""
        quote = join_lines(arguments.get("quote"), MAX_QUOTE_CHARS)
        near = parse_int(arguments.get("line"), least=1, most=MAX_LINE_NUMBER) or 0
        match = self.lookups.read("cite", path, lambda found: self.lookups.files.find_quote(found, quote, near))
        if not match["is_text"]:
            return None
        if not match["line"]:
            raise InputError(
                f"the quote does not stand in {path}" if quote else f"{path} is a text: quote the line you mean",
                hint="Give line and quote exactly as read_file shows them, or flag nothing.",
            )
        line = int(match["line"])
        return Citation(span=Span(path, line, line), quote=str(match["text"])[:MAX_QUOTE_CHARS])


def count_refused(calls: Sequence[CallRecord]) -> int:
    """How many flags of a loop were refused, whatever the reason."""
    return sum(call.name == FLAG.name and call.is_error for call in calls)


def keep_flag(flag: Flag, state: InvestigateState, run: InvestigateRun) -> None:
    """Store a flag and show it as soon as it is raised."""
    store = run.tools.investigations
    run.effect(f"{flag.source}: flag", lambda: store.append(state.investigation, FLAGS, flag.model_dump(mode="json")))
    run.say(quote_line(f"{flag.severity}: {flag.place}: {flag.finding}"))


def join_lines(value: Any, max_chars: int) -> str:
    """A model's text without line ends; "" for what is not text."""
    return " ".join(value.split())[:max_chars] if isinstance(value, str) else ""
