"""The process that embeds in the background: what is indexed now, and nothing else.

It belongs to nobody's terminal, so it says nothing; what it does not get done, the next one does. It makes no folder
of an index, and ends as soon as the one it was started for is removed or replaced.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

CHECK_SECONDS = 0.5


def main() -> None:
    root, folder, identity = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    if folder_identity(folder) != identity:
        return
    threading.Thread(target=_end_without, args=(folder, identity), daemon=True).start()

    from bottega.cli.knowledge import embed
    from bottega.index.keeper import Keeper
    from bottega.index.place import existing_place

    place = existing_place(folder)
    if place is not None:
        embed(Keeper(root, place, None))


def folder_identity(folder: Path) -> str:
    """Device and number of a directory, "" where there is none: a new one of the same name is another."""
    try:
        seen = folder.stat()
    except OSError:
        return ""
    return f"{seen.st_dev}:{seen.st_ino}"


def _end_without(folder: Path, identity: str) -> None:
    while folder_identity(folder) == identity:
        time.sleep(CHECK_SECONDS)
    os._exit(0)  # at once: its workers end with it


if __name__ == "__main__":
    main()
