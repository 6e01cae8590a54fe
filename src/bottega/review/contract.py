"""What a reviewer must answer with: findings as JSON, each complete."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from bottega.models import ContractBroken, Reply
from bottega.models.contracts.base import refuse_cut
from bottega.models.contracts.schema import refuse_duplicate_keys, strip_fence
from bottega.review.findings import SEVERITIES, Severity

_MOST = 20


def _wrap_text(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _normalize_severity(value: object) -> object:
    return value.strip().upper().replace(" ", "_").replace("-", "_") if isinstance(value, str) else value


class ReportedFinding(BaseModel):
    """One finding as a reviewer reports it. `line` and `last_line` are of the new side, as shown."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    title: str = Field(min_length=1, max_length=300)
    path: str = Field(min_length=1, max_length=1000)
    line: int = Field(ge=1, le=10**7)
    last_line: int | None = Field(None, ge=1, le=10**7)
    severity: Annotated[Severity, BeforeValidator(_normalize_severity)]
    confidence: int = Field(ge=0, le=100)
    problem: str = Field(min_length=1, max_length=4000)
    evidence: Annotated[tuple[str, ...], BeforeValidator(_wrap_text)] = Field((), max_length=10)
    suggestion: str = Field("", max_length=8000)


@dataclass(frozen=True, slots=True)
class ReviewReply:
    """`unreadable` counts findings that could not be parsed and are lost."""

    findings: tuple[ReportedFinding, ...]
    unreadable: int = 0


@dataclass(slots=True)
class ReviewContract:
    """Every finding must be complete. Valid findings of the first reply are kept, whatever the repair turn returns."""

    _kept: list[ReportedFinding] = field(default_factory=list)
    _refused: int = 0
    _tries: int = 0

    @property
    def schema(self) -> Mapping[str, Any]:
        text = {"type": "string"}
        number = {"type": "integer"}
        finding = {
            "type": "object",
            "properties": {
                "title": text,
                "path": text,
                "line": number,
                "last_line": number,
                "problem": text,
                "evidence": {"type": "array", "items": text, "maxItems": 3},
                "severity": {"type": "string", "enum": list(SEVERITIES)},
                "confidence": number,
                "suggestion": text,
            },
            "required": ["title", "path", "line", "problem", "evidence", "severity", "confidence", "suggestion"],
            "additionalProperties": False,
        }
        return {
            "type": "object",
            "properties": {"findings": {"type": "array", "items": finding, "maxItems": _MOST}},
            "required": ["findings"],
            "additionalProperties": False,
        }

    def parse(self, reply: Reply) -> ReviewReply:
        self._tries += 1
        try:
            entries = _read_entries(reply)
        except ContractBroken:
            if self._kept:
                return ReviewReply(tuple(self._kept), self._refused)
            raise
        found: list[ReportedFinding] = []
        faults: list[str] = []
        for number, entry in enumerate(entries, 1):
            try:
                found.append(ReportedFinding.model_validate(entry))
            except ValidationError as error:
                first = error.errors()[0]
                place = ".".join(str(part) for part in first["loc"]) or "it"
                faults.append(f"finding {number}: {place}: {first['msg']}")
        if faults and self._tries == 1:
            self._kept, self._refused = found, len(faults)
            raise ContractBroken("; ".join(faults[:5]))
        known = {(finding.path, finding.line, finding.title) for finding in self._kept}
        again = [finding for finding in found if (finding.path, finding.line, finding.title) not in known]
        lost = max(len(faults), self._refused - len(again))
        if lost and not self._kept and not found:
            raise ContractBroken("; ".join(faults[:5]) or "the findings of the first reply are missing")
        return ReviewReply((*self._kept, *again), lost)

    def reminder(self, reason: str) -> str:
        return (
            f"Your reply was refused: {reason}.\n"
            'Answer again with exactly one JSON object {"findings": [...]} in the form asked for, and nothing else. '
            'When there is nothing to report: {"findings": []}'
        )


def _read_entries(reply: Reply) -> list[Any]:
    text = strip_fence(reply.text)
    try:
        value = json.loads(text, object_pairs_hook=refuse_duplicate_keys)
    except (ValueError, RecursionError):
        refuse_cut(reply)
        raise ContractBroken("the reply is not JSON") from None
    if isinstance(value, dict):
        value = value.get("findings")
    if not isinstance(value, list):
        raise ContractBroken('the reply has no list "findings"')
    return value
