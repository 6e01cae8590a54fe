"""Whether a package may be learnt from: only what is permissive in its metadata and in every licence it carries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

_PERMISSIVE = re.compile(
    r"(?:mit|expat|x11|x-consortium|isc|0bsd|bsd|(?:modified|new|simplified|revised)-bsd|apache|apl|asl|zlib|boost|bsl-1|"
    r"unlicense|cc0|public-domain|psf|python|ncsa|wtfpl|hpnd|unicode|blueoak|postgresql|curl)(?:$|[-_ .0-9])"
)
_COPYLEFT = re.compile(
    r"\b(?:a|l)?gpl|\bgnu\b|\bmpl\b|mozilla|\bepl\b|eclipse|\bcddl\b|\beupl\b|\bsspl\b|\bcc-by|creative.commons|\bgfdl\b|"
    r"\bcpl\b|\bcpal\b|\bosl\b|\bms-pl\b|artistic|\bofl\b|commons.clause|busl|business.source|\brpl\b|sleepycat|\bqpl\b"
)
_TEXTS = {
    "MIT": re.compile(r"permission is hereby granted, free of charge"),
    "BSD": re.compile(r"redistribution and use in source and binary forms"),
    "Apache-2.0": re.compile(r"apache license,?\s+version 2\.0|common-licenses/apache-2\.0"),
    "ISC": re.compile(r"permission to use, copy, modify,? and(?:/or)? distribute (?:this software|it)"),
    "Unlicense": re.compile(r"this is free and unencumbered software released into the public domain"),
    "Zlib": re.compile(r"provided 'as-is', without any express or implied\s+warranty"),
    "BSL-1.0": re.compile(r"boost software license"),
    "CC0-1.0": re.compile(r"cc0 1\.0 universal|creative commons (?:legal code\s+)?cc0"),
    "PSF-2.0": re.compile(r"python software foundation license"),
}
_COPYLEFT_TEXT = re.compile(
    r"gnu (?:lesser |library |affero )?general public license|mozilla public license|eclipse public license|"
    r"common development and distribution license|european union public licen[cs]e|server side public license|"
    r"attribution-(?:share ?alike|noncommercial|noderiv)|commons clause|business source license|"
    r"spdx-license-identifier:[^\n]{0,80}(?:gpl|mpl|epl|cddl|sspl)"
)
_LICENCE_FILE = re.compile(
    r"(?:^|/)(?:licen[cs]es?|copying|unlicen[cs]e|copyright)(?:[._-][^/]*)?$|(?:^|/)licen[cs]es/[^/]+$", re.IGNORECASE
)
_SPLIT = re.compile(r"\s+(?:and|or|with)\s+|[/,;|()]+|\s+-\s+")
_HEAD = 4000
PERMISSIVE = frozenset(_TEXTS)


class Verdict(NamedTuple):
    """`metadata` and `texts` are the licences found in the two places; `reason` is empty for what may be used."""

    metadata: tuple[str, ...]
    texts: tuple[str, ...]
    reason: str

    @property
    def is_permissive(self) -> bool:
        return not self.reason


def is_licence_file(path: str) -> bool:
    is_code = PurePosixPath(path).suffix.lower() in {".py", ".js", ".go", ".rs"}
    return _LICENCE_FILE.search(path) is not None and not is_code


def judged(metadata: Iterable[str], files: Mapping[str, str]) -> Verdict:
    """What a package says of itself, and the texts of its licence files; both have to say the same kind of thing."""
    said = tuple(sorted({name for field in metadata for name in _names(field)}))
    if not said:
        return Verdict((), (), "the metadata name no licence")
    if refused := [name for name in said if _COPYLEFT.search(name) or not _PERMISSIVE.match(name)]:
        return Verdict(said, (), f"the metadata name {refused[0]}")
    found: set[str] = set()
    for path, text in sorted(files.items()):
        plain = " ".join(text.lower().split())
        if copyleft := _COPYLEFT_TEXT.search(plain):
            return Verdict(said, tuple(sorted(found)), f"{path} holds {copyleft[0]!r}")
        found |= {name for name, pattern in _TEXTS.items() if pattern.search(plain)}
    if not found:
        return Verdict(said, (), "no licence text is among its files")
    return Verdict(said, tuple(sorted(found)), "")


def debian_licences(copyright_file: str) -> tuple[list[str], str]:
    """Names and texts in a machine-readable copyright file; what holds for the packaging alone does not count."""
    names: list[str] = []
    texts: dict[str, str] = {}
    for paragraph in re.split(r"\n\s*\n", copyright_file.replace("\r\n", "\n")):
        fields = dict(re.findall(r"^(Files|License):[ \t]*(.*(?:\n[ \t]+[^\n]*)*)", paragraph, re.MULTILINE))
        name, _, text = fields.get("License", "").partition("\n")
        if not name:
            continue
        if "Files" not in fields:
            texts[name.strip().lower()] = text
        elif not all(pattern.startswith("debian/") for pattern in fields["Files"].split()):
            names.append(name)
            texts[f"files {len(names)}"] = text
    used = {part for name in names for part in _SPLIT.split(name.strip().lower())} | {name.lower() for name in names}
    return names, "\n".join(text for name, text in texts.items() if name in used or name.startswith("files "))


def copyleft_in_source(text: str) -> str:
    """What the head of a source file says of a copyleft licence, "" where nothing."""
    found = _COPYLEFT_TEXT.search(" ".join(text[:_HEAD].lower().split()))
    return found[0] if found else ""


def _names(field: str) -> list[str]:
    parts = _SPLIT.split(field.strip().lower().replace("license :: osi approved ::", ""))
    plain = (part.strip().removesuffix(" license").strip(" -.\"'") for part in parts)
    return [re.sub(r"\s+", "-", name) for name in plain if name]
