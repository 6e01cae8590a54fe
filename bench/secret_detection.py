"""Alarms of the secret detector on real repositories, and its recall on planted secrets.

    python bench/secret_detection.py DIRECTORY... [--show]    alarms by rule, with file:line; none prints a secret
    python bench/secret_detection.py --planted                every rule's format in ten contexts

A person looks at the alarms and says which are false; the program counts lines and alarms.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bottega.source.secrets import find_secrets, mask_secrets
from bottega.testing.planted import TEMPLATES, plant

# A file's name and what stands around the secret in it.
CONTEXTS = (
    ("app.py", 'import os\n\nvalue = "{}"\n'),
    ("app.js", "const value = '{}';\n"),
    ("app.go", "const value = `{}`\n"),
    ("App.java", 'String value = "{}";\n'),
    ("app.rb", "value = '{}' # rotated\n"),
    ("config.yml", "service:\n  - {}\n"),
    ("config.json", '{{\n  "value": "{}"\n}}\n'),
    ("run.sh", "#!/bin/sh\nexec run -- {}\n"),
    ("notes.md", "Seen in the log: {}\n"),
    ("page.xml", "<entry>{}</entry>\n"),
)
_LARGEST_FILE = 2_000_000
_SKIPPED = {".git", "node_modules", ".venv", "vendor"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", nargs="*", type=Path)
    parser.add_argument("--show", action="store_true", help="print the line of each alarm, the secret masked")
    parser.add_argument("--planted", action="store_true", help="measure recall on planted secrets instead")
    arguments = parser.parse_args()
    if arguments.planted:
        return measure_recall()
    for directory in arguments.directories:
        measure_alarms(directory, is_shown=arguments.show)
    return 0


def measure_alarms(directory: Path, *, is_shown: bool) -> None:
    started = time.perf_counter()
    lines, by_rule = 0, Counter[str]()
    for path, text in texts_of(directory):
        lines += text.count("\n") + 1
        for secret in find_secrets(text, path=path):
            by_rule[secret.rule] += 1
            number = text.count("\n", 0, secret.start) + 1
            print(f"  {directory.name}/{path}:{number}: {secret.rule}", end="")
            print(f"  {_line_around(text, secret.start, secret.end)}" if is_shown else "")
    alarms = by_rule.total()
    rate = alarms / max(1, lines) * 10_000
    rules = ", ".join(f"{rule} {count}" for rule, count in by_rule.most_common())
    seconds = time.perf_counter() - started
    print(
        f"{directory.name}: {lines:,} lines, {alarms} alarms, {rate:.2f} per 10,000 lines ({rules}) in {seconds:.1f} s"
    )


def texts_of(directory: Path) -> Iterator[tuple[str, str]]:
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(set(folders) - _SKIPPED)
        for name in sorted(names):
            path = Path(folder) / name
            if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST_FILE:
                continue
            data = path.read_bytes()
            if b"\0" not in data[:8192]:
                yield path.relative_to(directory).as_posix(), data.decode("utf-8", "replace")


def measure_recall() -> int:
    """Plant every rule's format in ten contexts, and count what is found and what is masked."""
    trials = found = masked = 0
    missed: Counter[str] = Counter()
    for rule in TEMPLATES:
        for seed, (path, context) in enumerate(CONTEXTS):
            planted = plant(rule, seed)
            text = context.format(planted.text)
            trials += 1
            masked += planted.secret not in mask_secrets(text, path=path)
            is_found = any(planted.secret in text[one.start : one.end] for one in find_secrets(text, path=path))
            found += is_found
            missed[rule] += not is_found
    print(f"planted: {trials:,} secrets of {len(TEMPLATES)} rules, {found:,} found, {masked:,} masked")
    print("missed:", ", ".join(f"{rule} {count}" for rule, count in missed.most_common() if count) or "none")
    return int(masked < trials)


def _line_around(text: str, start: int, end: int) -> str:
    """The line of a secret without it, cut to a width that can be read."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    before, after = text[max(first, start - 60) : start], text[end : last if last >= 0 else len(text)][:40]
    return f"{before}[{end - start} characters]{after}".strip()


if __name__ == "__main__":
    sys.exit(main())
