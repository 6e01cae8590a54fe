from __future__ import annotations

import subprocess
import sys

import pytest

from bottega.source import known_languages, language_named, language_of_path


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("py", "Python"),
        ("PYTHON", "Python"),
        ("c++", "C++"),
        ("cpp", "C++"),
        ("golang", "Go"),
        ("js", "JavaScript"),
        ("ts", "TypeScript"),
        ("c#", "C#"),
        ("sh", "Bash"),
        ("yml", "YAML"),
        (" rust ", "Rust"),
        ("hcl", "Terraform"),
    ],
)
def test_a_language_answers_to_its_name_and_aliases(alias: str, name: str) -> None:
    found = language_named(alias)
    assert found is not None
    assert found.name == name


def test_an_unknown_name_is_none() -> None:
    assert language_named("klingon") is None
    assert language_named("") is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/app.py", "Python"),
        ("lib/Main.JAVA", "Java"),
        ("Dockerfile", "Dockerfile"),
        ("deploy/Dockerfile.dev", "Dockerfile"),
        ("Makefile", "Makefile"),
        ("CMakeLists.txt", "CMake"),
        ("types.d.ts", "TypeScript"),
        ("view.tsx", "TSX"),
        ("tsconfig.json", "JSON with Comments"),
        ("package.json", "JSON"),
        ("Gemfile", "Ruby"),
        ("analysis.R", "R"),
    ],
)
def test_a_path_tells_its_language(path: str, name: str) -> None:
    found = language_of_path(path)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("path", ["", "notes.txt", "Gemfile.lock", "c", "py", "archive.tar.gz", ".", "LICENSE"])
def test_a_path_that_tells_nothing_is_none(path: str) -> None:
    assert language_of_path(path) is None


def test_no_two_languages_share_a_name_or_an_ending() -> None:
    names = [word.lower() for lang in known_languages() for word in {lang.name.lower(), *lang.aliases}]
    endings = [ending.lower() for lang in known_languages() for ending in lang.extensions]
    assert len(names) == len(set(names))
    assert len(endings) == len(set(endings))


def test_the_common_languages_are_known() -> None:
    assert len(known_languages()) >= 45


def test_every_grammar_named_is_in_the_wheel_and_is_not_cobol() -> None:
    from typing import get_args

    from tree_sitter_language_pack import SupportedLanguage

    grammars = {lang.grammar for lang in known_languages() if lang.grammar}
    assert grammars <= set(get_args(SupportedLanguage)) - {"cobol"}


def test_importing_the_package_loads_nothing_heavy() -> None:
    probe = "import sys, bottega.source; print([m for m in sys.modules if 'tree_sitter' in m or m == 'yaml'])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
