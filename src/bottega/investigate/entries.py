"""What is stored about a file and a directory: summaries, never contents."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from bottega.errors import InputError
from bottega.investigate.scan import Category
from bottega.source import Span

Severity = Literal["info", "concern", "critical"]
SEVERITIES: tuple[Severity, ...] = ("info", "concern", "critical")
LOW_CONFIDENCE = 0.7


def _refuse_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a boolean is not a rating")  # noqa: TRY004 - what pydantic takes for a refusal
    return value


_LINE_FIELDS = frozenset({"path", "first", "last"})
_CONTENT_FIELDS = frozenset({"content", "contents", "raw", "text", "data"})
Share = Annotated[float, BeforeValidator(_refuse_bool)]


class StoredModel(BaseModel):
    """Refuses unknown fields, and names those that could hold file contents."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _refuse_contents(cls, value: Any) -> Any:
        fields = _CONTENT_FIELDS & value.keys() if isinstance(value, dict) else frozenset()
        if fields:
            raise ValueError(f"holds contents ({', '.join(sorted(fields))}): summaries only")
        return value


class Citation(StoredModel):
    """Lines of a file and the text of the first of them, read again before anyone sees it."""

    span: Span
    quote: str = Field(max_length=400)

    @model_validator(mode="before")
    @classmethod
    def _read_lines(cls, value: Any) -> Any:
        """Records of version 0.1 hold path, first and last."""
        if not isinstance(value, dict) or not value.keys() >= _LINE_FIELDS:
            return value
        rest = {key: content for key, content in value.items() if key not in _LINE_FIELDS}
        return {"span": {key: value[key] for key in _LINE_FIELDS}, **rest}

    def __str__(self) -> str:
        return str(self.span)


class Flag(StoredModel):
    """Something the owner should know. `source` is who found it: the scan, or the directory being investigated."""

    path: str
    finding: str = Field(min_length=1, max_length=1000)
    severity: Severity
    citation: Citation | None = None
    source: str = ""
    note: str = ""

    @property
    def place(self) -> str:
        """The cited lines as `path:first-last`, or the path alone."""
        return str(self.citation) if self.citation else self.path


class Coverage(StoredModel):
    """How many of the files and bytes were read, and how many excerpts were cut."""

    files: int = Field(0, ge=0)
    files_read: int = Field(0, ge=0)
    bytes: int = Field(0, ge=0)
    bytes_read: int = Field(0, ge=0)
    cut: int = Field(0, ge=0)

    def __add__(self, other: Coverage) -> Coverage:
        added = other.model_dump()
        return Coverage(**{name: value + added[name] for name, value in self.model_dump().items()})

    @property
    def of_files(self) -> float:
        return self.files_read / self.files if self.files else 1.0

    @property
    def of_bytes(self) -> float:
        return min(1.0, self.bytes_read / self.bytes) if self.bytes else 1.0


class FileEntry(StoredModel):
    """A file's summary; `digest` is of the content it describes."""

    relative_path: str
    digest: str
    size_bytes: int = Field(ge=0)
    category: Category
    summary: str = Field(min_length=1, max_length=2000)
    notable: bool = False
    notable_reason: str = Field("", max_length=500)
    confidence: Share | None = Field(None, ge=0, le=1)
    confidence_reason: str = Field("", max_length=500)
    cached_at: str


class DirEntry(StoredModel):
    """A directory's summary; `key` hashes the content, prompt, model and options it was made from."""

    relative_path: str
    key: str
    child_count: int = Field(ge=0)
    summary: str = Field(min_length=1, max_length=4000)
    dominant_category: str
    notable_files: tuple[str, ...] = ()
    confidence: Share | None = Field(None, ge=0, le=1)
    confidence_reason: str = Field("", max_length=500)
    completeness: Share | None = Field(None, ge=0, le=1)
    partial: bool = False
    partial_reason: str = ""
    coverage: Coverage = Coverage()
    flags: tuple[Flag, ...] = ()
    dropped_flags: int = Field(0, ge=0)
    turns_used: int = Field(0, ge=0)
    model: str = ""
    cached_at: str


E = TypeVar("E", FileEntry, DirEntry)


def parse_entry(kind: type[E], value: Any) -> E | None:
    """A stored entry; `None` when it is missing or invalid."""
    try:
        return kind.model_validate(value) if isinstance(value, dict) else None
    except (ValidationError, InputError):
        return None
