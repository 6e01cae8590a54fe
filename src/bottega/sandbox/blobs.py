"""A store of file contents by checksum. Names of files are never used as paths."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Blobs:
    folder: Path

    def store(self, content: bytes) -> str:
        """Store content and return its checksum; files are written atomically."""
        checksum = sha256(content).hexdigest()
        place = self.folder / checksum
        if not place.exists():
            beside = self.folder / f".{secrets.token_hex(8)}"
            beside.write_bytes(content)
            beside.replace(place)
        return checksum

    def load(self, checksum: str) -> bytes:
        return (self.folder / checksum).read_bytes()
