"""Build the documentation as a site in build/site: `make site`.

README becomes the home page, and `docs/index.md`, the page of `bottega index`, gets another name beside it. Links are
rewritten to the places of the pages; source files that they name become pages too. A broken link or anchor is an error,
and so is a page that loads anything from another server.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path

import yaml

from bottega.cli.commands import COMMANDS
from bottega.cli.pages import arrange_pages, find_pages, read_title

ROOT = Path(__file__).resolve().parents[1]
STAGED, SITE, SETTINGS = (ROOT / "build" / name for name in ("site-pages", "site", "mkdocs.yml"))
SCHEMAS = "schemas/index.md"
FILES = "files"
THEME = "theme"
# Sections whose pages the search ranks lower: records and background.
LESS_WANTED = {"How well it works", "Project", "Decisions"}
# Code, which stays as it is, or the target of a link.
_CODE_OR_LINK = re.compile(
    r"^(?P<fence>`{3,}).*?^(?P=fence)[ \t]*$|`[^`\n]*`|\]\((?P<target>[^()\s]+)\)", re.MULTILINE | re.DOTALL
)
_LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
_LOADED_LINKS = {"stylesheet", "preload", "icon", "preconnect", "prefetch", "dns-prefetch"}


def main() -> int:
    for folder in (STAGED, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    sources = place_pages()
    stage(sources, STAGED)
    SETTINGS.write_text(render_settings(sources), encoding="utf-8")
    if not run_mkdocs():
        return 1
    faults = list(find_loaded_from_elsewhere(SITE))
    print(*faults, f"{len(sources)} pages: {SITE / 'index.html'}", sep="\n")
    return 1 if faults else 0


def run_mkdocs() -> bool:
    """Build, and print warnings. `--quiet` would hide them from `--strict`."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(SETTINGS)]
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True, env=environ)
    sys.stderr.writelines(
        line for line in done.stderr.splitlines(keepends=True) if not line.startswith(("INFO", "DEBUG"))
    )
    return done.returncode == 0


def place_pages() -> dict[Path, str]:
    """Every page of the site by its source."""
    sources = {path.resolve(): f"{name}.md" for name, path in find_pages().items()}
    sources[ROOT / "docs" / "index.md"] = "bottega-index.md"
    sources[ROOT / "README.md"] = "index.md"
    sources[ROOT / "CONTRIBUTING.md"] = "contributing.md"
    return sources | {path: f"examples/{path.parent.name}.md" for path in (ROOT / "examples").glob("*/README.md")}


def stage(sources: Mapping[Path, str], folder: Path) -> None:
    """Write the pages with their links rewritten, the files that they link to, and scripts of the site."""
    schemas = ROOT / "docs" / "schemas"
    shutil.copytree(schemas, folder / "schemas")
    names = sorted(path.name for path in schemas.glob("*.json"))
    (folder / SCHEMAS).write_text("# Schemas\n\n" + "".join(f"- [{name}]({name})\n" for name in names))
    shutil.copytree(ROOT / "tools" / "site", folder / THEME)
    sections = arrange_pages(list(find_pages()))
    ranked_lower = {f"{name}.md" for title in LESS_WANTED for name in sections.get(title, ())}
    for source, place in sources.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        rank = "---\nsearch: {boost: 0.3}\n---\n\n" if place in ranked_lower else ""
        target.write_text(rank + rewrite_links(source, sources, folder), encoding="utf-8")


def rewrite_links(source: Path, sources: Mapping[Path, str], folder: Path) -> str:
    """The text of a page whose links are those of the site."""
    start = posixpath.dirname(sources[source])

    def rewrite(found: re.Match[str]) -> str:
        path, hash_, anchor = (found["target"] or "").partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return found.group()
        target = (source.parent / path).resolve()
        if target == ROOT / "docs" / "schemas":
            place = SCHEMAS
        elif target in sources:
            place = f"{sources[target]}{hash_}{anchor}"
        elif target.is_file():
            place = _stage_file(target, folder)
        else:
            return found.group()
        return f"]({posixpath.relpath(place, start or '.')})"

    return _CODE_OR_LINK.sub(rewrite, source.read_text(encoding="utf-8"))


def _stage_file(path: Path, folder: Path) -> str:
    """A file that is no page, as a page that the search leaves out."""
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    page = folder / FILES / f"{name}.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    language = {".py": "python", ".md": "markdown"}.get(path.suffix, path.suffix.strip("."))
    page.write_text(
        f"---\ntitle: {name}\nsearch: {{exclude: true}}\n---\n\n# `{name}`\n\n"
        f"``````{language}\n{text.rstrip()}\n``````\n",
        encoding="utf-8",
    )
    return page.relative_to(folder).as_posix()


def render_settings(sources: Mapping[Path, str]) -> str:
    """Settings of MkDocs: those of mkdocs.yml, the directories, and the navigation."""
    return yaml.safe_dump(
        {
            "INHERIT": "../mkdocs.yml",
            "docs_dir": STAGED.name,
            "site_dir": SITE.name,
            "not_in_nav": f"/{FILES}/",
            "extra": {"polyfills": [f"{THEME}/iframe-worker.js"]},
            "extra_css": [f"{THEME}/site.css"],
            "nav": list(_render_navigation(sources)),
        },
        sort_keys=False,
    )


def _render_navigation(sources: Mapping[Path, str]) -> Iterator[dict[str, object]]:
    pages = find_pages()
    yield {"Overview": "index.md"}
    for section, names in arrange_pages(list(pages)).items():
        entries = [
            {name if name in COMMANDS else read_title(name, pages[name]): sources[pages[name].resolve()]}
            for name in names
        ]
        yield {section: entries + _EXTRA.get(section, [])}


_EXTRA: Mapping[str, list[dict[str, str]]] = {
    "Extend": [
        {f"Example: {path.parent.name}": f"examples/{path.parent.name}.md"}
        for path in sorted((ROOT / "examples").glob("*/README.md"))
    ],
    "Reference": [{"Schemas": SCHEMAS}],
    "Project": [{"Contributing": "contributing.md"}],
}


class _Loads(HTMLParser):
    """What a page loads by itself from another server."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        address = values.get(_LOADED.get(tag, ""), "")
        if tag == "link" and _LOADED_LINKS & set(values.get("rel", "").split()):
            address = values.get("href", "")
        if re.match(r"(?:[a-z]+:)?//", address):
            self.addresses.append(address)


def find_loaded_from_elsewhere(site: Path) -> Iterator[str]:
    for path in sorted(site.rglob("*.html")):
        loads = _Loads()
        loads.feed(path.read_text(encoding="utf-8"))
        yield from (f"{path.relative_to(site)} loads {address}" for address in loads.addresses)


if __name__ == "__main__":
    sys.exit(main())
