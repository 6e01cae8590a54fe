"""`bottega chats`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import format_option, opened, settings_options
from bottega.cli.plain import complain, json_text, one_line, plain
from bottega.errors import InputError, StorageError

if TYPE_CHECKING:
    from bottega.journal import Chat
    from bottega.workshop import Workshop


@click.group(short_help="List, show and delete conversations.")
def chats() -> None:
    """Conversations that `ask --chat` and `chat` keep in .bottega/chats/."""


@chats.command("list", short_help="List conversations.")
@format_option()
@settings_options
def list_chats(form: str, **shared: Any) -> int:
    """List conversations with their turns and their last question."""
    with opened(**shared, look_for_models=False) as workshop:
        found = [chat for name in workshop.journal.chats.names() if (chat := _readable(workshop, name)) is not None]
    if form == "json":
        rows = [{"name": c.name, "turns": len(c.turns), "last": c.turns[-1].at if c.turns else ""} for c in found]
        sys.stdout.write(json_text(rows))
        return 0
    for each in found:
        last = one_line(each.turns[-1].question)[:70] if each.turns else ""
        sys.stdout.write(f"{each.name:<20} {len(each.turns):>4} turns  {last}\n")
    if not found:
        complain("no conversations yet; `bottega chat` begins one\n")
    return 0


def _readable(workshop: Workshop, name: str) -> Chat | None:
    """One that cannot be read is told of, and keeps no other from being listed."""
    try:
        return workshop.journal.chats.get(name)
    except StorageError as error:
        complain(f"bottega: {error}\n")
        return None


@chats.command("show", short_help="Print a conversation.")
@click.argument("name")
@format_option()
@settings_options
def show(name: str, form: str, **shared: Any) -> int:
    """Print the conversation NAME, oldest turn first, with its summary."""
    with opened(**shared, look_for_models=False) as workshop:
        if name not in workshop.journal.chats.names():
            raise InputError(f"there is no conversation {name}", hint="`bottega chats list` names them.")
        found = workshop.journal.chats.get(name)
    if form == "json":
        sys.stdout.write(json_text(asdict(found)))
        return 0
    for turn in found.turns:
        sys.stdout.write(plain(f"> {turn.question}\n\n{turn.answer}\n\n({turn.grounding or 'unknown'}, {turn.at})\n\n"))
    if found.summary.text:
        sys.stdout.write(plain(f"Summary of the first {found.summary.turns} turns: {found.summary.text}\n"))
    return 0


@chats.command("delete", short_help="Delete a conversation.")
@click.argument("name")
@settings_options
def delete(name: str, **shared: Any) -> int:
    """Delete the conversation NAME; the runs that made it stay in the journal."""
    with opened(**shared, look_for_models=False) as workshop:
        workshop.journal.chats.delete(name)
    complain(f"deleted {name}\n")
    return 0
