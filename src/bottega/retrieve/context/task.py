"""What a task names: paths, symbols, error lines and traceback frames, and what kind of task it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bottega.retrieve.search import ParsedQuery
from bottega.retrieve.search.symbols import parse_frames
from bottega.source import language_of_path
from bottega.source.words import STOP_WORDS

TaskType = Literal["bug_fix", "feature", "refactor", "test", "docs", "question", "unknown"]

_PATH = re.compile(r"(?<![\w./-])(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z]\w{0,9}\b(?!\()")
_ERROR = re.compile(
    r"^.{0,200}?\b\w{0,60}(?:Error|Exception|Warning|[Pp]anic|FAILED|fatal|Traceback)\b.{0,300}$", re.MULTILINE
)
_DOTTED_NAME = re.compile(r"(?<!\w)[^\W\d]\w*+(?:(?:\.|::|->|#)[^\W\d]\w*+)++")
# The first row with a word of the task decides.
_TYPES: Mapping[TaskType, str] = {
    "bug_fix": r"fix|bug|broken|crash|regression|error|exception|traceback|fails?|failing|wrong",
    "refactor": r"refactor|rename|extract|simplify|clean ?up|move|split|deduplicate",
    "test": r"tests?|coverage|unit ?test",
    "docs": r"docs?|documentation|docstrings?|readme|changelog",
    "feature": r"add|implement|support|introduce|allow|create|new",
}
_QUESTION = re.compile(r"^\s*(?:how|where|what|which|why|when|who|is|are|does|do|can)\b|\?\s*$", re.IGNORECASE)
_MOST_NAMES, _MOST_ERRORS, _MOST_KEYWORDS = 60, 20, 12
_SHORTEST_NAME = 3
# Characters of a task that say what kind of task it is.
_HEAD = 2_000


@dataclass(frozen=True, slots=True)
class TaskSignals:
    """What the text of a task names, as written; nothing is looked up."""

    task_type: TaskType
    paths: tuple[str, ...]
    symbols: tuple[str, ...]
    errors: tuple[str, ...]
    frames: tuple[str, ...]
    keywords: tuple[str, ...]


def read_task(text: str) -> TaskSignals:
    """Read the signals of a task; names are those that are written as code writes them."""
    paths = tuple(dict.fromkeys(path for path in _PATH.findall(text) if "/" in path or not _is_dotted_name(path)))
    rest = _PATH.sub(lambda match: " " if match[0] in paths else match[0], text)
    query = ParsedQuery(rest)
    code = (word for word in query.words if query.is_code(word) and len(word) >= _SHORTEST_NAME)
    names = dict.fromkeys([*_DOTTED_NAME.findall(rest), *code])
    taken = {part.lower() for name in names for part in re.split(r"\W+", name)}
    words = (word.lower() for word in query.words)
    keywords = dict.fromkeys(
        word for word in words if len(word) >= _SHORTEST_NAME and word not in STOP_WORDS and word not in taken
    )
    return TaskSignals(
        _classify(text),
        paths[:_MOST_NAMES],
        tuple(names)[:_MOST_NAMES],
        tuple(dict.fromkeys(line.strip() for line in _ERROR.findall(text)))[:_MOST_ERRORS],
        tuple(f"{frame.path}:{frame.line} {frame.function}" for frame in parse_frames(text)),
        tuple(keywords)[:_MOST_KEYWORDS],
    )


def _classify(text: str) -> TaskType:
    head = text[:_HEAD]
    for name, words in _TYPES.items():
        if re.search(rf"\b(?:{words})\b", head, re.IGNORECASE):
            return name
    return "question" if _QUESTION.search(head) else "unknown"


def _is_dotted_name(path: str) -> bool:
    """`np.array` looks like a file name; only endings of known languages make one."""
    return language_of_path(path) is None
