from __future__ import annotations

import json

from .base import LIMIT, Base


class Store(Base):
    @property
    def path(self) -> str:
        return self.describe()

    def save(self, item: str) -> None:
        self.write(json.dumps(item)[:LIMIT])

    def write(self, text: str) -> None: ...
