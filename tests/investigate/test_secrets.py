"""Likely secrets, and what only looks like one."""

from __future__ import annotations

import pytest

from bottega.investigate.scan.secrets import find_secrets_at, find_suspects

SECRETS = {
    'password = "Xy12abcdefg"': "value",
    'aws = "AKIAIOSFODNN7QQQQQQQ"': "aws-key",
    't="ghp_abcdefghijABCDEFGHIJ0123456789abcdef"': "github-token",
    "key sk-proj-AbCdEfGh1234567890abcd": "openai-key",
    "OPENAI=sk-AbCdEfGh1234567890abcdAA": "openai-key",
    'x="hf_abcdefghijklmnopqrstuvwxyzABCDEFGH"': "huggingface-token",
    "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 2: "private-key",
    "Authorization: Bearer abcDEF0123456789abcd.x": "bearer",
    'jwt "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdef12345"': "jwt",
    "google = AIzaSyA1234567890abcdefghijklmnopqrstuv": "google-key",
    "xoxb-123456789012-abcdefGHIJ": "slack-token",
    'API_KEY="a8F3kd92Lq0Zx81Bv"': "value",
    'apiKey = "a8F3kd92Lq0Zx81Bv"': "value",
    'secret: "s3cr3tValue99x"': "value",
    "npm_abcdefghijklmnopqrstuvwxyzABCDEFGHIJ": "npm-token",
    "glpat-abcdefghij1234567890": "gitlab-token",
    "sk_live_abcdefghij1234567890": "stripe-key",
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
    "-----BEGIN RSA PRIVATE KEY-----",
    'if line == "-----BEGIN PRIVATE KEY-----": return read_body(lines)',
]


@pytest.mark.parametrize("before", ["", "x\n", "xy\n", "xyz\n"])
@pytest.mark.parametrize(("text", "kind"), SECRETS.items())
def test_a_secret_is_found_wherever_it_begins(before: str, text: str, kind: str) -> None:
    data = f"{before}{text}\nend\n".encode()
    assert [(one.line, one.kind) for one in find_secrets_at(data, find_suspects(data).secrets.tolist())] == [
        (before.count("\n") + 1, kind)
    ]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str) -> None:
    data = f"{text}\n".encode()
    assert list(find_secrets_at(data, find_suspects(data).secrets.tolist())) == []


def test_a_secret_is_never_part_of_what_is_told() -> None:
    data = b'password = "Xy12abcdefg"\n'
    assert "Xy12abcdefg" not in repr(list(find_secrets_at(data, find_suspects(data).secrets.tolist())))


def found_in(data: bytes) -> list[tuple[int, str]]:
    return [(one.line, one.kind) for one in find_secrets_at(data, find_suspects(data).secrets.tolist())]


@pytest.mark.parametrize("sign", list("<$#!-+]}%^~\r\"'= :(,[>/\t.;&?@`{|*\\"))
@pytest.mark.parametrize("shift", ["", "a"])
def test_a_token_is_found_behind_any_sign(sign: str, shift: str) -> None:
    assert found_in(f"{shift}{sign}ghp_{'a1B2' * 9}\n".encode()) == [(1, "github-token")]


@pytest.mark.parametrize("shift", ["", "a"])
def test_passwords_in_addresses_and_headers_are_found(shift: str) -> None:
    assert found_in(f"{shift}\ndb = postgres://user:s3cr3tPw9@host/db\n".encode()) == [(2, "password")]
    assert found_in(f"{shift}\nAuthorization: Basic dXNlcjpwYXNzd29yZDEyMw==\n".encode()) == [(2, "basic")]
    assert found_in(f"{shift}\nAuthorization: Bearer abcdef0123456789abcdef\n".encode()) == [(2, "bearer")]
    assert found_in(f"{shift}see https://host/a:b and me@host, a basic understanding\n".encode()) == []


def test_one_long_line_takes_time_by_its_length() -> None:
    assert found_in((b"password = 'example12' " + b"." * 600) * 25_000) == []
