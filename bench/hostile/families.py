"""The families of hostile files: each a way to make reading cost more than the file is long."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from bench.hostile.spellings import SPELLINGS, Spelling

_SEED = 20_17
_WORDS = ("alpha", "beta", "gamma", "delta", "class", "def", "if", "return", "end", "do", "fn", "func", "let", "in")
_SIGNS = (*"()[]{}<>", *"'\"`", *"+-*/=.,;:#@!?&|\\$%^~", "\n", "\n    ", " ", " ", " ", "/*", "*/", "//", "=>", "->")


@dataclass(frozen=True, slots=True)
class HostileTree:
    """A tree of files of about `size` bytes; `name` says its family and language."""

    family: str
    language: str
    files: Mapping[str, bytes]

    @property
    def name(self) -> str:
        return f"{self.family}/{self.language}"


Make = Callable[[Spelling, int], str]


def file_families() -> Mapping[str, Make]:
    """Families of one file, by name; each makes text of about the given number of bytes, or "" for no such thing."""
    return _FAMILIES


def hostile_file(family: str, language: str, size: int) -> HostileTree | None:
    """A tree of one hostile file; `None` where the language has nothing of that family."""
    spelling = next(known for known in SPELLINGS if known.language == language)
    text = _FAMILIES[family](spelling, size)
    if not text:
        return None
    return HostileTree(family, language, {f"hostile{spelling.ending}": text.encode("utf-8", "surrogateescape")})


def hostile_files(size: int) -> Iterator[HostileTree]:
    """Every family in every language."""
    for family in _FAMILIES:
        for spelling in SPELLINGS:
            tree = hostile_file(family, spelling.language, size)
            if tree is not None:
                yield tree


def _whole(spelling: Spelling, body: str) -> str:
    return f"{spelling.head}{body}{spelling.tail}"


def _repeated(piece: str, size: int) -> str:
    return piece * max(1, size // max(1, len(piece.encode("utf-8", "surrogateescape"))))


def _numbered(piece: Callable[[int], str], size: int) -> str:
    """Pieces with rising numbers until the size is reached."""
    parts: list[str] = []
    total = number = 0
    while total < size:
        parts.append(piece(number))
        total += len(parts[-1])
        number += 1
    return "".join(parts)


def _define(s: Spelling, name: str, body: str = "") -> str:
    return s.define.format(n=name, b=body or s.call.format(n="other"))


def _statement(s: Spelling, text: str) -> str:
    return s.statement.replace("{b}", text)


def _equal_definitions(s: Spelling, size: int) -> str:
    return _whole(s, _repeated(_define(s, "same"), size))


def _equal_uses(s: Spelling, size: int) -> str:
    call = s.call.format(n="same")
    uses = _numbered(lambda number: _define(s, f"user{number}", call), size // 2)
    return _whole(s, _define(s, "same") + uses + _repeated(_statement(s, call), size // 2))


def _equal_definitions_and_uses(s: Spelling, size: int) -> str:
    call = s.call.format(n="same")
    return _whole(s, _numbered(lambda number: _define(s, "same") + _define(s, f"user{number}", call), size))


def _equal_members(s: Spelling, size: int) -> str:
    if not s.hold:
        return ""
    return _whole(s, _numbered(lambda number: s.hold.format(n="Same") + s.hold.format(n=f"K{number}"), size))


def _equal_receivers(s: Spelling, size: int) -> str:
    call = s.call.format(n="same")
    return _whole(
        s,
        _numbered(lambda number: _define(s, f"user{number}", f"k{number % 50}.{call}"), size // 2)
        + _repeated(_define(s, "same"), size // 2),
    )


def _many_symbols(s: Spelling, size: int) -> str:
    return _whole(s, _numbered(lambda number: _define(s, f"n{number}", s.call.format(n=f"n{number - 1}")), size))


def _many_imports(s: Spelling, size: int) -> str:
    return _whole(s, _numbered(lambda i: s.imported.format(i=i), size)) if s.imported else ""


def _imports_and_uses(s: Spelling, size: int) -> str:
    if not s.imported:
        return ""
    imports = _numbered(lambda i: s.imported.format(i=i), size // 2)
    return _whole(s, imports + _numbered(lambda i: _statement(s, f"f(k{i}, k{i // 2})"), size // 2))


def _many_strings(s: Spelling, size: int) -> str:
    return _whole(s, _numbered(lambda i: _statement(s, f"f({s.quote[0]}value {i}{s.quote[1]})"), size))


def _many_comments(s: Spelling, size: int) -> str:
    return _whole(s, _numbered(lambda i: f"{s.line_comment}remark {i} because of #{i}\n{_define(s, f'n{i}')}", size))


def _one_comment(s: Spelling, size: int) -> str:
    return _whole(s, _numbered(lambda i: f"{s.line_comment}remark {i}\n", size) + _define(s, "last"))


def _many_decorators(s: Spelling, size: int) -> str:
    return _whole(s, _repeated(s.decorate, size) + _define(s, "decorated")) if s.decorate else ""


def _many_arguments(s: Spelling, size: int) -> str:
    return _whole(s, _statement(s, f"same({_numbered(lambda i: f'a{i}, ', size)}z)"))


def _brackets(opening: str, closing: str) -> Make:
    def make(s: Spelling, size: int) -> str:
        half = size // (len(opening) + len(closing))
        return _whole(s, _statement(s, f"{opening * half}1{closing * half}"))

    return make


def _nested(pick: Callable[[Spelling], tuple[str, str]], *, is_closed: bool) -> Make:
    def make(s: Spelling, size: int) -> str:
        opening, closing = pick(s)
        if not opening:
            return ""
        count = size // (len(opening) + len(closing) if is_closed else len(opening))
        return _whole(s, _statement(s, opening * count + "x" + (closing * count if is_closed else "")))

    return make


def _nested_by_indent(s: Spelling, size: int) -> str:
    if s.language not in {"Python", "Haskell", "Scala"}:
        return ""
    opening = {"Python": "if x:", "Haskell": "k = do", "Scala": "if x then"}[s.language]
    depth = max(2, int((2 * size) ** 0.5) - len(opening))
    return "".join(f"{' ' * level}{opening}\n" for level in range(depth)) + " " * depth + "x\n"


def _nested_definitions(s: Spelling, size: int) -> str:
    depth = size // (len(s.define) + 4)
    text = s.call.format(n="same")
    opening, mark, closing = s.define.partition("{b}")
    opening, closing = opening.replace("{{", "{").replace("}}", "}"), closing.replace("{{", "{").replace("}}", "}")
    if not mark:
        return ""
    return _whole(s, "".join(opening.replace("{n}", f"d{level}") for level in range(depth)) + text + closing * depth)


def _chain(joint: str, *, calls: bool = False) -> Make:
    def make(s: Spelling, size: int) -> str:
        link = "a()" if calls else "a"
        return _whole(s, _statement(s, joint.join([link] * (size // (len(joint) + len(link))))))

    return make


def _long_line(s: Spelling, size: int) -> str:
    return _whole(s, _numbered(lambda i: _statement(s, f"f(a{i})").strip("\n") + " ", size))


def _long_word(s: Spelling, size: int) -> str:
    return _whole(s, _define(s, "w" * size))


def _long_mixed_word(s: Spelling, size: int) -> str:
    return _whole(s, _define(s, _repeated("aB_9", size)))


def _long_string(s: Spelling, size: int) -> str:
    return _whole(s, _statement(s, f"f({s.quote[0]}{_repeated('word ', size)}{s.quote[1]})"))


def _base64(s: Spelling, size: int) -> str:
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    chosen = "".join(random.Random(_SEED).choices(signs, k=size))
    return _whole(s, _statement(s, f"f({s.quote[0]}{chosen}{s.quote[1]})"))


def _ideographs(s: Spelling, size: int) -> str:
    chosen = "".join(chr(0x4E00 + number % 5000) for number in range(size // 3))
    return _whole(s, _statement(s, f"f({s.quote[0]}{chosen}{s.quote[1]})"))


def _noise(s: Spelling, size: int) -> str:
    chance = random.Random(_SEED)
    return _whole(s, "".join(chance.choice(_WORDS if chance.random() < 0.4 else _SIGNS) for _ in range(size // 3)))


def _same_sign(sign: str) -> Make:
    return lambda s, size: _whole(s, _repeated(sign, size))


def _mixed_endings(s: Spelling, size: int) -> str:
    endings = ("\n", "\r\n", "\r", "\u2028", "\x0b", "\n\r")
    return _whole(s, _numbered(lambda i: _define(s, f"n{i}").rstrip("\n") + endings[i % len(endings)] + "\n", size))


def _confusables(s: Spelling, size: int) -> str:
    signs = "аеорсухѕіј\u200d\u202e\u0301ﬁＡ𝐚"
    return "\ufeff" + _whole(s, _numbered(lambda i: _define(s, f"n{signs[i % len(signs)]}{i}"), size))


def _bad_bytes(s: Spelling, size: int) -> str:
    bad = b"\xff\xfe\xc0\xaf\xed\xa0\x80".decode("utf-8", "surrogateescape")
    return _whole(s, _numbered(lambda i: _define(s, f"n{i}") + f"{s.line_comment}{bad}\n", size))


def _late_zeros(s: Spelling, size: int) -> str:
    return _whole(s, _numbered(lambda i: _define(s, f"n{i}") + ("\0" * 20 if i > 300 else ""), size))


def _minified(s: Spelling, size: int) -> str:
    if s.language not in {"JavaScript", "TypeScript", "C", "Java", "PHP", "Go", "Rust"}:
        return ""
    return _whole(s, _numbered(lambda i: f"a{i}=function(b,c){{return b?c[{i}](d):(e,f)&&g}};", size))


def _branches(s: Spelling, size: int) -> str:
    opening, closing = s.nest
    return _whole(s, _repeated(f"{opening} x {closing} else ", size)) if closing else ""


_FAMILIES: dict[str, Make] = {
    "equal definitions": _equal_definitions,
    "equal uses": _equal_uses,
    "equal definitions and uses": _equal_definitions_and_uses,
    "equal members": _equal_members,
    "equal members of many receivers": _equal_receivers,
    "many symbols": _many_symbols,
    "many imports": _many_imports,
    "imports and uses": _imports_and_uses,
    "many strings": _many_strings,
    "many comments": _many_comments,
    "one long comment": _one_comment,
    "many decorators": _many_decorators,
    "many arguments": _many_arguments,
    "nested parentheses": _brackets("(", ")"),
    "nested brackets": _brackets("[", "]"),
    "nested braces": _brackets("{", "}"),
    "nested calls": _brackets("a(", ")"),
    "nested in turns": _brackets("({[", "]})"),
    "open parentheses": _same_sign("("),
    "open brackets": _same_sign("["),
    "open braces": _same_sign("{"),
    "open angles": _same_sign("<"),
    "closing braces": _same_sign("}"),
    "quotes": _same_sign("'"),
    "double quotes": _same_sign('"'),
    "backslashes": _same_sign("\\"),
    "hashes": _same_sign("#"),
    "stars": _same_sign("*"),
    "spaces": _same_sign(" "),
    "newlines": _same_sign("\n"),
    "nested blocks": _nested(lambda s: s.nest, is_closed=True),
    "open blocks": _nested(lambda s: s.nest, is_closed=False),
    "nested functions": _nested(lambda s: s.inner, is_closed=True),
    "open functions": _nested(lambda s: s.inner, is_closed=False),
    "nested templates": _nested(lambda s: s.generic, is_closed=True),
    "open templates": _nested(lambda s: s.generic, is_closed=False),
    "nested comments": _nested(lambda s: s.comment, is_closed=True),
    "open comments": _nested(lambda s: s.comment, is_closed=False),
    "nested strings": _nested(lambda s: s.embed, is_closed=True),
    "open strings": _nested(lambda s: s.embed, is_closed=False),
    "nested definitions": _nested_definitions,
    "nested by indent": _nested_by_indent,
    "branches": _branches,
    "chain of members": _chain("."),
    "chain of calls": _chain(".", calls=True),
    "chain of sums": _chain(" + "),
    "chain of comparisons": _chain(" < "),
    "chain of assignments": _chain(" = "),
    "long line": _long_line,
    "long word": _long_word,
    "long mixed word": _long_mixed_word,
    "long string": _long_string,
    "base64": _base64,
    "ideographs": _ideographs,
    "minified": _minified,
    "noise": _noise,
    "mixed line endings": _mixed_endings,
    "confusables": _confusables,
    "invalid UTF-8": _bad_bytes,
    "late NULs": _late_zeros,
}
