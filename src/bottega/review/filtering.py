"""Find invented findings without a model: path, lines, quotes and direction are compared with the diff."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bottega.review.findings import DroppedFinding, Finding, normalize_blanks
from bottega.review.suggesting import extract_code
from bottega.source import Diff, FileChange, Hunk, Span

NEAR = 10
_HALF = 0.5
_LEAST_QUOTE = 10
_TICKED = re.compile(r"`([^`\n]{3,200})`")
# An active verb speaks of the change only where the change is its subject: `rmtree` deletes, the change removes.
_SUBJECT = r"(?:^|[.:;]\s*|\b(?:change|commit|diff|patch|pull request|pr|author|refactoring|edit|this)\s+)"
_ADDING = re.compile(
    rf"{_SUBJECT}(?:adds|introduces|inserts|brings in)\b"
    r"|\b(?:added|introduced|inserted|newly|brought in|addition|additional|"
    r"new (?:\w+ )?(?:imports?|variables?|functions?|methods?|class(?:es)?|parameters?|arguments?|checks?|calls?|"
    r"lines?|branch(?:es)?|fields?|code|dependenc(?:y|ies)|conditions?|defaults?)|"
    r"now (?:includes?|contains?|calls?|has|uses?|imports?|defines?))\b",
    re.IGNORECASE,
)
_REMOVING = re.compile(
    rf"{_SUBJECT}(?:removes|deletes|drops|strips|gets rid of|takes out|eliminates|discards|cuts out)\b"
    r"|\b(?:was|were|been|is|are|got|gets) (?:\w+ )?(?:removed|deleted|dropped|stripped|eliminated|discarded|gone)\b"
    r"|\b(?:removed|deleted|dropped|eliminated|taken out|went away|no longer (?:there|checks?|validates?|calls?|has|"
    r"guards?|returns?|raises?)|removal of|deletion of)\b",
    re.IGNORECASE,
)
_ANY_TICKED = re.compile(r"`[^`]*`")
_LINE_WORD = re.compile(r"\blines?\s+\d+", re.IGNORECASE)
_NAME = re.compile(r"\b(?:[a-z]+_[a-z_0-9]+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)\b")
_SHOWN = re.compile(r"^\s*(?:\d+\s+)?[-+]?\s*")
_CALL = re.compile(r"\b\w+\(")


@dataclass(frozen=True, slots=True)
class FilterResult:
    kept: tuple[Finding, ...]
    dropped: tuple[DroppedFinding, ...]


def filter_inventions(findings: Iterable[Finding], diff: Diff, shown: str = "") -> FilterResult:
    """Check every finding of a reviewer; findings of tools and rules pass.

    `shown` is what reviewers were shown beside the diff; quotes of it are not invented.
    """
    corpus = _Corpus(diff, shown)
    kept: list[Finding] = []
    dropped: list[DroppedFinding] = []
    for finding in findings:
        if finding.source != "reviewer":
            kept.append(finding)
            continue
        outcome = check_finding(finding, diff, corpus)
        if isinstance(outcome, DroppedFinding):
            dropped.append(outcome)
        else:
            kept.append(outcome)
    return FilterResult(tuple(kept), tuple(dropped))


def check_finding(finding: Finding, diff: Diff, corpus: _Corpus) -> Finding | DroppedFinding:
    """The four checks in their order, then how well the finding is argued."""
    file = diff.file(finding.span.path)
    if file is None:
        return DroppedFinding(finding=finding, reason=f"{finding.span.path} is not in the diff")
    near = _find_near(file, finding)
    if not near:
        return DroppedFinding(
            finding=finding, reason=f"lines {finding.span.first}-{finding.span.last} are outside of every change"
        )
    finding = _move_to_quote(_clamp(finding, near, file), near)
    quotes = collect_quotes(finding)
    if why := _find_invented(finding.quotes, corpus) or _find_invented(quotes, corpus):
        finding = finding.with_confidence("quotes", finding.confidence * _HALF, why)
    if why := _find_contradiction(finding, near, quotes):
        finding = finding.with_confidence("direction", finding.confidence * _HALF, why)
    quality = _measure_quality(finding, quotes)
    return finding.with_confidence(
        "evidence", finding.confidence * (0.7 + 0.3 * quality), f"argued {quality:.2f} of 1", quality=round(quality, 3)
    )


def _clamp(finding: Finding, near: Sequence[Hunk], file: FileChange) -> Finding:
    """Cut a range that goes far beyond the change to where the change ends."""
    gone = file.status == "deleted"
    starts = [hunk.old_start if gone else hunk.new_start for hunk in near]
    ends = [(hunk.old_start + hunk.old_count if gone else hunk.new_start + hunk.new_count) for hunk in near]
    first, last = max(finding.span.first, min(starts) - NEAR), min(finding.span.last, max(ends) + NEAR)
    return finding.model_copy(update={"span": Span(finding.span.path, max(1, first), max(1, first, last))})


def _move_to_quote(finding: Finding, near: Sequence[Hunk]) -> Finding:
    """Move a finding to the line that it quotes, where its own lines lack the quote and exactly one nearby has it."""
    if not finding.quotes or extract_code(finding.suggestion) is not None:
        return finding
    holding = [
        line.new for hunk in near for line in hunk.lines if line.new and _is_in_line(finding.quotes[0], line.text)
    ]
    if (
        len(holding) != 1
        or finding.span.first <= holding[0] <= finding.span.last
        or abs(holding[0] - finding.span.first) > NEAR
    ):
        return finding
    why = f"moved from line {finding.span.first} to the line that it quotes"
    return finding.with_confidence(
        "place", finding.confidence, why, span=Span(finding.span.path, holding[0], holding[0])
    )


def _find_invented(quotes: Sequence[str], corpus: _Corpus) -> str:
    """Why the quotes are not believed: more than half of them are nowhere; "" otherwise."""
    absent = [quote for quote in quotes if quote.strip() and not corpus.has(quote)]
    if len(absent) * 2 <= len(quotes):
        return ""
    return f"{len(absent)} of {len(quotes)} quotes are not in the diff: {absent[0][:60]!r}"


def _find_near(file: FileChange, finding: Finding) -> list[Hunk]:
    """The hunks that the cited lines touch, within a margin."""
    found = []
    for hunk in file.hunks:
        start, count = (
            (hunk.old_start, hunk.old_count) if file.status == "deleted" else (hunk.new_start, hunk.new_count)
        )
        if finding.span.first <= start + max(count, 1) - 1 + NEAR and finding.span.last >= start - NEAR:
            found.append(hunk)
    return found


def collect_quotes(finding: Finding) -> list[str]:
    """The evidence, and longer code in backticks in the problem; each once."""
    ticked = [code for code in _TICKED.findall(finding.problem) if len(code) >= _LEAST_QUOTE]
    return list(dict.fromkeys(quote for quote in (*finding.quotes, *ticked) if normalize_blanks(quote)))


def _find_contradiction(finding: Finding, near: Sequence[Hunk], quotes: Sequence[str]) -> str:
    """A claim that something was added where lines are only removed, or the other way round; "" where there is none.

    Where quotes tell which lines are meant, those decide; a text that speaks of both directions claims neither.
    """
    said = _ANY_TICKED.sub("…", f"{finding.title}. {finding.problem}")
    adds, removes = bool(_ADDING.search(said)), bool(_REMOVING.search(said))
    if adds == removes:
        return ""
    meant = {
        line.kind for hunk in near for line in hunk.lines if any(_is_in_line(quote, line.text) for quote in quotes)
    }
    changed = meant - {" "} or {line.kind for hunk in near for line in hunk.lines} - {" "}
    if adds and changed == {"-"}:
        return "it speaks of something added where lines are only removed"
    if removes and changed == {"+"}:
        return "it speaks of something removed where lines are only added"
    return ""


def _measure_quality(finding: Finding, quotes: Sequence[str]) -> float:
    """How well a finding is argued, from 0 to 1: quotes, length, and things named exactly."""
    count = (0.0, 0.33, 0.67, 1.0)[min(len(quotes), 3)]
    size = len(finding.problem)
    length = 0.0 if size < 50 else 0.5 if size < 100 else 0.8 if size < 300 else 1.0
    name = finding.span.path.rsplit("/", 1)[-1]
    hits = sum(
        (
            name in finding.problem,
            "`" in finding.problem,
            bool(_LINE_WORD.search(finding.problem)),
            bool(_NAME.search(finding.problem)),
            bool(_CALL.search(finding.problem)),
        )
    )
    return (count + length + (0.0, 0.2, 0.5, 0.7, 1.0, 1.0)[hits]) / 3


class _Corpus:
    """All lines that a quote may come from."""

    def __init__(self, diff: Diff, shown: str) -> None:
        lines = [line.text for file in diff.files for hunk in file.hunks for line in hunk.lines]
        sections = [hunk.section for file in diff.files for hunk in file.hunks if hunk.section]
        self._text = "\n".join(normalize_blanks(line) for line in (*lines, *sections, *shown.split("\n")))

    def has(self, quote: str) -> bool:
        """Whether every line of the quote is in some line."""
        return all(any(form in self._text for form in _list_forms(line)) for line in quote.split("\n") if line.strip())


def _is_in_line(quote: str, line: str) -> bool:
    text = normalize_blanks(line)
    return any(len(form) > 2 and form in text for part in quote.split("\n") for form in _list_forms(part))


def _list_forms(line: str) -> tuple[str, ...]:
    """A quoted line as it is, and without the number and the sign that the prompt puts before it."""
    return tuple(form for form in (normalize_blanks(line), normalize_blanks(_SHOWN.sub("", line))) if form)
