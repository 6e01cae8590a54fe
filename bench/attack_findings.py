"""Secrets planted at random into changes: each is found where it is added, and its value is in nothing that leaves.

    python bench/attack_findings.py --trials 3000

Prints one line for each group of trials, and ends with 1 when there is a fault.
"""

from __future__ import annotations

import argparse
import difflib
import json
import string
import sys
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from bottega.review import Change, mask_change
from bottega.source import parse_diff
from bottega.source.secrets import Masker

_LETTERS = string.ascii_letters + string.digits
_PLAIN = [
    "a = 1",
    "def total(prices):",
    "    return sum(prices)",
    "",
    "x: y",
    "- item",
    "« »",
    "\tz = (",
    '"""words"""',
    "}",
]


@dataclass(frozen=True, slots=True)
class Planted:
    """A change, the values in it, and the places (`path:line`) of those that it adds."""

    change: Change
    values: tuple[str, ...]
    added: frozenset[str]


def _word(random: Random, length: int, letters: str = _LETTERS) -> str:
    return "".join(random.choices(letters, k=length - 3)) + random.choice("aeu") + random.choice("379") + "Q"


def _token(random: Random) -> tuple[str, str]:
    """A value and a line that holds it."""
    shapes: list[Callable[[], tuple[str, str]]] = [
        lambda: _in_line(f"ghp_{_word(random, 36)}", 'token = "{}"', "see {} here", "key: {}"),
        lambda: _in_line(
            f"AKIA{_word(random, 16, string.ascii_uppercase + '234567')[:15]}Z".upper(), "id = '{}'", "{}"
        ),
        lambda: _in_line(
            f"xoxb-{random.randrange(10**11, 10**12)}-{random.randrange(10**12, 10**13)}-{_word(random, 24)}", "{}"
        ),
        lambda: _in_line(f"sk_live_{_word(random, 24)}", 'stripe("{}")', "STRIPE_KEY={}"),
        lambda: _in_line(_word(random, 14), "url: postgres://app:{}@db.internal:5432/shop"),
        lambda: _in_line(f"glpat-{_word(random, 20)}", "GITLAB={}", 'x = ["{}"]'),
    ]

    def _in_line(value: str, *forms: str) -> tuple[str, str]:
        return value, random.choice(forms).format(value)

    return random.choice(shapes)()


def planted_change(random: Random) -> Planted:
    """A diff of one to four files in which kept, added and removed lines, names and the message hold secrets."""
    parts: list[str] = []
    values: list[str] = []
    added: set[str] = set()
    for number in range(random.randrange(1, 5)):
        ending = random.choice(["py", "yml", "txt", "lock", "min.js"])
        path = f"{random.choice(['src', 'conf', 'a b'])}/file{number}.{ending}"
        before = [_line(random, values) for _ in range(random.choice([0, 3, 20]))]
        after = [line for line in before if random.random() > 0.2]
        for _ in range(random.randrange(1, 6)):
            after.insert(random.randrange(len(after) + 1), _line(random, values))
        diff = list(difflib.unified_diff(before, after, f"a/{path}", f"b/{path}", n=random.choice([0, 3]), lineterm=""))
        parts += [f"diff --git a/{path} b/{path}", *(line if line else " " for line in diff)] if diff else []
        added |= _added_places(path, diff, values)
    value, message = _token(random)
    values.append(value)
    text = "\n".join(parts) + "\n"
    return Planted(Change(text, f"Use {message}", "a diff", "unknown"), tuple(values), frozenset(added))


def _line(random: Random, values: list[str]) -> str:
    if random.random() > 0.3:
        return random.choice(_PLAIN)
    value, line = _token(random)
    values.append(value)
    return line


def _added_places(path: str, diff: list[str], values: list[str]) -> set[str]:
    if not diff:
        return set()
    [file] = parse_diff("\n".join(diff) + "\n").files
    return {
        f"{path}:{line.new}"
        for hunk in file.hunks
        for line in hunk.added
        if any(value in line.text for value in values)
    }


def faults_of(planted: Planted) -> list[str]:
    """What is wrong with the masked change; nothing is as it should be."""
    masked = mask_change(planted.change, Masker())
    report = json.dumps([finding.model_dump(mode="json") for finding in masked.secrets], ensure_ascii=False)
    faults = [
        f"a value is in the {name}"
        for name, text in (("diff", masked.text), ("message", masked.intent), ("findings", report))
        if any(value in text for value in planted.values)
    ]
    found = {str(finding.span) for finding in masked.secrets if finding.severity == "CRITICAL" and finding.verified}
    faults += [f"{place} is not reported" for place in sorted(planted.added - found)]
    faults += [f"{place} is reported and holds none" for place in sorted(found - planted.added)]
    if _shape(planted.change.text) != _shape(masked.text):
        faults.append("the masked diff is another change")
    return faults


def _shape(text: str) -> list[tuple[str, list[tuple[str, int, int]]]]:
    return [
        (file.path, [(line.kind, line.old, line.new) for hunk in file.hunks for line in hunk.lines])
        for file in parse_diff(text).files
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=17)
    options = parser.parse_args()
    faults = 0
    for trial in range(options.trials):
        for fault in faults_of(planted_change(Random(f"{options.seed}/{trial}"))):
            faults += 1
            print(f"  trial {trial}: {fault}")
    print(f"planted secrets: {options.trials:,} trials, {faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
