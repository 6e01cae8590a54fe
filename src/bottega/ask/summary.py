"""Summarize in one line how the sentences of an answer match the lines they cite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bottega.ask.claims import CitationSupport, Level
from bottega.ask.state import CheckedSentence


def summarize(sentences: Sequence[CheckedSentence]) -> str:
    """Count the statements by the result of comparing them with their cited lines."""
    counted = [sentence for sentence in sentences if sentence.status != CitationSupport.NO_CLAIM]
    if not counted:
        return "the answer makes no claim about the code: nothing was checked"
    counts = Counter((sentence.status, sentence.level) for sentence in counted)
    noun = "statement" if len(counted) == 1 else "statements"
    parts = [
        f"{counts[key]} {text}"
        for key, text in (
            ((CitationSupport.SUPPORTED, Level.WORDS), "found there by names and words"),
            ((CitationSupport.SUPPORTED, Level.NAMES), "found there by names, with no other words to compare"),
            ((CitationSupport.NAMED, Level.NAMES), "by names alone"),
            ((CitationSupport.CITED, Level.LINES), "cite lines that exist, with nothing to compare"),
            ((CitationSupport.WEAK, Level.NAMES), "weak: its words or a number stand elsewhere"),
        )
        if counts[key]
    ]
    statuses = Counter(sentence.status for sentence in counted)
    parts += [
        f"{statuses[status]} {status}"
        for status in (CitationSupport.UNSUPPORTED, CitationSupport.UNCITED)
        if statuses[status]
    ]
    changed = [
        f"{count} {'citation' if count == 1 else 'citations'} {verb}"
        for verb, count in (
            ("moved", sum(len(sentence.moved) for sentence in counted)),
            ("removed", sum(len(sentence.dropped) for sentence in counted)),
        )
        if count
    ]
    after = f"; {', '.join(changed)}" if changed else ""
    return f"compared {len(counted)} {noun} with the cited lines by their words: {', '.join(parts)}{after}"
