from __future__ import annotations

import os
from pathlib import Path

import pytest

from bottega.journal import masker_for

DOTENV = """\ufeff# settings of this machine
STRIPE=w7Kd02mXp9Zq
export DB_PASS=hunter2hunter2
EMPTY=
BEHIND_EMPTY_PASSWORD=p4ssw0rd!9
QUOTED_PASSWORD="it's-a-Secret-1"
SINGLE='with "quotes" 12x34'
COMMENTED=Zq8wXk3vTn # rotated in May
SPACED = Jd4fHs6gAe
PASSPHRASE=correct-horse-battery-staple
DATABASE_URL=postgres://app:S3cr3t-pw@db.internal:5432/app
APP_NAME=my-shop
NODE_ENV=development
DEBUG=true
HOST=localhost:8080
API_URL=https://api.example.com/v1
MODEL=qwen2.5-coder:7b
REGION=eu-central-1
OWNER=jane.doe@example.com
AUTHOR=Jane Doe
VERSION=1.12.0
LOG_FILE=/var/log/shop/web-1a2b3c.log
TOKEN_URL=https://auth.example.com/oauth2/token
SECRET_WORD=changeme
MAX_TOKENS=100000000
API_KEY_ENV=OPENAI_API_KEY
OTHER=$DB_PASS
"""
SECRETS = (
    *("w7Kd02mXp9Zq", "hunter2hunter2", "p4ssw0rd!9", "it's-a-Secret-1", 'with "quotes" 12x34', "Zq8wXk3vTn"),
    *("Jd4fHs6gAe", "correct-horse-battery-staple", "S3cr3t-pw"),
)
CONFIGURATION = (
    *("my-shop", "development", "true", "localhost:8080", "https://api.example.com/v1", "qwen2.5-coder:7b"),
    *("eu-central-1", "jane.doe@example.com", "Jane Doe", "1.12.0", "/var/log/shop/web-1a2b3c.log", "changeme"),
    *("https://auth.example.com/oauth2/token", "100000000", "OPENAI_API_KEY", "rotated in May"),
)


@pytest.mark.parametrize("name", [".env", ".env.local", ".env.production", ".envrc"])
def test_values_of_the_repositorys_env_files_are_masked(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(DOTENV, encoding="utf-8")
    mask = masker_for(tmp_path, {})
    for secret in SECRETS:
        url = f"postgres://app:{secret}@db.internal:5432/app" if secret == "S3cr3t-pw" else f"login({secret})"
        assert secret not in mask(url), secret


def test_configuration_in_env_files_is_not_masked_all_over(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(DOTENV, encoding="utf-8")
    mask = masker_for(tmp_path, {})
    text = "\n".join(f"see {value} here" for value in CONFIGURATION)
    assert mask(text) == text


@pytest.mark.parametrize("name", [".env.example", ".env.sample", ".env.template", ".env.local.example", ".env.dist"])
def test_an_example_for_everyone_holds_no_secrets(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("API_KEY=your-api-key-123\nDB_PASSWORD=changeme\nHOST=localhost:8080\n")
    text = "set your-api-key-123, then changeme on localhost:8080 while in development"
    assert masker_for(tmp_path, {})(text) == text


@pytest.mark.parametrize(
    "name",
    [
        *("OPENAI_API_KEY", "GITHUB_TOKEN", "PGPASSWORD", "MYSQL_PWD", "DB_PASS", "CLIENT_SECRET", "STRIPE_KEY"),
        *("PROXY_AUTHORIZATION", "AWS_SESSION_TOKEN", "SSH_PRIVATE_KEY", "SERVICE_CREDENTIALS", "secret", "GH_PAT"),
    ],
)
def test_values_of_variables_that_speak_of_secrets_are_masked(tmp_path: Path, name: str) -> None:
    for secret in ("w7Kd02mXp9", "correct-horse-battery", "/Xk3vTn7rYb+2cLm", "with space 9"):
        assert masker_for(tmp_path, {name: secret})(f"f({secret!r})") == "f('«masked:env»')"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SSH_AUTH_SOCK", "/tmp/ssh-XK3vTn7rYb2c/agent.1234"),
        ("GIT_AUTHOR_NAME", "Jane Doe-Smith"),
        ("GIT_AUTHOR_EMAIL", "jane7x8y9z@example.com"),
        ("XAUTHORITY", "/run/user/1000/.Xauth-1a2b3c"),
        ("TOKENIZERS_PARALLELISM", "falsefalse-1a2b3c"),
        ("MAX_THINKING_TOKENS", "1000000000"),
        ("GOOGLE_APPLICATION_CREDENTIALS", "/home/jane/keys/shop.json"),
        ("OPENAI_API_KEY", "ollama"),
        ("SECRET_MODE", "development"),
        ("AUTH_BACKEND", "django.contrib.auth.backends"),
        ("PATH", "/usr/bin:/x1y2z3w4"),
        ("PWD", "/srv/project"),
        ("HOSTNAME", "x1y2z3w4v5"),
    ],
)
def test_values_of_other_variables_are_not_masked(tmp_path: Path, name: str, value: str) -> None:
    assert masker_for(tmp_path, {name: value})(f"see {value} here") == f"see {value} here"


def test_what_is_no_readable_env_file_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    (tmp_path / ".env.binary").write_bytes(bytes(range(256)) * 100)
    (tmp_path / ".env.large").write_text("API_KEY=w7Kd02mXp9\n" + "#" * 1_000_000)
    (tmp_path / ".env.gone").symlink_to("nowhere")
    assert masker_for(tmp_path, {})("w7Kd02mXp9") == "w7Kd02mXp9"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["\n", " ", "A=", "A= ", "A = #", "export ", 'A="', "A\t"])
