"""Match test files with the code that they test, by name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from posixpath import commonprefix, dirname

from bottega.index.resolve.layout import FileName, family

_AFFIX = re.compile(r"^tests?_?|_?(?:tests?|spec|specs|suite|testcase)$", re.IGNORECASE)
_MOST = 3
_CONFIDENCE = 0.8
# Of more files with one name than this, only those below the same top directory are compared; if these are still
# too many, none.
_MOST_ALIKE = 100


def find_tested_files(files: Iterable[FileName], tests: set[int]) -> Iterator[tuple[int, int, float]]:
    """Test file, code file and confidence: `test_url.py`, `UrlTest.java` and `url.spec.ts` test the nearest `url`."""
    by_stem: dict[tuple[str, str], list[FileName]] = defaultdict(list)
    listed = list(files)
    for file in listed:
        if file.id not in tests:
            by_stem[family(file.language), _stem(file.path)].append(file)
    for file in listed:
        if file.id in tests:
            about = _AFFIX.sub("", _stem(file.path))
            found = by_stem.get((family(file.language), about), []) if about else []
            yield from ((file.id, code.id, _CONFIDENCE) for code in _select_nearest(file, found))


def _select_nearest(test: FileName, found: list[FileName]) -> list[FileName]:
    if len(found) > _MOST_ALIKE:
        found = [code for code in found if dirname(code.path).split("/")[:1] == dirname(test.path).split("/")[:1]]
        if len(found) > _MOST_ALIKE:
            return []
    shared = [len(commonprefix([test.path, code.path])) for code in found]
    longest = max(shared, default=0)
    nearest = [code for code, length in zip(found, shared, strict=True) if length == longest]
    return nearest if len(nearest) <= _MOST else []


def _stem(path: str) -> str:
    """The file name in lower case without its ending and separators."""
    return re.sub(r"[-_.]", "", re.sub(r"\.\w+$", "", path.rsplit("/", 1)[-1])).lower()
