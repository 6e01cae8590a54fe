"""Models: requests and replies, providers, contracts, routing, budgets and costs."""

from bottega.models.bandit import Bandit, Candidate, PanelPreferences, family_of
from bottega.models.call_log import CallLog, JournalLog, NoLog, ReplayLog
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
from bottega.models.prompts import Prompt, fenced, load_prompt, parse_prompt
from bottega.models.provider import (
    CallsTools,
    Closable,
    HasContextLength,
    ListsModels,
    ProviderFactory,
    can_call_tools,
    close_model,
    list_models,
    read_context_length,
)
from bottega.models.providers import PROVIDERS, open_model
from bottega.models.request import Message, Model, OnText, Reply, Request, TokenChoice, Tool, ToolCall, Usage
from bottega.models.retry import RetryPolicy
from bottega.models.roster import Answer, Roster
from bottega.models.router import ModelRouter
from bottega.models.served_window import ServedWindows
from bottega.models.speed import Speed, TimeEstimate, estimate_time, find_speed, fit_speed
from bottega.settings import ProviderDefaults

__all__ = [
    "PROVIDERS",
    "Account",
    "Answer",
    "Bandit",
    "CallLog",
    "CallsTools",
    "Candidate",
    "Ceilings",
    "Closable",
    "Code",
    "CodeContract",
    "Contract",
    "ContractBroken",
    "Edit",
    "EditsContract",
    "HasContextLength",
    "JournalLog",
    "LLMClient",
    "LLMResponse",
    "Ledger",
    "LineContract",
    "ListsModels",
    "Message",
    "Model",
    "ModelConfig",
    "ModelRouter",
    "NoLog",
    "OnText",
    "PanelPreferences",
    "PrefixedLine",
    "Prompt",
    "ProviderDefaults",
    "ProviderFactory",
    "ReplayLog",
    "Reply",
    "Request",
    "RetryPolicy",
    "Roster",
    "SchemaContract",
    "ServedWindows",
    "Speed",
    "TimeEstimate",
    "TokenChoice",
    "Tool",
    "ToolCall",
    "Usage",
    "can_call_tools",
    "close_model",
    "estimate_time",
    "family_of",
    "fenced",
    "find_speed",
    "fit_speed",
    "list_models",
    "load_prompt",
    "open_model",
    "parse_prompt",
    "read_context_length",
]
