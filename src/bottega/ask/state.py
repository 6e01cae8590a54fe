"""The state of an `ask` run, and the settings of its pipelines."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from bottega.errors import InputError
from bottega.pipeline import KindSettings, State
from bottega.retrieve.context import ContextUnit
from bottega.source import Span

Mode = Literal["hybrid", "semantic", "semantic_rerank", "bm25"]
MODES: tuple[Mode, ...] = ("hybrid", "semantic_rerank", "semantic", "bm25")
DIRECT = "direct"
EVIDENCE_ONLY = "evidence only"


class AskSettings(KindSettings):
    """Settings of a pipeline; token budgets apply in addition to the model's context window."""

    repository: str = Field("", description="a name from [ask.repositories]; empty is the repository at hand")
    active_index: str = Field("", description="branch or commit the index must be of; empty is any")
    model_language: str = Field("en", description="language of the prompts; neutral never translates")
    max_context_tokens: int = Field(
        0, ge=0, description="evidence in the answer's prompt; 0 takes budget.context_share of the window"
    )
    max_history_tokens: int = Field(800, ge=0, description="earlier turns in a prompt")
    max_turn_loops: int = Field(3, ge=0, le=20, description="further searches that an answer may ask for")
    graph_max_depth: int = Field(1, ge=0, le=6, description="steps of the graph walk")
    graph_max_nodes: int = Field(40, ge=1, le=2000, description="nodes of the graph walk")
    graph_edge_allowlist: tuple[str, ...] = Field(
        ("calls", "inherits", "uses", "reads", "writes"), description="kinds of edges that are walked"
    )
    node_text_fetch_top_n: int = Field(4, ge=0, le=100, description="nodes whose text is fetched after the walk")
    retrieval_modes: tuple[Mode, ...] = Field(MODES, min_length=1, description="modes that may be used")
    history_summarization_policy: Literal["incremental_resummarize"] = Field(
        "incremental_resummarize", description="how history stays bounded"
    )
    answer_form: Literal["auto", "prefix", "numbered"] = Field(
        "auto", description="prefixed text, or statements that choose their evidence by number; auto by window"
    )
    rerank: Literal["earned", "always", "never"] = Field(
        "earned", description="whether a model votes on the files: `bottega models trial` says which have earned it"
    )
    hybrid_fusion: Literal["weighted", "rrf"] = Field("weighted", description="how the mode hybrid joins its lists")
    top_k: int = Field(24, ge=1, le=200, description="symbols of one search that are shown in full")


class EarlierTurn(BaseModel):
    """An earlier turn, in the language of the prompts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    answer: str


def _read_span(value: object) -> object:
    """Records of version 0.1 hold the text `path:first-last`."""
    try:
        return Span.parse(value) if isinstance(value, str) else value
    except InputError as error:
        raise ValueError(str(error)) from None


CitedSpan = Annotated[Span, BeforeValidator(_read_span)]


class CheckedSentence(BaseModel):
    """A sentence of the answer, and the result of checking its citations.

    `status` is supported, named, cited, weak, unsupported, uncited or no claim. `level` says what the cited
    lines contain of the sentence: `lines` (the lines exist), `names` (they contain every name in it), `names and words`
    (and most of its other words). `weak` are citations that something speaks against: the words of the sentence stand
    elsewhere, or a number in it is not there; `note` says which.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    status: str = Field(validation_alias=AliasChoices("status", "standing"))
    level: str = ""
    citations: tuple[CitedSpan, ...] = ()
    weak: tuple[CitedSpan, ...] = ()
    note: str = ""
    moved: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class Source(BaseModel):
    """A span that the answer cites."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    span: Span
    symbol: str = ""
    changed: bool = Field(False, description="whether the file has changes that are not committed")

    @model_validator(mode="before")
    @classmethod
    def _read_lines(cls, content: Any) -> Any:
        """Records of version 0.1 hold path, first and last."""
        if not isinstance(content, dict) or "path" not in content:
            return content
        rest = {key: value for key, value in content.items() if key not in {"path", "first", "last"}}
        return {"span": {name: content[name] for name in ("path", "first", "last")}, **rest}


class AskState(State):
    """`asked` are the queries of this turn, `units` the evidence, the best first, numbered from 1.

    The prompt contains the text of the first `shown` units; `digest` has one line for each other unit that fits.
    """

    question: str
    is_english: bool = True
    language: str = ""
    chat: str = ""
    mode_flag: str = ""

    question_en: str = ""
    turns: tuple[EarlierTurn, ...] = Field((), description="since the summary")
    summary: str = ""
    summarized: int = Field(0, description="turns that the summary covers")
    history: str = ""

    mode: str = ""
    query: str = ""
    votes: dict[str, float] = Field(default_factory=dict, description="of a model, on files by path")
    asked: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    units: tuple[ContextUnit, ...] = Field((), validation_alias=AliasChoices("units", "chunks", "pieces"))
    shown: int = 0
    digest: str = ""

    outputs: dict[str, str] = Field(default_factory=dict, description="replies to a pipeline's own prompts, by name")
    reply: str = ""
    prefix: str = ""
    answer_en: str = ""
    is_checked: bool = False
    is_cut: bool = False
    said: tuple[CheckedSentence, ...] = ()
    sources: tuple[Source, ...] = ()
    grounding: str = ""
    answer: str = ""
    remarks: tuple[str, ...] = ()
    freshness: str = ""

    def remark(self, text: str) -> None:
        self.remarks = (*self.remarks, text)
