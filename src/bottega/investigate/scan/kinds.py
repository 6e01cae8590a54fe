"""What a file is: its category by name, and its type by its first bytes where the name says nothing."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal, NamedTuple, get_args

from bottega.source import known_languages, language_of_path

Category = Literal["source", "config", "data", "media", "document", "archive", "unknown"]
CATEGORIES: tuple[Category, ...] = get_args(Category)

_ENDINGS: tuple[tuple[Category, str], ...] = (
    (
        "source",
        """py pyi pyw js mjs cjs ts mts cts jsx tsx vue svelte java c cc cpp cxx h hh hpp hxx go rs rb php
        swift kt kts scala sc sh bash zsh fish ps1 psm1 bat cmd pl pm lua r m mm cs fs fsx hs lhs ex exs erl
        hrl clj cljs cljc vim el lisp scm rkt ml mli dart zig nim d jl f f90 f95 f03 for asm s v sv vhd vhdl
        sol elm groovy gradle cmake mk nix proto graphql gql thrift tf hcl tcl awk sed ad ada adb ads pas vb
        cu cl glsl vert frag hlsl wgsl metal l y ll yy re res mod patch diff ipynb sql dts dtsi""",
    ),
    (
        "config",
        """json jsonc json5 yaml yml toml ini cfg conf config xml xsd xsl xslt env properties editorconfig lock
        plist service desktop rc gitignore gitattributes gitmodules dockerignore npmrc npmignore eslintrc
        prettierrc babelrc flake8 pylintrc coveragerc csproj sln vcxproj props targets""",
    ),
    (
        "data",
        """csv tsv parquet feather arrow avro orc sqlite sqlite3 db mdb ndjson jsonl geojson npy npz pkl pickle
        h5 hdf5 mat rds rdata dta sav xls xlsx ods dbf shp bin dat log onnx pt pth safetensors gguf po pot
        mbox eml ics vcf bib""",
    ),
    (
        "media",
        """png jpg jpeg gif svg bmp ico icns webp avif heic tif tiff psd xcf ai eps raw mp3 wav flac ogg oga
        opus m4a aac mid mp4 avi mkv mov webm mpg mpeg wmv flv ttf otf woff woff2 eot stl obj glb gltf blend""",
    ),
    (
        "document",
        """md markdown mdx txt rst adoc asciidoc org tex sty pdf ps doc docx odt rtf epub pages ppt pptx odp
        html htm xhtml css scss sass less texi man 1 2 3 4 5 6 7 8""",
    ),
    (
        "archive",
        """zip tar gz tgz bz2 tbz xz txz zst lz4 7z rar jar war ear whl egg deb rpm apk dmg iso cab cpio ar a
        lib""",
    ),
)
_BY_ENDING: dict[str, Category] = {ending: category for category, endings in _ENDINGS for ending in endings.split()}
_BY_NAME: dict[str, Category] = {
    **dict.fromkeys(
        "makefile gnumakefile dockerfile containerfile gemfile rakefile procfile justfile jenkinsfile vagrantfile"
        " cmakelists.txt meson.build build.bazel workspace kconfig kbuild".split(),
        "source",
    ),
    **dict.fromkeys(
        ".env .gitignore .gitattributes .gitmodules .dockerignore .editorconfig .npmrc .babelrc .eslintrc"
        " .prettierrc .mailmap .clang-format codeowners".split(),
        "config",
    ),
    **dict.fromkeys(
        "readme license licence copying copyright notice authors contributors changelog changes history news todo"
        " install maintainers credits thanks".split(),
        "document",
    ),
}

# First bytes, the type in words, its category. Ordered: the longer signature comes before one it begins with.
_MAGIC: tuple[tuple[bytes, str, Category], ...] = (
    (b"\x7fELF", "ELF program or library", "unknown"),
    (b"MZ", "Windows program", "unknown"),
    (b"\xcf\xfa\xed\xfe", "Mach-O program", "unknown"),
    (b"\xca\xfe\xba\xbe", "Java class or universal program", "unknown"),
    (b"\0asm", "WebAssembly module", "unknown"),
    (b"#!", "script", "source"),
    (b"SQLite format 3\0", "SQLite database", "data"),
    (b"PAR1", "Parquet table", "data"),
    (b"ARROW1", "Arrow table", "data"),
    (b"\x89HDF\r\n", "HDF5 data", "data"),
    (b"\x93NUMPY", "NumPy array", "data"),
    (b"GGUF", "GGUF model weights", "data"),
    (b"\x80\x04\x95", "pickled Python objects", "data"),
    (b"\x80\x05\x95", "pickled Python objects", "data"),
    (b"From ", "mailbox", "data"),
    (b"\x89PNG\r\n", "PNG image", "media"),
    (b"\xff\xd8\xff", "JPEG image", "media"),
    (b"GIF8", "GIF image", "media"),
    (b"BM", "BMP image", "media"),
    (b"II*\0", "TIFF image", "media"),
    (b"MM\0*", "TIFF image", "media"),
    (b"\0\0\x01\0", "icon", "media"),
    (b"ID3", "MP3 audio", "media"),
    (b"\xff\xfb", "MP3 audio", "media"),
    (b"fLaC", "FLAC audio", "media"),
    (b"OggS", "Ogg audio or video", "media"),
    (b"\x1aE\xdf\xa3", "Matroska or WebM video", "media"),
    (b"wOFF", "web font", "media"),
    (b"wOF2", "web font", "media"),
    (b"OTTO", "OpenType font", "media"),
    (b"\0\x01\0\0\0", "TrueType font", "media"),
    (b"%PDF-", "PDF document", "document"),
    (b"%!PS", "PostScript document", "document"),
    (b"{\\rtf", "RTF document", "document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Office document", "document"),
    (b"<!DOCTYPE html", "HTML text", "document"),
    (b"<html", "HTML text", "document"),
    (b"<?xml", "XML text", "config"),
    (b"PK\x03\x04", "ZIP archive", "archive"),
    (b"PK\x05\x06", "empty ZIP archive", "archive"),
    (b"\x1f\x8b", "gzip archive", "archive"),
    (b"BZh", "bzip2 archive", "archive"),
    (b"\xfd7zXZ\0", "xz archive", "archive"),
    (b"(\xb5/\xfd", "Zstandard archive", "archive"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive", "archive"),
    (b"Rar!\x1a\x07", "RAR archive", "archive"),
    (b"!<arch>\n", "ar archive", "archive"),
    (b"\xed\xab\xee\xdb", "RPM package", "archive"),
    (b"-----BEGIN ", "PEM data", "config"),
    (b"ssh-", "SSH public key", "config"),
)
_RIFF = {b"WAVE": "WAV audio", b"AVI ": "AVI video", b"WEBP": "WebP image"}


class FileKind(NamedTuple):
    """What a file name says: its ending ("" for none), category and language, as far as they are known."""

    ending: str
    category: Category | None
    language: str


def identify(name: str) -> FileKind:
    """The kind of a file by its whole name, then by its ending."""
    low = name.lower()
    special = _special_names()
    if low in special or low.partition(".")[0] in special:
        return FileKind(get_extension(low), _category(low), language_of(low))
    return _of_ending(get_extension(low))


def get_extension(name: str) -> str:
    """The ending in lower case without its dot, "" for none; a leading dot makes a hidden file, not an ending."""
    stem, dot, ending = name.rpartition(".")
    return ending.lower() if dot and stem else ""


def language_of(name: str) -> str:
    known = language_of_path(name)
    return known.name if known else ""


def _category(low: str) -> Category | None:
    return _BY_NAME.get(low) or _BY_ENDING.get(get_extension(low)) or _BY_NAME.get(low.partition(".")[0])


@lru_cache(maxsize=4096)
def _of_ending(ending: str) -> FileKind:
    return FileKind(ending, _BY_ENDING.get(ending), language_of(f"a.{ending}") if ending else "")


@cache
def _special_names() -> frozenset[str]:
    by_language = {
        name.lower() for language in known_languages() for name in language.extensions if not name.startswith(".")
    }
    return frozenset(_BY_NAME) | by_language | {".bashrc"}


def detect_type(head: bytes) -> tuple[str, Category]:
    """What the first bytes of a file say it is."""
    if not head:
        return "empty", "unknown"
    for signature, description, category in _MAGIC:
        if head.startswith(signature):
            return description, category
    if head[:4] == b"RIFF" and head[8:12] in _RIFF:
        return _RIFF[head[8:12]], "media"
    if head[4:8] == b"ftyp":
        return "MP4 or HEIF media", "media"
    if head[257:262] == b"ustar":
        return "tar archive", "archive"
    return _text_or_not(head)


def _text_or_not(head: bytes) -> tuple[str, Category]:
    if b"\0" in head:
        return "binary data", "unknown"
    start = head.lstrip()[:1]
    if start in {b"{", b"["} and head.count(b'"') > 1:
        return "JSON-like text", "config"
    try:
        head[:-4].decode() if len(head) > 64 else head.decode()
    except UnicodeDecodeError:
        control = sum(byte < 32 and byte not in (9, 10, 12, 13, 27) for byte in head)
        return ("binary data", "unknown") if control > len(head) // 20 else ("text, not UTF-8", "document")
    return "text", "document"
