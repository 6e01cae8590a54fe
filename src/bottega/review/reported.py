"""Convert a finding as a reviewer reports it into a `Finding`."""

from __future__ import annotations

import re
from unicodedata import normalize

from bottega.review.contract import ReportedFinding
from bottega.review.findings import Finding, Trace, Voice
from bottega.review.state import Reviewer
from bottega.source import Diff, Span, quote_name

# The prompt shows a path as `=== path (new file)`, and models copy all of it, or write `path:12-14`.
_AROUND_PATH = re.compile(r"^===\s*|\s+\((?:new file|deleted file|was .*)\)$|:\d+(?:-\d+)?$")


def build_finding(reported: ReportedFinding, reviewer: Reviewer, diff: Diff) -> Finding:
    quotes = tuple(quote.strip() for quote in reported.evidence if quote.strip())
    voice = Voice(
        reviewer=reviewer.name,
        title=reported.title,
        problem=reported.problem,
        quotes=quotes,
        suggestion=reported.suggestion,
        severity=reported.severity,
        confidence=reported.confidence,
    )
    line = reported.line
    why = f"by {reviewer.name}, {reviewer.model}"
    return Finding(
        id="",
        title=" ".join(reported.title.split()),
        span=Span(resolve_path(reported.path, diff), line, max(line, reported.last_line or line)),
        severity=reported.severity,
        problem=reported.problem.strip(),
        confidence=reported.confidence,
        quotes=quotes,
        suggestion=reported.suggestion.strip(),
        voices=(voice,),
        trace=(Trace(stage="reported", confidence=reported.confidence, why=why),),
    )


def resolve_path(path: str, diff: Diff) -> str:
    """The path as the diff has it: models write it with git's prefixes, or only its end. An unknown one stays."""
    known = [file.path for file in diff.files]
    renamed = {name: file.path for file in diff.files for name in (file.old_path, quote_name(file.path))}
    bare = _AROUND_PATH.sub("", _AROUND_PATH.sub("", path.strip()))
    for name in (path, bare, normalize("NFC", bare)):
        for form in (name, name.removeprefix("./"), name.removeprefix("a/"), name.removeprefix("b/"), name.lstrip("/")):
            if form in known:
                return form
            if form in renamed:
                return renamed[form]
    ending = [name for name in known if name.endswith(f"/{path}")]
    return ending[0] if len(ending) == 1 else path
