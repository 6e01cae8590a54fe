"""Valid source in the main languages, written the way people and models write it, and source that is broken."""

from __future__ import annotations

VALID: dict[str, tuple[str, ...]] = {
    "Python": (
        "",
        r"""
import re

def f(a: int, *, b: str = 'x') -> list[int]:
    return [n for n in range(a)]
""",
        r"""
async def g():
    async with x as y:
        await y

match a:
    case {'k': [1, *_]}:
        pass
""",
        "x = 1 if y is 1 else '\\d'\n",
    ),
    "JavaScript": (
        r"""
export default async function* f({ a, ...rest }, b = 1) { yield* a?.b ?? rest; }
class A extends B { #p = 1; static { A.q = 2 } get x() { return this.#p } }
label: for (const x of y) {}
""",
        r"""
const list = <ul className='a' onClick={() => f(1)}>{items.map(i => <li key={i}>{i}</li>)}</ul>
""",
    ),
    "TypeScript": (
        r"""
export type A<T> = T extends infer U ? { readonly [K in keyof U]?: U[K] } : never;
abstract class B<T> implements C { constructor(private readonly a: string) {} abstract f(): void }
const f = <T,>(x: T): x is NonNullable<T> => x != null;
enum E { A = 1, B }
""",
    ),
    "Java": (
        r'''
import java.util.*;

public record P(int x, int y) {}

sealed interface S permits A {}
final class A implements S {
  String f(Object o) {
    return switch (o) { case Integer i -> "int"; default -> """
      text"""; };
  }
}
''',
    ),
    "C": (
        "#include <stdio.h>   \n#define MAX 10\nint a[MAX];\n",
        r"""
#ifndef A_H
#define A_H
struct s { int a[3]; };
int f(const struct s *p, int (*g)(int));
int main(void) { for (int i = 0; i < 3; i++) printf("%d\n", i); return 0; }
#endif""",
    ),
    "C++": (
        r"""
#include <vector>
template <typename T> concept N = requires(T a) { a + a; };
auto f = []<N T>(T&& a) { return a; };
namespace a::b { class C final : public D { public: C() = default; virtual ~C() override {} }; }
""",
    ),
    "C#": (
        r"""
namespace A;
public record R(int X);
public class C<T> where T : class { public async Task<int> F() => await G() ?? 1; }
""",
    ),
    "Go": (
        r"""
package main

import "fmt"

type N interface{ ~int | ~float64 }

func Sum[T N](xs ...T) (t T) {
	for _, x := range xs {
		t += x
	}
	return
}

func main() { defer fmt.Println(Sum(1, 2)) }
""",
    ),
    "Rust": (
        r"""
use std::fmt;

#[derive(Debug)]
pub struct A<'a, T: ?Sized + 'a>(&'a T);

impl<T> fmt::Display for B<T> where T: Copy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{:?}", self.0) }
}

async fn f() -> Result<(), E> { let Some(x) = g().await? else { return Ok(()) }; h(|y| y + x) }
""",
    ),
    "Ruby": (
        r"""
class A < B
  attr_reader :a
  def f(x, *y, k: 1, &b) = x&.map(&:to_s)
end
puts <<~TXT
  hi #{1 + 1}
TXT
""",
    ),
    "PHP": (
        r"""<?php
declare(strict_types=1);
final class A { public function __construct(private readonly ?int $x = null) {} }
""",
        "function f(array ...$a): ?string { return match(true) { default => $a[0]?->b }; }\n",
    ),
    "JSON": ('{"a": [1, -2.5e3, null, true, "\\u00e9"]}', "[]", '"x"'),
    "TOML": ("[a.b]\nc = [1, 2,]\nd = 2024-01-01T00:00:00Z\n", ""),
    "YAML": ("a: &x [1, 2]\nb: *x\nc: |\n  text\n---\n- !tag {d: e}\n", ""),
    "XML": ("<?xml version='1.0' encoding='latin-1'?>\n<a x='1'><!-- c --><b/>é</a>",),
    "Lua": ("local t <const> = { a = 1, [2] = 'b'; }\ngoto done\n::done::\nreturn function(...) return ... end\n",),
    "Haskell": (
        r"""
{-# LANGUAGE LambdaCase #-}
module A (f) where

f :: Maybe a -> Bool
f = \case
  Just _ -> True
  _ -> False
""",
    ),
    "Elixir": ("defmodule A do\n  def f(%{a: a} = m) when is_map(m), do: a |> Enum.map(&(&1 + 1))\nend\n",),
    "Scala": ("case class A(x: Int)\nobject B { def f[T](x: T*)(using y: T): Option[T] = x.headOption }\n",),
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
    ("TypeScript", "interface A {\n  b: string\n}\n\nconst x = 1;\nconst y = (;\n", 6),
    ("Java", "class A {\n  void f() {\n    int x = ;\n  }\n}\n", 3),
    ("C", "int main(void) {\n    return 0\n}\n", 2),
    ("C++", "class A {\n  int x\n};\nint main() { return 0; }\n", 2),
    ("C#", "class A {\n  void F() {\n    var x = 1\n  }\n}\n", 3),
    ("Go", "package main\n\nfunc main() {\n\tx := (1 + \n}\n", 4),
    ("Rust", "fn main() {\n    let x = 1\n    let y = 2;\n}\n", 2),
    ("Ruby", "def f(a)\n  a.each do |x|\n    x\n", 1),
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
