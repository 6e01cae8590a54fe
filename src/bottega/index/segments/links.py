"""Links between files as arrays, for ranking."""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np
from numpy.typing import NDArray

LINK_KINDS = ("imports", "uses", "tests")


def build_links(connection: sqlite3.Connection) -> dict[str, NDArray[Any]]:
    """Files by id, kinds by their index in `LINK_KINDS`."""
    codes = {kind: code for code, kind in enumerate(LINK_KINDS)}
    rows = [
        (source, target, codes[kind], weight)
        for source, target, kind, weight in connection.execute(
            "SELECT source_file, target_file, kind, weight FROM links ORDER BY source_file, target_file, kind"
        )
        if kind in codes
    ]
    table = np.array(rows, np.float64).reshape(-1, 4)
    return {
        "source": table[:, 0].astype(np.int64),
        "target": table[:, 1].astype(np.int64),
        "kind": table[:, 2].astype(np.uint8),
        "weight": table[:, 3].astype(np.float32),
    }
