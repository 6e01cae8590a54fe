"""Source in each language, with the names it offers to a caller."""

from __future__ import annotations

OFFERS: dict[str, tuple[str, frozenset[str]]] = {
    "Python": (
        r"""
import os
LIMIT = 1
total = 2
Vector = list[float]
def f(): ...
async def g(): ...
class C:
    def m(self): ...
def _own(): ...
square = lambda x: x
try:
    import a
except ImportError:
    def fallback(): ...
if __name__ == '__main__':
    MAIN = 1
""",
        frozenset({"LIMIT", "Vector", "f", "g", "C", "square", "fallback"}),
    ),
    "JavaScript": (
        r"""
function f() {}
function* gen() {}
class C { m() {} }
const arrow = () => 1;
const LIMIT = 1;
const local = 2;
export const open = 3;
export { local as renamed };
exports.h = 1;
module.exports = { k };
""",
        frozenset({"f", "gen", "C", "arrow", "LIMIT", "open", "renamed", "h", "k"}),
    ),
    "TypeScript": (
        r"""
export interface I { a: string }
type T = string;
enum E { A }
export abstract class B {}
export const f = (): void => {};
""",
        frozenset({"I", "T", "E", "B", "f"}),
    ),
    "Go": (
        r"""
package a
type S struct{}
type A = int
func (s *S) Push() {}
func F() { inner := 1; _ = inner }
const (
	X = 1
	Y = 2
)
var z, w = 1, 2
""",
        frozenset({"S", "A", "Push", "F", "X", "Y", "z", "w"}),
    ),
    "Java": (
        r"""
class A { private void own() {} public int f() { return 1; } void g() {} class Inner { void no() {} } }
interface I { void h(); }
enum E { X; void em() {} }
record R(int x) {}
""",
        frozenset({"A", "f", "g", "I", "h", "E", "em", "R"}),
    ),
    "Rust": (
        r"""
pub fn f() {}
struct S;
enum E {}
trait T {}
const C: i32 = 1;
type A = i32;
impl S { pub fn new() {} }
#[cfg(test)]
mod tests { fn t() {} }
""",
        frozenset({"f", "S", "E", "T", "C", "A"}),
    ),
    "C": (
        r"""
#define MAX 10
#define DEBUG
static char **f(int a) { return 0; }
int declared(void);
struct P { int x; };
typedef struct { int y; } Q;
enum E { A };
int table[2] = {1, 2};
""",
        frozenset({"MAX", "f", "P", "Q", "E", "table"}),
    ),
    "C++": (
        r"""
namespace n {
class C { public: C() {} void m() {} };
template <typename T> T id(T x) { return x; }
}
int &r() { static int a; return a; }
using A = int;
constexpr int K = 1;
""",
        frozenset({"C", "id", "r", "A", "K"}),
    ),
    "C#": (
        r"""
namespace X {
  public class A { public int F() => 1; private int G() => 2; }
  interface I { void M(); }
}
enum E { Z }
""",
        frozenset({"A", "F", "I", "M", "E"}),
    ),
    "Ruby": (
        r"""
module M
  class Inner; end
end
class C < B
  def m; end
end
def top(a); end
LIMIT = 1
local = 2
""",
        frozenset({"M", "C", "top", "LIMIT"}),
    ),
    "PHP": (
        r"""<?php
namespace A;
function f() {}
class C { const X = 1; function m() {} }
interface I {}
const K = 1;
""",
        frozenset({"f", "C", "I", "K"}),
    ),
}
