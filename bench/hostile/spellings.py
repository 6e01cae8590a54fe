"""How each language that is parsed spells what hostile files are made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spelling:
    """Format strings of one language; `{n}` is a name, `{b}` a body, `{i}` a number, "" where there is no such thing.

    `nest` is what opens and closes a block, `comment` a block comment, `quote` a string.
    """

    language: str
    ending: str
    define: str
    call: str
    imported: str = ""
    hold: str = ""
    nest: tuple[str, str] = ("{", "}")
    inner: tuple[str, str] = ("", "")
    comment: tuple[str, str] = ("/*", "*/")
    line_comment: str = "// "
    quote: tuple[str, str] = ('"', '"')
    embed: tuple[str, str] = ("", "")
    generic: tuple[str, str] = ("", "")
    decorate: str = ""
    statement: str = "{b};\n"
    head: str = ""
    tail: str = ""


SPELLINGS = (
    Spelling(
        "Python", ".py", "def {n}(a=0):\n    {b}\n", "{n}()", "import m{i} as k{i}\n", "class {n}:\n    def same(self):\n"
        "        self.same()\n", ("if x:\n", ""), ("(lambda: ", ")"), ('"""', '"""'), "# ", embed=('f"{', '}"'),
        generic=("list[", "]"), decorate="@same\n", statement="{b}\n",
    ),
    Spelling(
        "JavaScript", ".js", "function {n}(a) {{ {b} }}\n", "{n}()", 'import k{i} from "./m{i}";\n',
        "class {n} {{ same() {{ this.same(); }} }}\n", ("if (x) {", "}"), ("function () { ", " }"),
        embed=("`${", "}`"), decorate="@same\n",
    ),
    Spelling(
        "TypeScript", ".ts", "function {n}(a: number) {{ {b} }}\n", "{n}()", 'import {{ k{i} }} from "./m{i}";\n',
        "class {n} {{ same() {{ this.same(); }} }}\n", ("if (x) {", "}"), ("function () { ", " }"),
        embed=("`${", "}`"), generic=("Array<", ">"), decorate="@same\n",
    ),
    Spelling(
        "TSX", ".tsx", "function {n}(a: number) {{ {b} }}\n", "{n}()", 'import {{ k{i} }} from "./m{i}";\n',
        "class {n} {{ same() {{ this.same(); }} }}\n", ("<div>", "</div>"), ("function () { ", " }"),
        embed=("`${", "}`"), generic=("Array<", ">"), decorate="@same\n",
    ),
    Spelling(
        "Java", ".java", "static void {n}(int a) {{ {b}; }}\n", "{n}()", "import p.q.K{i};\n",
        "class {n} {{ void same() {{ this.same(); }} }}\n", ("if (x) {", "}"), ("class K { ", " }"),
        generic=("List<", ">"), decorate="@Same\n", head="class Outer {\n", tail="}\n",
    ),
    Spelling(
        "Kotlin", ".kt", "fun {n}(a: Int) {{ {b} }}\n", "{n}()", "import p.q.K{i}\n",
        "class {n} {{ fun same() {{ this.same() }} }}\n", ("if (x) {", "}"), ("class K { ", " }"),
        embed=('"${', '}"'), generic=("List<", ">"), decorate="@Same\n", statement="{b}\n",
    ),
    Spelling(
        "Scala", ".scala", "def {n}(a: Int) = {{ {b} }}\n", "{n}()", "import p.q.K{i}\n",
        "class {n} {{ def same() = {{ this.same() }} }}\n", ("if (x) {", "}"), ("class K { ", " }"),
        embed=('s"${', '}"'), generic=("List[", "]"), decorate="@Same\n", statement="{b}\n", head="object O {\n", tail="}\n",
    ),
    Spelling(
        "C#", ".cs", "void {n}(int a) {{ {b}; }}\n", "{n}()", "using P.Q{i};\n",
        "class {n} {{ void same() {{ this.same(); }} }}\n", ("if (x) {", "}"), ("class K { ", " }"),
        embed=('$"{', '}"'), generic=("List<", ">"), decorate="[Same]\n", head="class Outer {\n", tail="}\n",
    ),
    Spelling(
        "Swift", ".swift", "func {n}(a: Int) {{ {b} }}\n", "{n}()", "import M{i}\n",
        "class {n} {{ func same() {{ self.same() }} }}\n", ("if x {", "}"), ("class K { ", " }"),
        embed=('"\\(', ')"'), generic=("Array<", ">"), decorate="@same\n", statement="{b}\n",
    ),
    Spelling(
        "Go", ".go", "func {n}(a int) {{ {b} }}\n", "{n}()", 'import k{i} "m/{i}"\n',
        "type {n} struct {{}}\nfunc (t {n}) same() {{ t.same() }}\n", ("if x {", "}"), ("func() { ", " }()"),
        generic=("List[", "]"), head="package p\n", statement="var _ = {b}\n",
    ),
    Spelling(
        "Rust", ".rs", "fn {n}(a: u8) {{ {b}; }}\n", "{n}()", "use p::k{i};\n",
        "struct {n};\nimpl {n} {{ fn same(&self) {{ self.same(); }} }}\n", ("if x {", "}"), ("mod k { ", " }"),
        generic=("Vec<", ">"), decorate="#[same]\n",
    ),
    Spelling(
        "C", ".c", "int {n}(int a) {{ {b}; }}\n", "{n}()", '#include "m{i}.h"\n',
        "struct {n} {{ int same; }};\n", ("if (x) {", "}"), ("struct k { ", " } k;"),
    ),
    Spelling(
        "C++", ".cpp", "int {n}(int a) {{ {b}; }}\n", "{n}()", '#include "m{i}.h"\n',
        "class {n} {{ int same() {{ return this->same(); }} }};\n", ("if (x) {", "}"), ("namespace k { ", " }"),
        generic=("vector<", ">"), decorate="[[same]]\n",
    ),
    Spelling(
        "Zig", ".zig", "fn {n}(a: u8) void {{ {b}; }}\n", "{n}()", 'const k{i} = @import("m{i}.zig");\n',
        "const {n} = struct {{ fn same(self: {n}) void {{ self.same(); }} }};\n", ("if (x) {", "}"),
        ("struct { ", " }"), comment=("//", "\n"),
    ),
    Spelling(
        "Ruby", ".rb", "def {n}(a = 0)\n  {b}\nend\n", "{n}()", 'require "m{i}"\n',
        "class {n}\n  def same\n    self.same()\n  end\nend\n", ("if x\n", "end\n"), ("class K\n", "end\n"),
        ("=begin\n", "=end\n"), "# ", embed=('"#{', '}"'), statement="{b}\n",
    ),
    Spelling(
        "PHP", ".php", "function {n}($a) {{ {b}; }}\n", "{n}()", "use P\\K{i};\n",
        "class {n} {{ function same() {{ $this->same(); }} }}\n", ("if ($x) {", "}"), ("function k() { ", " }"),
        embed=('"{$', '}"'), decorate="#[Same]\n", head="<?php\n",
    ),
    Spelling(
        "Lua", ".lua", "function {n}(a) {b} end\n", "{n}()", 'local k{i} = require("m{i}")\n',
        "function {n}:same() self:same() end\n", ("if x then ", " end"), ("function () ", " end"),
        ("--[[", "]]"), "-- ", statement="{b}\n",
    ),
    Spelling(
        "Haskell", ".hs", "{n} a = {b}\n", "{n} a", "import M{i}\n", "class {n} a where\n  same :: a -> a\n",
        ("let {", "}"), ("(\\a -> ", ")"), ("{-", "-}"), "-- ", generic=("(Maybe ", ")"), statement="k = {b}\n",
    ),
    Spelling(
        "Elixir", ".ex", "def {n}(a) do\n  {b}\nend\n", "{n}()", "alias M{i}.K\n",
        "defmodule {n} do\n  def same(), do: same()\nend\n", ("if x do\n", "end\n"), ("fn -> ", " end"),
        ('"""', '"""'), "# ", embed=('"#{', '}"'), decorate="@same 1\n", head="defmodule Outer do\n", tail="end\n",
        statement="{b}\n",
    ),
    Spelling(
        "Bash", ".sh", "{n}() {{ {b}; }}\n", "{n}", ". ./m{i}.sh\n", "", ("if x; then ", "fi;"), ("( ", ")"),
        ("<<EOF\n", "EOF\n"), "# ", embed=('"$(', ')"'), generic=("${a", "}"), statement="{b}\n",
    ),
    Spelling(
        "SQL", ".sql", "CREATE TABLE {n} (a INT);\n", "SELECT * FROM {n}", "", "CREATE PROCEDURE {n} AS SELECT 1;\nGO\n",
        ("BEGIN ", " END"), ("(SELECT * FROM ", ")"), line_comment="-- ", quote=("'", "'"),
    ),
    Spelling(
        "Markdown", ".md", "# {n}\n\ntext\n\n", "[{n}](#{n})", "", "## {n}\n", ("> ", ""), ("- ", ""), ("<!--", "-->"), "",
    ),
)  # fmt: skip
