"""kill -9 at any moment: the next command works, and nothing of ours stays behind.

    python bench/attack_kills.py [--trials 60] [--seed 17] [--seconds 150]

A trial starts a verb in a small repository, kills it (and what it started) after a random moment, and then looks for
what is left: processes, `.new` files and folders under `.bottega`, temporary directories. Then the same verb runs again
and must end as it does without a kill. Exit 1 when there is a fault.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPLIES = """write.coder: ["def double(n):\\n    return 2 * n\\n"]
write.judge: ['{"judgement_summary": "Right.", "confidence_score": 9, "conflict_score": 1}']
"""
VERBS: tuple[tuple[str, ...], ...] = (
    ("index",),
    ("index", "--vectors"),
    ("search", "water"),
    ("review", "--no-model"),
    ("investigate", ".", "--no-model"),
    ("scan",),
    ("write", "a Python function double(n): double(2) is 4", "--model", "scripted/REPLIES"),
)
LONGEST_MOMENT = 2.5


def try_one(number: int, seed: int, deadline: float) -> tuple[str, list[str]] | None:
    if time.monotonic() > deadline:
        return None
    draw = random.Random(f"{seed}-{number}")
    verb = VERBS[number % len(VERBS)]
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        folder = Path(name)
        environ = build(folder)
        command = [sys.executable, "-m", "bottega", *(word.replace("REPLIES", str(folder / "r.yaml")) for word in verb)]
        expected = run(command, folder, environ) if draw.random() < 0.3 else None  # some find records
        kill_after(command, folder, environ, draw.uniform(0.05, LONGEST_MOMENT))
        faults = [f"{' '.join(verb)}: {fault}" for fault in leftovers(folder)]
        code = run(command, folder, environ)
        usual = expected if expected is not None else (4 if verb[0] == "review" else 0)
        if code not in {usual, 0, 4}:
            faults.append(f"{' '.join(verb)}: the next one ended with {code} instead of {usual}")
        faults += [f"{' '.join(verb)}: {fault}" for fault in remains(folder)]
        return verb[0], faults


def build(folder: Path) -> dict[str, str]:
    root = folder / "repo"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    for number in range(40):
        (root / f"kettle{number}.py").write_text(f"def boil{number}():\n    return 'water {number}'\n")
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=b"]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    (root / "kettle0.py").write_text("def boil0():\n    return 1 / 0\n")
    (folder / "r.yaml").write_text(REPLIES)
    (folder / "tmp").mkdir()
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "LANG": "C.UTF-8",
        "OLLAMA_HOST": "127.0.0.1:9",
        "BOTTEGA_INDEX_VECTORS": "manual",
    }


def run(command: list[str], folder: Path, environ: dict[str, str]) -> int:
    done = subprocess.run(command, cwd=folder / "repo", env=environ, capture_output=True, timeout=120, check=False)
    return done.returncode if b"Traceback" not in done.stderr else -1


def kill_after(command: list[str], folder: Path, environ: dict[str, str], seconds: float) -> None:
    """Kill the command alone: what it started has to notice."""
    nowhere = subprocess.DEVNULL
    child = subprocess.Popen(
        command, cwd=folder / "repo", env=environ, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
    )
    try:
        child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()


def leftovers(folder: Path) -> list[str]:
    """Processes of the killed command, given a moment to end."""
    for _ in range(50):
        found = processes_in(folder)
        if not found:
            return []
        time.sleep(0.1)
    return [f"a process stays: {found[0]}"]


def processes_in(folder: Path) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"HOME={folder}/home".encode() in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")[:120])
        except OSError:
            continue
    return found


def remains(folder: Path) -> list[str]:
    """What a command that ended well leaves behind of the one that was killed."""
    home = folder / "repo" / ".bottega"
    names = [str(path.relative_to(folder)) for path in home.rglob("*") if ".new" in path.name] if home.is_dir() else []
    names += [str(path.relative_to(folder)) for path in (folder / "tmp").iterdir()]
    return [f"{name} stays" for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--seconds", type=float, default=150, help="start no further trial after so long")
    options = parser.parse_args()
    deadline = time.monotonic() + options.seconds
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        results = list(pool.map(lambda number: try_one(number, options.seed, deadline), range(options.trials)))
    made = [result for result in results if result is not None]
    faults = [fault for _, found in made for fault in found]
    for fault in faults:
        print(f"  FAULT {fault}")
    for verb, count in sorted(Counter(verb for verb, _ in made).items()):
        print(f"kill -9, {verb}: {count} trials, {sum(fault.startswith(verb) for fault in faults)} faults")
    print(f"kill -9: {len(made)} trials, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
