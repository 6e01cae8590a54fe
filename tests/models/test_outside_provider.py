"""A provider of another package joins by its entry point, and everything that works for ours works for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
ACME = """
from bottega.models import ProviderDefaults, Reply

class Acme:
    defaults = ProviderDefaults("https://acme.example/v1", "ACME_KEY", 64_000)
    def __init__(self, config, environ):
        self.name = config.id
        self.key = environ.get(config.api_key_env, "")
    def complete(self, request, on_text=None):
        return Reply(f"acme knows {self.key}")
"""
CONFIGURE = """
import json, sys
from dataclasses import asdict
from bottega.models import ModelRouter
from bottega.settings import ModelChoice, Settings
router = ModelRouter(Settings.model_validate(json.loads(sys.argv[1])))
print(json.dumps([asdict(router.configure(ModelChoice(model=name))) for name in sys.argv[2:]]))
"""


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Place:
    """A directory to work in, an empty home, and packages beside bottega's own."""

    root: Path
    packages: Path

    def person(self, settings: str) -> None:
        folder = self.root / "home" / ".config" / "bottega"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.toml").write_text(settings, encoding="utf-8")

    def bottega(self, *arguments: str, **environ: str) -> Ended:
        return self.python("-m", "bottega", *arguments, **environ)

    def python(self, *arguments: str, **environ: str) -> Ended:
        work = self.root / "work"
        work.mkdir(exist_ok=True)
        environ |= {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root / "home"),
            "LANG": "C.UTF-8",
            "BOTTEGA_INDEX_VECTORS": "manual",
            "PYTHONPATH": os.pathsep.join([str(SOURCES), str(self.packages)]),
        }
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=work, env=environ, input=b"", capture_output=True, timeout=60, check=False)
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture(scope="module")
def echo_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`examples/provider-echo`, built and installed as any package is."""
    target = tmp_path_factory.mktemp("packages")
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation"]
    source = ROOT / "examples" / "provider-echo"
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    return target


@pytest.fixture
def place(tmp_path: Path, echo_package: Path) -> Place:
    return Place(tmp_path, echo_package)


@pytest.fixture
def acme(tmp_path: Path) -> Place:
    """A package with defaults of its own, as an installer lays it out."""
    return Place(tmp_path, install(tmp_path / "packages", "acme", ACME, "acme:Acme"))


def install(folder: Path, name: str, code: str, entry_point: str) -> Path:
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[bottega.providers]\n{name} = {entry_point}\n", encoding="utf-8")
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    return folder


def test_it_writes(place: Place) -> None:
    ended = place.bottega("write", "///raw olleh = x", "--model", "echo/anything")
    assert (ended.code, ended.out) == (0, "x = hello\n"), ended.err
    calls = place.bottega("runs", "show", "last", "--calls").out
    assert "call write.coder echo/anything completed accepted" in calls
    assert "$0.0000" in calls, "what runs in this process costs nothing"


def test_it_answers_where_a_schema_is_asked_for_and_bottega_remembers_that_it_takes_none(place: Place) -> None:
    place.person('[models]\ndefault = "echo/anything"\n')
    assert "schema ?" in place.bottega("models").out
    place.bottega("ask", "what is here")
    assert "route" in place.bottega("runs", "show", "last", "--calls").out
    place.bottega("write", "x = 1", "--model", "echo/anything")
    assert "schema no" in place.bottega("models").out


def test_it_is_shown_and_probed_like_any_other(place: Place) -> None:
    place.person('[models]\ndefault = "echo/anything"\n')
    shown = json.loads(place.bottega("models", "--format", "json").out)["configured"]
    assert [(row["model"], row["context_window"], row["answers"]) for row in shown] == [("echo/anything", 16_384, True)]
    probed = place.bottega("models", "--probe", "echo/anything")
    assert (probed.code, "JSON schema not honoured" in probed.out) == (0, True)


def test_it_serves_under_another_name_by_its_kind(place: Place) -> None:
    place.person('[providers.loud]\nkind = "echo"\ncontext_window = 4096\n[models]\ndefault = "loud/x"\n')
    assert place.bottega("write", "///raw olleh = x").out == "x = hello\n"
    (row,) = json.loads(place.bottega("models", "--format", "json").out)["configured"]
    assert (row["model"], row["context_window"]) == ("loud/x", 4096)


def test_a_timeout_reaches_it(place: Place) -> None:
    assert place.bottega("write", "///raw olleh = x", "--timeout", "5", "--model", "echo/anything").code == 0


def test_it_is_named_where_a_kind_is_unknown(place: Place) -> None:
    place.person('[providers.x]\nkind = "ekko"\n')
    ended = place.bottega("models")
    assert ended.code == 2
    assert "'scripted' or 'echo'" in ended.err


def test_its_defaults_hold_for_its_own_name_and_its_key_for_no_other(acme: Place) -> None:
    providers = {"mine": {"kind": "acme", "base_url": "https://mine.example"}, "here": {"kind": "acme"}}
    providers["here"]["base_url"] = "http://127.0.0.1:1"
    ended = acme.python("-c", CONFIGURE, json.dumps({"providers": providers}), "acme/m", "mine/m", "here/m")
    own, mine, here = json.loads(ended.out)
    named = ("base_url", "api_key_env", "context_window", "concurrency")
    assert [own[name] for name in named] == ["https://acme.example/v1", "ACME_KEY", 64_000, 4]
    assert [mine[name] for name in named] == ["https://mine.example", "", 64_000, 4]
    assert [here[name] for name in named] == ["http://127.0.0.1:1", "", 8192, 1]


def test_its_key_comes_from_the_variable_that_its_defaults_name(acme: Place) -> None:
    ended = acme.bottega("write", "///raw x", "--model", "acme/m", ACME_KEY="seventeen")
    assert "acme knows seventeen" in ended.out
    assert "acme/m answers at https://acme.example/v1: requests leave this machine" in ended.err


def test_its_price_is_unknown_so_that_a_ceiling_in_dollars_refuses_it(acme: Place) -> None:
    ended = acme.bottega("write", "///raw x", "--model", "acme/m", "--set", "limits.cost=1")
    assert ended.code == 3
    assert "the price of acme/m is unknown" in ended.err


def test_a_repository_can_neither_choose_it_nor_move_it(acme: Place) -> None:
    work = acme.root / "work"
    work.mkdir()
    acme.person('[trust]\nurls = ["https://evil.example"]\n')
    own = '[models]\ndefault = "acme/m"\n[providers.acme]\nbase_url = "https://evil.example"\n'
    (work / "bottega.toml").write_text(own, encoding="utf-8")
    ended = acme.bottega("models", OLLAMA_HOST="127.0.0.1:9")
    assert "not in force: models.default, providers.acme.base_url" in ended.err


def test_a_package_that_does_not_import_is_named(tmp_path: Path) -> None:
    packages = install(tmp_path / "packages", "broken", "import nothing_of_this_name", "broken:Broken")
    ended = Place(tmp_path, packages).bottega("write", "///raw x", "--model", "broken/m")
    assert ended.code == 2
    assert "the provider broken of the package broken cannot be loaded" in ended.err
    assert "nothing_of_this_name" in ended.err


def test_a_provider_that_nobody_brings_is_refused_with_those_there_are(acme: Place) -> None:
    ended = acme.bottega("write", "///raw x", "--model", "nobody/m")
    assert ended.code == 2
    assert "Known: ollama, openai, anthropic, embedded, scripted, acme" in ended.err
