"""What is kept of a file and of a directory: summaries, never contents."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from bottega.investigate.scan import Category

Severity = Literal["info", "concern", "critical"]
SEVERITIES: tuple[Severity, ...] = ("info", "concern", "critical")
LOW_CONFIDENCE = 0.7


def _no_truth(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a truth value is no rating")  # noqa: TRY004 - what pydantic takes for a refusal
    return value


_CONTENTS = frozenset({"content", "contents", "raw", "text", "data"})
Share = Annotated[float, BeforeValidator(_no_truth)]


class Kept(BaseModel):
    """Unknown fields are refused, those that could hold contents by name."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _holds_no_contents(cls, value: Any) -> Any:
        named = _CONTENTS & value.keys() if isinstance(value, dict) else frozenset()
        if named:
            raise ValueError(f"holds contents ({', '.join(sorted(named))}): summaries only")
        return value


class Citation(Kept):
    """Lines of a file, and what stands in the first of them; re-read before anyone sees it."""

    path: str
    first: int = Field(ge=1)
    last: int = Field(ge=1)
    quote: str = Field(max_length=400)

    def __str__(self) -> str:
        return f"{self.path}:{self.first}" + (f"-{self.last}" if self.last > self.first else "")


class Flag(Kept):
    """Something its owner should know. `source` is who saw it: the scan, or the directory at work."""

    path: str
    finding: str = Field(min_length=1, max_length=1000)
    severity: Severity
    citation: Citation | None = None
    source: str = ""
    note: str = ""


class Coverage(Kept):
    """What was read of what is there: files and bytes, and how many readings were cut."""

    files: int = Field(0, ge=0)
    files_read: int = Field(0, ge=0)
    bytes: int = Field(0, ge=0)
    bytes_read: int = Field(0, ge=0)
    cut: int = Field(0, ge=0)

    def __add__(self, other: Coverage) -> Coverage:
        mine, theirs = self.model_dump(), other.model_dump()
        return Coverage(**{name: value + theirs[name] for name, value in mine.items()})

    @property
    def of_files(self) -> float:
        return self.files_read / self.files if self.files else 1.0

    @property
    def of_bytes(self) -> float:
        return min(1.0, self.bytes_read / self.bytes) if self.bytes else 1.0


class FileEntry(Kept):
    """`digest` is of the content that the summary is about."""

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


class DirEntry(Kept):
    """`key` stands for the directory's content, the prompt, the model and the options it was made with."""

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


def entry_of(kind: type[E], value: Any) -> E | None:
    """An entry as it was kept, or `None` where that is missing or cannot be one."""
    try:
        return kind.model_validate(value) if isinstance(value, dict) else None
    except ValidationError:
        return None
