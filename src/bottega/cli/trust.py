"""`bottega trust`."""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import format_option, load, settings_options
from bottega.cli.plain import complain, json_text, one_line, plain
from bottega.errors import InputError

if TYPE_CHECKING:
    from bottega.settings import Covered, Loaded

_MOST_NAMES = 20


@click.command(short_help="Show what a repository's settings ask for, and let them be in force.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--show", "only_show", is_flag=True, help="Show what would be trusted, and change nothing.")
@click.option("--revoke", is_flag=True, help="Take it back: only what narrows is in force again.")
@click.option("--records", is_flag=True, help="Take back records under .bottega/ that were set aside.")
@format_option()
@settings_options
def trust(yes: bool, only_show: bool, revoke: bool, records: bool, form: str, **shared: Any) -> int:
    """Show what the settings of this repository ask for beyond what any repository may, and accept it.

    Your word holds for exactly what is shown: the settings, their pipelines and what those name. When any of it
    changes, it is no longer in force, and `bottega trust` shows the difference. Exit code 1 when you decline.
    """
    from bottega.settings import TrustStore

    root, loaded = load(**shared)
    store = TrustStore(os.environ)
    if records:
        return _take_back(root, yes=yes, only_show=only_show)
    if revoke:
        sys.stdout.write("no longer trusted\n" if store.forget(root) else "it was not trusted\n")
        return 0
    if loaded.covered is None:
        raise InputError("this repository has no settings to trust", hint="`bottega init` writes some.")
    before = store.pinned(root)
    if form == "json":
        sys.stdout.write(json_text(_as_json(loaded), indent=2))
    elif loaded.is_trusted:
        sys.stdout.write("trusted, as it is\n")
    else:
        sys.stdout.write(plain(_difference(before, loaded.covered)))
        for entry in loaded.set_aside:
            sys.stdout.write(one_line(f"asks for: {entry}") + "\n")
    if loaded.is_trusted or only_show:
        return 0
    if not _confirms("Let these settings be in force?", yes=yes):
        complain("bottega: not trusted; nothing has changed\n")
        return 1
    store.pin(root, loaded.covered)
    complain("bottega: trusted as shown; `bottega trust --revoke` takes it back\n")
    return 0


def _as_json(loaded: Loaded) -> dict[str, Any]:
    from bottega.settings import WORDS

    covered = loaded.covered
    return {
        "trusted": loaded.is_trusted,
        "digest": covered.digest if covered else None,
        "files": sorted(covered.texts) if covered else [],
        "set_aside": [
            {"key": entry.key, "place": entry.place, "allowed": WORDS[entry.policy]} for entry in loaded.set_aside
        ],
    }


def _difference(before: Covered | None, now: Covered) -> str:
    """What is to be trusted; where something was trusted before, what has changed since."""
    old = before.texts if before else {}
    parts: list[str] = []
    for name in sorted({*old, *now.texts}):
        lines = difflib.unified_diff(
            old.get(name, "").splitlines(), now.texts.get(name, "").splitlines(), f"trusted/{name}", name, lineterm=""
        )
        parts += [f"{line}\n" for line in lines]
    return "".join(parts)


def _confirms(question: str, *, yes: bool) -> bool:
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InputError("nobody is here to ask", hint="Look with `bottega trust --show`, then pass --yes.")
    return click.confirm(question, default=False, err=True)


def _take_back(root: Path, *, yes: bool, only_show: bool) -> int:
    from bottega.journal.home import aside_folders, find_home, take_back

    folder = find_home(root)
    found = aside_folders(folder)
    if not found:
        raise InputError("no records are set aside here")
    newest = found[-1]
    names = sorted(path.relative_to(newest).as_posix() for path in newest.rglob("*") if path.is_file())
    for name in names[:_MOST_NAMES]:
        sys.stdout.write(one_line(name) + "\n")
    if len(names) > _MOST_NAMES:
        sys.stdout.write(f"… and {len(names) - _MOST_NAMES} more\n")
    if only_show:
        return 0
    if not _confirms("Did these records come from you?", yes=yes):
        return 1
    take_back(folder, newest)
    complain("bottega: the records are back; what was here instead is set aside\n")
    return 0
