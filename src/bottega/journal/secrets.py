"""Maskers for a repository: known shapes of secrets, values of its `.env` files and of secret variables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bottega.journal.dotenv import read_env_values, secret_variables
from bottega.source.secrets import EnvValues, Masker

__all__ = ["Masker", "env_file_masker", "masker_for"]


def masker_for(root: Path, environ: Mapping[str, str]) -> Masker:
    """A masker for the values of the repository's `.env` files and of variables with names such as `API_KEY`."""

    def read() -> EnvValues:
        files = read_env_values(root)
        return EnvValues((*secret_variables(environ), *files.anywhere), files.words)

    return Masker(read)


def env_file_masker(root: Path) -> Masker:
    """A masker for the values of the repository's `.env` files alone, so that it is the same in every shell."""
    return Masker(lambda: read_env_values(root))
