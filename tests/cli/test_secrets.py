"""A planted secret goes through every verb: none of its bytes is stored under `.bottega/`, and no model is sent it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from bottega.testing import Received, Say, ScriptedServer
from bottega.testing.planted import plant, plant_private_key

from .bottega import run

TOKENS = {
    rule: plant(rule, 42) for rule in ("github-token", "sendgrid-key", "slack-webhook", "azure-storage-key", "value")
}
KEY = plant_private_key(42)
LITERAL = "tulipmania"  # a word, secret by its name in a `.env` file alone
SECRETS = (*(planted.secret for planted in TOKENS.values()), *KEY.text.splitlines()[1:-1], LITERAL)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "deploy" / "live").mkdir(parents=True)
    token = TOKENS["github-token"].text
    (folder / "app.py").write_text(
        f'"""Shop. Uses {token} to sign in."""\n\n# the key is {TOKENS["sendgrid-key"].text}\n'
        f'HOOK = "{TOKENS["slack-webhook"].text}"\n\n\ndef sign_in(token="{token}"):\n    """Sign in with {token}."""\n'
        f'    return token, "{LITERAL}"\n'
    )
    (folder / "config.yml").write_text(f"storage: {TOKENS['azure-storage-key'].text}\n{TOKENS['value'].text}\n")
    (folder / "server.pem").write_text(KEY.text)
    (folder / "notes.md").write_text(f"# Notes\n\nThe shop signs in with {token} at the door, with {LITERAL}.\n")
    (folder / "deploy" / "live" / ".env").write_text(f"ADMIN_PASSWORD={LITERAL}\nPORT=3000\n")
    (folder / ".gitignore").write_text(".env\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", f"Sign in with {token}")
    with (folder / "app.py").open("a") as file:
        file.write(f'\n\ndef mail():\n    return "{TOKENS["sendgrid-key"].text}"\n')
    return folder


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Jane", "-c", "user.email=jane@example.com"]
    subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, env={"PATH": os.environ["PATH"], "HOME": str(folder)}
    )


def echo(ask: Received) -> Say:
    """A model that says what it was sent: whatever reached it is stored as a reply as well."""
    return Say(ask.prompt[-4000:])


def stored(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in (root / ".bottega").rglob("*") if path.is_file()}


VERBS = {
    "index": ("index",),
    "search": ("search", "sign in with the token"),
    "ask": ("ask", "How does the shop sign in?", "--format", "json"),
    "review": ("review",),
    "investigate": ("investigate", "."),
    "enrich": ("enrich",),
    "write": ("write", f"a function that signs in with {TOKENS['github-token'].text}"),
}


@pytest.mark.timeout(300)
def test_no_verb_stores_or_sends_a_secret(root: Path) -> None:
    with ScriptedServer(echo) as server:
        env = {
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "local",
            "BOTTEGA_MODELS_DEFAULT": "openai/echo",
            "HOME": str(root.parent / "home"),
        }
        for verb, arguments in VERBS.items():
            ended = run(*arguments, cwd=root, env=env, timeout=120)
            assert "Traceback" not in ended.err, ended.err
            assert ended.code in (0, 1, 3, 4), (verb, ended.err)
            leaks = [
                (name, secret) for name, data in stored(root).items() for secret in SECRETS if secret.encode() in data
            ]
            assert leaks == [], verb
        sent = [ask.prompt for ask in server.asked]
    assert len(sent) >= 4
    assert any("«masked:github-token»" in prompt for prompt in sent)
    assert [secret for secret in SECRETS for prompt in sent if secret in prompt] == []


def test_lines_of_symbols_stay_right_below_a_masked_key(root: Path) -> None:
    (root / "late.py").write_text(f'KEY = """\n{KEY.text}"""\n\n\ndef last():\n    return 1\n')
    run("index", cwd=root)
    line = KEY.text.count("\n") + 5
    assert f"late.py:{line}" in run("show", "last", cwd=root).out


def test_a_value_that_becomes_a_secret_leaves_the_index(root: Path) -> None:
    (root / "plain.py").write_text('"""Speaks of marmalade."""\n')
    run("index", cwd=root)
    assert any(b"marmalade" in data for data in stored(root).values())
    (root / "deploy" / ".env").write_text("DB_PASSWORD=marmalade\n")
    run("index", cwd=root)
    curated = {name: data for name, data in stored(root).items() if "curated.sqlite" in name}
    assert curated
    assert not any(b"marmalade" in data for data in curated.values())
