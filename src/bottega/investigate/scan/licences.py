"""Which licence a text is, by sentences that only it has."""

from __future__ import annotations

import re

_NAMES = re.compile(r"(?i)(?:^|[-_.])(?:un)?licen[cs]es?(?:[-_.]|$)|^copying|^copyright$")
_SPACE = re.compile(rb"\s+")
_HEADER = b"SPDX-License-Identifier:"
_ID = re.compile(rb"SPDX-License-Identifier:[ \t]*([A-Za-z0-9.()+ :-]{2,80})")
_IN_MANIFEST = {
    "package.json": re.compile(rb'"license"\s*:\s*"([A-Za-z0-9.()+ -]{2,60})"'),
    "composer.json": re.compile(rb'"license"\s*:\s*"([A-Za-z0-9.()+ -]{2,60})"'),
    "pyproject.toml": re.compile(rb'(?m)^license\s*=\s*(?:\{\s*text\s*=\s*)?"([A-Za-z0-9.()+ -]{2,60})"'),
    "Cargo.toml": re.compile(rb'(?m)^license\s*=\s*"([A-Za-z0-9.()+/ -]{2,60})"'),
}
# In order: the first whose sentences all stand in a text names it.
_SENTENCES: tuple[tuple[str, tuple[bytes, ...]], ...] = (
    ("AGPL-3.0", (b"gnu affero general public license", b"version 3")),
    ("LGPL-3.0", (b"gnu lesser general public license", b"version 3")),
    ("LGPL-2.1", (b"gnu lesser general public license", b"version 2.1")),
    ("LGPL-2.0", (b"gnu library general public license",)),
    ("GPL-3.0", (b"gnu general public license", b"version 3, 29 june 2007")),
    ("GPL-2.0", (b"gnu general public license", b"version 2, june 1991")),
    ("GPL", (b"gnu general public license",)),
    ("Apache-2.0", (b"apache license", b"version 2.0")),
    ("MPL-2.0", (b"mozilla public license", b"2.0")),
    ("EPL-2.0", (b"eclipse public license", b"2.0")),
    ("BUSL-1.1", (b"business source license",)),
    ("BSL-1.0", (b"boost software license",)),
    ("CC0-1.0", (b"cc0 1.0 universal",)),
    ("CC-BY-SA", (b"creative commons", b"sharealike")),
    ("CC-BY", (b"creative commons attribution",)),
    ("Unlicense", (b"this is free and unencumbered software released into the public domain",)),
    ("ISC", (b"permission to use, copy, modify, and/or distribute this software for any purpose",)),
    ("ISC", (b"permission to use, copy, modify, and distribute this software for any purpose",)),
    ("Zlib", (b"this software is provided 'as-is', without any express or implied warranty", b"altered source")),
    ("PSF-2.0", (b"python software foundation license",)),
    ("BSD-3-Clause", (b"redistribution and use in source and binary forms", b"neither the name")),
    ("BSD-2-Clause", (b"redistribution and use in source and binary forms",)),
    ("MIT", (b"permission is hereby granted, free of charge, to any person obtaining a copy",)),
)
_LONGEST = 60_000


def find_licence(name: str, data: bytes) -> str:
    """The licence that a file states: as a licence text, in a manifest, or in a header; "" for none."""
    if is_licence_file(name):
        return identify_licence(data) or "unknown"
    if name in _IN_MANIFEST:
        found = _IN_MANIFEST[name].search(data)
        return found[1].decode() if found else ""
    if data.find(_HEADER, 0, 2000) >= 0 and (stated := _ID.search(data, 0, 2200)):
        return stated[1].decode().strip().rstrip("*/ ").removesuffix("--").strip()
    return ""


def is_licence_file(name: str) -> bool:
    return ("icen" in name or "ICEN" in name or name[:4].upper() == "COPY") and _NAMES.search(name) is not None


def identify_licence(data: bytes) -> str:
    text = _SPACE.sub(b" ", data[:_LONGEST]).lower()
    return next((name for name, sentences in _SENTENCES if all(sentence in text for sentence in sentences)), "")
