"""A change as reviewers are shown it: which files, and portions that fit a context window, every hunk in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bottega.review.masking import is_masked_form
from bottega.source import Diff, FileChange, Hunk, Span, parse_diff, quote_line, quote_name
from bottega.source.roles import Role, role_of_path

_LEFT_OUT = {
    Role.GENERATED: "generated",
    Role.VENDORED: "somebody else's code",
    Role.MINIFIED: "minified",
    Role.LOCK: "a lock file",
    Role.DATA: "data",
    Role.BINARY: "binary",
}
_BUILT = frozenset({"dist", "build", "out", "coverage", ".next", "__snapshots__"})
_BUILT_ENDINGS = (".js", ".mjs", ".cjs", ".css", ".map", ".html", ".snap")
SKIPPED_BY_NAME = frozenset({"generated", "somebody else's code", "minified", "built"})


@lru_cache(maxsize=4)
def parse_cached(text: str) -> Diff:
    """`parse_diff`, remembering the last few: every step of a review parses the same change."""
    return parse_diff(text)


@dataclass(frozen=True, slots=True)
class Portion:
    """What one request shows: hunks of one or several files."""

    hunks: tuple[tuple[FileChange, Hunk], ...]

    def spans(self) -> tuple[Span, ...]:
        return tuple(get_hunk_span(file, hunk) for file, hunk in self.hunks)


def get_hunk_span(file: FileChange, hunk: Hunk) -> Span:
    """The lines of a hunk on the side that can be cited: the old one of a deleted file, otherwise the new one.

    Where nothing is left, the span is the line above; for a file left empty, line 1.
    """
    is_deleted = file.status == "deleted"
    start, count = (hunk.old_start, hunk.old_count) if is_deleted else (hunk.new_start, hunk.new_count)
    return Span(file.path, max(1, start), max(1, start + max(count, 1) - 1))


def find_skip_reason(file: FileChange) -> str:
    """Why a file is not read, or ""."""
    if file.is_binary:
        return "binary"
    folders = file.path.split("/")[:-1]
    if any(folder in _BUILT for folder in folders) and file.path.endswith(_BUILT_ENDINGS):
        return "built"
    return _LEFT_OUT.get(role_of_path(file.path), "")


def choose_files(diff: Diff, wanted: Callable[[str], bool]) -> tuple[list[FileChange], list[tuple[str, str]]]:
    """The files to read, and the others with their reasons."""
    chosen: list[FileChange] = []
    others: list[tuple[str, str]] = []
    for file in diff.files:
        if not wanted(file.path):
            continue
        if reason := find_skip_reason(file):
            others.append((file.path, reason))
        elif file.hunks:
            chosen.append(file)
        else:
            others.append((file.path, _describe_without_lines(file)))
    return chosen, others


def _describe_without_lines(file: FileChange) -> str:
    if file.status == "renamed":
        return f"renamed from {file.old_path}, its lines as they were"
    if file.old_mode and file.new_mode:
        return f"its mode changed from {file.old_mode} to {file.new_mode}"
    return "no lines changed"


def restore_before(text: str, file: FileChange) -> str | None:
    """A file as it was before the change, from its text after it; `None` where the change does not fit the text."""
    lines = text.split("\n")
    for hunk in reversed(file.hunks):
        start = hunk.new_start - 1 if hunk.new_count else hunk.new_start
        new = [line.text for line in hunk.lines if line.kind != "-"]
        there = [line.removesuffix("\r") for line in lines[start : start + hunk.new_count]]
        if len(there) != len(new) or not all(map(is_masked_form, new, there)):
            return None
        lines[start : start + hunk.new_count] = [line.text for line in hunk.lines if line.kind != "+"]
    return "\n".join(lines)


def split_into_portions(files: Sequence[FileChange], cost: Callable[[str], int], limit: int) -> list[Portion]:
    """Pack every hunk into as few portions as the limit allows; a hunk over the limit is cut between its lines."""
    found: list[Portion] = []
    held: list[tuple[FileChange, Hunk]] = []
    spent = 0
    last: FileChange | None = None
    for file in files:
        for hunk in file.hunks:
            for part in _cut_hunk(hunk, cost, limit):
                price = cost(render_hunk(part)) + (0 if file is last else cost(_render_name(file)))
                if held and spent + price > limit:
                    found.append(Portion(tuple(held)))
                    held, spent, price = [], 0, cost(render_hunk(part)) + cost(_render_name(file))
                held.append((file, part))
                spent += price
                last = file
    if held:
        found.append(Portion(tuple(held)))
    return found


def _cut_hunk(hunk: Hunk, cost: Callable[[str], int], limit: int) -> Iterator[Hunk]:
    if len(hunk.lines) < 2 or cost(render_hunk(hunk)) <= limit:
        yield hunk
        return
    middle = len(hunk.lines) // 2
    for lines in (hunk.lines[:middle], hunk.lines[middle:]):
        old = [line.old for line in lines if line.old]
        new = [line.new for line in lines if line.new]
        before = hunk.lines[:middle] if lines is not hunk.lines[:middle] else ()
        half = Hunk(
            old[0] if old else hunk.old_start + sum(line.old > 0 for line in before),
            len(old),
            new[0] if new else hunk.new_start + sum(line.new > 0 for line in before),
            len(new),
            hunk.section,
            lines,
        )
        yield from _cut_hunk(half, cost, limit)


def render_portion(portion: Portion) -> str:
    """Every line with its number on the new side, so that a reviewer can cite it."""
    parts: list[str] = []
    last: FileChange | None = None
    for file, hunk in portion.hunks:
        if file is not last:
            parts.append(_render_name(file))
        parts.append(render_hunk(hunk))
        last = file
    return "\n".join(parts)


def render_hunk(hunk: Hunk) -> str:
    head = f"@@ {quote_line(hunk.section)}".rstrip()
    gone = not hunk.new_count
    return "\n".join(
        [head, *(f"{(line.old if gone else line.new) or '':>5} {line.kind} {line.text}" for line in hunk.lines)]
    )


def _render_name(file: FileChange) -> str:
    said = {"added": " (new file)", "deleted": " (deleted file)", "renamed": f" (was {quote_name(file.old_path)})"}
    return f"=== {quote_name(file.path)}{said.get(file.status, '')}"
