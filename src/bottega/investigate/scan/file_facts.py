"""Secrets, orders to models, licences and entry points, as the workers find them in files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from bottega.investigate.scan.findings import EntryPoint, Licence, SuspectLine
from bottega.source import Span
from bottega.source.roles import is_test_path

# More secrets than a scan lists, so that those outside of tests come first; more are only counted.
_MAX_SECRETS = 2000


@dataclass(slots=True)
class FileFacts:
    """`licences` are of licence files and of files at the top; other licence headers are counted in `headers`."""

    secrets: list[SuspectLine] = field(default_factory=list)
    secret_count: int = 0
    injections: list[SuspectLine] = field(default_factory=list)
    licences: list[Licence] = field(default_factory=list)
    headers: Counter[str] = field(default_factory=Counter)
    entry_points: list[EntryPoint] = field(default_factory=list)

    def add(self, path: str, kind: str, details: list[Any]) -> None:
        """Add what a worker reports about a file: `secret`, `order`, `licence` or `entry`."""
        if kind == "secret":
            line, rule = details
            self.secret_count += 1
            if len(self.secrets) < _MAX_SECRETS:
                self.secrets.append(SuspectLine(Span(path, line, line), rule, is_test_path(path)))
        elif kind == "order":
            [line] = details
            self.injections.append(SuspectLine(Span(path, line, line), "orders to a model", is_test_path(path)))
        elif kind == "licence":
            licence, is_licence_file = details
            if is_licence_file or "/" not in path:
                self.licences.append(Licence(path, licence))
            else:
                self.headers[licence] += 1
        elif kind == "entry":
            self.entry_points.append(EntryPoint(path, details[0]))

    def sorted_secrets(self) -> tuple[SuspectLine, ...]:
        """Those outside of tests first."""
        return tuple(sorted(self.secrets, key=lambda secret: (secret.is_test, secret.span)))

    def sorted_entry_points(self) -> tuple[EntryPoint, ...]:
        """Those outside of tests and near the top first."""
        return tuple(
            sorted(self.entry_points, key=lambda entry: (is_test_path(entry.path), entry.path.count("/"), entry.path))
        )
