"""For every test: nothing goes on in the background unless a test asks for it."""

from __future__ import annotations

import os

os.environ.setdefault("BOTTEGA_INDEX_VECTORS", "manual")
