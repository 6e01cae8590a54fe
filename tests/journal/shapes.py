"""A secret of every known shape as it stands in ordinary text. None of them opens anything.

They are put together at run time, so that no scanner of repositories takes this file for a leak.
"""

from __future__ import annotations

from typing import NamedTuple


class Planted(NamedTuple):
    text: str
    secret: str


def _whole(secret: str) -> Planted:
    return Planted(f"see {secret} here", secret)


_RANDOM = "".join(("Zq8wXk3vTn", "7rYb2cLm9p", "Jd4fHs6gAe", "1uRo5iWt0y"))
_PEM = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + _RANDOM

SHAPES: dict[str, Planted] = {
    "openai": _whole("sk-" + _RANDOM),
    "openai project": _whole("sk-proj-" + _RANDOM + "_-" + _RANDOM),
    "anthropic": _whole("sk-ant-" + "api03-" + _RANDOM + "AA"),
    "stripe": _whole("sk_" + "live_" + _RANDOM),
    "github": _whole("ghp_" + _RANDOM),
    "github server": _whole("ghs_" + _RANDOM),
    "github fine-grained": _whole("github_pat_" + "11ABCDEFG0" + _RANDOM + "_" + _RANDOM),
    "gitlab": _whole("glpat-" + _RANDOM[:20]),
    "aws id": _whole("AKIA" + "QWERTYUIOPASDFG7"),
    "aws secret": Planted(f"AWS_SECRET_ACCESS_KEY={_RANDOM}", _RANDOM),
    "google": _whole("AIza" + "Sy" + _RANDOM[:33]),
    "slack": _whole("xoxb-" + "123456789012-" + _RANDOM[:24]),
    "hugging face": _whole("hf_" + _RANDOM[:34]),
    "npm": _whole("npm_" + _RANDOM[:36]),
    "pypi": _whole("pypi-AgE" + "IcHlwaS5vcmc" + _RANDOM),
    "docker": _whole("dckr_pat_" + _RANDOM[:27]),
    "grafana": _whole("glsa_" + _RANDOM[:32] + "_0a1b2c3d"),
    "jwt": _whole("eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + _RANDOM),
    "jwt behind a dash": _whole("session-eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + _RANDOM),
    "bearer": Planted(f"Authorization: Bearer {_RANDOM}==", _RANDOM),
    "url": Planted("postgres://app:" + "S3cr3t-pw@db.internal:5432/app", "S3cr3t-pw"),
    "url without a user": Planted("redis://:" + "S3cr3t-pw@cache:6379/0", "S3cr3t-pw"),
    "private key": Planted(
        f"a\n-----BEGIN RSA PRIVATE KEY-----\n{_PEM}\n{_PEM}\n-----END RSA PRIVATE KEY-----\nb", _PEM
    ),
    "private key without its end": Planted(f"a\n-----BEGIN PRIVATE KEY-----\n{_PEM}\n{_PEM}", _PEM),
    "assignment": Planted('API_KEY = "' + 'w7Kd02mXp9"', "w7Kd02mXp9"),
    "assignment of a password": Planted("db_password='" + "correct-horse'", "correct-horse"),
    "assignment in json": Planted('{"client_secret": "' + 'w7Kd02mXp9"}', "w7Kd02mXp9"),
    "assignment with a type": Planted('password: str | None = "' + 'hunter2!"', "hunter2!"),
    "assignment to an item": Planted('os.environ["SERVICE_TOKEN"] = "' + 'w7Kd02mXp9"', "w7Kd02mXp9"),
    "assignment of bytes": Planted("secret_key = b'" + "w7Kd02mXp9'", "w7Kd02mXp9"),
    "assignment in a shell": Planted("x\nexport DB_PASSWORD=" + "hunter2hunter\ny", "hunter2hunter"),
    "assignment with a comment": Planted("SMTP_PASSWORD=" + "hunter2hunter  # mail", "hunter2hunter"),
    "assignment in a diff": Planted("+GITHUB_TOKEN=" + "w7Kd02mXp9\r\n", "w7Kd02mXp9"),
    "assignment in a compose file": Planted("    - REDIS_PASSWORD=" + "w7Kd02mXp9", "w7Kd02mXp9"),
}

ORDINARY = (
    "token = tokenizer.next()",
    "password: str",
    "def login(self, password: str, token: str | None = None) -> None:",
    'api_key_env = "OPENAI_API_KEY"',
    'api_key = os.environ["OPENAI_API_KEY"]',
    'token = f"{prefix}{number}"',
    'f"postgres://{user}:{password}@{host}/db"',
    "url: postgres://${DB_USER}:${DB_PASSWORD}@db/app",
    'password = "${DB_PASSWORD}"',
    "DB_PASSWORD=$DB_PASSWORD",
    'headers = {"Authorization": f"Bearer {token}"}',
    "Use a bearer authentication/authorization scheme.",
    'key = "value"',
    'keys["token"]',
    'tokenizer = "cl100k_base"',
    'tokenizer: "bert-base-uncased"',
    'eos_token = "<|endoftext|>"',
    'token_url = "https://auth.example.com/oauth2/token"',
    'token_type: "bearer"',
    'secretName: "my-app-tls"',
    '"max_tokens": "131072"',
    "SECRET_KEY = 'aws_secret_access_key'",
    'password="password"',
    '{"secret_date": "**********"}',
    "'https://user:pass@host:8080' and scheme://user:password@proxy and ftp://me:xxxxx@host",
    "_token = rf'(?:[{_punct}]+|{_core_token})'",
    'Token: "#ddd0c0",',
    "MAX_TOKENS=131072",
    "MAX_TOKENS = 131072",
    "DEFAULT_MAX_TOKENS = DEFAULT_WINDOW",
    "SECRET_KEY = settings.SECRET_KEY",
    "PASSWORD=\nDEBUG=true-and-then-some",
    "if token == 'identifier': return secret",
    "the word secret, and the secret of it",
    "src/jane/secrets/token.py:12-40",
    "3.14159265358979, 1234567890123456789, 0xdeadbeefdeadbeef",
    "def npm_install_and_run_every_single_test() -> None: ...",
    "jobs: [pypi-publish-to-the-test-index, npm-install-and-build-it-all]",
    '<div class="sk-text-repr-fallback sk-estimator-doc-link">',
    "self.monkeyJumping_around.something_longer.attribute",
    "http://localhost:8080/path@2x.png and jane@example.com",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "«masked:value» and «masked:env»",
)
