"""What every implementation of the journal must do, as tests that its author runs.

    class TestPostgresJournal(JournalContract):
        @pytest.fixture
        def factory(self, tmp_path: Path) -> JournalFactory:
            return PostgresFactory(tmp_path)

The class inherits every test; `factory` is all that it supplies. Needs pytest, which bottega itself does not.
"""

import pytest

_MODULES = (
    *("calls", "cancelling", "chats", "crashes", "dismissals", "events", "history", "investigations", "masking"),
    *("models", "notes", "processes", "reviews", "runs", "sessions", "together"),
)
pytest.register_assert_rewrite(*(f"{__name__}.{name}" for name in _MODULES))

from bottega.testing.journal_contract.calls import CallContract  # noqa: E402 - after the rewriting of asserts is on
from bottega.testing.journal_contract.cancelling import CancelContract  # noqa: E402
from bottega.testing.journal_contract.chats import ChatContract  # noqa: E402
from bottega.testing.journal_contract.crashes import CrashContract  # noqa: E402
from bottega.testing.journal_contract.dismissals import DismissalContract  # noqa: E402
from bottega.testing.journal_contract.events import EventContract  # noqa: E402
from bottega.testing.journal_contract.factory import JournalFactory  # noqa: E402
from bottega.testing.journal_contract.history import HistoryContract  # noqa: E402
from bottega.testing.journal_contract.investigations import InvestigationContract  # noqa: E402
from bottega.testing.journal_contract.masking import MaskingContract  # noqa: E402
from bottega.testing.journal_contract.models import EnrichmentContract, FactContract  # noqa: E402
from bottega.testing.journal_contract.notes import NoteContract  # noqa: E402
from bottega.testing.journal_contract.reviews import ReviewContract  # noqa: E402
from bottega.testing.journal_contract.runs import CollectContract, RunContract  # noqa: E402
from bottega.testing.journal_contract.sessions import SessionContract  # noqa: E402
from bottega.testing.journal_contract.together import TogetherContract  # noqa: E402

__all__ = ["JournalContract", "JournalFactory"]


class JournalContract(
    RunContract,
    CollectContract,
    CancelContract,
    CallContract,
    NoteContract,
    EventContract,
    SessionContract,
    CrashContract,
    TogetherContract,
    MaskingContract,
    FactContract,
    EnrichmentContract,
    ChatContract,
    ReviewContract,
    DismissalContract,
    InvestigationContract,
    HistoryContract,
):
    """Every promise of every store; subclass it, name the subclass `Test…` and override `factory`."""
