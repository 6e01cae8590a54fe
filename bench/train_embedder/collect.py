"""Stage 1: fetch packages, keep those that may be learnt from, and write down all of them.

    python -m bench.train_embedder.collect --work DIR [--plan bench/train_embedder/plan.toml]

DIR/manifest.jsonl gets a line for every package that was looked at, kept or not, with the reason. DIR/texts holds the
source files of those that were kept. A package that stands in the manifest is not fetched again.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.train_embedder.licences import copyleft_in_source, is_licence_file, judged
from bench.train_embedder.registries import NotToBeHad, Package, fetch, listed, source_names

from bottega.source import language_of_path
from bottega.source.roles import Role, role_of_path, role_of_text
from bottega.source.text import decode

HERE = Path(__file__).parent
LANGUAGES = frozenset(
    "Python JavaScript TypeScript TSX Java Go Rust C C++ C# Ruby PHP Kotlin Swift Scala Lua Haskell Elixir Zig Bash"
    " SQL Markdown".split()
)
_WANTED = frozenset({Role.CODE, Role.TEST, Role.DOCS})
_MOST_TEXT = 6_000_000
_VENDORED = re.compile(
    r"(?:^|/)(?:_?vendor(?:ed)?|third[_-]?party|extern(?:al)?|patched|node_modules|site-packages/pip)/"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--plan", type=Path, default=HERE / "plan.toml")
    parser.add_argument("--threads", type=int, default=3)
    options = parser.parse_args()
    (options.work / "texts").mkdir(parents=True, exist_ok=True)
    manifest: Path = options.work / "manifest.jsonl"
    known = {(row["registry"], row["name"]) for row in read_manifest(manifest)} if manifest.exists() else set()
    wanted = [entry for entry in planned(options.plan, options.work) if entry not in known]
    kept = 0
    with ThreadPoolExecutor(options.threads) as pool, manifest.open("a", encoding="utf-8") as out:
        rows = pool.map(lambda entry: looked_at(entry[0], entry[1], options.work), wanted)
        for done, row in enumerate(rows, 1):
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            out.flush()
            kept += not row["reason"]
            if done % 50 == 0:
                sys.stderr.write(f"{done}/{len(wanted)} looked at, {kept} kept\n")


def planned(plan: Path, work: Path) -> list[tuple[str, str]]:
    """Registry and name of every package to look at, mixed, always the same."""
    chosen: list[tuple[str, str]] = []
    for entry in tomllib.loads(plan.read_text())["source"]:
        is_source = entry["registry"] == "debian-source"
        names = entry.get("names") or (source_names(entry["pattern"], work) if is_source else listed(entry["pattern"]))
        names = [name for name in names if not is_excluded(name)]
        random.Random(entry.get("seed", 1)).shuffle(names)
        chosen += [(entry["registry"], name) for name in names[: entry.get("most", len(names))]]
    random.Random(1).shuffle(chosen)
    return list(dict.fromkeys(chosen))


def is_excluded(name: str) -> bool:
    """Whether one of the words of a package's name is that of a project to be left out."""
    plain = name.lower()
    words = set(re.split(r"[-_./@+]", plain)) | {plain}
    return any(excluded in words or excluded == plain for excluded in exclusions())


def exclusions() -> list[str]:
    lines = (HERE / "exclude.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def looked_at(registry: str, name: str, work: Path) -> dict[str, Any]:
    """A line of the manifest."""
    row: dict[str, Any] = {"registry": registry, "name": name}
    try:
        package = fetch(registry, name, work)
    except NotToBeHad as error:
        return {**row, "reason": f"not to be had: {error}"}
    except Exception as error:  # noqa: BLE001 - one broken archive is no reason to stop
        return {**row, "reason": f"broken: {type(error).__name__}"}
    try:
        return {**row, **_read(package, work)}
    except Exception as error:  # noqa: BLE001 - one broken archive is no reason to stop
        return {**row, "reason": f"broken: {type(error).__name__}"}
    finally:
        package.archive.unlink(missing_ok=True)


def _read(package: Package, work: Path) -> dict[str, Any]:
    texts: list[tuple[str, str, str]] = []
    licences = {"metadata": package.licence_texts} if package.licence_texts else {}
    for place, data in package.members():
        path = place.removeprefix("./")
        if is_licence_file(path) and f"doc/{package.name}/copyright" not in path:
            licences[path] = data.decode("utf-8", "replace")
        elif (language := _language(path)) and (text := _text(path, data)) is not None:
            texts.append((path, language, text))
    verdict = judged(package.licences, licences)
    reason = verdict.reason or next(
        (f"{path} says {found!r}" for path, _, text in texts if (found := copyleft_in_source(text))), ""
    )
    facts = {
        "version": package.version,
        "sha256": sha256(package.archive.read_bytes()).hexdigest(),
        "metadata": verdict.metadata,
        "texts": verdict.texts,
        "licence_files": sorted(licences),
        "reason": reason or ("" if texts else "no source in it"),
    }
    if facts["reason"]:
        return facts
    kept = list(_within_reason(texts))
    file = work / "texts" / file_name(package.registry, package.name)
    with gzip.open(file, "wt", encoding="utf-8", compresslevel=3) as out:
        for path, language, text in kept:
            out.write(json.dumps({"path": path, "language": language, "text": text}, ensure_ascii=False) + "\n")
    return {
        **facts,
        "languages": Counter(language for _, language, _ in kept),
        "characters": sum(len(t) for *_, t in kept),
    }


def _language(path: str) -> str:
    language = language_of_path(path)
    if language is None or language.name not in LANGUAGES or _VENDORED.search(path):
        return ""
    return language.name if role_of_path(path) in _WANTED else ""


def _text(path: str, data: bytes) -> str | None:
    text = decode(data)
    return text if text is not None and role_of_text(role_of_path(path), path, text) in _WANTED else None


def _within_reason(texts: Sequence[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """A large package speaks for no more than its share."""
    total = 0
    for path, language, text in sorted(texts, key=lambda entry: sha256(entry[0].encode()).digest()):
        total += len(text)
        if total > _MOST_TEXT:
            return
        yield path, language, text


def file_name(registry: str, name: str) -> str:
    """What a package's texts and records are kept under."""
    return f"{registry}-{name.replace('/', '+')}.jsonl.gz"


def read_manifest(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
