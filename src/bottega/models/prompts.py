"""Prompts are Markdown files beside their verb: `# system`, `# user`, and `{{name}}` for values."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from bottega.source import show_invisible

_RUN_OF_TICKS = re.compile(r"`{3,}")
_SLOT = re.compile(r"\{\{\s*([a-z_]+)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """`version` is the hash of the file, so that a reply can be traced to the exact prompt."""

    name: str
    system: str
    user: str
    version: str

    def fill(self, **values: str) -> str:
        """The user part with every slot replaced; slots inside of values are left as they are."""
        return self._substitute(self.user, values)

    def fill_system(self, **values: str) -> str:
        return self._substitute(self.system, values)

    @property
    def slots(self) -> frozenset[str]:
        """The names of the values that the prompt needs."""
        return frozenset(_SLOT.findall(self.system) + _SLOT.findall(self.user))

    def _substitute(self, template: str, values: dict[str, str]) -> str:
        def value(slot: re.Match[str]) -> str:
            return values[slot.group(1)]

        return _SLOT.sub(value, template)


@cache
def load_prompt(package: str, name: str) -> Prompt:
    """`load_prompt("bottega.write", "coder")` reads `write/prompts/coder.md`."""
    return parse_prompt(name, (resources.files(package) / "prompts" / f"{name}.md").read_text(encoding="utf-8"))


def parse_prompt(name: str, text: str) -> Prompt:
    """A prompt from the text of its file; without headings all of it is the user part."""
    parts = re.split(r"^# (system|user)[ \t]*$", text, flags=re.M)
    sections = {title: body.strip() for title, body in zip(parts[1::2], parts[2::2], strict=True)}
    version = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Prompt(name, sections.get("system", ""), sections.get("user", parts[0].strip()), version)


def fenced(text: str, tag: str = "") -> str:
    """The text in a code fence longer than any inside of it; invisible characters are made visible."""
    text = show_invisible(text)
    longest = max((len(run) for run in _RUN_OF_TICKS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{tag}\n{text.rstrip()}\n{fence}"
