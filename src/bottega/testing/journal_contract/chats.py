"""What a `ChatStore` promises."""

from __future__ import annotations

import pytest

from bottega.errors import InputError
from bottega.journal import Chat, Journal, Summary
from bottega.source import Span
from bottega.testing.journal_contract.factory import Contract
from bottega.testing.journal_contract.samples import turn


class ChatContract(Contract):
    """A conversation has each turn once, in the order they were added."""

    def test_turns_are_read_back_in_order_with_their_sources(self, journal: Journal, second: Journal) -> None:
        first = turn("r1", "why?", grounding="match", sources=(Span("quay/ships.py", 13, 17), Span("a:b.py", 1, 1)))
        journal.chats.add("port", first)
        journal.chats.add("port", turn("r2", "and then?"))
        chat = second.chats.get("port")
        assert chat.turns[0] == first
        assert [known.question for known in chat.turns] == ["why?", "and then?"]

    def test_a_run_adds_its_turn_once(self, journal: Journal) -> None:
        journal.chats.add("port", turn("r1", "first"))
        journal.chats.add("port", turn("r1", "after a resume"))
        assert [known.question for known in journal.chats.get("port").turns] == ["first"]
        journal.chats.add("starboard", turn("r1", "elsewhere"))
        assert len(journal.chats.get("starboard").turns) == 1

    def test_a_summary_is_replaced_only_by_one_of_more_turns(self, journal: Journal) -> None:
        for number in range(3):
            journal.chats.add("port", turn(f"r{number}"))
        for text, turns in (("two", 2), ("one", 1), ("again", 2), ("three", 3)):
            journal.chats.summarize("port", text, turns)
        assert journal.chats.get("port").summary == Summary("three", 3, 2)
        assert len(journal.chats.get("port").turns) == 3

    def test_conversations_are_listed_and_deleted(self, journal: Journal, second: Journal) -> None:
        assert journal.chats.get("port") == Chat("port")
        assert journal.chats.names() == []
        journal.chats.add("port", turn("r1"))
        journal.chats.add("b.2_c-d", turn("r1"))
        assert second.chats.names() == ["b.2_c-d", "port"]
        second.chats.delete("port")
        assert journal.chats.names() == ["b.2_c-d"]
        assert journal.chats.get("port") == Chat("port")
        with pytest.raises(InputError, match="there is no conversation port"):
            journal.chats.delete("port")

    @pytest.mark.parametrize("name", ["", ".hidden", "../up", "a/b", "a b", "x" * 65, "é", "a\n"])
    def test_a_name_that_could_be_a_path_is_refused(self, journal: Journal, name: str) -> None:
        for use in (journal.chats.get, journal.chats.delete, lambda bad: journal.chats.add(bad, turn("r1"))):
            with pytest.raises(InputError, match="cannot name a conversation"):
                use(name)
        assert journal.chats.names() == []
