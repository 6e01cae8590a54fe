"""Valid source in the main languages, written the way people and models write it."""

from __future__ import annotations

VALID: dict[str, tuple[str, ...]] = {
    "Python": (
        "",
        "import re\n\n\ndef f(a: int, *, b: str = 'x') -> list[int]:\n    return [n for n in range(a)]\n",
        "async def g():\n    async with x as y:\n        await y\n\nmatch a:\n    case {'k': [1, *_]}:\n        pass\n",
        "x = 1 if y is 1 else '\\d'\n",
    ),
    "JavaScript": (
        "export default async function* f({ a, ...rest }, b = 1) { yield* a?.b ?? rest; }\n",
        "class A extends B { #p = 1; static { A.q = 2 } get x() { return this.#p } }\nlabel: for (const x of y) {}\n",
        "const el = <div className='a' onClick={() => f(1)}>{list.map(i => <li key={i}>{i}</li>)}</div>\n",
    ),
    "TypeScript": (
        "export type A<T> = T extends infer U ? { readonly [K in keyof U]?: U[K] } : never;\n",
        "abstract class B<T> implements C { constructor(private readonly a: string) {} abstract f(): void }\n",
        "const f = <T,>(x: T): x is NonNullable<T> => x != null;\nenum E { A = 1, B }\n",
    ),
    "Java": (
        "import java.util.*;\n\npublic record P(int x, int y) {}\n\nsealed interface S permits A {}\nfinal class A implements S"
        ' {\n  String f(Object o) { return switch (o) { case Integer i -> "int"; default -> """\n  text"""; }; }\n}\n',
    ),
    "C": (
        '#include <stdio.h>   \n#define MAX 10\n\nint main(void) {\n    for (int i = 0; i < MAX; i++) printf("%d\\n", i);\n}\n',
        "#ifndef A_H\n#define A_H\nstruct s { int a[3]; };\nint f(const struct s *p, int (*g)(int));\n#endif",
    ),
    "C++": (
        "#include <vector>\ntemplate <typename T> concept N = requires(T a) { a + a; };\nauto f = []<N T>(T&& a) { return a; };\n",
        "namespace a::b { class C final : public D { public: C() = default; virtual ~C() override {} }; }\n",
    ),
    "C#": (
        "namespace A;\npublic record R(int X);\npublic class C<T> where T : class { public async Task<int> F() => await G() ?? 1; }\n",
    ),
    "Go": (
        'package main\n\nimport "fmt"\n\ntype N interface{ ~int | ~float64 }\n\nfunc Sum[T N](xs ...T) (t T) {\n\tfor _, x := range xs'
        " {\n\t\tt += x\n\t}\n\treturn\n}\n\nfunc main() { defer fmt.Println(Sum(1, 2)) }\n",
    ),
    "Rust": (
        "use std::fmt;\n\n#[derive(Debug)]\npub struct A<'a, T: ?Sized + 'a>(&'a T);\n\nimpl<T> fmt::Display for B<T> where T: Copy {\n"
        '    fn fmt(&self, f: &mut fmt::Formatter<\'_>) -> fmt::Result { write!(f, "{:?}", self.0) }\n}\n',
        "async fn f() -> Result<(), E> { let Some(x) = g().await? else { return Ok(()) }; h(|y| y + x) }\n",
    ),
    "Ruby": (
        "class A < B\n  attr_reader :a\n  def f(x, *y, k: 1, &b) = x&.map(&:to_s)\nend\nputs <<~TXT\n  hi #{1 + 1}\nTXT\n",
    ),
    "PHP": (
        "<?php\ndeclare(strict_types=1);\nfinal class A { public function __construct(private readonly ?int $x = null) {} }\n",
        "function f(array ...$a): ?string { return match(true) { default => $a[0]?->b }; }\n",
    ),
    "JSON": ('{"a": [1, -2.5e3, null, true, "\\u00e9"]}', "[]", '"x"'),
    "TOML": ("[a.b]\nc = [1, 2,]\nd = 2024-01-01T00:00:00Z\n", ""),
    "YAML": ("a: &x [1, 2]\nb: *x\nc: |\n  text\n---\n- !tag {d: e}\n", ""),
    "XML": ("<?xml version='1.0' encoding='latin-1'?>\n<a x='1'><!-- c --><b/>é</a>",),
    "Lua": ("local t <const> = { a = 1, [2] = 'b'; }\ngoto done\n::done::\nreturn function(...) return ... end\n",),
    "Haskell": (
        "{-# LANGUAGE LambdaCase #-}\nmodule A (f) where\n\nf :: Maybe a -> Bool\nf = \\case\n  Just _ -> True\n  _ -> False\n",
    ),
    "Elixir": ("defmodule A do\n  def f(%{a: a} = m) when is_map(m), do: a |> Enum.map(&(&1 + 1))\nend\n",),
    "Scala": (
        "case class A(x: Int)\nobject B { def f[T](x: T*)(using y: T): Option[T] = x.headOption.map(_ => y) }\n",
    ),
    "R": ("f <- function(x, ...) x |> sapply(\\(y) y^2)\nif (TRUE) 1 else 2\n",),
    "Julia": ("function f(x::T; k=1) where {T<:Real}\n    @inbounds [y^2 for y in x if y > k]\nend\n",),
}

# The language, broken source, and the line a person would look at.
BROKEN: tuple[tuple[str, str, int], ...] = (
    ("Python", "def f(:\n    pass\n", 1),
    ("Python", "x = 1\nif x\n    y = 2\n", 2),
    ("Python", "def f():\n    pass\nreturn 1\n", 3),
    ("Python", 'print "hello"\n', 1),
    ("Python", "x = '\n", 1),
    ("JavaScript", "function f() {\n  return 1;\n", 3),
    ("JavaScript", "const a = {\n  b: 1,\n  c: ;\n};\n", 3),
    ("TypeScript", "interface A {\n  b: string\n\nconst x = 1;\nconst y = (;\n", 5),
    ("Java", "class A {\n  void f() {\n    int x = ;\n  }\n}\n", 3),
    ("C", "int main(void) {\n    return 0\n}\n", 2),
    ("C++", "class A {\n  int x\n};\nint main() { return 0; }\n", 2),
    ("C#", "class A {\n  void F() {\n    var x = 1\n  }\n}\n", 3),
    ("Go", "package main\n\nfunc main() {\n\tx := (1 + \n}\n", 4),
    ("Rust", "fn main() {\n    let x = 1\n    let y = 2;\n}\n", 2),
    ("Ruby", "def f(a)\n  a.each do |x|\n    x\n", 4),
    ("PHP", "<?php\nfunction f() {\n  return 1\n}\n", 3),
    ("PHP", "function f() {\n  return 1\n}\n", 2),
    ("JSON", '{\n  "a": 1,\n}\n', 3),
    ("JSON", "[1, NaN]", 1),
    ("JSON", "", 1),
    ("TOML", "a = 1\nb = \n", 2),
    ("YAML", "a: 1\nb: c: d\n", 2),
    ("XML", "<a>\n  <b>\n</a>\n", 3),
    ("XML", "", 1),
    ("Lua", "local a = {\n  1, 2\nprint(a)\n", 3),
)
