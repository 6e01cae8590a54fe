"""The table of known languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath

_HASH = ("# ", "")
_SLASHES = ("// ", "")
_DASHES = ("-- ", "")
_PERCENT = ("% ", "")
_SEMICOLON = ("; ", "")
_MARKUP = ("<!-- ", " -->")
# Files whose name may have a suffix after a dot.
_QUALIFIED = frozenset({"dockerfile", "containerfile", "makefile"})


@dataclass(frozen=True, slots=True)
class Language:
    """A language, its file names, comments and grammar.

    `extensions` holds endings with their dot, and whole file names without one. `comment` is the text before
    and after a one-line comment, `None` where the language has no comments. `grammar` names the tree-sitter
    grammar, "" where there is no safe one: those of Perl and YAML can crash the process, and that of TSX can hang
    it, on broken input that a model may write.
    `strict` says that syntax faults are reliable: on files of public repositories, at most one in a hundred
    reported faults is wrong.
    """

    name: str
    aliases: tuple[str, ...]
    extensions: tuple[str, ...]
    comment: tuple[str, str] | None
    grammar: str
    strict: bool = False

    def __str__(self) -> str:
        return self.name


def language_named(name: str) -> Language | None:
    """Find a language by its name or an alias ("py", "c++", "golang"), in any case."""
    return _by_name().get(name.strip().lower())


def language_of_path(path: str | PurePath) -> Language | None:
    """Find a language by a file's ending or by its whole name; `Dockerfile.dev` is a Dockerfile."""
    name = PurePath(path).name.lower()
    stem, dot, _ = name.partition(".")
    if dot and stem in _QUALIFIED:
        name = stem
    return _by_ending().get(name) or _by_ending().get(PurePath(name).suffix)


def known_languages() -> tuple[Language, ...]:
    return _LANGUAGES


@cache
def _by_name() -> Mapping[str, Language]:
    return {word.lower(): lang for lang in _LANGUAGES for word in (lang.name, *lang.aliases)}


@cache
def _by_ending() -> Mapping[str, Language]:
    return {ending.lower(): lang for lang in _LANGUAGES for ending in lang.extensions}


