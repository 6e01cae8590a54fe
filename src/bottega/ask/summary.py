"""One line that says what was checked of an answer, by what, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bottega.ask.claims import Level, Standing
from bottega.ask.state import Said


def summarize(sentences: Sequence[Said]) -> str:
    """Counts statements by what was found at their cited lines; a comparison of words, and it says so."""
    counted = [said for said in sentences if said.standing != Standing.NO_CLAIM]
    if not counted:
        return "the answer makes no claim about the code: nothing was checked"
    found = Counter((said.standing, said.level) for said in counted)
    noun = "statement" if len(counted) == 1 else "statements"
    parts = [
        f"{found[key]} {text}"
        for key, text in (
            ((Standing.SUPPORTED, Level.WORDS), "found there by names and words"),
            ((Standing.SUPPORTED, Level.NAMES), "found there by names (too few other words to compare)"),
            ((Standing.WEAK, Level.NAMES), "weak: only the names are there"),
        )
        if found[key]
    ]
    standings = Counter(said.standing for said in counted)
    parts += [
        f"{standings[standing]} {standing}"
        for standing in (Standing.UNSUPPORTED, Standing.UNCITED)
        if standings[standing]
    ]
    changed = [
        f"{count} {'citation' if count == 1 else 'citations'} {verb}"
        for verb, count in (
            ("moved", sum(len(said.moved) for said in counted)),
            ("removed", sum(len(said.dropped) for said in counted)),
        )
        if count
    ]
    after = f"; {', '.join(changed)}" if changed else ""
    return f"compared {len(counted)} {noun} with the cited lines by their words: {', '.join(parts)}{after}"
