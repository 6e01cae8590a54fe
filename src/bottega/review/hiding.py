"""What tools, the graph and notes say of a change, without the secrets they quote."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bottega.review.tree import Tree
from bottega.source import FileChange
from bottega.source.secrets import find_secrets, mask_secrets

_SHORTEST = 4


def hide_secrets(found: dict[str, Any], files: Sequence[FileChange], tree: Tree) -> dict[str, Any]:
    """Mask all texts by the values of secrets: a tool may quote a value without the name that shows it is one."""
    values = _find_secret_values(files, tree)

    def hide(text: str) -> str:
        for value in values:
            text = text.replace(value, "«masked:secret»")
        return tree.mask(mask_secrets(text))

    return {key: _map_texts(value, hide) for key, value in found.items()}


def _find_secret_values(files: Sequence[FileChange], tree: Tree) -> list[str]:
    """The secrets of the changed files, the longest first, so that none hides a part of another."""
    values: set[str] = set()
    for file in files:
        text = tree.text(file.path) if file.status != "deleted" else None
        if text is not None:
            values |= {text[secret.start : secret.end] for secret in find_secrets(text, path=file.path)}
    return sorted((value for value in values if len(value) >= _SHORTEST), key=len, reverse=True)


def _map_texts(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _map_texts(inner, change) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_map_texts(inner, change) for inner in value]
    return value
