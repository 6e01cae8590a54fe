"""After any sequence of edits, renames, deletions, branch switches and rewrites the index equals a rebuild."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bottega.index import open_store
from bottega.index.verify import verify_index

from .trees import SETTLED_S

FOLDERS = ("", "src/", "shop/", "shop/store/", "tests/", "build/")
NAMES = ("alpha", "beta", "gamma", "delta", "store", "main")
ENDINGS = (".py", ".ts", ".md", ".go")
WORDS = ("Alpha", "Beta", "open_store", "save", "load", "Gamma", "LIMIT", "run")

paths = st.builds(lambda f, n, e: f + n + e, st.sampled_from(FOLDERS), st.sampled_from(NAMES), st.sampled_from(ENDINGS))
packages = st.sampled_from(["src/__init__.py", "shop/__init__.py", "shop/store/__init__.py"])
words = st.sampled_from(WORDS)


@st.composite
def python_text(draw: st.DrawFn) -> str:
    lines = []
    for _ in range(draw(st.integers(0, 3))):
        module = draw(
            st.sampled_from(["shop", "shop.store", "shop.store.alpha", ".", ".beta", "main", "src.gamma", "..delta"])
        )
        taken = draw(st.sampled_from(["*", "Alpha", "Beta as B", "save as load", "open_store", "alpha", "store"]))
        lines.append(f"from {module} import {taken}")
    for _ in range(draw(st.integers(0, 3))):
        name, base, other = draw(words), draw(words), draw(words)
        form = draw(st.sampled_from(["class", "function", "value"]))
        if form == "class":
            lines += [f"class {name}({base}):", f"    def {other}(self):", f"        return self.{base}({name})"]
        elif form == "function":
            lines += [f"def {name}():", f"    # TODO because {other}", f"    return {other}({base}.run())"]
        else:
            lines.append(f"{name} = {other}")
    return "\n".join(lines) + "\n"


@st.composite
def other_text(draw: st.DrawFn) -> str:
    a, b, c = draw(words), draw(words), draw(words)
    forms = [
        f"import {{ {a} }} from './{c}';\nexport class {b} extends {a} {{ {c}() {{ return {a}.run(); }} }}\n",
        f"# {a}\n\ntext about {b}\n\n## {c}\n",
        f"package shop\n\nfunc {a}() {{ {b}() }}\n\ntype {c} struct {{}}\n",
        "",
        f"caf\xe9 {a} {b}\r\n",
    ]
    return draw(st.sampled_from(forms))


texts = st.one_of(python_text(), python_text(), other_text())


class Repository(RuleBasedStateMachine):
    """A working tree that people and git change in turns."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.root = Path(self._folder.name) / "repo"
        self.commits = 0

    @initialize(with_git=st.booleans())
    def begin(self, with_git: bool) -> None:
        self.root.mkdir()
        self.with_git = with_git
        if with_git:
            self.git("init", "-q", "-b", "main")
        open_store(self.root).refresh()

    @rule(path=st.one_of(paths, packages), text=texts)
    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="latin-1")

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        if files := self.files():
            data.draw(st.sampled_from(files)).unlink()

    @rule(data=st.data(), path=paths)
    def rename(self, data: st.DataObject, path: str) -> None:
        if files := self.files():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            data.draw(st.sampled_from(files)).replace(target)

    @rule(
        patterns=st.lists(st.sampled_from(["build/", "*.md", "!beta.md", "store*", "/shop"]), max_size=2),
        name=st.sampled_from([".gitignore", ".bottegaignore", "shop/.gitignore"]),
    )
    def ignore(self, patterns: list[str], name: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(patterns) + "\n")

    @precondition(lambda self: self.with_git)
    @rule()
    def commit(self) -> None:
        self.commits += 1
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", f"Change {self.commits} of the store")

    @precondition(lambda self: self.with_git and self.commits > 1)
    @rule()
    def go_back(self) -> None:
        self.git("reset", "-q", "--hard", "HEAD~1", may_fail=True)

    @precondition(lambda self: self.with_git and self.commits > 0)
    @rule(name=st.sampled_from(["main", "side"]))
    def switch(self, name: str) -> None:
        if self.git("checkout", "-q", "-f", name, may_fail=True):
            self.git("checkout", "-q", "-f", "-b", name, may_fail=True)

    @precondition(lambda self: self.with_git and self.commits > 1)
    @rule()
    def amend(self) -> None:
        self.git("commit", "-q", "--amend", "--allow-empty", "-m", f"Amended {self.commits}", may_fail=True)

    @precondition(lambda self: self.with_git and self.commits > 0)
    @rule(name=st.sampled_from(["main", "side"]))
    def rebase(self, name: str) -> None:
        if self.git("rebase", "-q", name, may_fail=True):
            self.git("rebase", "--abort", may_fail=True)

    @precondition(lambda self: self.with_git)
    @rule(data=st.data())
    def let_go(self, data: st.DataObject) -> None:
        """Git keeps a file no longer; it stays where it is."""
        if files := self.files():
            chosen = data.draw(st.sampled_from(files)).relative_to(self.root)
            self.git("rm", "-q", "--cached", "--ignore-unmatch", "--", str(chosen), may_fail=True)

    @rule()
    def rest(self) -> None:
        """Stamps grow old enough to be believed."""
        time.sleep(SETTLED_S)
        open_store(self.root).refresh()

    @invariant()
    def equals_a_rebuild(self) -> None:
        if not self.root.exists():
            return
        keeper = open_store(self.root)
        keeper.refresh()
        result = verify_index(keeper, workers=1)
        assert result.is_same, "\n".join(map(str, result.differences))

    def teardown(self) -> None:
        self._folder.cleanup()

    def files(self) -> list[Path]:
        inside = [path for path in sorted(self.root.rglob("*")) if path.is_file()]
        return [path for path in inside if not {".git", ".bottega"} & set(path.relative_to(self.root).parts)]

    def git(self, *arguments: str, may_fail: bool = False) -> int:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *identity, *arguments], cwd=self.root, capture_output=True, check=not may_fail)
        return done.returncode


TestRepository = Repository.TestCase
TestRepository.settings = settings(
    max_examples=12,
    stateful_step_count=14,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
