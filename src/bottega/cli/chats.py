"""`bottega chats`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import print_result
from bottega.cli.groups import DefaultGroup
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import TEXT, Output, output_options


@click.group(cls=DefaultGroup, default="list", short_help="List, show and delete conversations.")
def chats() -> None:
    """Conversations of `ask --chat` and `chat`, stored in .bottega/chats/. Alone, it lists them."""


@chats.command("list", short_help="List conversations.")
@output_options()
@settings_options
def list_chats(output: Output, **shared: Any) -> int:
    """List conversations with their turns and their last question."""
    from bottega.ask import ChatsRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(ChatsRequest()), output)


@chats.command("show", short_help="Print a conversation.")
@click.argument("name")
@output_options()
@settings_options
def show(name: str, output: Output, **shared: Any) -> int:
    """Print the conversation NAME, oldest turn first, with its summary."""
    from bottega.ask import ChatRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(ChatRequest(name=name)), output)


@chats.command("delete", short_help="Delete a conversation.")
@click.argument("name")
@settings_options
def delete(name: str, **shared: Any) -> int:
    """Delete the conversation NAME; its runs stay in the journal."""
    from bottega.ask import DeleteChatRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(DeleteChatRequest(name=name)), TEXT)
