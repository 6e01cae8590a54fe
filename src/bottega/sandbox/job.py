"""Checked arguments of one run."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bottega.errors import InputError
from bottega.sandbox.files import check_files, encode_text
from bottega.sandbox.gitview import GitView, view_git
from bottega.sandbox.limits import DEFAULT_LIMITS, Limits
from bottega.sandbox.patterns import PathPatterns
from bottega.sandbox.protocol import CommandResult
from bottega.sandbox.tree import Folder, Tree, list_parents
from bottega.sandbox.walking import is_private
from bottega.sandbox.workspace import Workspace

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OWN_NAMES = frozenset({"HOME", "TMPDIR"})
_LARGEST_ENVIRONMENT = 100_000


@dataclass(frozen=True, slots=True)
class Job:
    """The arguments of `Sandbox.run`; `git` is the repository to lay out in the workspace."""

    command: tuple[str, ...]
    files: Mapping[str, bytes]
    stdin: bytes
    limits: Limits
    shown: tuple[str, ...]
    workspace: Workspace | None
    git: GitView | None
    environment: Mapping[str, str]
    network: bool
    give_back: PathPatterns


class JobRunner:
    """`Sandbox.run` for a sandbox that carries out checked jobs."""

    __slots__ = ()

    def run(
        self,
        command: Sequence[str],
        *,
        files: Mapping[str, str],
        stdin: str = "",
        limits: Limits = DEFAULT_LIMITS,
        shown: Sequence[str] = (),
        workspace: Workspace | None = None,
        environment: Mapping[str, str] | None = None,
        network: bool = False,
        give_back: Sequence[str] = (),
    ) -> CommandResult:
        """As `Sandbox` says."""
        job = Job(
            command=_check_command(command),
            files=_check_files(files, workspace),
            stdin=encode_text(stdin),
            limits=limits,
            shown=tuple(shown),
            workspace=workspace,
            git=view_git(workspace.layer.project) if workspace is not None and workspace.git else None,
            environment=_check_environment(environment or {}),
            network=network,
            give_back=PathPatterns.parse(give_back),
        )
        if workspace is None or not workspace.keep:
            return self.run_job(job)
        with workspace.layer.running():
            return self.run_job(job)

    def run_job(self, job: Job) -> CommandResult:
        raise NotImplementedError


def _check_command(command: Sequence[str]) -> tuple[str, ...]:
    if not command or not command[0]:
        raise InputError("No command to run in the sandbox")
    if any("\0" in word for word in command):
        raise InputError(f"A word of the command {command[0]!r} holds a NUL character")
    return tuple(command)


def _check_files(files: Mapping[str, str], workspace: Workspace | None) -> dict[str, bytes]:
    checked = {path.as_posix(): data for path, data in check_files(files).items()}
    for path in checked if workspace is not None else ():
        if workspace is not None and _is_clash(path, workspace.layer.tree, workspace.layer.shared):
            raise InputError(f"File name {path!r} clashes with one of the workspace")
    return checked


def _is_clash(path: str, tree: Tree, shared: Sequence[str]) -> bool:
    if is_private(path) or isinstance(tree.get(path), Folder) or path in shared:
        return True
    return any(parent in shared or not isinstance(tree.get(parent, Folder()), Folder) for parent in list_parents(path))


def _check_environment(environment: Mapping[str, str]) -> dict[str, str]:
    for name, value in environment.items():
        if not _NAME.fullmatch(name) or "\0" in value:
            raise InputError(f"{name!r} cannot be an environment variable")
        if name in _OWN_NAMES:
            raise InputError(f"{name} is set by the sandbox")
    if sum(len(os.fsencode(f"{name}={value}")) for name, value in environment.items()) > _LARGEST_ENVIRONMENT:
        raise InputError("The environment is too large")
    return dict(environment)
