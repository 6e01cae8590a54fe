"""What `ask` promises, measured.

    python bench/ask.py citations --repo DIR [--repo DIR …] [--answers 400] [--seed 0]
    python bench/ask.py claims    --repo DIR [--repo DIR …] [--answers 1000] [--seed 0]
    python bench/ask.py gate      --snapshots DIR [--show]
    python bench/ask.py latency   --repo DIR
    python bench/ask.py facts     --own DIR --snapshots DIR [--set KEY=VALUE …] > docs/ask-transcript.md

`citations` plants good and invented citations into answers made of what real repositories define, and counts what the
checker keeps and drops. `claims` plants right names with wrong claims and right sentences with swapped numbers, made of
the documentation of real repositories, and counts what is marked and what is moved. `gate` checks answers of a strong
model to 88 questions about eight repositories, whose sentences were each compared with the code and are true
(`true_answers.jsonl`; the rules were made with the first six in view), and counts those that are marked all the same.
`latency` is the time that everything before the answer's model call takes, with the index open. `facts` asks thirty
questions about four repositories, whose facts were written down beforehand (`answer_questions.json`), with the models
that are configured; it prints every answer as it came and counts those with all facts. DIR of the snapshots holds bare
git directories named OWNER+NAME/repo.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from bench.functions import check_out

from bottega.ask.checking import distinctive_names
from bottega.ask.citations import CitationChecker, CodeReader
from bottega.ask.claims import CheckedAnswer, Claim
from bottega.ask.knowledge import IndexedRepository
from bottega.index import open_knowledge, open_store
from bottega.index.knowledge import KnowledgeBase, SymbolRow
from bottega.index.snapshot import take_snapshot
from bottega.retrieve.context import ContextTask
from bottega.source import Span, estimate_tokens

_SENTENCES = (3, 6)
_WORDS = 5
_QUESTIONS = (
    "where is the password hashed before it is stored?",
    "how does a query set decide when to hit the database?",
    "what happens when a form field fails validation?",
    "how are migrations ordered?",
    "ImproperlyConfigured",
    "which middleware sets the csrf cookie?",
    "how does the template engine escape variables?",
    "what does QuerySet.bulk_create return?",
)
QUESTIONS_WITH_FACTS = Path(__file__).with_name("answer_questions.json")
TRUE_ANSWERS = Path(__file__).with_name("true_answers.jsonl")
_MARKED = ("weak", "unsupported", "uncited")


@dataclass(frozen=True, slots=True)
class Planted:
    """A sentence with one citation; `kind` says how that was made, "good" when it holds."""

    text: str
    written: str
    kind: str


_RESULTS = ("supported", "found by names", "named", "cited", "weak", "unsupported", "moved", "moved elsewhere")
_CLAIM_KINDS = (
    ("right", ("supported", "found by names"), "right sentences, right citation"),
    (
        "undocumented",
        ("supported", "found by names", "named", "cited"),
        "right sentences, citation without the documentation they are made of",
    ),
    ("foreign", ("weak", "unsupported"), "right name, claim from another file"),
    ("neighbour", ("weak", "unsupported"), "right name, claim from the same file"),
    ("swapped", ("moved",), "right sentences, numbers swapped"),
)
_PACK = 12


class Planter:
    """Makes sentences about the symbols of a repository."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self.repository = IndexedRepository(open_knowledge(root), ExitStack())
        self.code = read_code(self.repository)
        self._dice = dice
        self.repository.freshness()
        snapshot = take_snapshot(root, open_store(root).location)
        assert snapshot is not None
        base = KnowledgeBase(snapshot.connection)
        self._symbols = [
            symbol
            for file in base.get_files()
            if file.role == "code"
            for symbol in base.get_symbols_for_file(file.id)
            if 2 <= symbol.last - symbol.first < 400 and re.fullmatch(r"\w{4,}", symbol.name)
        ]
        self._docs = {symbol.id: _first_sentence(base.get_docstring(symbol.id)) for symbol in self._symbols}

    def sentence(self, *, is_good: bool, numbered: list[Span]) -> Planted | None:
        symbol = self._dice.choice(self._symbols)
        text = self.repository.lines(symbol.span)
        if text is None:
            return None
        claim, names = self._claim(symbol, text)
        if is_good:
            return Planted(claim, self._written(symbol.span, numbered), "good")
        kind = self._dice.choice(("path", "lines", "file", "neighbour", "name", "number", "outside"))
        return self._invented(kind, symbol, claim, names, numbered)

    def _claim(self, symbol: SymbolRow, text: str) -> tuple[str, list[str]]:
        """A true sentence, and the names that it shows as code."""
        said = self._docs[symbol.id]
        inside = sorted({word for word in re.findall(r"[^\W\d]\w{3,}", text) if word != symbol.name and "_" in word})
        form = self._dice.randrange(3)
        if form == 0 and said and len(said.split()) >= 5:
            return f"According to its documentation: {said}", []
        if form == 1 and inside:
            other = self._dice.choice(inside)
            return f"The {symbol.kind} `{symbol.name}` works with `{other}`", [symbol.name, other]
        return f"This is done by `{symbol.name}`, a {symbol.kind} of its module", [symbol.name]

    def _invented(
        self, kind: str, symbol: SymbolRow, claim: str, names: Sequence[str], numbered: list[Span]
    ) -> Planted | None:
        span = symbol.span
        if kind == "path":
            folder, _, file = span.path.rpartition("/")
            return Planted(
                claim, f"{folder}/{file.replace('.', '_impl.', 1)}:{span.first}-{span.last}".lstrip("/"), kind
            )
        if kind == "lines":
            return Planted(claim, f"{span.path}:{span.first + 100_000}-{span.last + 100_000}", kind)
        if kind == "outside":
            return Planted(claim, f"../../{span.path}:{span.first}-{span.last}", kind)
        if kind == "number":
            return Planted(claim, str(len(numbered) + self._dice.randint(1, 90)), kind)
        if kind == "name":
            ending = self._dice.choice(("handler", "cache", "registry", "proxy"))
            made_up = f"{symbol.name}_{ending}_v{self._dice.randint(2, 9)}"
            return Planted(f"This is done by `{made_up}`", self._written(span, numbered), kind)
        others = [s for s in self._symbols if (s.path == symbol.path) == (kind == "neighbour")]
        for _ in range(20):
            other = self._dice.choice(others) if others else symbol
            text = self.repository.lines(other.span)
            apart = other.last < symbol.first or other.first > symbol.last or other.path != symbol.path
            if text is not None and apart and not (names and all(name in text for name in names)):
                return Planted(claim, self._written(other.span, numbered), kind)
        return None

    def trial(self) -> Iterator[str]:
        """One sentence of each kind about a documented symbol, with what the checker makes of it."""
        symbol, other = self._documented(), self._documented()
        claim, numbered = self._told(symbol, self._docs[symbol.id]), [symbol.span, other.span]
        numbered += [self._dice.choice(self._symbols).span for _ in range(_PACK)]
        checker = CitationChecker(self.code, dict(enumerate(numbered, 1)))
        yield f"right: {_result(checker.check_sentence(f'{claim} [1].'), symbol.span)}"
        code = self._code_alone(symbol)
        if code is not None:
            alone = CitationChecker(self.code, {1: code})
            yield f"undocumented: {_result(alone.check_sentence(f'{claim} [1].'), code)}"
        if self._is_apart(symbol, other):
            yield f"swapped: {_result(checker.check_sentence(f'{claim} [2].'), other.span, symbol.span)}"
            kind = "neighbour" if other.path == symbol.path else "foreign"
            wrong = self._told(symbol, self._docs[other.id])
            lone = CitationChecker(self.code, {1: symbol.span})
            yield f"{kind}: {_result(lone.check_sentence(f'{wrong} [1].'), symbol.span)}"
        near = [s for s in self._symbols if s.path == symbol.path and self._docs[s.id] and self._is_apart(symbol, s)]
        if near:
            wrong = self._told(symbol, self._docs[self._dice.choice(near).id])
            lone = CitationChecker(self.code, {1: symbol.span})
            yield f"neighbour: {_result(lone.check_sentence(f'{wrong} [1].'), symbol.span)}"

    def _documented(self) -> SymbolRow:
        return self._dice.choice([symbol for symbol in self._symbols if len(self._docs[symbol.id].split()) >= _WORDS])

    def _told(self, symbol: SymbolRow, said: str) -> str:
        said = re.sub(rf"^{re.escape(symbol.name)}\b", "it", said)
        return f"`{symbol.name}`: {said}"

    def _is_apart(self, symbol: SymbolRow, other: SymbolRow) -> bool:
        """Whether neither holds the other nor says what it says."""
        text = " ".join((self.repository.lines(symbol.span) or "").split())
        overlaps = symbol.path == other.path and symbol.first <= other.last and other.first <= symbol.last
        return not overlaps and self._docs[other.id] not in text and self._docs[other.id] != self._docs[symbol.id]

    def _code_alone(self, symbol: SymbolRow) -> Span | None:
        """The lines of a symbol below its documentation."""
        lines = (self.repository.lines(symbol.span) or "").split("\n")
        ends = [number for number, line in enumerate(lines) if line.rstrip().endswith(('"""', "'''"))]
        first = symbol.first + (ends[0] + 1 if ends and lines[ends[0]].strip() != '"""' else (ends[1:] or [0])[0] + 1)
        return Span(symbol.path, first, symbol.last) if symbol.last - first >= 3 else None

    def _written(self, span: Span, numbered: list[Span]) -> str:
        if self._dice.random() < 0.5:
            numbered.append(span)
            return str(len(numbered))
        return f"{span.path}:{span.first}-{span.last}"


