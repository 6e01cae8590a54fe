"""The process that embeds in the background: what is indexed now, and nothing else.

It belongs to nobody's terminal, so it says nothing; what it does not get done, the next one does.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    from bottega.cli.knowledge import embed
    from bottega.index import open_keeper

    embed(open_keeper(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
