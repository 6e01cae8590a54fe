"""Files of the user beside their settings: pipelines and personas for every repository.

A persona is named `user:NAME`, never by a path: a pipeline of a repository cannot name another file of the user.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bottega.settings.layers import user_settings_file
from bottega.source.tree import DiskFiles, RepositoryFiles

USER_PREFIX = "user:"


@dataclass(frozen=True, slots=True)
class UserFiles:
    """The directory of the user's settings, usually `~/.config/bottega`."""

    root: Path

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> UserFiles:
        return cls(user_settings_file(environ).parent)

    @property
    def pipelines(self) -> Path:
        return self.root / "pipelines"

    def read_persona(self, name: str, files: RepositoryFiles) -> str | None:
        """The text of `user:NAME`, or of a file of the repository; `None` where there is no such file.

        Raise `OSError` for what is not a regular file below its directory.
        """
        if name.startswith(USER_PREFIX):
            own = name.removeprefix(USER_PREFIX)
            content = DiskFiles(self.root / "personas").read(f"{own}.md") if _is_plain(own) else None
        else:
            content = files.read(name)
        return None if content is None else content.decode("utf-8", "replace")


def _is_plain(name: str) -> bool:
    return name.replace("-", "").replace("_", "").isalnum()
