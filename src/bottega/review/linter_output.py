"""What the output of each tool means. A reader raises `ValueError` for output that it does not understand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from bottega.review.findings import Severity
from bottega.sandbox import CommandResult

_LINE_MESSAGE = re.compile(r"^(?P<path>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?P<message>.+)$", re.MULTILINE)
_TSC_ERROR = re.compile(r"^(?P<path>[^(\n]+)\((?P<line>\d+),\d+\): error (?P<message>.+)$", re.MULTILINE)
_CANNOT_RUN = re.compile(r"^(?:E999|F63|F7|F82)|^invalid-syntax")


@dataclass(frozen=True, slots=True)
class Message:
    """What a tool says of one line."""

    path: str
    line: int
    text: str
    severity: Severity


class _Output(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _RuffLocation(_Output):
    row: int


class _RuffEntry(_Output):
    filename: str
    code: str | None
    message: str
    location: _RuffLocation


class _EslintMessage(_Output):
    severity: int
    message: str
    line: int | None = None


class _EslintFile(_Output):
    path: str = Field(alias="filePath")
    messages: tuple[_EslintMessage, ...]


class _CargoLine(_Output):
    reason: str = ""
    message: Any = None


class _CargoSpan(_Output):
    file_name: str
    line_start: int


class _CargoMessage(_Output):
    level: str
    message: str
    spans: tuple[_CargoSpan, ...]


def read_ruff(ran: CommandResult) -> Iterator[Message]:
    for entry in TypeAdapter(list[_RuffEntry]).validate_json(ran.stdout):
        code = entry.code or "invalid-syntax"
        yield Message(entry.filename, entry.location.row, f"{code} {entry.message}", _choose_ruff_severity(code))


def _choose_ruff_severity(code: str) -> Severity:
    if _CANNOT_RUN.match(code):
        return "CRITICAL"
    return "WARNING" if code.startswith(("F", "B", "S", "E7")) else "SUGGESTION"


def read_mypy(ran: CommandResult) -> Iterator[Message]:
    for match in _LINE_MESSAGE.finditer(ran.stdout):
        if match["message"].startswith("error: "):
            yield Message(match["path"], int(match["line"]), match["message"].removeprefix("error: "), "WARNING")


def read_tsc(ran: CommandResult) -> Iterator[Message]:
    for match in _TSC_ERROR.finditer(ran.stdout):
        yield Message(match["path"], int(match["line"]), match["message"], "CRITICAL")


def read_eslint(ran: CommandResult) -> Iterator[Message]:
    files = TypeAdapter(list[_EslintFile]).validate_json(ran.stdout)
    if not files:
        raise ValueError("eslint looked at no file")
    for file in files:
        for entry in file.messages:
            yield Message(file.path, entry.line or 1, entry.message, "WARNING" if entry.severity == 2 else "SUGGESTION")


def read_go_vet(ran: CommandResult) -> Iterator[Message]:
    for match in _LINE_MESSAGE.finditer(ran.stderr):
        yield Message(match["path"], int(match["line"]), match["message"], "WARNING")


def read_cargo(ran: CommandResult) -> Iterator[Message]:
    for text in ran.stdout.splitlines():
        line = _CargoLine.model_validate_json(text)
        if line.reason != "compiler-message":
            continue
        message = _CargoMessage.model_validate(line.message)
        if message.spans:
            place = message.spans[0]
            severity: Severity = "CRITICAL" if message.level == "error" else "SUGGESTION"
            yield Message(place.file_name, place.line_start, message.message, severity)
