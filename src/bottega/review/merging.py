"""Several reviewers about one thing: one finding with every voice in it, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bottega.review.findings import Finding, Voice, rank, words

_NEAR = 5
_ALIKE = 0.3
_ALIKE_ALONE = 0.5
_SAME_WORDS = 0.9
_OWN_SHARE, _AGREED_SHARE = 0.6, 0.4
_WELL_ARGUED = 0.6


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of reviewers about the same place and the same matter become one; different bugs stay apart."""
    groups: list[list[Finding]] = []
    for finding in findings:
        group = next((group for group in groups if any(_is_same(finding, other) for other in group)), None)
        if group is None or finding.source != "reviewer":
            groups.append([finding])
        else:
            group.append(finding)
    return [_joined(group) for group in groups]


def _is_same(one: Finding, other: Finding) -> bool:
    if one.path != other.path or one.source != other.source:
        return False
    if one.first > other.last + _NEAR or other.first > one.last + _NEAR:
        return False
    if set(one.reviewers) & set(other.reviewers):
        # Who reports two things means two things, unless it says the same twice.
        return _overlap(_about(one), _about(other)) >= _SAME_WORDS
    shares_line = bool(set(one.quotes) & set(other.quotes))
    alike = max(_overlap(words(one.title), words(other.title)), _overlap(_about(one), _about(other)))
    return alike >= (_ALIKE if shares_line else _ALIKE_ALONE)


def _about(finding: Finding) -> frozenset[str]:
    return words(f"{finding.title} {finding.problem}")


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


def _joined(group: Sequence[Finding]) -> Finding:
    """The gravest speaks; what the others say is kept beside it. The lines are those of the most precise one."""
    lead = max(group, key=lambda finding: (rank(finding.severity), finding.confidence))
    if len(group) == 1:
        return lead
    closest = min(group, key=lambda finding: (finding.last - finding.first, -finding.confidence))
    voices = tuple(dict.fromkeys(voice for finding in group for voice in finding.voices))
    return lead.model_copy(
        update={
            "first": closest.first,
            "last": closest.last,
            "quotes": tuple(dict.fromkeys(quote for finding in group for quote in finding.quotes)),
            "suggestion": next((finding.suggestion for finding in (lead, *group) if finding.suggestion), ""),
            "voices": voices,
            "quality": max(finding.quality for finding in group),
        }
    )


def corroborated(finding: Finding, saw: Mapping[str, bool]) -> Finding:
    """Own confidence, and the share of those who agree among those who saw the place; each reviewer counts once.

    `saw` says of every reviewer whether it was shown the place.
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
    return finding.at("agreement", confidence, why, saw=witnesses)


def _is_echo(voices: Sequence[Voice]) -> bool:
    """Three or more who quote and say the same to the letter are one voice."""
    said = [" ".join(voice.problem.split())[:80].lower() for voice in voices]
    return len(said) >= 3 and len(set(said)) * 2 <= len(said)


def confirmed(findings: Sequence[Finding]) -> list[Finding]:
    """What a reviewer says, and a tool, a parser or a rule says of the same lines and matter, is verified."""
    proofs = [finding for finding in findings if finding.verified]
    found = []
    for finding in findings:
        proof = None if finding.verified or finding.source != "reviewer" else _proof(finding, proofs)
        found.append(finding if proof is None else finding.model_copy(update={"verified": proof.verified}))
    return found


def _proof(finding: Finding, proofs: Sequence[Finding]) -> Finding | None:
    for proof in proofs:
        touches = proof.first <= finding.last and finding.first <= proof.last
        if proof.path == finding.path and touches and _overlap(_about(finding), _about(proof)) >= _ALIKE_ALONE:
            return proof
    return None
