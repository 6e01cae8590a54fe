"""Run every attack and print a table of what was tried: `make attack`.

Each program prints lines such as `servers: 2,400 trials, 0 faults` and ends with 1 when there is a fault.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = {
    "hostile repositories": ["bench/attack_repositories.py"],
    "kill -9": ["bench/attack_kills.py"],
    "hostile model servers": ["bench/attack_servers.py"],
    "generated code in the sandbox": ["bench/attack_sandbox.py"],
    "secrets planted into changes": ["bench/attack_findings.py"],
    "hostile files": ["bench/hostile_files.py", "--size", "120000"],
}
SECONDS_EACH = 300
_LINE = re.compile(r"^(?P<group>[^:]+): (?P<trials>[\d,]+) trials, (?P<faults>[\d,]+) faults", re.M)


def main() -> None:
    rows, has_fault = [], False
    for what, (program, *arguments) in PROGRAMS.items():
        started = time.monotonic()
        code, output = run([sys.executable, str(ROOT / program), *arguments])
        trials, faults = totals(output)
        has_fault |= code != 0
        rows.append(f"| {what} | `{program}` | {trials:,} | {faults} | {time.monotonic() - started:.0f} s |")
        sys.stderr.write(output + "\n")
    print("| what | program | trials | faults | took |\n|---|---|---|---|---|")
    print("\n".join(rows))
    sys.exit(1 if has_fault else 0)


def run(command: list[str]) -> tuple[int, str]:
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS_EACH, check=False)
    except subprocess.TimeoutExpired as error:
        printed = error.stdout.decode("utf-8", "replace") if isinstance(error.stdout, bytes) else ""
        return 1, f"{printed}\n  FAULT no end after {SECONDS_EACH} s"
    return done.returncode, done.stdout + done.stderr


def totals(output: str) -> tuple[int, int]:
    """The sum over groups; a line that sums up its own groups counts alone."""
    found = [(line["group"], number(line["trials"]), number(line["faults"])) for line in _LINE.finditer(output)]
    whole = [row for row in found if any(other.startswith(f"{row[0]}, ") for other, _, _ in found)]
    whole += [row for row in found if row[0] in {"servers"}]
    rows = whole or found
    return sum(row[1] for row in rows), sum(row[2] for row in rows)


def number(text: str) -> int:
    return int(text.replace(",", ""))


if __name__ == "__main__":
    main()