_LANGUAGES = (
    Language("Python", ("py", "python3", "py3"), (".py", ".pyi", ".pyw"), _HASH, "python", strict=True),
    Language(
        "JavaScript",
        ("js", "jsx", "node", "node.js", "nodejs", "ecmascript", "mjs", "cjs"),
        (".js", ".mjs", ".cjs", ".jsx"),
        _SLASHES,
        "javascript",
        strict=True,
    ),
    Language("TypeScript", ("ts",), (".ts", ".mts", ".cts"), _SLASHES, "typescript", strict=True),
    Language("TSX", (), (".tsx",), _SLASHES, ""),
    Language("Java", (), (".java",), _SLASHES, "java", strict=True),
    Language("C", ("h",), (".c", ".h"), _SLASHES, "c", strict=True),
    Language(
        "C++",
        ("cpp", "cxx", "cc", "cplusplus", "hpp"),
        (".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx"),
        _SLASHES,
        "cpp",
        strict=True,
    ),
    Language("C#", ("csharp", "cs", "c-sharp"), (".cs",), _SLASHES, "csharp", strict=True),
    Language("Go", ("golang",), (".go",), _SLASHES, "go", strict=True),
    Language("Rust", ("rs",), (".rs",), _SLASHES, "rust", strict=True),
    Language("Ruby", ("rb",), (".rb", ".rake", "Gemfile", "Rakefile"), _HASH, "ruby", strict=True),
    Language("PHP", (), (".php",), _SLASHES, "php", strict=True),
    Language("Kotlin", ("kt", "kts"), (".kt", ".kts"), _SLASHES, "kotlin"),
    Language("Swift", (), (".swift",), _SLASHES, "swift"),
    Language("Scala", (), (".scala", ".sc"), _SLASHES, "scala", strict=True),
    Language("Lua", (), (".lua",), _DASHES, "lua", strict=True),
    Language("Haskell", ("hs",), (".hs",), _DASHES, "haskell", strict=True),
    Language("Elixir", ("ex", "exs"), (".ex", ".exs"), _HASH, "elixir", strict=True),
    Language("Erlang", ("erl",), (".erl", ".hrl"), _PERCENT, "erlang", strict=True),
    Language("Zig", (), (".zig",), _SLASHES, "zig"),
    Language("Bash", ("sh", "shell", "zsh", "shellscript"), (".sh", ".bash", ".zsh", ".bashrc"), _HASH, "bash"),
    Language("PowerShell", ("pwsh", "ps1"), (".ps1", ".psm1"), _HASH, "powershell"),
    Language("SQL", ("postgresql", "postgres", "mysql", "sqlite", "tsql", "plpgsql"), (".sql",), _DASHES, "sql"),
    Language("R", ("rlang",), (".r",), _HASH, "r", strict=True),
    Language("Julia", ("jl",), (".jl",), _HASH, "julia", strict=True),
    Language("Dart", (), (".dart",), _SLASHES, "dart"),
    Language("Perl", ("pl",), (".pl", ".pm"), _HASH, ""),
    Language("OCaml", ("ml",), (".ml",), ("(* ", " *)"), "ocaml", strict=True),
    Language("F#", ("fsharp", "fs"), (".fs", ".fsx"), _SLASHES, "fsharp"),
    Language("Clojure", ("clj", "cljs"), (".clj", ".cljs", ".cljc"), _SEMICOLON, "clojure", strict=True),
    Language("HTML", ("htm", "html5"), (".html", ".htm"), _MARKUP, "html"),
    Language("CSS", ("css3",), (".css",), ("/* ", " */"), "css"),
    Language("SCSS", ("sass",), (".scss",), _SLASHES, "scss"),
    Language("JSON", (), (".json",), None, "json", strict=True),
    Language("JSON with Comments", ("jsonc",), (".jsonc", "tsconfig.json", "devcontainer.json"), _SLASHES, "json"),
    Language("YAML", ("yml",), (".yaml", ".yml"), _HASH, "", strict=True),
    Language("TOML", (), (".toml",), _HASH, "toml", strict=True),
    Language("XML", ("svg", "xsd"), (".xml", ".svg", ".xsd"), _MARKUP, "xml", strict=True),
    Language("Markdown", ("md",), (".md", ".markdown"), _MARKUP, "markdown"),
    Language("Dockerfile", ("docker",), (".dockerfile", "Dockerfile", "Containerfile"), _HASH, "dockerfile"),
    Language("Makefile", ("make", "mk"), (".mk", "Makefile", "GNUmakefile"), _HASH, "make"),
    Language("CMake", (), (".cmake", "CMakeLists.txt"), _HASH, "cmake", strict=True),
    Language("Nix", (), (".nix",), _HASH, "nix", strict=True),
    Language("GraphQL", ("gql",), (".graphql", ".gql"), _HASH, "graphql"),
    Language("Protobuf", ("proto", "proto3", "protocol buffers"), (".proto",), _SLASHES, "proto"),
    Language("Terraform", ("hcl", "tf"), (".tf", ".tfvars", ".hcl"), _HASH, "hcl", strict=True),
    Language("Vue", ("vue.js",), (".vue",), _MARKUP, "vue"),
    Language("Svelte", (), (".svelte",), _MARKUP, "svelte"),
    Language("Objective-C", ("objc", "objectivec"), (".m", ".mm"), _SLASHES, "objc"),
    Language("Assembly", ("asm", "nasm", "assembler"), (".asm", ".s"), _SEMICOLON, "asm"),
    Language("LaTeX", ("tex",), (".tex", ".sty"), _PERCENT, "latex"),
    Language("Fortran", ("f90",), (".f90", ".f95", ".f03"), ("! ", ""), "fortran"),
    Language("Groovy", (), (".groovy", ".gradle"), _SLASHES, "groovy"),
    Language("Solidity", ("sol",), (".sol",), _SLASHES, "solidity"),
    Language("MATLAB", (), (), _PERCENT, "matlab"),
    Language("Elm", (), (".elm",), _DASHES, "elm"),
)
