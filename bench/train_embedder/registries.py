"""Packages through the ordinary clients of their registries: pip, npm and apt."""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from bench.train_embedder.licences import debian_licences

_PATIENCE_S = 300
_LARGEST_FILE = 400_000
_ONCE = Lock()


@dataclass(frozen=True, slots=True)
class Package:
    """An archive on the disk with what its metadata say of the licence."""

    registry: str
    name: str
    version: str
    archive: Path
    licences: tuple[str, ...]
    licence_texts: str

    def members(self) -> Iterator[tuple[str, bytes]]:
        """Paths and contents of the regular files in it; nothing is written to the disk."""
        return _MEMBERS[self.registry](self.archive)


class NotToBeHad(Exception):
    """A registry has no such package, or no archive of it."""


def fetch(registry: str, name: str, folder: Path) -> Package:
    return _FETCH[registry](name, folder)


def listed(pattern: str) -> list[str]:
    """Names of Debian packages that match, in order."""
    printed = subprocess.run(["apt-cache", "pkgnames"], capture_output=True, text=True, check=True).stdout
    wanted = re.compile(pattern)
    return sorted(name for name in printed.split() if wanted.fullmatch(name))


def _pypi(name: str, folder: Path) -> Package:
    command = ["pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    archive = _downloaded([*command, "--dest", ".", name], folder, "*.whl")
    with zipfile.ZipFile(archive) as wheel:
        place = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = wheel.read(place).decode("utf-8", "replace")
    head = metadata.split("\n\n")[0]
    fields = re.findall(r"^(?:License-Expression|License|Classifier): (.{1,100})$", head, re.MULTILINE)
    licences = tuple(field for field in fields if "::" not in field or field.startswith("License ::"))
    version = re.search(r"^Version: (.+)$", head, re.MULTILINE)
    return Package("pypi", name, version[1] if version else "", archive, _without_umbrella(licences), "")


def _npm(name: str, folder: Path) -> Package:
    archive = _downloaded(["npm", "pack", "--silent", name], folder, "*.tgz")
    with tarfile.open(archive) as tar:
        file = tar.extractfile("package/package.json")
        facts = json.loads(file.read()) if file is not None else {}
    licence = facts.get("license", "")
    licence = licence.get("type", "") if isinstance(licence, dict) else licence
    return Package("npm", name, str(facts.get("version", "")), archive, (str(licence),) if licence else (), "")


def _debian(name: str, folder: Path) -> Package:
    archive = _downloaded(["apt-get", "download", "--quiet", name], folder, "*.deb")
    version = archive.name.split("_")[1]
    file = f"./usr/share/doc/{name}/copyright"
    text = next((data.decode("utf-8", "replace") for path, data in _deb_members(archive) if path == file), "")
    names, texts = debian_licences(text)
    return Package("debian", name, version, archive, tuple(names), texts)


def _debian_source(name: str, folder: Path) -> Package:
    """What the maker of the software released; its licences are written down by the packagers, in another archive."""
    options = source_options(folder)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        command = ["apt-get", *options, "source", "--quiet", "--download-only", name]
        done = subprocess.run(command, cwd=place, capture_output=True, timeout=_PATIENCE_S, check=False)
        original = sorted(Path(place).glob("*.orig.tar.*[!c]"))
        packaging = sorted(Path(place).glob("*.debian.tar.*"))
        if not original or not packaging:
            raise NotToBeHad(done.stderr.decode("utf-8", "replace").strip().split("\n")[-1][:200])
        text = next((d for path, d in _tar_members(packaging[0]) if path.endswith("debian/copyright")), b"")
        names, texts = debian_licences(text.decode("utf-8", "replace"))
        archive = original[0].replace(folder / original[0].name)
    version = archive.name.partition("_")[2].partition(".orig")[0]
    return Package("debian-source", name, version, archive, tuple(names), texts)


def source_options(folder: Path) -> list[str]:
    """Lists of sources of their own, so that the machine's stay as they are."""
    place = (folder / "apt").resolve()
    entries = place / "sources.list"
    options = [
        *("-o", f"Dir::Etc::sourcelist={entries}", "-o", "Dir::Etc::sourceparts=-"),
        *("-o", f"Dir::State::lists={place / 'lists'}", "-o", f"Dir::Cache={place / 'cache'}"),
    ]
    with _ONCE:
        if not entries.exists():
            (place / "lists" / "partial").mkdir(parents=True, exist_ok=True)
            (place / "cache" / "archives" / "partial").mkdir(parents=True, exist_ok=True)
            keys = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
            lines = [f"deb-src {keys} http://deb.debian.org/debian {suite} main\n" for suite in ("bookworm", "trixie")]
            entries.write_text("".join(lines))
            subprocess.run(["apt-get", *options, "update", "--quiet"], capture_output=True, check=True)
    return options


def source_names(pattern: str, folder: Path) -> list[str]:
    """Names of Debian source packages that match, in order."""
    source_options(folder)
    files = sorted(map(str, (folder / "apt" / "lists").glob("*Sources*")))
    printed = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", *files], capture_output=True, check=True).stdout
    names = set(re.findall(r"^Package: (\S+)$", printed.decode("utf-8", "replace"), re.MULTILINE))
    return sorted(name for name in names if re.fullmatch(pattern, name))


_FETCH: dict[str, Callable[[str, Path], Package]] = {
    "pypi": _pypi,
    "npm": _npm,
    "debian": _debian,
    "debian-source": _debian_source,
}


def _downloaded(command: list[str], folder: Path, pattern: str) -> Path:
    with tempfile.TemporaryDirectory(dir=folder) as place:
        try:
            done = subprocess.run(command, cwd=place, capture_output=True, timeout=_PATIENCE_S, check=False)
        except subprocess.TimeoutExpired:
            raise NotToBeHad("it took too long") from None
        found = sorted(Path(place).glob(pattern))
        if not found:
            said = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1][:200]
            raise NotToBeHad(said or "nothing arrived")
        return found[0].replace(folder / found[0].name)


def _without_umbrella(fields: tuple[str, ...]) -> tuple[str, ...]:
    """`License :: OSI Approved` alone names none."""
    return tuple(field for field in fields if field.strip() not in {"License :: OSI Approved", "UNKNOWN"})


def _wheel_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as wheel:
        for info in wheel.infolist():
            if not info.is_dir() and info.file_size <= _LARGEST_FILE:
                yield info.filename, wheel.read(info)


def _tar_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(archive) as tar:
        yield from _inside(tar)


def _deb_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    plain = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(archive)], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(plain)) as tar:
        yield from _inside(tar)


def _inside(tar: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in tar:
        if member.isreg() and member.size <= _LARGEST_FILE:
            file = tar.extractfile(member)
            if file is not None:
                yield member.name, file.read()


_MEMBERS: dict[str, Callable[[Path], Iterator[tuple[str, bytes]]]] = {
    "pypi": _wheel_members,
    "npm": _tar_members,
    "debian": _deb_members,
    "debian-source": _tar_members,
}