def read_code(repository: IndexedRepository) -> CodeReader:
    return CodeReader(
        repository.lines, repository.owner, repository.find_similar, repository.is_defined, repository.extend
    )


def _result(claim: Claim, cited: Span, right: Span | None = None) -> str:
    if claim.moved:
        return "moved" if claim.kept[0].span == (right or cited) else "moved elsewhere"
    is_by_names = claim.status == "supported" and claim.level == "names"
    return "found by names" if is_by_names else str(claim.status)


def citations(options: argparse.Namespace) -> int:
    dice = random.Random(options.seed)
    planters = [Planter(root, dice) for root in options.repo]
    kept: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for _ in range(options.answers):
        planter = dice.choice(planters)
        numbered: list[Span] = []
        planted = [
            found
            for _ in range(dice.randint(*_SENTENCES))
            if (found := planter.sentence(is_good=dice.random() < 0.5, numbered=numbered)) is not None
        ]
        answer = " ".join(f"{one.text} [{one.written}]." for one in planted)
        checker = CitationChecker(planter.code, dict(enumerate(numbered, 1)))
        claims = checker.check(answer).claims
        if len(claims) != len(planted):  # a sentence of a docstring that ends in its middle
            claims = tuple(checker.check_sentence(f"{one.text} [{one.written}].") for one in planted)
        for one, claim in zip(planted, claims, strict=True):
            seen[one.kind] += 1
            kept[one.kind] += _is_cited(one, claim, numbered)
            if options.show and _is_cited(one, claim, numbered) != (one.kind == "good"):
                print(one, claim.dropped)
    good, invented = seen["good"], seen.total() - seen["good"]
    removed = invented - (kept.total() - kept["good"])
    print(f"{options.answers} answers: {kept['good']} of {good} good citations kept ({kept['good'] / good:.2%}),")
    print(f"{removed} of {invented} invented ones removed ({removed / invented:.2%})")
    print(
        "left of the invented: "
        + ", ".join(f"{kind} {kept[kind]}/{seen[kind]}" for kind in sorted(seen) if kind != "good")
    )
    return 0


