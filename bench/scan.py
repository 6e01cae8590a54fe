"""How fast the base scan is, beside `cloc` and `du` on the same files in the same run.

    python bench/scan.py [DIR]           DIR, or 100,000 files made from the public packages that are named below
    python bench/scan.py --make DIR N    make a tree of N files from the Python and Debian packages of this machine

The tree holds copies of real files: what is installed here of Python's library, packages and documentation.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bottega.investigate.scan import Options, scan

SOURCES = (Path(sys.base_prefix) / "lib", Path("/usr/lib"), Path("/usr/share"), Path("/usr/include"))
LARGEST = 200_000
TEXTS = frozenset(
    """py pyi js ts c h cc cpp hpp rb pl pm go rs java sh html css md rst txt json yaml yml toml xml cfg ini csv po sql
    lua tcl el r m4 am in cmake""".split()
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?", type=Path)
    parser.add_argument("--make", nargs=2, metavar=("DIR", "N"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without-peers", action="store_true")
    given = parser.parse_args()
    if given.make:
        print(make(Path(given.make[0]), int(given.make[1])), "files")
        return 0
    if given.directory is not None:
        return measure(given.directory, given.rounds, peers=not given.without_peers)
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), 100_000)
        return measure(Path(folder), given.rounds, peers=not given.without_peers)


def make(folder: Path, wanted: int) -> int:
    """Copy files until there are enough, going round again under another name where the machine has too few."""
    made = 0
    while made < wanted:
        before = made
        for source in SOURCES:
            for path, _, names in os.walk(source):
                for name in sorted(names):
                    file = Path(path) / name
                    if made >= wanted:
                        return made
                    if name.rpartition(".")[2] in TEXTS and not file.is_symlink() and _is_taken(file):
                        target = folder / f"part{before}" / Path(path).relative_to("/") / name
                        target.parent.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(file, target)
                        made += 1
        if made == before:
            break
    return made


def _is_taken(file: Path) -> bool:
    try:
        return 0 < file.stat().st_size <= LARGEST
    except OSError:
        return False


def measure(folder: Path, rounds: int, *, peers: bool) -> int:
    print(f"{folder}, {os.cpu_count()} cores")
    own = min(_scanned(folder) for _ in range(rounds))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = scan(folder, Options(everything=True))
    print(f"{found.files:,} files, {found.bytes / 1e6:,.0f} MB, {found.directories:,} directories")
    print(f"bottega scan   {own:6.2f} s   {found.files / own:10,.0f} files/s   {memory:.0f} MB in its main process")
    if not peers:
        return 0
    for name in ("cloc", "du"):
        if shutil.which(name) is None:
            print(f"{name} is not installed: no ratio")
            return 1
    du = min(_timed(["du", "-s", str(folder)]) for _ in range(rounds))
    cloc = _timed(["cloc", "--quiet", "--csv", f"--processes={os.cpu_count()}", str(folder)])
    print(f"cloc + du      {cloc + du:6.2f} s   ({cloc:.2f} + {du:.2f})")
    print(f"ratio          {own / (cloc + du):6.3f}   of cloc + du, and {own / cloc:.3f} of cloc alone")
    return 0


def _scanned(folder: Path) -> float:
    started = time.perf_counter()
    scan(folder, Options(everything=True))
    return time.perf_counter() - started


def _timed(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
