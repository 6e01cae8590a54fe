"""What `make try` runs: this repository read, searched and asked, then code written by whatever model is here."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bottega.models.detect import detect
from bottega.settings import load_settings

REQUEST = "a Python function is_palindrome(text) that ignores case, spaces and punctuation"
WEIGHTS = "qwen2.5-coder-1.5b"
QUESTION = "where is a model call recorded before it is sent"
ROOT = Path(__file__).parents[1]


def main() -> int:
    bottega = str(Path(sys.executable).parent / "bottega")
    for command in (["index"], ["search", "-k", "3", QUESTION], ["ask", "--no-model", QUESTION]):
        print(f"$ bottega {command[0]} {' '.join(map(repr, command[1:]))}", flush=True)
        if code := subprocess.run([bottega, *command, "--repo", str(ROOT)], check=False).returncode:
            return code
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(Path(folder), environ=os.environ).settings
        if not detect(settings, os.environ):
            print(f"$ bottega models pull {WEIGHTS}", flush=True)
            if code := subprocess.run([bottega, "models", "pull", WEIGHTS], check=False).returncode:
                return code
        for command in (["write", REQUEST], ["runs", "show", "last"]):
            print(f"$ bottega {command[0]} {' '.join(map(repr, command[1:]))}", flush=True)
            if code := subprocess.run([bottega, *command, "--repo", folder], check=False).returncode:
                return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
