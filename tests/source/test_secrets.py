"""Every rule finds its format, and leaves what only looks like it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bottega.source.secrets import Secret, find_secrets, load_rules, mask_secrets
from bottega.testing.planted import TEMPLATES, plant, plant_private_key

PLACES = (
    "{}",
    'x = "{}"',
    "see {} here",
    "key: {}\n",
    '{{"a": 1, "b": "{}"}}',
    "<a b='{}'/>",
    "+    `{}`,",
    '{{\\"b\\": \\"{}\\"}}',
)
SEEDS = range(3)


def test_every_rule_of_the_table_has_a_sample() -> None:
    assert {rule.name for rule in load_rules()} <= TEMPLATES.keys()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rule", TEMPLATES)
def test_a_secret_of_every_rule_is_found_and_masked(rule: str, seed: int) -> None:
    planted = plant(rule, seed)
    text = f"first line\n{planted.text}\nlast line\n"
    found = find_secrets(text)
    assert rule in {secret.rule for secret in found}
    assert planted.secret in {text[secret.start : secret.end] for secret in found}
    masked = mask_secrets(text)
    assert planted.secret not in masked
    assert masked.count("\n") == text.count("\n")
    assert mask_secrets(masked) == masked


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("rule", [rule.name for rule in load_rules() if rule.starts_with_anchor and not rule.folded])
def test_a_token_is_masked_wherever_it_stands(rule: str, place: str) -> None:
    planted = plant(rule, 7)
    assert planted.secret not in mask_secrets(place.format(planted.text))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rule", TEMPLATES)
def test_a_near_miss_of_a_rule_is_left_alone(rule: str, seed: int) -> None:
    text = f"first line\n{plant(rule, seed).near_miss}\nlast line\n"
    assert rule not in {secret.rule for secret in find_secrets(text)}


def test_every_line_of_a_private_key_is_masked_and_none_is_lost() -> None:
    planted = plant_private_key()
    masked = mask_secrets(f"a\n{planted.text}b\n")
    assert masked.count("\n") == planted.text.count("\n") + 2
    assert masked.count("«masked:private-key»") == 12
    assert "BEGIN RSA PRIVATE KEY" in masked
    assert mask_secrets(planted.near_miss) == planted.near_miss


def test_a_private_key_is_masked_in_a_diff_and_in_an_escaped_text() -> None:
    planted = plant_private_key(1)
    in_diff = "".join(f"+{line}\n" for line in planted.text.splitlines())
    assert planted.secret not in mask_secrets(in_diff)
    assert all(line.startswith("+") for line in mask_secrets(in_diff).splitlines())
    escaped = '{"private_key": "' + planted.text.replace("\n", "\\n") + '"}'
    assert planted.secret not in mask_secrets(escaped)


@pytest.mark.parametrize(
    "text",
    [
        'db_pass: "Tr0ub4dor-x9"',
        '{"db_pass": "Tr0ub4dor-x9"}',
        "old password was Tr0ub4dorx9.",
        "the password for root is now 'Tr0ub4dor-x9'",
        "<password>Tr0ub4dor-x9</password>",
        "DB_PASSWORD=Tr0ub4dor-x9",
        "export API_TOKEN=Tr0ub4dor-x9",
        'client.set_password("Tr0ub4dor-x9Q")',
        "'secret_key' => 'Tr0ub4dor-x9Q'",
        'os.environ["API_KEY"] = "Tr0ub4dor-x9Q"',
        'config.api_key := "Tr0ub4dor-x9Q"',
        'password: str = "Tr0ub4dor-x9Q"',
        "Server=db;Uid=sa;Pwd=Tr0ub4dor-x9;",
        'if token == "Tr0ub4dor-x9Q":',
        'headers.set("X-Api-Key", "Tr0ub4dor-x9Q")',
    ],
)
def test_assigned_and_told_passwords_are_found(text: str) -> None:
    assert find_secrets(text, path="src/app.py")
    assert "Tr0ub4dor" not in mask_secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        'password = "changeme"',
        'api_key = "your-api-key-here"',
        'token = "xxxxxxxxxxxxxxxxxxxx"',
        'secret = "${CLIENT_SECRET}"',
        'password = "<your password>"',
        "password: {{ vault_password }}",
        'token = "AKIAIOSFODNN7EXAMPLE"',
        'request_token = "123e4567-e89b-12d3-a456-426614174000"',
        '"integrity": "sha512-Zq8wXk3vTn7rYb2cLm9pJd4fHs6gAe1uRo5iWt0y=="',
        "see https://docs.example.com/api/authentication#tokens",
        "https://user:password@host/ is refused",
        "postgres://postgres:postgres@localhost/app",
        'token_expires_at = "2024-05-01T12:00:00Z"',
        "password = get_password(user_id)",
        'label(for: "password", text: "Password")',
        "PublicKeyToken=b77a5c561934e089",
        "the password is required",
        "-----BEGIN PRIVATE KEY-----",
        'key = "abc123def456"',
        'password_hash = "pbkdf2_sha256$30000$Vo0VlMnkR4Bk$qEvtdyZRWTcOsCnI"',
    ],
)
def test_placeholders_hashes_and_documentation_raise_no_alarm(text: str) -> None:
    assert find_secrets(text, path="src/app.py") == []


def test_words_as_passwords_are_alarms_in_code_and_none_in_fixtures() -> None:
    text = 'db_password = "correct-horse"'
    assert find_secrets(text, path="src/app.py")
    assert find_secrets(text, path="tests/test_app.py") == []
    assert "correct-horse" not in mask_secrets(text, path="tests/test_app.py")


def test_checksums_of_lock_files_raise_no_alarm() -> None:
    text = '  token: "Zq8wXk3vTn7rYb2cLm9pJd4f"\n'
    assert find_secrets(text, path="config/app.yml")
    assert find_secrets(text, path="web/yarn.lock") == []


def test_every_value_of_an_env_file_is_masked_in_its_own_text() -> None:
    text = "# mine\nPORT=3000\nMODE=development # why\nexport NAME='a b'\nEMPTY=\nMANY=\"one\ntwo\"\nLAST=x\n"
    masked = mask_secrets(text, path="deploy/.env")
    assert masked == (
        "# mine\nPORT=«masked:env»\nMODE=«masked:env» # why\nexport NAME='«masked:env»'\nEMPTY=\n"
        'MANY="«masked:env»\n«masked:env»"\nLAST=«masked:env»\n'
    )
    assert mask_secrets(masked, path="deploy/.env") == masked
    assert mask_secrets(text, path="deploy/.env.example") == text


def test_a_secret_tells_where_it_stands_and_not_what_it_is() -> None:
    planted = plant("github-token")
    (secret,) = find_secrets(f"t = '{planted.text}'")
    assert secret == Secret("github-token", "GitHub token", 5, 5 + len(planted.text))
    assert planted.secret not in repr(secret)


def test_offsets_hold_where_small_letters_are_longer() -> None:
    text = "İİİ password = 'Tr0ub4dor-x9Q'"
    assert [text[secret.start : secret.end] for secret in find_secrets(text)] == ["Tr0ub4dor-x9Q"]


pieces = st.sampled_from(
    [*(plant(rule).text for rule in TEMPLATES), "«masked:", "»", "=", '"', ":", " ", "\n", "a7", "//"]
)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.one_of(pieces, st.text(max_size=6)), max_size=8).map("".join))
def test_masking_secrets_twice_is_masking_them_once(text: str) -> None:
    masked = mask_secrets(text)
    assert mask_secrets(masked) == masked
    assert masked.count("\n") == text.count("\n")


@pytest.mark.timeout(300)
def test_hostile_repetition_takes_time_by_its_length() -> None:
    """A megabyte in all; quadratic work on any of these stretches would take minutes."""
    literals = [anchor for rule in load_rules() for anchor in rule.anchors]
    literals += [
        "password=",
        "pwd='",
        "api_key: ",
        "eyJa.",
        "://a:",
        "-----BEGIN PRIVATE KEY-----\n",
        "password is ",
        "\\n",
    ]
    generator = random.Random(17)
    stretch = 1_000_000 // len(literals)
    text = "\n".join(literal * (stretch // len(literal)) for literal in literals)
    mixed = "".join(generator.choices(literals, k=20_000))
    assert mask_secrets(text).count("\n") == text.count("\n")
    assert mask_secrets(mixed).count("\n") == mixed.count("\n")


@pytest.mark.parametrize("value", ["Winter2024!", "Correct-Horse9-Battery", "Sommer23"])
def test_a_password_that_begins_with_a_capital_is_one_where_it_has_a_figure(value: str) -> None:
    assert [secret.rule for secret in find_secrets(f'db_password = "{value}"\n', path="src/a.py")] == ["value"]
    assert find_secrets('label_password = "Password"\n', path="src/a.py") == []
