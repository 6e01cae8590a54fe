"""The masker of a repository: known shapes, values of its `.env` files and of variables that hold keys."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bottega.journal.dotenv import read_env_values, secret_variables
from bottega.source.secrets import EnvValues, Masker

__all__ = ["Masker", "env_file_masker", "masker_for"]


def masker_for(root: Path, environ: Mapping[str, str]) -> Masker:
    """Knows the values of the repository's `.env` files and of variables whose names speak of secrets."""

    def read() -> EnvValues:
        files = read_env_values(root)
        return EnvValues((*secret_variables(environ), *files.anywhere), files.words)

    return Masker(read)


def env_file_masker(root: Path) -> Masker:
    """Knows the values of the repository's `.env` files alone: the same on every shell of a machine."""
    return Masker(lambda: read_env_values(root))
