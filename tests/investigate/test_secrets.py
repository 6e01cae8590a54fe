"""Likely secrets, and what only looks like one."""

from __future__ import annotations

import pytest

from bottega.investigate.scan.secrets import secrets_at, suspects

SECRETS = {
    'password = "Xy12abcdefg"': "value",
    'aws = "AKIAIOSFODNN7QQQQQQQ"': "aws-key",
    't="ghp_abcdefghijABCDEFGHIJ0123456789abcdef"': "github-token",
    "key sk-proj-AbCdEfGh1234567890abcd": "api-key",
    "OPENAI=sk-AbCdEfGh1234567890abcdAA": "api-key",
    'x="hf_abcdefghijklmnopqrstuvwxyzABCDEFGH"': "hub-token",
    "-----BEGIN RSA PRIVATE KEY-----": "private-key",
    "Authorization: Bearer abcDEF0123456789abcd.x": "bearer",
    'jwt "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdef12345"': "jwt",
    "google = AIzaSyA1234567890abcdefghijklmnopqrstuv": "google-key",
    "xoxb-123456789012-abcdefGHIJ": "slack-token",
    'API_KEY="a8F3kd92Lq0Zx81Bv"': "value",
    'apiKey = "a8F3kd92Lq0Zx81Bv"': "value",
    'secret: "s3cr3tValue99x"': "value",
    "npm_abcdefghijklmnopqrstuvwxyzABCDEFGHIJ": "hub-token",
    "glpat-abcdefghij1234567890": "gitlab-token",
    "sk_live_abcdefghij1234567890": "api-key",
    'private_key = "Zx81Bva8F3kd92Lq0"': "value",
}
ORDINARY = [
    "password = get_password()",
    "token = tokens[0]",
    "def secret_of(name): pass",
    'password = "<your password>"',
    'API_KEY = "example-key-changeme-1"',
    "skip-this-test-please-now",
    "-----END RSA PRIVATE KEY-----",
]


@pytest.mark.parametrize("before", ["", "x\n", "xy\n", "xyz\n"])
@pytest.mark.parametrize(("text", "kind"), SECRETS.items())
def test_a_secret_is_found_wherever_it_begins(before: str, text: str, kind: str) -> None:
    data = f"{before}{text}\nend\n".encode()
    assert [(one.line, one.kind) for one in secrets_at(data, suspects(data).secrets.tolist())] == [
        (before.count("\n") + 1, kind)
    ]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str) -> None:
    data = f"{text}\n".encode()
    assert list(secrets_at(data, suspects(data).secrets.tolist())) == []


def test_a_secret_is_never_part_of_what_is_told() -> None:
    data = b'password = "Xy12abcdefg"\n'
    assert "Xy12abcdefg" not in repr(list(secrets_at(data, suspects(data).secrets.tolist())))
