"""What reviewers invent, found without asking anyone: place, lines, quotes and direction against the diff."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bottega.review.findings import Dropped, Finding
from bottega.review.suggesting import proposed
from bottega.source import Diff, FileChange, Hunk

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
class Filtered:
    kept: tuple[Finding, ...]
    dropped: tuple[Dropped, ...]


def filtered(findings: Iterable[Finding], diff: Diff, shown: str = "") -> Filtered:
    """Check every finding of a reviewer; what tools and rules say is theirs to answer for.

    `shown` is text beside the diff that reviewers had before them: to quote it is no invention.
    """
    corpus = _Corpus(diff, shown)
    kept: list[Finding] = []
    dropped: list[Dropped] = []
    for finding in findings:
        if finding.source != "reviewer":
            kept.append(finding)
            continue
        outcome = checked(finding, diff, corpus)
        if isinstance(outcome, Dropped):
            dropped.append(outcome)
        else:
            kept.append(outcome)
    return Filtered(tuple(kept), tuple(dropped))


def checked(finding: Finding, diff: Diff, corpus: _Corpus) -> Finding | Dropped:
    """The four checks in their order, then how well the finding is argued."""
    file = diff.file(finding.path)
    if file is None:
        return Dropped(finding=finding, reason=f"{finding.path} is not in the diff")
    near = _near(file, finding)
    if not near:
        return Dropped(finding=finding, reason=f"lines {finding.first}-{finding.last} are outside of every change")
    finding = _snapped(_clamped(finding, near, file), near)
    quotes = quoted(finding)
    if why := _invented(finding.quotes, corpus) or _invented(quotes, corpus):
        finding = finding.at("quotes", finding.confidence * _HALF, why)
    if why := _contradiction(finding, near, quotes):
        finding = finding.at("direction", finding.confidence * _HALF, why)
    quality = _quality(finding, quotes)
    return finding.at(
        "evidence", finding.confidence * (0.7 + 0.3 * quality), f"argued {quality:.2f} of 1", quality=round(quality, 3)
    )


def _clamped(finding: Finding, near: Sequence[Hunk], file: FileChange) -> Finding:
    """A range that goes far beyond the change ends where the change does."""
    gone = file.status == "deleted"
    starts = [hunk.old_start if gone else hunk.new_start for hunk in near]
    ends = [(hunk.old_start + hunk.old_count if gone else hunk.new_start + hunk.new_count) for hunk in near]
    first, last = max(finding.first, min(starts) - NEAR), min(finding.last, max(ends) + NEAR)
    return finding.model_copy(update={"first": max(1, first), "last": max(1, first, last)})


def _snapped(finding: Finding, near: Sequence[Hunk]) -> Finding:
    """Moved to the line that it quotes, where its own lines do not hold the quote and just one nearby does."""
    if not finding.quotes or proposed(finding.suggestion) is not None:
        return finding
    holding = [line.new for hunk in near for line in hunk.lines if line.new and _stands(finding.quotes[0], line.text)]
    if len(holding) != 1 or finding.first <= holding[0] <= finding.last or abs(holding[0] - finding.first) > NEAR:
        return finding
    why = f"moved from line {finding.first} to the line that it quotes"
    return finding.at("place", finding.confidence, why, first=holding[0], last=holding[0])


def _invented(quotes: Sequence[str], corpus: _Corpus) -> str:
    """More than half of them stand nowhere."""
    absent = [quote for quote in quotes if quote.strip() and not corpus.holds(quote)]
    if len(absent) * 2 <= len(quotes):
        return ""
    return f"{len(absent)} of {len(quotes)} quotes are not in the diff: {absent[0][:60]!r}"


def _near(file: FileChange, finding: Finding) -> list[Hunk]:
    """The hunks that the cited lines touch, within a margin."""
    found = []
    for hunk in file.hunks:
        start, count = (
            (hunk.old_start, hunk.old_count) if file.status == "deleted" else (hunk.new_start, hunk.new_count)
        )
        if finding.first <= start + max(count, 1) - 1 + NEAR and finding.last >= start - NEAR:
            found.append(hunk)
    return found


def quoted(finding: Finding) -> list[str]:
    """The evidence, and longer pieces of code in the problem; each once."""
    ticked = [piece for piece in _TICKED.findall(finding.problem) if len(piece) >= _LEAST_QUOTE]
    return list(dict.fromkeys(quote for quote in (*finding.quotes, *ticked) if _normal(quote)))


def _contradiction(finding: Finding, near: Sequence[Hunk], quotes: Sequence[str]) -> str:
    """A claim about what the change does that its own lines speak against, judged by the hunks it is about.

    Where quotes tell the line that is meant, that line decides; a sentence about both directions claims neither.
    """
    said = _ANY_TICKED.sub("…", f"{finding.title}. {finding.problem}")
    adds, removes = bool(_ADDING.search(said)), bool(_REMOVING.search(said))
    if adds == removes:
        return ""
    meant = {line.kind for hunk in near for line in hunk.lines if any(_stands(quote, line.text) for quote in quotes)}
    changed = meant - {" "} or {line.kind for hunk in near for line in hunk.lines} - {" "}
    if adds and changed == {"-"}:
        return "it speaks of something added where lines are only removed"
    if removes and changed == {"+"}:
        return "it speaks of something removed where lines are only added"
    return ""


def _quality(finding: Finding, quotes: Sequence[str]) -> float:
    """How much there is to go by: quotes, length, and things named exactly."""
    count = (0.0, 0.33, 0.67, 1.0)[min(len(quotes), 3)]
    size = len(finding.problem)
    length = 0.0 if size < 50 else 0.5 if size < 100 else 0.8 if size < 300 else 1.0
    name = finding.path.rsplit("/", 1)[-1]
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
        self._text = "\n".join(_normal(line) for line in (*lines, *sections, *shown.split("\n")))

    def holds(self, quote: str) -> bool:
        """Every line of the quote stands somewhere."""
        return all(any(form in self._text for form in _forms(line)) for line in quote.split("\n") if line.strip())


def _stands(quote: str, line: str) -> bool:
    text = _normal(line)
    return any(len(form) > 2 and form in text for part in quote.split("\n") for form in _forms(part))


def _forms(line: str) -> tuple[str, ...]:
    """A quoted line as it is, and without the number and the sign that the prompt puts before it."""
    return tuple(form for form in (_normal(line), _normal(_SHOWN.sub("", line))) if form)


def _normal(text: str) -> str:
    return " ".join(text.split())
