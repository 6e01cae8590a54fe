"""Bring what the tests need from the system: bubblewrap, on Linux. With apt when root, with a message otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys


def main() -> None:
    if not sys.platform.startswith("linux") or shutil.which("bwrap"):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        if subprocess.run(["apt-get", "install", "-y", "-qq", "bubblewrap"], check=False).returncode == 0:
            return
    sys.stderr.write(
        "bubblewrap is not installed: the tests of the sandbox are skipped. To run them: apt install bubblewrap\n"
    )


if __name__ == "__main__":
    main()
