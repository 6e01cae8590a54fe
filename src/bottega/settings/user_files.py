"""Files of the user beside their settings: pipelines and personas for every repository.

A persona is named `user:NAME`, never by a path: a pipeline of a repository cannot name another file of the user.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bottega.errors import InputError
from bottega.settings.layers import user_settings_file
from bottega.source import show_invisible
from bottega.source.secrets import mask_secrets
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

    def read_instructions(self, name: str, files: RepositoryFiles, what: str, longest: int) -> str:
        """The text of a file that adds to a prompt, secrets masked; `what` names it in messages.

        Raise `InputError` where it does not exist, is empty, cannot be read, or is too long.
        """
        hint = f"Name a file below the root, or {USER_PREFIX}NAME for {self.root}/personas/NAME.md."
        try:
            text = (self.read_persona(name, files) or "").strip()
        except OSError as error:
            raise InputError(f"the {what} {name!r} cannot be read: {error}", hint=hint) from None
        if not text:
            raise InputError(f"there is no {what} {name!r}, or it is empty", hint=hint)
        if len(text) > longest:
            raise InputError(f"the {what} {name!r} has {len(text)} characters", hint=f"At most {longest} are allowed.")
        return mask_secrets(show_invisible(text), path=name)


def _is_plain(name: str) -> bool:
    return name.replace("-", "").replace("_", "").isalnum()
