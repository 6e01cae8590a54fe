"""What the engine adds to a step: milliseconds, journal included, beside plain SQLite commits in the same run.

    python bench/engine_overhead.py [--runs 5]

One run walks a guarded loop whose action does nothing, 200 steps in all, so its time is the engine's and the journal's.
The peer does what no design that survives a kill can do without: two commits a step, in WAL mode, on the same disk.
Run and peer take turns, so that a busy machine slows both; the ratio says more than the milliseconds.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import closing, nullcontext
from pathlib import Path

from bottega.journal import open_journal
from bottega.models import ModelRouter, Roster, open_model
from bottega.pipeline import DONE, Engine, Kind, Library, Pipeline, Run, State, action
from bottega.settings import Settings

STEPS = 200
TARGET_MS = 5.0
PIPELINE = """
pipeline:
  name: round and round
  kind: idle
  settings: {entry_step_id: again, max_steps: 200}
  steps:
    - {id: again, action: loop_guard, max: 99, on_allow: idle, on_deny: stop}
    - {id: idle, action: do_nothing, next: again}
    - {id: stop, action: stop}
"""


class Idle(State):
    """As much text as a short request with its draft."""

    text: str = "def double(n):\n    return 2 * n\n" * 20


@action(DONE)
def do_nothing(state: Idle, run: Run[None]) -> str:
    del state, run
    return DONE


@action()
def stop(state: Idle, run: Run[None]) -> str:
    del state, run
    return ""


KINDS = {"idle": Kind("idle", Idle, {"do_nothing": do_nothing, "stop": stop})}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    engine, peer = [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            engine.append(engine_ms(Path(folder)))
            peer.append(commits_ms(Path(folder)))
    sys.stdout.write(table(engine, peer))


def engine_ms(root: Path) -> float:
    """Milliseconds a step, from the first write of the run to its archived session."""
    pipeline = load(root)
    with closing(open_journal(root, environ={})) as journal:
        roster = Roster(ModelRouter(Settings()), open_model=lambda config: open_model(config, {}))
        engine = Engine(journal, roster, KINDS, lambda _: nullcontext())
        started = time.perf_counter()
        finished = engine.start(pipeline, Idle())
        took = time.perf_counter() - started
        assert len(journal.runs.steps(finished.run_id)) == STEPS
    return 1000 * took / STEPS


def commits_ms(root: Path) -> float:
    """Milliseconds a step of two commits: one row before, the state after."""
    text = Idle().model_dump_json()
    with closing(sqlite3.connect(root / "peer.sqlite", isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("CREATE TABLE steps (seq INTEGER PRIMARY KEY, state TEXT)")
        started = time.perf_counter()
        for seq in range(STEPS):
            db.execute("INSERT INTO steps (seq) VALUES (?)", (seq,))
            db.execute("UPDATE steps SET state = ? WHERE seq = ?", (text, seq))
        took = time.perf_counter() - started
    return 1000 * took / STEPS


def load(root: Path) -> Pipeline:
    file = root / "idle.yaml"
    file.write_text(PIPELINE)
    return Library([], KINDS).load_file(file)


def table(engine: list[float], peer: list[float]) -> str:
    median, beside = statistics.median(engine), statistics.median(peer)
    verdict = "under" if median < TARGET_MS else "OVER"
    rows = [
        f"{STEPS} steps, median of {len(engine)} runs, load average {os.getloadavg()[0]:.1f}",
        f"{'':<24}{'median':>9}{'least':>9}{'most':>9}   ms a step",
        f"{'engine and journal':<24}{median:>9.2f}{min(engine):>9.2f}{max(engine):>9.2f}",
        f"{'two commits, WAL':<24}{beside:>9.2f}{min(peer):>9.2f}{max(peer):>9.2f}",
        f"ratio {median / beside:.1f}; {verdict} the target of {TARGET_MS:g} ms",
    ]
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    main()
