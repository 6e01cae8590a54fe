"""Run hostile programs in the sandbox and hostile solutions against the judge of `write`; exit 1 if one gets through.

python bench/attack_sandbox.py [NAME …]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.hostile_programs import LAYER_ATTACKS, SANDBOX_ATTACKS, SOLUTION_ATTACKS, Attack

from bottega.errors import SandboxError
from bottega.sandbox import CommandResult, Layer, Limits, Sandbox, Workspace, open_layer, open_sandbox
from bottega.write.cases import Case
from bottega.write.trial import try_code

LIMITS = Limits(seconds=4, cpu_seconds=3, memory_mb=512, processes=32, file_mb=64, disk_mb=128, files=2000)
SLOWEST = 4 * LIMITS.seconds
PATIENCE = 3.0
PROJECT = {"README": "A shop.\n", "shop/price.py": "def total(prices):\n    return sum(prices)\n"}
EXAMPLES = [Case("double(2)", "4"), Case("double(-3)", "-6")]
TESTS = [Case("double(7)", "14"), Case("double(0) in (0, 0.0)"), Case("not double(0)")]


def faults_of(attack: Attack, sandbox: Sandbox, *, limits: Limits = LIMITS) -> list[str]:
    """What the program achieved; empty when every wall stood."""
    mark = uuid4().hex
    code = f"import sys\nsys.argv = ['', '{mark}']\n{attack.code}"
    before = shutil.disk_usage("/tmp").used
    ran = sandbox.run([sys.executable, "-c", code, mark], files={}, stdin="data\n", limits=limits)
    return list(_faults(attack, ran, mark, before, limits))


def _faults(attack: Attack, ran: CommandResult, mark: str, before: int, limits: Limits) -> Iterator[str]:
    if "BREACH" in ran.stdout:
        yield next(line for line in ran.stdout.splitlines() if "BREACH" in line)
    if ran.seconds > SLOWEST:
        yield f"it took {ran.seconds:.1f} s"
    if len(ran.stdout) > limits.output_bytes or len(ran.stderr) > limits.output_bytes:
        yield "more output than allowed"
    end = "clock" if ran.timed_out else "overrun" if ran.overrun else "itself"
    if attack.ends not in ("any", end):
        yield f"it was to be ended by {attack.ends}, not by {end}: {ran} {ran.stderr[-200:]}"
    if not _is_gone(mark):
        yield "a process of it still runs"
    if shutil.disk_usage("/tmp").used - before > 2 * limits.disk_mb << 20:
        yield "the disk of the host has filled"


def layer_faults_of(attack: Attack, sandbox: Sandbox, *, limits: Limits = LIMITS) -> list[str]:
    """What the program achieved from a layer over a project: during the run, in the diff and by being applied."""
    mark = uuid4().hex
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        project = Path(folder) / "project"
        _write_project(project)
        with open_layer(project, into=Path(folder) / "layer") as layer:
            code = f"import sys\nsys.argv = ['', '{mark}', '{project}']\n{attack.code}"
            before = shutil.disk_usage("/tmp").used
            command = [sys.executable, "-c", code, mark]
            ran = sandbox.run(command, files={}, limits=limits, workspace=Workspace(layer), give_back=["**"])
            return [*_faults(attack, ran, mark, before, limits), *_layer_faults(layer, ran, limits)]


def _write_project(project: Path) -> None:
    for name, text in PROJECT.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)


def _layer_faults(layer: Layer, ran: CommandResult, limits: Limits) -> Iterator[str]:
    if {name: (layer.project / name).read_text() for name in PROJECT} != PROJECT:
        yield "the project was written"
    if sum(map(len, ran.files.values())) > limits.given_back_mb << 20:
        yield "more was given back than allowed"
    if b"root:" in b"".join(ran.files.values()) or "root:" in layer.diff().text:
        yield "a file of the host was given back"
    if ran.overrun and layer.diff():
        yield "changes of a run over its limits were kept"
    try:
        layer.apply()
    except SandboxError:
        return
    for path in layer.project.rglob("*"):
        if path.is_symlink() and not path.resolve().is_relative_to(layer.project):
            yield f"a link out was applied: {path.name}"
        if {".git", ".bottega"} & {part.casefold() for part in path.relative_to(layer.project).parts}:
            yield f"a private path was applied: {path.name}"
        if not path.is_symlink() and path.stat().st_mode & 0o6000:
            yield f"special rights were applied: {path.name}"


def judge_faults_of(attack: Attack, sandbox: Sandbox, *, limits: Limits = LIMITS) -> list[str]:
    """Whether a solution that is wrong got any example past the judge."""
    started = time.monotonic()
    report = try_code(attack.code, examples=EXAMPLES, tests=TESTS, sandbox=sandbox, limits=limits)
    found = []
    if report.holds() or not report.examples_failed:
        found.append(f"it passed: {report}")
    if not report.failures:
        found.append("nobody is told why it failed")
    if time.monotonic() - started > SLOWEST:
        found.append("it took too long")
    return found


def _is_gone(mark: str) -> bool:
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        listed = subprocess.run(["ps", "-A", "-ww", "-o", "args="], capture_output=True, text=True, check=True).stdout
        if mark not in listed:
            return True
        time.sleep(0.1)
    return False


def main() -> None:
    os.environ["ATTACK_SECRET"] = "sk-not-for-you"
    sandbox = open_sandbox()
    failed = _run_all("sandbox", SANDBOX_ATTACKS, lambda attack: faults_of(attack, sandbox))
    failed |= _run_all("sandbox", LAYER_ATTACKS, lambda attack: layer_faults_of(attack, sandbox))
    failed |= _run_all("judge", SOLUTION_ATTACKS, lambda attack: judge_faults_of(attack, sandbox))
    sys.exit(1 if failed else 0)


def _run_all(title: str, attacks: list[Attack], run: Callable[[Attack], list[str]]) -> bool:
    wanted = sys.argv[1:]
    trials: dict[str, int] = defaultdict(int)
    faults: dict[str, list[str]] = defaultdict(list)
    chosen = [attack for attack in attacks if not wanted or attack.name in wanted]
    with ThreadPoolExecutor(2) as pool:
        for attack, found in zip(chosen, pool.map(run, chosen), strict=True):
            trials[attack.group] += 1
            faults[attack.group] += [f"{attack.name}: {fault}" for fault in found]
    for group, count in trials.items():
        print(f"{title}, {group}: {count} trials, {len(faults[group])} faults")
        for fault in faults[group]:
            print(f"  {fault}")
    return any(faults.values())


if __name__ == "__main__":
    main()
