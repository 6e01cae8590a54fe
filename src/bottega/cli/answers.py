"""An answer on the screen or as data."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bottega.cli.plain import complain, json_text, one_line, plain
from bottega.errors import Incomplete

if TYPE_CHECKING:
    from bottega.ask import Answered, Source
    from bottega.pipeline import Event


_NO_MATCH, _EVIDENCE_ONLY = "no match", "evidence only"


class Stream:
    """Prints an answer while it is made, and afterwards what is still missing of it."""

    def __init__(self) -> None:
        self._printed = ""

    def show(self, event: Event) -> None:
        if event.what == "run":
            self._printed = ""
        if event.what == "answer":
            self._printed += event.detail
            sys.stdout.write(plain(event.detail))
            sys.stdout.flush()

    def finish(self, answer: str) -> None:
        """The rest; or all of it, if the model began anew and what was shown is not how it ended."""
        shown = self._printed.lstrip()
        if answer.startswith(shown.rstrip()):
            sys.stdout.write(plain(answer[len(shown.rstrip()) :]) + "\n")
        else:
            sys.stdout.write(plain(f"\n\n(the model began anew)\n\n{answer}\n"))
        self._printed = ""


def deliver(result: Answered, form: str, stream: Stream | None = None) -> int:
    """Print; the exit code says whether any statement matches the lines it cites."""
    if form == "json":
        sys.stdout.write(json_text(result.as_json()))
    elif form == "markdown":
        sys.stdout.write(as_markdown(result))
    else:
        if stream is None:
            sys.stdout.write(plain(result.answer) + "\n")
        else:
            stream.finish(result.answer)
        _print_sources(result)
    sys.stdout.flush()
    for remark in result.remarks:
        complain(f"bottega: {one_line(remark)}\n")
    if result.freshness:
        complain(f"index: {result.freshness}\n")
    if result.grounding == _NO_MATCH:
        raise Incomplete(f"nothing in the answer was found at the lines it cites: {result.summary}", hint=_hint(result))
    return 0


def as_markdown(result: Answered) -> str:
    sources = "".join(f"- `{_place(source)}`{_also(source)}\n" for source in result.sources)
    listed = f"\n## Sources\n\n{sources}" if sources else ""
    return plain(f"{result.answer}\n{listed}\n*{_checked(result)}. Index: {result.freshness}.*\n")


def _print_sources(result: Answered) -> None:
    if result.sources and result.grounding != _EVIDENCE_ONLY:
        sys.stdout.write("\nSources:\n")
        for source in result.sources:
            sys.stdout.write(f"  {one_line(_place(source) + _also(source))}\n")
    if result.grounding not in {_NO_MATCH, _EVIDENCE_ONLY}:
        complain(f"{result.summary}\n")


def _checked(result: Answered) -> str:
    return "no model answered: evidence only" if result.grounding == _EVIDENCE_ONLY else result.summary


def _place(source: Source) -> str:
    return f"{source.path}:{source.first}-{source.last}"


def _also(source: Source) -> str:
    changed = " (not committed)" if source.changed else ""
    return f"  {source.symbol}{changed}" if source.symbol else changed


def _hint(result: Answered) -> str:
    if result.mode == "direct":
        return "--mode hybrid looks into the repository whatever the router says."
    return f"`bottega runs show {result.run_id}` tells how it came about; `bottega search` shows what there is."
