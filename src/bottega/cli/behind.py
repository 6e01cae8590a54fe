"""The process that embeds in the background: what is indexed now, and nothing else.

It belongs to nobody's terminal, so it says nothing; what it does not get done, the next one does.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path


def main() -> None:
    from bottega.cli.knowledge import Opened
    from bottega.index import open_keeper
    from bottega.index.snapshot import take_snapshot

    keeper = open_keeper(Path(sys.argv[1]))
    snapshot = take_snapshot(keeper.root, keeper.place)
    if snapshot is not None:
        with closing(snapshot.connection):
            Opened(keeper, snapshot, is_current=True).searcher().embed_all()


if __name__ == "__main__":
    main()
