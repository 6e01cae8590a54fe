"""Whether code compiles or parses, by the compiler or parser of its language where one is installed.

It runs in the sandbox and without settings.

A tool comes from the system's directories or the person's own toolchain, never from the repository.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bottega.errors import SandboxError
from bottega.sandbox import CommandResult, Limits, Sandbox
from bottega.write.state import Check

LIMITS = Limits(seconds=30, cpu_seconds=30, memory_mb=2048, processes=256, disk_mb=256)
SYSTEM = "/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin:/opt/homebrew/bin"
_PUBLIC_CLASS = re.compile(r"^[ \t]*+public[ \t]++(?:\w+[ \t]+){0,5}(?:class|interface|enum|record)[ \t]++(\w+)", re.M)
_MODULE = re.compile(r"^[ \t]*+(?:import|export)\b", re.M)
_NUMBER = re.compile(r"\d+(?:\.\d+)+")


@dataclass(frozen=True, slots=True)
class Compiler:
    """`words` follow the program; `absent` matches what it says when something that the code needs is not here."""

    program: str
    verb: str
    file: Callable[[str], str]
    words: tuple[str, ...] = ()
    absent: str = ""
    faults: str = ""
    """What an error looks like, where the exit status alone does not tell."""
    settings: str = ""
    """Directories of the tool's own below `/etc`, as a pattern."""
    toolchain: str = ""
    """Where the person's own installation lies below the home directory; `*` is a version."""


def _fix_name(name: str) -> Callable[[str], str]:
    return lambda _code: name


def _name_javascript(code: str) -> str:
    return "code.mjs" if _MODULE.search(code) else "code.cjs"


def _name_java(code: str) -> str:
    found = _PUBLIC_CLASS.search(code)
    return f"{found.group(1) if found else 'Main'}.java"


_HEADER = r"fatal error: [^\n]*: No such file or directory"
TOOLS: dict[str, Compiler] = {
    "javascript": Compiler("node", "parses", _name_javascript, ("--check",)),
    "typescript": Compiler(
        "tsc", "parses", _fix_name("code.ts"), ("--noEmit", "--noResolve", "--skipLibCheck", "--target", "es2022"),
        faults=r"error TS1\d{3}:",
    ),
    "c": Compiler("gcc", "compiles", _fix_name("code.c"), ("-fsyntax-only", "-w"), _HEADER),
    "c++": Compiler("g++", "compiles", _fix_name("code.cpp"), ("-fsyntax-only", "-w", "-std=c++20"), _HEADER),
    "rust": Compiler(
        "rustc", "compiles", _fix_name("code.rs"),
        ("--edition", "2021", "--crate-type", "lib", "--emit=metadata", "-Awarnings", "-o", "code.rmeta"),
        r"E0432|E0433|E0463|can't find crate", toolchain=".rustup/toolchains/*/bin",
    ),
    "java": Compiler("javac", "compiles", _name_java, ("-proc:none", "-d", "classes"), r"package [\w.]+ does not exist",
                 settings="java-*-openjdk"),
    "go": Compiler("gofmt", "parses", _fix_name("code.go"), ("-e", "-l")),
    "ruby": Compiler("ruby", "parses", _fix_name("code.rb"), ("-c",)),
    "php": Compiler("php", "parses", _fix_name("code.php"), ("-n", "-l")),
    "bash": Compiler("bash", "parses", _fix_name("code.sh"), ("--norc", "-n")),
    "shell": Compiler("bash", "parses", _fix_name("code.sh"), ("--norc", "-n")),
    "lua": Compiler("luac", "parses", _fix_name("code.lua"), ("-p",)),
    "python": Compiler("python3", "compiles", _fix_name("code.py"), ("-I", "-m", "py_compile")),
}  # fmt: skip


def compile_code(code: str, language: str, open_sandbox: Callable[[], Sandbox]) -> Check | None:
    """What the tool of the language says; `None` where there is no tool, no sandbox, or something the code needs."""
    tool = TOOLS.get(language.lower())
    program = _find_program(tool) if tool else None
    if tool is None or program is None:
        return None
    name = tool.file(code)
    try:
        sandbox = open_sandbox()
        words = [program, *tool.words, name]
        ran = sandbox.run(words, files={name: code}, limits=LIMITS, shown=_list_mounts(tool, program))
    except SandboxError:
        return None
    return _read_result(tool, program, ran, name)


def _list_mounts(tool: Compiler, program: str) -> list[str]:
    """What the tool reads of its own outside the directories that every command sees."""
    settings = [str(path) for path in Path("/etc").glob(tool.settings)] if tool.settings else []
    is_own = bool(tool.toolchain) and Path(program).is_relative_to(Path.home())
    return [*settings, str(Path(program).parent.parent)] if is_own else settings


def _read_result(tool: Compiler, program: str, ran: CommandResult, name: str) -> Check | None:
    """A failure that names no line of the code is the tool's own and gives no result."""
    said = f"{ran.stderr}\n{ran.stdout}"
    by = _describe_tool(tool, program)
    if ran.code == 0 or (tool.faults and not re.search(tool.faults, said)):
        return Check(what=tool.verb, by=by, result="passed")
    names_a_line = re.search(re.escape(name) + r"\W{1,6}(?:on )?(?:line )?\d+", said)
    if ran.code is None or not names_a_line or (tool.absent and re.search(tool.absent, said)):
        return None
    return Check(what=tool.verb, by=by, result="failed", detail=_find_first_error(said))


def _find_first_error(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"error|Error|expected|unexpected", line)]
    return (telling or lines or ["no reason given"])[0][:300]


def _find_program(tool: Compiler) -> str | None:
    if tool.program == "python3":
        return sys.executable
    found = shutil.which(tool.program, path=SYSTEM)
    if found or not tool.toolchain:
        return found
    places = sorted(Path.home().glob(f"{tool.toolchain}/{tool.program}"))
    return str(places[-1]) if places else None


def _describe_tool(tool: Compiler, program: str) -> str:
    title = {"python3": "Python", "node": "Node.js"}.get(tool.program, tool.program)
    return f"{title} {_read_version(program)}".strip()


@lru_cache
def _read_version(program: str) -> str:
    for flag in ("--version", "version"):
        try:
            done = subprocess.run([program, flag], capture_output=True, text=True, timeout=10, check=False, cwd="/")
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            return ""
        if found := _NUMBER.search(f"{done.stdout}\n{done.stderr}"):
            return ".".join(found.group(0).split(".")[:2])
    return ""
