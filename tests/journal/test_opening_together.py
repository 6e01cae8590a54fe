"""Many processes that make one journal at the same moment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_OPEN = """
import sys
from pathlib import Path
from bottega.journal import open_journal
sys.stdin.read()
journal = open_journal(Path(sys.argv[1]), environ={})
journal.runs.begin(pipeline="p", kind="k", definition={}, state={}, settings={}, version="1")
journal.close()
"""


def test_a_journal_made_by_many_at_once_is_made_once(tmp_path: Path) -> None:
    for attempt in range(3):
        root = tmp_path / str(attempt)
        root.mkdir()
        command = [sys.executable, "-c", _OPEN, str(root)]
        children = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(6)
        ]
        for child in children:
            assert child.stdin is not None
            child.stdin.close()
        told = [child.stderr.read() for child in children if child.stderr is not None]
        assert [child.wait() for child in children] == [0] * 6, told
        for child in children:
            assert child.stderr is not None
            child.stderr.close()
