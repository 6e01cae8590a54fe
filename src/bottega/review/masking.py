"""A change without its secrets: masked once, before anything is stored, shown or sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from bottega.source import FileChange, FileLayout
from bottega.source.secrets import mask_secrets

Mask = Callable[[str], str]

_MASK = re.compile(r"«masked:[^»\n]{1,40}»")
_UNCLEAR = "«masked:line»"
_NAME_LINES = ("diff --git ", "--- ", "+++ ", "rename ", "copy ", "Binary files ")
KEY_START, _KEY_END = "-----BEGIN PRIVATE KEY-----", re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{40,}\s*")
_KEY_FILES = (".pem", ".key", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")
_SECTION = re.compile(r"(@@ [^@\n]{3,60} @@)(.*)", re.S)


def mask_text(text: str, path: str, mask: Mask) -> str:
    """The text with its secrets masked and every line where it was; `mask` knows the values of this machine."""
    return "\n".join(mask(line) for line in mask_secrets(text, path=path).split("\n"))


def is_inside_key(text: str) -> bool:
    """Whether a private key ends in the text that begins above it: a hunk shows three lines around a change."""
    end = _KEY_END.search(text)
    return end is not None and "-----BEGIN " not in text[: end.start()]


def is_masked_form(shown: str, raw: str) -> bool:
    """Whether a line is another with its secrets masked, or the same."""
    if shown == raw or "«masked:" not in shown:
        return shown == raw
    first, *rest = _MASK.split(shown)
    if not rest or not raw.startswith(first) or not raw.endswith(rest[-1]):
        return False
    position, end = len(first), len(raw) - len(rest[-1])
    for part in rest[:-1]:
        position = raw.find(part, position, end)
        if position < 0:
            return False
        position += len(part)
    return position <= end


def mask_names(files: Sequence[FileChange], mask: Mask) -> dict[str, str]:
    """What each path of a change is shown as; two paths are never shown as one."""
    names: dict[str, str] = {}
    taken = {path for file in files for path in (file.path, file.old_path)}
    for path in sorted(taken):
        shown = mask(mask_secrets(path))
        if shown != path:
            copies = (f"{shown}~{number}" for number in range(2, len(taken) + 2))
            shown = (
                shown if shown not in names.values() else next(copy for copy in copies if copy not in names.values())
            )
        names[path] = shown
    return names


def mask_diff(text: str, layouts: Sequence[FileLayout], names: Mapping[str, str], mask: Mask) -> str:
    """The text of a diff with secrets masked in lines, sections and file names; it reads as the same change."""
    lines = text.removeprefix("\ufeff").split("\n")
    masked: list[str] = []
    for layout in layouts:
        masked += map(mask, lines[len(masked) : layout.lines.start])
        masked += _mask_file(lines, layout, names, mask)
    masked += map(mask, lines[len(masked) :])
    return "\n".join(masked)


def _mask_file(lines: Sequence[str], layout: FileLayout, names: Mapping[str, str], mask: Mask) -> Iterator[str]:
    file = layout.file
    is_renamed = names[file.path] != file.path or names[file.old_path] != file.old_path
    end_of_head = layout.hunks[0].start if layout.hunks else layout.lines.stop
    for number in range(layout.lines.start, end_of_head):
        line = lines[number]
        yield _render_name_line(line, file, names) if is_renamed and line.startswith(_NAME_LINES) else line
    for hunk in layout.hunks:
        yield _mask_section(lines[hunk.start], mask)
        yield from _mask_hunk(lines[hunk.start + 1 : hunk.stop], file, mask)
    yield from map(mask, lines[max(end_of_head, layout.hunks[-1].stop if layout.hunks else 0) : layout.lines.stop])


def _render_name_line(line: str, file: FileChange, names: Mapping[str, str]) -> str:
    """A line of the head that names the file, with the names that are shown."""
    old, new = _quote(f"a/{names[file.old_path]}"), _quote(f"b/{names[file.path]}")
    word = line.split(" ", 2)
    if line.startswith("diff --git "):
        return f"diff --git {old} {new}"
    if line.startswith("Binary files "):
        return f"Binary files {old} and {new} differ"
    if line.startswith(("--- ", "+++ ")):
        if line[4:].startswith("/dev/null"):
            return line
        return f"{line[:4]}{old if line[0] == '-' else new}"
    shown = names[file.old_path] if word[1] == "from" else names[file.path]
    return f"{word[0]} {word[1]} {_quote(shown)}"


def _quote(name: str) -> str:
    escaped = "".join(
        f"\\{ord(char):03o}" if ord(char) < 32 else f"\\{char}" if char in '"\\' else char for char in name
    )
    return f'"{escaped}"'


def _mask_section(header: str, mask: Mask) -> str:
    """`@@ -1,2 +1,3 @@ def login(password="…")`."""
    found = _SECTION.fullmatch(header)
    return f"{found[1]}{mask(mask_secrets(found[2]))}" if found else mask(header)


def _mask_hunk(lines: Sequence[str], file: FileChange, mask: Mask) -> Iterator[str]:
    """Each side is masked as one text, because a key takes several lines; a line of both sides as either sees it."""
    new = _mask_side(lines, "-", file.path, mask)
    old = _mask_side(lines, "+", file.old_path, mask)
    for number, line in enumerate(lines):
        before, after = old.get(number, line[1:]), new.get(number, line[1:])
        body = after if before == line[1:] or before == after else before if after == line[1:] else _UNCLEAR
        yield f"{line[:1]}{body}"


def _mask_side(lines: Sequence[str], other: str, path: str, mask: Mask) -> dict[int, str]:
    numbers = [number for number, line in enumerate(lines) if line[:1] not in {other, "\\"}]
    text = "\n".join(lines[number][1:] for number in numbers)
    is_key = is_inside_key(text) or _is_all_key(text, path)
    masked = mask_text(f"{KEY_START}\n{text}" if is_key else text, path, mask).split("\n")[is_key:] if numbers else []
    if len(masked) != len(numbers):
        masked = [mask(mask_secrets(lines[number][1:])) for number in numbers]
    return dict(zip(numbers, masked, strict=True))


def _is_all_key(text: str, path: str) -> bool:
    """A hunk from the middle of a key file shows neither its begin nor its end."""
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and path.endswith(_KEY_FILES) and all(map(_KEY_LINE.fullmatch, lines))
