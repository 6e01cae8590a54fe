"""`index` and `verify`: refresh the index, and compare it with a rebuild."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from bottega.amounts import plural
from bottega.retrieve.background import start_embedding
from bottega.retrieve.shared import embed_all
from bottega.retrieve.verbs.house import KnowledgeHouse
from bottega.source import escape_breaks
from bottega.verbs import Gate, Verb, VerbRequest, VerbResult

_MOST_SHOWN = 20
_MOST_NAMED = 3


class IndexRequest(VerbRequest):
    """Read what changed since the last time."""

    verb: ClassVar[str] = "index"
    uses_models: ClassVar[bool] = False
    uses_index: ClassVar[bool] = True
    is_recorded: ClassVar[bool] = True

    rebuild: bool = Field(False, description="begin anew; analyses of unchanged content are still used")
    graph: Path | None = Field(None, description="load nodes and edges made elsewhere: graph.json or CSV")
    vectors: bool = Field(False, description="wait until every chunk has its vector")
    workers: int = Field(0, ge=0, le=64, description="processes that read files; 0 is one for each core")


class IndexResult(VerbResult):
    """`remarks` are paths that were left out, `kept_as_text` files without symbols, each with the reason.

    `embedded` is missing when embedding was not requested, or another process is embedding.
    """

    files: int
    added: int
    changed: int
    removed: int
    read: int = Field(description="files whose content was analysed; the others were known")
    is_rebuilt: bool
    is_unchanged: bool
    seconds: float
    remarks: tuple[tuple[str, str], ...]
    kept_as_text: tuple[tuple[str, str], ...]
    newly_kept_as_text: tuple[str, ...] = Field((), description="paths of `kept_as_text` that were not kept so before")
    folder: str
    graph: Path | None = Field(None, description="the file that nodes and edges were loaded from")
    loaded_nodes: int | None = None
    embedded: int | None = None
    is_embedding: bool = Field(False, description="embedding continues in the background")
    is_embedded_elsewhere: bool = Field(False, description="another process is embedding, so this one did not")

    @property
    def notes(self) -> tuple[str, ...]:
        lines = [f"left out: {path}: {why}" for path, why in self.remarks[:_MOST_SHOWN]]
        lines += self._text_notes()
        if not self.files:
            lines.append(
                "there are no files to read here, or rules leave all of them out; `.bottegaignore` can take some in (!)"
            )
        if self.loaded_nodes is not None:
            lines.append(f"loaded {plural(self.loaded_nodes, 'node')} from {self.graph}")
        if self.embedded is not None:
            lines.append(f"embedded {plural(self.embedded, 'chunk')}")
        elif self.is_embedded_elsewhere:
            lines.append("another process is embedding already")
        elif self.is_embedding and self.is_rebuilt:
            lines.append("ready; embedding continues in the background (`--vectors` waits for it)")
        return tuple(f"bottega: {escape_breaks(line)}" for line in lines)

    def render(self, form: str = "text") -> str:
        del form
        if not self.files:
            return "0 files\n" if not self.is_unchanged else f"0 files, nothing changed ({self.seconds:.2f} s)\n"
        if self.is_unchanged:
            return f"{plural(self.files, 'file')}, nothing changed ({self.seconds:.2f} s)\n"
        changes = f"{self.added} added, {self.changed} changed, {self.removed} removed"
        return f"{plural(self.files, 'file')}, {'read anew' if self.is_rebuilt else changes} ({self.seconds:.2f} s)\n"

    def _text_notes(self) -> list[str]:
        """A note on files that are over the budget of one file since this refresh: their symbols cannot be found."""
        new = self.newly_kept_as_text
        if not new:
            return []
        more = f" and {len(new) - _MOST_NAMED} more" if len(new) > _MOST_NAMED else ""
        named = f"{', '.join(new[:_MOST_NAMED])}{more}"
        return [f"{plural(len(new), 'file')} kept as text, without symbols: {named} (`bottega stats` says why)"]


class VerifyRequest(VerbRequest):
    """Compare the index with a rebuild."""

    verb: ClassVar[str] = "verify"
    uses_models: ClassVar[bool] = False
    is_recorded: ClassVar[bool] = True

    workers: int = Field(0, ge=0, le=64, description="processes that read files; 0 is one for each core")


class VerifyResult(VerbResult):
    rows: int
    differing: int
    differences: tuple[str, ...]
    is_same: bool

    @property
    def gate(self) -> Gate:
        return "passed" if self.is_same else "failed"

    @property
    def gate_reason(self) -> str:
        return "" if self.is_same else f"the index differs from a rebuild in {plural(self.differing, 'row')}"

    @property
    def gate_hint(self) -> str:
        return "`bottega index --rebuild` mends it; please report how it came about."

    def render(self, form: str = "text") -> str:
        del form
        if self.is_same:
            return f"the index equals a rebuild: {plural(self.rows, 'row')} compared\n"
        return "".join(f"{escape_breaks(difference)}\n" for difference in self.differences)


def index(request: IndexRequest, house: KnowledgeHouse) -> IndexResult:
    """Refresh the index; embed new content, now or in the background."""
    knowledge = house.knowledge
    done = knowledge.refresh(
        rebuild=request.rebuild, progress=house.progress, remark=house.remark, workers=request.workers
    )
    assert done is not None, "a refresh that waits is never refused"
    loaded = knowledge.load_graph(request.graph) if request.graph is not None else None
    embedded = embed_all(knowledge, house.progress, request.workers) if request.vectors else None
    is_wanted = house.settings.index.vectors == "background" and not done.is_unchanged and bool(done.files)
    return IndexResult(
        files=done.files,
        added=done.added,
        changed=done.changed,
        removed=done.removed,
        read=done.read,
        is_rebuilt=done.is_rebuilt,
        is_unchanged=done.is_unchanged,
        seconds=done.seconds,
        remarks=done.remarks,
        kept_as_text=done.kept_as_text,
        newly_kept_as_text=done.newly_kept_as_text,
        folder=str(knowledge.folder),
        graph=request.graph,
        loaded_nodes=loaded,
        embedded=embedded,
        is_embedding=is_wanted and not request.vectors and start_embedding(knowledge),
        is_embedded_elsewhere=request.vectors and embedded is None,
    )


def verify(request: VerifyRequest, house: KnowledgeHouse) -> VerifyResult:
    """Refresh the index, index everything a second time, and compare the two."""
    knowledge = house.knowledge
    knowledge.refresh(progress=house.progress, remark=house.remark)
    found = knowledge.verify(progress=house.progress, workers=request.workers)
    return VerifyResult(
        rows=found.rows,
        differing=found.differing,
        differences=tuple(map(str, found.differences)),
        is_same=found.is_same,
    )


INDEX = Verb(IndexRequest, IndexResult, index)
VERIFY = Verb(VerifyRequest, VerifyResult, verify)
