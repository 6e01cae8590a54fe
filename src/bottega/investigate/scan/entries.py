"""Detect entry points by name and content."""

from __future__ import annotations

import re

_BY_NAME = {
    "__main__.py": "runs with `python -m`",
    "manage.py": "Django's command",
    "wsgi.py": "web server entry",
    "asgi.py": "web server entry",
    "Dockerfile": "builds an image",
    "docker-compose.yml": "starts services",
    "docker-compose.yaml": "starts services",
    "compose.yaml": "starts services",
    "Makefile": "runs with make",
    "GNUmakefile": "runs with make",
    "justfile": "runs with just",
    "Procfile": "starts processes",
    "Rakefile": "runs with rake",
    "Jenkinsfile": "continuous integration",
    ".gitlab-ci.yml": "continuous integration",
    "build.gradle": "builds with Gradle",
    "build.gradle.kts": "builds with Gradle",
    "pom.xml": "builds with Maven",
    "CMakeLists.txt": "builds with CMake",
    "meson.build": "builds with Meson",
}
_MAIN = {
    "C": re.compile(rb"(?m)^[ \t]*(?:int|void)[ \t\n]+main\s*\("),
    "C++": re.compile(rb"(?m)^[ \t]*(?:int|auto)[ \t\n]+main\s*\("),
    "Go": re.compile(rb"(?m)^func main\(\)"),
    "Rust": re.compile(rb"(?m)^(?:pub )?(?:async )?fn main\(\)"),
    "Java": re.compile(rb"public static void main\("),
    "Kotlin": re.compile(rb"(?m)^fun main\("),
    "C#": re.compile(rb"static (?:async )?(?:void|int|Task(?:<int>)?) Main\("),
    "Swift": re.compile(rb"(?m)^@main\b"),
    "Dart": re.compile(rb"(?m)^(?:void )?main\("),
}
_MARK = {"C#": b"Main(", "Swift": b"@main"}
_GUARD = re.compile(rb"(?m)^if __name__ == [\"']__main__[\"']")
_MANIFEST = {
    "package.json": ((b'"bin"', "commands"), (b'"main"', "a package"), (b'"scripts"', "scripts")),
    "pyproject.toml": ((b"[project.scripts]", "commands"), (b"[tool.poetry.scripts]", "commands")),
    "Cargo.toml": ((b"[[bin]]", "programs"),),
    "setup.cfg": ((b"console_scripts", "commands"),),
    "setup.py": ((b"console_scripts", "commands"),),
}
_TAIL = 6000


def detect_entry_point(name: str, language: str, data: bytes, *, executable: bool) -> str:
    """Why a file is an entry point; "" when it is none."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name in _MANIFEST:
        said = [words for mark, words in _MANIFEST[name] if mark in data]
        return f"declares {', '.join(said)}" if said else ""
    if language == "Python":
        tail = data[-_TAIL:]
        return "runs as a script" if b"__main__" in tail and _GUARD.search(tail) else ""
    pattern = _MAIN.get(language)
    if pattern is not None:
        return "has a main function" if _MARK.get(language, b"main(") in data and pattern.search(data) else ""
    return "an executable script" if executable and data[:2] == b"#!" else ""
