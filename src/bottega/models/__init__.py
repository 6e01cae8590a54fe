"""Models: what is asked, who answers, under which contract, and what it costs."""

from bottega.models.bandit import Bandit, Candidate, Wishes, family_of
from bottega.models.ceilings import Ceilings
from bottega.models.client import LLMClient, LLMResponse
from bottega.models.config import ModelConfig
from bottega.models.contracts import (
    Code,
    CodeContract,
    Contract,
    ContractBroken,
    Edit,
    EditsContract,
    LineContract,
    PrefixedLine,
    SchemaContract,
)
from bottega.models.ledger import Account, Ledger
from bottega.models.prompts import Prompt, fenced, load_prompt
from bottega.models.providers import PROVIDERS, open_model
from bottega.models.recall import CallLog, JournalLog, ReplayLog, Unrecorded
from bottega.models.request import Message, Model, OnText, Reply, Request, Tool, ToolCall, Usage
from bottega.models.retry import RetryPolicy
from bottega.models.roster import Answer, Roster
from bottega.models.router import ModelRouter

__all__ = [
    "PROVIDERS",
    "Account",
    "Answer",
    "Bandit",
    "CallLog",
    "Candidate",
    "Ceilings",
    "Code",
    "CodeContract",
    "Contract",
    "ContractBroken",
    "Edit",
    "EditsContract",
    "JournalLog",
    "LLMClient",
    "LLMResponse",
    "Ledger",
    "LineContract",
    "Message",
    "Model",
    "ModelConfig",
    "ModelRouter",
    "OnText",
    "PrefixedLine",
    "Prompt",
    "ReplayLog",
    "Reply",
    "Request",
    "RetryPolicy",
    "Roster",
    "SchemaContract",
    "Tool",
    "ToolCall",
    "Unrecorded",
    "Usage",
    "Wishes",
    "family_of",
    "fenced",
    "load_prompt",
    "open_model",
]
