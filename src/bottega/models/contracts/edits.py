"""A reply that changes files: operations between marker lines that occur in none of the files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from bottega.models.contracts.base import ContractBroken, refuse_cut, refuse_oversized
from bottega.models.request import Reply

Operation = Literal["replace", "create", "delete", "rename"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to one file. `search` is the exact text that `replacement` takes the place of."""

    operation: Operation
    path: str
    search: str = ""
    replacement: str = ""
    new_path: str = ""


class EditsContract:
    """Each operation begins and ends with a line that holds `mark`, which must not occur in the files at hand."""

    schema = None

    def __init__(self, mark: str) -> None:
        if not re.fullmatch(r"[A-Za-z0-9]{4,32}", mark):
            raise ValueError("a mark is 4 to 32 letters and digits")
        self._mark = mark
        self._open = re.compile(rf"^@@{mark} (replace|create|delete|rename) (.+)$")
        self._marked = re.compile(rf"^@@{mark}\b")

    def form(self) -> str:
        """How to write edits, for the prompt."""
        m = self._mark
        return (
            f"@@{m} replace path/of/file.py\n(exact lines to find)\n@@{m} with\n(lines to put there)\n@@{m} end\n\n"
            f"@@{m} create path/of/new.py\n(content)\n@@{m} end\n\n"
            f"@@{m} delete path/of/file.py\n@@{m} end\n\n"
            f"@@{m} rename path/of/file.py -> new/path.py\n@@{m} end"
        )

    def parse(self, reply: Reply) -> tuple[Edit, ...]:
        refuse_oversized(reply)
        refuse_cut(reply)
        edits: list[Edit] = []
        lines = reply.text.splitlines(keepends=True)
        position = 0
        while position < len(lines):
            line = lines[position].rstrip()
            opening = self._open.match(line)
            position += 1
            if self._marked.match(line) and not opening:
                raise ContractBroken(f"the line {line} opens no edit")
            if opening:
                end = self._find_end(lines, position, opening.group(2))
                edits.append(self._build_edit(opening.group(1), opening.group(2), lines[position:end]))
                position = end + 1
        if not edits:
            raise ContractBroken(f"the reply holds no edit that opens with @@{self._mark}")
        return tuple(edits)

    def reminder(self, reason: str) -> str:
        return f"Your reply was refused: {reason}.\nAnswer again with edits in exactly this form:\n\n{self.form()}"

    def _find_end(self, lines: list[str], start: int, path: str) -> int:
        for index in range(start, len(lines)):
            line = lines[index].rstrip()
            if line == f"@@{self._mark} end":
                return index
            if self._marked.match(line) and line != f"@@{self._mark} with":
                break
        raise ContractBroken(f"the edit of {path} is not closed with @@{self._mark} end")

    def _build_edit(self, operation: str, target: str, body: list[str]) -> Edit:
        if operation == "replace":
            return self._build_replacement(target, body)
        if any(self._marked.match(line) for line in body):
            raise ContractBroken(f"the {operation} of {target} has no place for a line @@{self._mark} with")
        if operation == "rename":
            old, arrow, new = target.partition(" -> ")
            if not arrow:
                raise ContractBroken(f"rename needs `old -> new`, not {target}")
            return Edit("rename", _check_path(old), new_path=_check_path(new))
        if operation == "create":
            return Edit("create", _check_path(target), replacement="".join(body))
        return Edit("delete", _check_path(target))

    def _build_replacement(self, target: str, body: list[str]) -> Edit:
        middle = [index for index, line in enumerate(body) if line.rstrip() == f"@@{self._mark} with"]
        if len(middle) != 1:
            raise ContractBroken(f"the edit of {target} needs exactly one line @@{self._mark} with")
        search = "".join(body[: middle[0]])
        if not search.strip():
            raise ContractBroken(f"the edit of {target} searches for nothing; use create for a new file")
        return Edit("replace", _check_path(target), search, "".join(body[middle[0] + 1 :]))


def _check_path(path: str) -> str:
    """The path, if it is inside the repository and outside of its metadata; raises `ContractBroken` otherwise."""
    pure = PurePosixPath(path.strip())
    if (
        not pure.parts
        or pure.parts[0] in {".git", ".bottega"}
        or pure.is_absolute()
        or ".." in pure.parts
        or "\\" in path
        or "\0" in path
    ):
        raise ContractBroken(f"{path!r} is not a path inside the repository")
    return str(pure)