def test_no_env_file_makes_opening_take_forever(tmp_path: Path, piece: str) -> None:
    (tmp_path / ".env").write_text(piece * (900_000 // len(piece)))
    masker_for(tmp_path, {})("text")


def test_env_files_are_read_at_any_depth_but_not_in_dependencies(tmp_path: Path) -> None:
    for folder, secret in (("a/b/c", "w7Kd02mXp9Zq"), ("node_modules/x", "Jd4fHs6gAe1u"), (".venv/x", "uRo5iWt0yZq8")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / ".env.local").write_text(f"STRIPE={secret}\n")
    (tmp_path / "a" / "shop.env").write_text("STRIPE=rYb2cLm9pJd4\n")
    mask = masker_for(tmp_path, {})
    assert mask("f(w7Kd02mXp9Zq)") == "f(«masked:env»)"
    assert mask("f(rYb2cLm9pJd4)") == "f(«masked:env»)"
    assert mask("f(Jd4fHs6gAe1u, uRo5iWt0yZq8)") == "f(Jd4fHs6gAe1u, uRo5iWt0yZq8)"


def test_a_word_is_masked_where_a_name_makes_it_a_secret(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "DB_PASSWORD=tulip\nADMIN_PIN=4711\nAPI_TOKEN=marmalade\nOTHER_PASSWORD=abc\nROOT_PASSWORD=postgres\nMODE=development\n"
    )
    mask = masker_for(tmp_path, {})
    assert mask("log in with tulip, marmalade") == "log in with «masked:env», «masked:env»"
    text = "tulips, marmalades and abc on postgres in development"
    assert mask(text) == text


@pytest.mark.timeout(60)
def test_pipes_devices_and_links_in_the_place_of_an_env_file_do_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".env")
    (tmp_path / ".env.zero").symlink_to("/dev/zero")
    (tmp_path / ".env.loop").symlink_to(".env.loop")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "real").write_text("STRIPE=w7Kd02mXp9Zq\n")
    (tmp_path / ".env.link").symlink_to("real")
    assert masker_for(tmp_path, {})("w7Kd02mXp9Zq") == "«masked:env»"
