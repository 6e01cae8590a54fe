"""The examples of docs/testing.md about journals run as they are printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "testing.md"


def test_the_examples_pass_as_tests_of_another_package(tmp_path: Path) -> None:
    _, _, section = PAGE.read_text(encoding="utf-8").partition("## A journal in memory")
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    for number, block in enumerate(blocks):
        (tmp_path / f"test_example_{number}.py").write_text(block, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environ)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) > 100
    assert len(blocks) == 2


def test_the_double_is_imported_without_pytest() -> None:
    code = "import sys, bottega.testing; sys.exit('pytest' in sys.modules)"
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    assert subprocess.run([sys.executable, "-c", code], env=environ).returncode == 0
