"""Dangerous calls: every rule matches what it is for, and nothing that only looks like it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bottega.review.dangers import danger_language, danger_rules, find_dangers

CASES = tomllib.loads((Path(__file__).parent / "dangers.toml").read_text(encoding="utf-8"))["case"]
MATCHING = [(case["rule"], case["path"], text) for case in CASES for text in case["bad"]]
ALIKE = [(case["rule"], case["path"], text) for case in CASES for text in case["fine"]]


def rules_in(path: str, text: str) -> set[str]:
    language = danger_language(path, text.split("\n", 1)[0])
    assert language is not None
    return {danger.rule.id for danger in find_dangers(text, language)}


@pytest.mark.parametrize(("rule", "path", "text"), MATCHING)
def test_a_dangerous_call_matches_its_rule(rule: str, path: str, text: str) -> None:
    assert rule in rules_in(path, text)


@pytest.mark.parametrize(("rule", "path", "text"), ALIKE)
def test_what_only_looks_like_it_does_not(rule: str, path: str, text: str) -> None:
    assert rules_in(path, text) == set()


def test_every_rule_has_both_kinds_of_examples() -> None:
    for rule in danger_rules():
        assert any(name == rule for name, _, _ in MATCHING), rule
        assert any(name == rule for name, _, _ in ALIKE), rule
