"""The shortest edit between two texts by lines (Myers' greedy algorithm), in bounded time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MOST_EDITS = 600
"""With more inserted and deleted lines, everything between the common prefix and suffix counts as changed."""
CONTEXT = 3

Match = tuple[int, int, int]
"""Equal lines: start on both sides, and number."""


def render_hunks(old: str, new: str) -> str:
    """The hunks of a unified diff; "" for equal texts."""
    before, after = _split_lines(old), _split_lines(new)
    edits = list(_find_edits(before, after))
    return "".join(_render_hunk(group, before, after) for group in _group_edits(edits))


def _split_lines(text: str) -> list[str]:
    """Split at line feeds alone, as git does; mark a missing line feed at the end."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([f"{last}\n\\ No newline at end of file\n"] if last else [])


Edit = tuple[int, int, int, int]
"""Lines `a` to `b` of the old text become lines `c` to `d` of the new one."""


def _find_edits(before: Sequence[str], after: Sequence[str]) -> Iterator[Edit]:
    start = _count_common(before, after)
    end = _count_common(before[start:][::-1], after[start:][::-1])
    inner_before, inner_after = before[start : len(before) - end], after[start : len(after) - end]
    at, to = 0, 0
    for match in (*_find_matches(inner_before, inner_after), (len(inner_before), len(inner_after), 0)):
        if match[0] > at or match[1] > to:
            yield start + at, start + match[0], start + to, start + match[1]
        at, to = match[0] + match[2], match[1] + match[2]


def _count_common(before: Sequence[str], after: Sequence[str]) -> int:
    pairs = zip(before, after, strict=False)
    return next((index for index, (old, new) in enumerate(pairs) if old != new), min(len(before), len(after)))


def _find_matches(before: Sequence[str], after: Sequence[str]) -> list[Match]:
    """Equal runs in order; none where the edit would be too long."""
    reach = {1: 0}
    trace: list[dict[int, int]] = []
    for edits in range(min(len(before) + len(after), MOST_EDITS) + 1):
        trace.append(dict(reach))
        for diagonal in range(-edits, edits + 1, 2):
            at = _take_step(reach, diagonal, edits)
            while at < len(before) and at - diagonal < len(after) and before[at] == after[at - diagonal]:
                at += 1
            reach[diagonal] = at
            if at >= len(before) and at - diagonal >= len(after):
                return _follow_back(trace, len(before), len(after))
    return []


def _take_step(reach: dict[int, int], diagonal: int, edits: int) -> int:
    """The old line reached on a diagonal after one more insertion or deletion."""
    down = diagonal == -edits or (diagonal != edits and reach[diagonal - 1] < reach[diagonal + 1])
    return reach[diagonal + 1] if down else reach[diagonal - 1] + 1


def _follow_back(trace: Sequence[dict[int, int]], at: int, to: int) -> list[Match]:
    matches: list[Match] = []
    for edits in range(len(trace) - 1, -1, -1):
        diagonal = at - to
        reach = trace[edits]
        begin = _take_step(reach, diagonal, edits) if edits else 0
        if at > begin:
            matches.append((begin, begin - diagonal, at - begin))
        at, to = begin, begin - diagonal
        if edits:
            inserted = diagonal == -edits or (diagonal != edits and reach[diagonal - 1] < reach[diagonal + 1])
            at, to = (at, to - 1) if inserted else (at - 1, to)
    return matches[::-1]


def _group_edits(edits: Sequence[Edit]) -> Iterator[list[Edit]]:
    """Edits whose contexts touch share a hunk."""
    group: list[Edit] = []
    for edit in edits:
        if group and edit[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(edit)
    if group:
        yield group


def _render_hunk(group: Sequence[Edit], before: Sequence[str], after: Sequence[str]) -> str:
    begin = max(0, group[0][0] - CONTEXT)
    end = min(len(before), group[-1][1] + CONTEXT)
    new_begin, new_end = group[0][2] - (group[0][0] - begin), group[-1][3] + (end - group[-1][1])
    lines = [f"@@ -{_render_span(begin, end)} +{_render_span(new_begin, new_end)} @@\n"]
    at = begin
    for old_start, old_end, new_start, new_stop in group:
        lines += [f" {line}" for line in before[at:old_start]]
        lines += [f"-{line}" for line in before[old_start:old_end]]
        lines += [f"+{line}" for line in after[new_start:new_stop]]
        at = old_end
    lines += [f" {line}" for line in before[at:end]]
    return "".join(lines)


def _render_span(begin: int, end: int) -> str:
    count = end - begin
    first = begin + 1 if count else begin
    return str(first) if count == 1 else f"{first},{count}"
