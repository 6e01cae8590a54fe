"""`bottega init`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import load, model_choice, settings_options
from bottega.cli.plain import complain
from bottega.errors import InputError, StorageError

if TYPE_CHECKING:
    from bottega.models.detect import Found


@click.command(short_help="Look at what is here and write a short bottega.toml.")
@click.option("--force", is_flag=True, help="Overwrite an existing bottega.toml.")
@click.option("--model", metavar="ID", help="Write this model instead of looking for one.")
@settings_options
def init(force: bool, model: str | None, **shared: Any) -> int:
    """Look for model servers on this machine, embedded weights and keys, and write a short, commented bottega.toml."""
    from bottega.models.detect import Found, detect
    from bottega.settings import template

    root, loaded = load(**shared)
    path = root / "bottega.toml"
    if "pyproject.toml" in loaded.files:
        raise InputError("settings stand in [tool.bottega] of pyproject.toml already", hint="`bottega config show`")
    if path.is_symlink():
        raise InputError(f"{path} is a symbolic link", hint="Remove it; settings are a file of the repository.")
    if path.exists() and not force:
        raise InputError(f"{path} exists already", hint="--force overwrites it; `bottega config show` prints it.")
    found = [Found(model_choice(model).model, "--model")] if model else detect(loaded.settings, os.environ)
    for entry in found:
        complain(f"found {entry.model} ({entry.where})\n")
    chosen = found[0] if found else None
    note = (
        f"Chosen: {chosen.model} ({chosen.where})."
        if chosen
        else "No model was found: `bottega models pull` brings one."
    )
    models = {"default": chosen.model} if chosen else {}
    _write(path, template(models, found=note) + _provider(chosen))
    _trust(root)
    sys.stdout.write(f"wrote {path}\n")
    if chosen is None:
        complain("no model found: `bottega models pull qwen2.5-coder-1.5b` brings an embedded one (1.1 GB)\n")
    return 0


def _provider(chosen: Found | None) -> str:
    if chosen is None or not chosen.provider:
        return ""
    return f'\n[providers.{chosen.provider}]\nkind = "{chosen.kind}"\nbase_url = "{chosen.base_url}"\n'


def _trust(root: Path) -> None:
    """What this person has just had written is theirs."""
    from bottega.settings import TrustStore, load_settings

    covered = load_settings(root, environ=os.environ).covered
    if covered is not None:
        TrustStore(os.environ).pin(root, covered)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}", hint="Check the permissions.") from None