def _is_cited(planted: Planted, claim: Claim, numbered: list[Span]) -> bool:
    """Whether the citation as planted is still shown; one that was moved to the right passage is not."""
    number = int(planted.written) if planted.written.isdigit() else 0
    place = str(numbered[number - 1]) if 0 < number <= len(numbered) else planted.written
    return any(str(citation.span) == place for citation in claim.kept)


def claims(options: argparse.Namespace) -> int:
    """Right names with wrong claims, which are to be marked, and right sentences with swapped numbers, to be moved."""
    dice = random.Random(options.seed)
    counts: Counter[str] = Counter()
    for planter in [Planter(root, dice) for root in options.repo]:
        for _ in range(options.answers // len(options.repo)):
            counts.update(planter.trial())
    for kind, wanted, text in _CLAIM_KINDS:
        seen = sum(counts[f"{kind}: {result}"] for result in _RESULTS)
        results = ", ".join(f"{name} {counts[f'{kind}: {name}']}" for name in _RESULTS if counts[f"{kind}: {name}"])
        hit = sum(counts[f"{kind}: {name}"] for name in wanted)
        print(f"{text}: {hit} of {seen} {' or '.join(wanted)} ({hit / max(1, seen):.1%}); {results}")
    return 0


def gate(options: argparse.Namespace) -> int:
    """True sentences of real answers: how many are marked, and how far the others were found."""
    rows = [json.loads(line) for line in TRUE_ANSWERS.read_text().splitlines()]
    total: Counter[str] = Counter()
    for repo, answers in groupby(rows, key=lambda row: row["repo"]):
        kept = list(answers)
        root = check_out(options, repo, kept[0]["commit"])
        if root is None:
            continue
        repository = IndexedRepository(open_knowledge(root), ExitStack())
        repository.freshness()
        counts: Counter[str] = Counter()
        for row in kept:
            for claim in _check_recorded(row, repository).claims:
                counts["moved" if claim.moved else str(claim.status)] += 1
                if options.show and (claim.moved or claim.status in _MARKED):
                    problems = {citation.problem for citation in (*claim.dropped, *claim.moved)} - {""}
                    print(f"  {claim.status}: {claim.text.strip()} {sorted(problems)} {claim.note}")
        print(f"{repo}: {_describe_gate(counts)}", flush=True)
        total += counts
    print(f"all: {_describe_gate(total)}")
    return 0


def _check_recorded(row: dict[str, Any], repository: IndexedRepository) -> CheckedAnswer:
    spans = {n: Span(unit["path"], unit["first"], unit["last"]) for n, unit in enumerate(row["evidence"], 1)}
    parts = {
        n: [Span(unit["path"], first, last) for first, last in unit["parts"]]
        for n, unit in enumerate(row["evidence"], 1)
        if unit.get("parts")
    }
    known = distinctive_names(unit["symbol"] for unit in row["evidence"])
    reply = re.sub(r"^\[[^\]:]+:\]\s*", "", row["reply"])
    return CitationChecker(read_code(repository), spans, known, parts).check(reply)


def _describe_gate(counts: Counter[str]) -> str:
    claims = counts.total() - counts["no claim"]
    marked = sum(counts[status] for status in _MARKED)
    parts = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    return f"{marked} of {claims} true sentences marked ({marked / max(1, claims):.2%}); {parts}"


def latency(options: argparse.Namespace) -> int:
    """Assembling evidence, walk and texts, as the pipeline does them; the refresh is timed apart."""
    begun = time.perf_counter()
    repository = IndexedRepository(open_knowledge(options.repo[0]), ExitStack())
    repository.freshness()
    opened = time.perf_counter() - begun
    repository.assemble(ContextTask("warm"), options.tokens, estimate_tokens)
    times = []
    for _ in range(5):
        for question in _QUESTIONS:
            start = time.perf_counter()
            package = repository.assemble(ContextTask(question), int(options.tokens * 0.85), estimate_tokens)
            entries = list(dict.fromkeys(unit.node for unit in package.units if unit.node))[:8]
            near = repository.find_neighbourhood(
                entries, depth=1, most=40, kinds=("calls", "inherits", "uses", "reads", "writes")
            )
            repository.texts(near["nodes"][:4])
            times.append((time.perf_counter() - start) * 1000)
    half, most = np.percentile(times, [50, 95])
    print(f"refresh and opening {opened:.2f} s; before the model: p50 {half:.0f} ms, p95 {most:.0f} ms")
    return 0


def facts(options: argparse.Namespace) -> int:
    """Ask questions whose facts were written down beforehand; an answer is right when it contains all of them."""
    from bottega.ask import AskRequest
    from bottega.workshop import Opening, Workshop

    right = asked = 0
    seconds: list[float] = []
    own = Workshop(Opening(options.own.resolve(), is_exact=True, assignments=tuple(options.set)))
    model = own.roster.router.resolve("reasoning").id
    own.close()
    print(f"# Thirty questions about four repositories\n\n{_machine(model, options.pipeline)}")
    for repo, rows in groupby(json.loads(QUESTIONS_WITH_FACTS.read_text()), key=lambda row: row["repo"]):
        questions = list(rows)
        root = options.own if not repo else check_out(options, repo, questions[0]["commit"])
        if root is None:
            continue
        workshop = Workshop(Opening(root.resolve(), is_exact=True, assignments=tuple(options.set)))
        for row in questions:
            begun = time.perf_counter()
            got = workshop.call(AskRequest(question=row["question"], pipeline=options.pipeline))
            seconds.append(time.perf_counter() - begun)
            missing = [fact for fact in row["facts"] if not re.search(fact, got.answer, re.IGNORECASE)]
            asked += 1
            right += not missing
            verdict = f"lacks {', '.join(f'`{fact}`' for fact in missing)}" if missing else "right"
            print(f"\n## {repo or 'this project'}: {row['question']}\n\n{got.answer}\n")
            print(f"*{verdict}. {got.grounding}; {got.checked}. {seconds[-1]:.0f} s.*", flush=True)
        workshop.close()
    share, wait = right / max(1, asked), statistics.median(seconds or [0])
    print(f"\n{right} of {asked} answers contain every fact ({share:.0%}); median {wait:.0f} s.")
    return 0


def _machine(model: str, pipeline: str) -> str:
    today = time.strftime("%Y-%m-%d")
    return (
        f"`{model}` through the pipeline `{pipeline}`, {os.cpu_count()} CPU cores, {today}, one run, nothing left out."
    )


def _first_sentence(text: str) -> str:
    said = re.split(r"(?<=[.!?])\s|\n\s*\n", text.strip(), maxsplit=1)[0]
    return " ".join(said.split()).rstrip(".!?:") if said.isascii() and "[" not in said and "`" not in said else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    one = verbs.add_parser("citations")
    one.add_argument("--repo", type=Path, action="append", required=True)
    one.add_argument("--answers", type=int, default=400)
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--show", action="store_true", help="print every mistake")
    one.set_defaults(run=citations)
    five = verbs.add_parser("claims")
    five.add_argument("--repo", type=Path, action="append", required=True)
    five.add_argument("--answers", type=int, default=1000)
    five.add_argument("--seed", type=int, default=0)
    five.set_defaults(run=claims)
    seven = verbs.add_parser("gate")
    seven.add_argument("--snapshots", type=Path, required=True)
    seven.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "bottega-answers")
    seven.add_argument("--show", action="store_true", help="print every sentence that is marked or moved")
    seven.set_defaults(run=gate)
    three = verbs.add_parser("latency")
    three.add_argument("--tokens", type=int, default=8000)
    three.add_argument("--repo", type=Path, action="append", required=True)
    three.set_defaults(run=latency)
    six = verbs.add_parser("facts")
    six.add_argument("--own", type=Path, required=True)
    six.add_argument("--snapshots", type=Path, required=True)
    six.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "bottega-answers")
    six.add_argument("--pipeline", default="ask")
    six.add_argument("--set", action="append", default=[])
    six.set_defaults(run=facts)
    options = parser.parse_args()
    code: int = options.run(options)
    return code


if __name__ == "__main__":
    sys.exit(main())
