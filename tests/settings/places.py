"""A person with a home and a repository, both on the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bottega.settings import LoadedSettings, TrustStore, load_settings


@dataclass(frozen=True)
class Places:
    home: Path
    root: Path

    @property
    def person_file(self) -> Path:
        return self.home / ".config" / "bottega" / "config.toml"

    def person(self, text: str) -> Places:
        self.person_file.parent.mkdir(parents=True, exist_ok=True)
        self.person_file.write_text(text, encoding="utf-8")
        return self

    def repository(self, text: str, *, name: str = "bottega.toml") -> Places:
        (self.root / name).write_text(text, encoding="utf-8")
        return self

    def trust(self) -> Places:
        """The person accepts what the repository's settings ask for, as they are now."""
        covered = self.load().covered
        assert covered is not None
        TrustStore({"HOME": str(self.home)}).pin(self.root, covered)
        return self

    def load(
        self, environ: Mapping[str, str] | None = None, *, assignments: Sequence[str] = (), model: str | None = None
    ) -> LoadedSettings:
        variables = {"HOME": str(self.home), **(environ or {})}
        return load_settings(self.root, environ=variables, assignments=assignments, model=model)
