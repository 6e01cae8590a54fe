"""The background process that embeds the chunks that are indexed when it starts.

It has no terminal and prints nothing; the next one continues what it does not finish. It creates no index folder, and
ends as soon as the folder it was started for is removed or replaced.
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
    if identify_folder(folder) != identity:
        return
    threading.Thread(target=_exit_without, args=(folder, identity), daemon=True).start()

    from bottega.index import existing_knowledge
    from bottega.retrieve import embed_all

    knowledge = existing_knowledge(root, folder)
    if knowledge is not None:
        embed_all(knowledge)


def identify_folder(folder: Path) -> str:
    """Device and inode of a directory, "" where there is none; a new directory of the same name has others."""
    try:
        seen = folder.stat()
    except OSError:
        return ""
    return f"{seen.st_dev}:{seen.st_ino}"


def _exit_without(folder: Path, identity: str) -> None:
    while identify_folder(folder) == identity:
        time.sleep(CHECK_SECONDS)
    os._exit(0)  # at once: its workers end with their parent


if __name__ == "__main__":
    main()
