"""`ask`: answers about the code with checked citations."""

from __future__ import annotations

from bottega.ask.conversations import (
    CHATS,
    CHATS_DELETE,
    CHATS_SHOW,
    ChatRequest,
    ChatResult,
    ChatsRequest,
    ChatsResult,
    DeleteChatRequest,
)
from bottega.ask.result import AskResult
from bottega.ask.state import EVIDENCE_ONLY, MODES, AskSettings, AskState, CheckedSentence, Source
from bottega.ask.tools import AskTools, RepositoryView
from bottega.ask.verb import ASK, KIND, AskRequest

__all__ = [
    "ASK",
    "CHATS",
    "CHATS_DELETE",
    "CHATS_SHOW",
    "EVIDENCE_ONLY",
    "KIND",
    "MODES",
    "AskRequest",
    "AskResult",
    "AskSettings",
    "AskState",
    "AskTools",
    "ChatRequest",
    "ChatResult",
    "ChatsRequest",
    "ChatsResult",
    "CheckedSentence",
    "DeleteChatRequest",
    "RepositoryView",
    "Source",
]
