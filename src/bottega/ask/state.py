"""What an `ask` run knows between steps, and the settings its pipelines have."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bottega.pipeline import KindSettings, State
from bottega.retrieve.package import Piece

Mode = Literal["hybrid", "semantic", "semantic_rerank", "bm25"]
MODES: tuple[Mode, ...] = ("hybrid", "semantic_rerank", "semantic", "bm25")
DIRECT = "direct"
EVIDENCE_ONLY = "evidence only"


class AskSettings(KindSettings):
    """Per pipeline; what a budget says holds beside the window of the model."""

    repository: str = Field("", description="a name from [ask.repositories]; empty is the repository at hand")
    active_index: str = Field("", description="branch or commit the index must be of; empty is any")
    model_language: str = Field("en", description="language of the prompts; neutral never translates")
    max_context_tokens: int = Field(4000, ge=100, description="evidence in the answer's prompt")
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
    top_k: int = Field(24, ge=1, le=200, description="places that one search brings")


class Past(BaseModel):
    """An earlier turn, in the language of the prompts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    answer: str


class Said(BaseModel):
    """A sentence of the answer, and what became of its citations.

    `standing` is supported, weak, unsupported, uncited or no claim. `level` says how far the sentence was found at its
    cited lines: `lines` (they exist and were read again), `names` (every name in it stands there), `names and words`
    (so do its other words). `weak` are citations whose lines share nothing with the sentence but names.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    standing: str
    level: str = ""
    citations: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class Source(BaseModel):
    """A place that the answer rests on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    first: int
    last: int
    symbol: str = ""
    changed: bool = Field(False, description="whether the file differs from the commit that the index is of")


class AskState(State):
    """`asked` are the queries of this turn, `pieces` the evidence in order of worth, numbered from 1.

    The first `shown` pieces are in the prompt with their text; `digest` says of the others what there is room for.
    """

    question: str
    is_english: bool = True
    language: str = ""
    chat: str = ""
    mode_flag: str = ""

    question_en: str = ""
    turns: tuple[Past, ...] = Field((), description="since the summary")
    summary: str = ""
    summarized: int = Field(0, description="turns that the summary covers")
    history: str = ""

    mode: str = ""
    query: str = ""
    asked: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    shown: int = 0
    digest: str = ""

    reply: str = ""
    prefix: str = ""
    answer_en: str = ""
    is_checked: bool = False
    is_cut: bool = False
    said: tuple[Said, ...] = ()
    sources: tuple[Source, ...] = ()
    grounding: str = ""
    answer: str = ""
    remarks: tuple[str, ...] = ()
    freshness: str = ""

    def remark(self, text: str) -> None:
        self.remarks = (*self.remarks, text)
