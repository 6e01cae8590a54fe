"""Several reports of one problem: one finding with every report in it, and how far the reviewers agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from bottega.review.findings import Finding, Voice, measure_word_overlap, rank_severity
from bottega.review.suggesting import extract_code
from bottega.source import Span

_NEAR = 5
_ALIKE_ON_A_LINE, _ALIKE = 0.25, 0.45
_ALIKE_PROOF = 0.3
_SAME_WORDS = 0.9
_OWN_SHARE, _AGREED_SHARE = 0.6, 0.4
_WELL_ARGUED = 0.6


def merge_same(findings: Iterable[Finding]) -> list[Finding]:
    """Merge the findings of reviewers that are about the same lines and problem; different bugs stay apart."""
    groups: list[list[Finding]] = []
    by_path: dict[str, list[list[Finding]]] = defaultdict(list)
    for finding in findings:
        known = by_path[finding.span.path] if finding.source == "reviewer" else []
        group = next((group for group in known if any(_is_same(finding, other) for other in group)), None)
        if group is not None:
            group.append(finding)
            continue
        groups.append([finding])
        if finding.source == "reviewer":
            by_path[finding.span.path].append(groups[-1])
    return [_merge_group(group) for group in groups]


def _is_same(one: Finding, other: Finding) -> bool:
    if one.span.first > other.span.last + _NEAR or other.span.first > one.span.last + _NEAR:
        return False
    alike_all = measure_word_overlap(one.about, other.about)
    if set(one.reviewers) & set(other.reviewers):
        # One reviewer's two reports are two problems, unless their words are nearly the same.
        return alike_all >= _SAME_WORDS
    shares_line = bool(set(one.quotes) & set(other.quotes))
    return alike_all >= (_ALIKE_ON_A_LINE if shares_line else _ALIKE)


def _merge_group(group: Sequence[Finding]) -> Finding:
    """The gravest report leads, the others are kept in it. A suggestion stays with the lines it replaces."""
    lead = max(group, key=lambda finding: (rank_severity(finding.severity), finding.confidence))
    if len(group) == 1:
        return lead
    closest = min(group, key=lambda finding: (finding.span.last - finding.span.first, -finding.confidence))
    placed = lead if extract_code(lead.suggestion) is not None else closest
    words_alone = (
        finding.suggestion for finding in group if finding.suggestion and extract_code(finding.suggestion) is None
    )
    voices = tuple(dict.fromkeys(voice for finding in group for voice in finding.voices))
    return lead.model_copy(
        update={
            "span": Span(lead.span.path, placed.span.first, placed.span.last),
            "quotes": tuple(dict.fromkeys(quote for finding in (lead, *group) for quote in finding.quotes)),
            "suggestion": lead.suggestion or next(words_alone, ""),
            "voices": voices,
            "quality": max(finding.quality for finding in group),
        }
    )


def weigh_agreement(finding: Finding, saw: Mapping[str, bool]) -> Finding:
    """Weigh the reported confidence with the share of reviewers that agree, of those that were shown the lines.

    `saw` says of every reviewer whether it was shown the lines. Each reviewer counts once.
    """
    if finding.source != "reviewer":
        return finding
    witnesses = tuple(sorted(name for name, seen in saw.items() if seen or name in finding.reviewers))
    agreeing = len(finding.reviewers)
    share = 100 * agreeing / max(1, len(witnesses))
    confidence = _OWN_SHARE * finding.confidence + _AGREED_SHARE * share
    why = f"{agreeing} of {len(witnesses)} who saw the place say so"
    if agreeing >= 3 and finding.quality >= _WELL_ARGUED:
        confidence, why = confidence * 1.2, f"{why}, and argue it well"
    if _is_echo(finding.voices):
        confidence, why = confidence * 0.75, f"{why}, in the same words"
    return finding.with_confidence("agreement", confidence, why, saw=witnesses)


def _is_echo(voices: Sequence[Voice]) -> bool:
    """Whether three or more reviewers say the same word for word: then they count as one opinion."""
    said = [" ".join(voice.problem.split())[:80].lower() for voice in voices]
    return len(said) >= 3 and len(set(said)) * 2 <= len(said)


def mark_confirmed(findings: Sequence[Finding]) -> list[Finding]:
    """Mark findings of reviewers as verified where a tool, a parser or a rule says the same of the same lines.

    A dangerous call verifies nothing: that it is there does not prove that it can be exploited.
    """
    proofs = [finding for finding in findings if finding.verified and finding.source != "danger"]
    found = []
    for finding in findings:
        proof = None if finding.verified or finding.source != "reviewer" else _find_proof(finding, proofs)
        found.append(finding if proof is None else finding.model_copy(update={"verified": proof.verified}))
    return found


def _find_proof(finding: Finding, proofs: Sequence[Finding]) -> Finding | None:
    for proof in proofs:
        touches = proof.span.first <= finding.span.last and finding.span.first <= proof.span.last
        if (
            proof.span.path == finding.span.path
            and touches
            and measure_word_overlap(finding.about, proof.about) >= _ALIKE_PROOF
        ):
            return proof
    return None
