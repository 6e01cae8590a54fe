"""The sources of settings: each is read into a layer that keeps the line of every value."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bottega.errors import SettingsError
from bottega.settings.locate import key_lines, line_of
from bottega.settings.variables import path_of_variable

KeyPath = tuple[str, ...]
_DEEPEST = 8
_DEEP_KEY = re.compile(r"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){64}")

_PORTS = {"ollama": 11434}  # the default port
_PORT = re.compile(r":\d+$")
_LISTENING = re.compile(r"(?<=://)(?:0\.0\.0\.0|\[::\])(?=[:/]|$)")


@dataclass(frozen=True, slots=True)
class Layer:
    """One source of settings. `trusted` says that it is the user's own and not the repository's."""

    name: str
    values: Mapping[str, Any]
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    trusted: bool = True

    def place(self, path: KeyPath) -> str:
        line = line_of(self.lines, path) if self.lines else None
        return f"{self.name}:{line}" if line else self.name


def file_layer(path: Path, *, shown: str) -> Layer | None:
    """The settings of the user's own TOML file; `None` when there is none."""
    if path.exists() and not path.is_file():
        raise SettingsError(f"{shown} is not a file", hint="Settings are a TOML file.")
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SettingsError(f"{shown} cannot be read: {error}", hint="Check its permissions.") from None
    return parse_layer(content, shown=shown)


def parse_layer(content: bytes, *, shown: str, is_project: bool = False, trusted: bool = True) -> Layer | None:
    """The settings in a TOML file, or in `[tool.bottega]` of a pyproject.toml; `None` when it has no such section."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError(f"{shown} cannot be read: {error}", hint="Check its permissions and encoding.") from None
    if is_project and "bottega" not in text:
        return None
    values = _parse(text, shown, is_project=is_project)
    if values is None:
        return None
    lines = key_lines(text)
    if not is_project:
        _refuse_depth(values, shown)
        return Layer(shown, values, lines, trusted)
    tools = values.get("tool")
    section = tools.get("bottega") if isinstance(tools, dict) else None
    if section is None:
        return None
    if not isinstance(section, dict):
        raise SettingsError(f"{shown}: tool.bottega should be a table", hint="Write it as [tool.bottega].")
    _refuse_depth(section, shown)
    inner = {key[2:]: line for key, line in lines.items() if key[:2] == ("tool", "bottega")}
    return Layer(shown, section, inner, trusted)


def _parse(text: str, shown: str, *, is_project: bool) -> dict[str, Any] | None:
    if _DEEP_KEY.search(text):  # the parser is quadratic in the parts of a key
        raise SettingsError(f"{shown}: nested too deeply", hint="Settings are at most four levels deep.")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SettingsError(f"{shown}: nested too deeply", hint="Settings are at most four levels deep.") from None
    except ValueError as error:  # also raised for a number of 5,000 digits
        if is_project and "[tool.bottega" not in text:
            return None
        raise SettingsError(
            f"{shown}: not valid TOML: {error}", hint="Quote strings and close every bracket."
        ) from None


def _refuse_depth(values: Mapping[str, Any], shown: str) -> None:
    pending: list[tuple[Any, int]] = [(values, 0)]
    while pending:
        value, depth = pending.pop()
        if depth > _DEEPEST:
            raise SettingsError(f"{shown}: nested too deeply", hint="Settings are at most four levels deep.")
        inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
        pending += [(entry, depth + 1) for entry in inner]


def variables_layers(environ: Mapping[str, str]) -> Iterator[Layer]:
    """One layer for each variable: BOTTEGA_* and the well-known ones."""
    for name, path in (
        ("OPENAI_BASE_URL", "openai"),
        ("OLLAMA_HOST", "ollama"),
        ("ANTHROPIC_BASE_URL", "anthropic"),
    ):
        if url := environ.get(name, "").strip():
            yield Layer(name, {"providers": {path: {"base_url": _normalize_url(url, port=_PORTS.get(path))}}})
    for name in sorted(environ):
        if name.startswith("BOTTEGA_"):
            yield Layer(name, nest_value(path_of_variable(name), parse_value(environ[name])))


def flag_layer(assignment: str) -> Layer:
    """The layer of a flag such as `--set models.default=ollama/x`."""
    key, equals, value = assignment.partition("=")
    if not equals or not key.strip() or key.count(".") > _DEEPEST:
        raise SettingsError(f"--set {assignment}: expected KEY=VALUE", hint="For example --set limits.tokens=20000")
    return Layer(f"--set {key.strip()}", nest_value(tuple(key.strip().split(".")), parse_value(value.strip())))


def nest_value(path: KeyPath, value: object) -> dict[str, Any]:
    for part in reversed(path):
        value = {part: value}
    assert isinstance(value, dict)
    return value


def parse_value(text: str) -> object:
    """A TOML value where it is one, otherwise the text itself: `8192` is a number, `ollama/x` a string."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):  # TOMLDecodeError is a ValueError, and so is a number of 5,000 digits
        return text
    return table["value"] if len(table) == 1 else text


def user_settings_file(environ: Mapping[str, str]) -> Path:
    if base := environ.get("XDG_CONFIG_HOME"):
        return Path(base) / "bottega" / "config.toml"
    return Path(environ.get("HOME") or Path.home()) / ".config" / "bottega" / "config.toml"


def _normalize_url(host: str, *, port: int | None) -> str:
    """Complete an address such as OLLAMA_HOST, which may lack scheme, host or port, or be 0.0.0.0."""
    if "://" not in host:
        place, slash, path = host.partition("/")
        if place.count(":") > 1 and "[" not in place:
            place = f"[{place}]"
        if port and not _PORT.search(place):
            place = f"{place}:{port}"
        host = f"http://{'127.0.0.1' if place.startswith(':') else ''}{place}{slash}{path}"
    return _LISTENING.sub("127.0.0.1", host)
