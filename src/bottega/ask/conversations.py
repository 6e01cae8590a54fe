"""The verbs over stored conversations: list them, show one, delete one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bottega.amounts import choose_form, plural
from bottega.errors import InputError, StorageError
from bottega.journal import Chat, Summary, Turn
from bottega.pipeline import House
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult

_LONGEST_SHOWN = 70


class ChatsRequest(VerbRequest):
    """List the conversations of a repository."""

    verb: ClassVar[str] = "chats"


class ChatLine(FrozenValue):
    """One conversation in a list."""

    name: str
    turns: int
    last_at: str
    last_question: str


class ChatsResult(VerbResult):
    chats: tuple[ChatLine, ...]
    unreadable: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        empty = () if self.chats or self.unreadable else ("no conversations yet; `bottega chat` begins one",)
        return (*(f"bottega: {problem}" for problem in self.unreadable), *empty)

    def render(self, form: str = "text") -> str:
        del form
        return "".join(
            f"{chat.name:<20} {chat.turns:>4} {choose_form(chat.turns, 'turn'):<5}  {_shorten(chat.last_question)}\n"
            for chat in self.chats
        )


class ChatRequest(VerbRequest):
    """Show one conversation."""

    verb: ClassVar[str] = "chats.show"

    name: str


class ChatResult(VerbResult):
    """A conversation, the oldest turn first."""

    name: str
    turns: tuple[Turn, ...]
    summary: Summary

    def render(self, form: str = "text") -> str:
        del form
        turns = "".join(
            f"> {turn.question}\n\n{turn.answer}\n\n({turn.grounding or 'unknown'}, {turn.at})\n\n"
            for turn in self.turns
        )
        summary = self.summary
        return turns + (
            f"Summary of the first {plural(summary.turns, 'turn')}: {summary.text}\n" if summary.text else ""
        )


class DeleteChatRequest(VerbRequest):
    """Delete a conversation; its runs stay in the journal."""

    verb: ClassVar[str] = "chats.delete"

    name: str


class DeleteChatResult(VerbResult):
    name: str

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"deleted {self.name}",)

    def render(self, form: str = "text") -> str:
        del form
        return ""


def list_chats(request: ChatsRequest, house: House) -> ChatsResult:
    """List all conversations; one that cannot be read is reported under `unreadable` and the others are listed."""
    del request
    lines, unreadable = [], []
    for name in _list_names(house):
        try:
            lines.append(_summarize(house.journal.chats.get(name)))
        except StorageError as error:
            unreadable.append(str(error))
    return ChatsResult(chats=tuple(lines), unreadable=tuple(unreadable))


def show_chat(request: ChatRequest, house: House) -> ChatResult:
    if request.name not in _list_names(house):
        raise InputError(f"there is no conversation {request.name}", hint="`bottega chats list` names them.")
    chat = house.journal.chats.get(request.name)
    return ChatResult(name=chat.name, turns=chat.turns, summary=chat.summary)


def delete_chat(request: DeleteChatRequest, house: House) -> DeleteChatResult:
    house.journal.chats.delete(request.name)
    return DeleteChatResult(name=request.name)


def _list_names(house: House) -> Sequence[str]:
    """The names of all conversations; looking creates no journal."""
    return house.journal.chats.names() if house.has_journal else ()


def _summarize(chat: Chat) -> ChatLine:
    last = chat.turns[-1] if chat.turns else None
    return ChatLine(
        name=chat.name,
        turns=len(chat.turns),
        last_at=last.at if last else "",
        last_question=last.question if last else "",
    )


def _shorten(question: str) -> str:
    return " ".join(question.split())[:_LONGEST_SHOWN]


CHATS = Verb(ChatsRequest, ChatsResult, list_chats)
CHATS_SHOW = Verb(ChatRequest, ChatResult, show_chat)
CHATS_DELETE = Verb(DeleteChatRequest, DeleteChatResult, delete_chat)
