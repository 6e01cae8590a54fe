"""Translates git's wildcard patterns to regexes that do not backtrack.

Ignore files are hostile input. With `[^/]*` for every `*` and `.*` for every `**`, the time of a failed match grows
exponentially with the number of stars. Here every wildcard but the last is an atomic group: what follows a star may
be taken where it is found first, because the next star matches any rest.
"""

from __future__ import annotations

import re

_STAR = "*"
_SUBDIRECTORIES = "(?:[^/]++/)*?"
_POSIX_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t\n\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class NeverMatches(ValueError):
    """Git accepts the pattern, but no path can match it."""


def translate_name(glob: str) -> str:
    """The regex for a pattern without a slash, to be matched against one path segment."""
    return _translate_segment(_split_segments(glob)[0])


def translate_path(glob: str) -> str:
    """The regex for a pattern with slashes, to be matched against a whole path.

    `**` stands for any number of segments; each run of segments between two of them is taken where it is found first.
    """
    runs: list[list[str]] = [[]]
    for segment in _split_segments(glob):
        if len(segment) > 1 and all(regex == _STAR for regex in segment):
            if runs[-1] or len(runs) == 1:
                runs.append([])
        else:
            runs[-1].append(_translate_segment(segment))
    if len(runs) == 1:
        return "/".join(runs[0])
    first, *middle, last = runs
    regex = "".join(f"{segment}/" for segment in first)
    for run in middle:
        regex += f"(?>{_SUBDIRECTORIES}{''.join(f'{segment}/' for segment in run)})"
    return regex + (_SUBDIRECTORIES + "/".join(last) if last else ".+")


def _split_segments(glob: str) -> list[list[str]]:
    """The path segments of a pattern, each as one regex per character, with `_STAR` for a star."""
    segments: list[list[str]] = [[]]
    at = 0
    while at < len(glob):
        char, is_escaped = glob[at], glob[at] == "\\"
        at += 1
        if is_escaped:
            char, at = _read_char(glob, at)
        if char == "/":
            segments.append([])
        elif char == "[" and not is_escaped:
            regex, at = _translate_class(glob, at)
            segments[-1].append(regex)
        elif is_escaped or char not in "*?":
            segments[-1].append(re.escape(char))
        else:
            segments[-1].append(_STAR if char == "*" else "[^/]")
    if not all(segments):  # no path has an empty segment
        raise NeverMatches(glob)
    return segments


def _translate_class(glob: str, at: int) -> tuple[str, int]:
    """The regex of a bracket expression that opens before `at`, and the position after it."""
    is_negated = glob[at : at + 1] in {"!", "^"}
    at += is_negated
    first, ranges = at, ""
    while at == first or glob[at : at + 1] != "]":
        closing = glob.find("]", at + 2) if glob.startswith("[:", at) else -1
        if closing > at + 2 and glob[closing - 1] == ":":
            ranges += _translate_posix_class(glob[at + 2 : closing - 1])
            at = closing + 1
            continue
        low, at = _read_class_char(glob, at)
        high = low
        if glob[at : at + 1] == "-" and glob[at + 1 : at + 2] != "]":
            high, at = _read_class_char(glob, at + 1)
        ranges += f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low)
    return f"(?!/)[{'^' if is_negated else ''}{ranges}]", at + 1


def _translate_posix_class(name: str) -> str:
    if name not in _POSIX_CLASSES:
        raise NeverMatches(name)
    return _POSIX_CLASSES[name]


def _read_class_char(glob: str, at: int) -> tuple[str, int]:
    return _read_char(glob, at + 1 if glob[at : at + 1] == "\\" else at)


def _read_char(glob: str, at: int) -> tuple[str, int]:
    if at >= len(glob):
        raise NeverMatches(glob)
    return glob[at], at + 1


def _translate_segment(segment: list[str]) -> str:
    if all(regex == _STAR for regex in segment):
        return "[^/]+"
    parts = [""]
    for regex in segment:
        if regex == _STAR:
            parts.append("")
        else:
            parts[-1] += regex
    if len(parts) == 1:
        return parts[0]
    middle = "".join(f"(?>[^/]*?{part})" for part in parts[1:-1] if part)
    return f"{parts[0]}{middle}[^/]*{parts[-1]}"
