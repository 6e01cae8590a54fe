"""What `review` promises, measured.

    python bench/review.py filter     --repo DIR [--repo DIR …] [--findings 2000] [--seed 0]
    python bench/review.py faults     [--pairs]
    python bench/review.py overhead   [--repeat 5]
    python bench/review.py side-by-side
    python bench/review.py transcript --repo DIR --commit REV [--repo DIR --commit REV …] > docs/review-transcript.md

`filter` makes true and invented findings from the commits of real repositories and counts what the filter removes,
halves and leaves alone. `faults` lets every model call of a review fail in every way, one at a time and in pairs, and
counts accepted changes, lost findings and missing records: there must be none. `overhead` is the time that everything
but models takes for a change of 2,000 lines. `side-by-side` has twelve reviewers of one second each on a server that
takes four at a time. `transcript` reviews real commits with the models that are configured, and prints a page.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bottega.errors import InputError, ModelError, ModelFault, ModelTimeout, ReplyCut
from bottega.models import Reply, Request
from bottega.review import ChangeSelection, ReviewReport, ReviewRequest, read_change
from bottega.review.filtering import filter_inventions
from bottega.review.findings import Finding
from bottega.review.reports.markdown import render_markdown
from bottega.source import Diff, FileChange, Hunk, Line, Span, parse_diff
from bottega.testing import Say, ScriptedServer, scripted_workshop
from bottega.workshop import Opening, Workshop

_NAME = re.compile(r"[A-Za-z_]\w{3,}")
# The last of each is a phrase that the filter does not know.
_ADDING = (
    *("adds", "added", "introduces", "newly introduced", "inserts", "is a new call", "brings in", "now includes"),
    *("addition", "slips in"),
)
_REMOVING = (
    *("removes", "was removed", "deletes", "deleted", "drops", "no longer there", "takes out", "is gone", "eliminates"),
    "does away with",
)
_NEUTRAL = (
    ("{name} may be missing", "Nothing makes sure that `{name}` is there before `{line}` is reached."),
    (
        "wrong bound in {name}",
        "`{line}` goes one step too far when the list is empty, and the caller does not expect it.",
    ),
    ("unhandled error", "When `{line}` fails, the error is swallowed and the state of `{name}` stays half changed."),
    ("missing check of {name}", "A check of `{name}` is missing, so that any value passes at this line."),
    ("unclear name", "`{name}` says nothing about what it holds, which makes this hard to read."),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["filter", "faults", "overhead", "side-by-side", "transcript"])
    parser.add_argument("--repo", type=Path, action="append", default=[])
    parser.add_argument("--commit", action="append", default=[])
    parser.add_argument("--findings", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    {
        "filter": _filter,
        "faults": _faults,
        "overhead": _overhead,
        "side-by-side": _side_by_side,
        "transcript": _transcript,
    }[options.what](options)


# The filter


def _filter(options: argparse.Namespace) -> None:
    draw = random.Random(options.seed)
    diffs = [diff for repo in options.repo for diff in _commits(repo)]
    draw.shuffle(diffs)
    foreign = [line.text.strip() for diff in diffs for file in diff.files for hunk in file.hunks for line in hunk.added]
    foreign = [line for line in foreign if len(line) > 20]
    counts: Counter[tuple[str, str]] = Counter()
    makers = {
        "invented file": _elsewhere,
        "shifted lines": _shifted,
        "fabricated quotes": lambda draw, diff: _fabricated(draw, diff, foreign),
        "reversed claim": _reversed,
        "true": _true,
    }
    for kind, make in makers.items():
        made = 0
        for diff in itertools.cycle(diffs):
            if made >= options.findings:
                break
            finding = make(draw, diff)
            if finding is None:
                continue
            made += 1
            counts[kind, _fate(finding, diff)] += 1
    planted = sum(count for (kind, _), count in counts.items() if kind != "true")
    caught = sum(count for (kind, fate), count in counts.items() if kind != "true" and fate != "untouched")
    kept = counts["true", "untouched"]
    print(f"{len(options.repo)} repositories, {len(diffs)} commits, seed {options.seed}")
    print("| kind | findings | removed | halved | untouched |")
    print("|---|---|---|---|---|")
    for kind in makers:
        row = {fate: counts[kind, fate] for fate in ("removed", "halved", "untouched")}
        print(f"| {kind} | {sum(row.values())} | {row['removed']} | {row['halved']} | {row['untouched']} |")
    print(f"planted caught {caught / planted:.2%}, true untouched {kept / options.findings:.2%}")


def _fate(finding: Finding, diff: Diff) -> str:
    result = filter_inventions([finding], diff)
    if result.dropped:
        return "removed"
    return "halved" if any(step.stage in {"quotes", "direction"} for step in result.kept[0].trace) else "untouched"


def _commits(repo: Path, most: int = 150) -> Iterator[Diff]:
    hashes = _git(repo, "log", "--no-merges", f"-{most}", "--format=%H").split()
    for commit in hashes:
        try:
            diff = parse_diff(_git(repo, "show", "--format=", "-M", commit))
        except (InputError, subprocess.CalledProcessError):
            continue
        if 0 < len(diff.files) <= 40 and any(_telling(file) for file in diff.files):
            yield diff


def _git(repo: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repo), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def _telling(file: FileChange) -> bool:
    return any(_is_telling(line) for hunk in file.hunks for line in hunk.lines if line.kind != " ")


def _is_telling(line: Line) -> bool:
    return len(line.text.strip()) >= 12 and bool(_NAME.search(line.text)) and "`" not in line.text


def _picked(draw: random.Random, diff: Diff, kinds: str = "+-") -> tuple[FileChange, Hunk, Line] | None:
    places = [
        (file, hunk, line)
        for file in diff.files
        if file.status != "deleted"
        for hunk in file.hunks
        for line in hunk.lines
        if line.kind in kinds and _is_telling(line)
    ]
    return draw.choice(places) if places else None


def _made(file: FileChange, hunk: Hunk, line: Line, title: str, problem: str, quotes: Sequence[str] = ()) -> Finding:
    """A finding about a line; one that is gone is cited by the line that stands next to it."""
    at = hunk.lines.index(line)
    number = line.new or next((one.new for one in hunk.lines[at:] if one.new), hunk.new_start + hunk.new_count - 1)
    text = line.text.strip()
    name = _NAME.search(text)
    words = {"name": name[0] if name else "it", "line": text[:150]}
    return Finding(
        id="",
        title=title.format(**words) if "{" in title else title,
        span=Span(file.path, max(1, number), max(1, number)),
        severity="CRITICAL",
        problem=problem.replace("{name}", words["name"]).replace("{line}", words["line"]),
        confidence=80,
        quotes=tuple(quotes) or (text,),
    )


def _true(draw: random.Random, diff: Diff) -> Finding | None:
    """Neutral half of the time; otherwise it says truly that the line came or went."""
    kind = draw.choice("+-")
    picked = _picked(draw, diff, kind)
    if picked is None:
        return None
    if draw.random() < 0.5:
        title, problem = draw.choice(_NEUTRAL)
        return _made(*picked, title, problem)
    word = draw.choice(_ADDING if kind == "+" else _REMOVING)
    return _made(
        *picked, f"{word} something that matters", f"This {word}: `{{line}}`, and the callers are not ready for it."
    )


def _elsewhere(draw: random.Random, diff: Diff) -> Finding | None:
    true = _true(draw, diff)
    if true is None:
        return None
    folder, _, name = true.span.path.rpartition("/")
    stem, _, ending = name.rpartition(".")
    forms = (
        f"{folder}/{stem}_utils.{ending}",
        f"src/{true.span.path}",
        f"{folder}/{stem}.{ending}x",
        f"{folder}/tests/test_{name}",
        name if folder else f"lib/{name}",
    )
    path = draw.choice(forms).lstrip("/")
    return None if diff.file(path) else true.model_copy(update={"span": replace(true.span, path=path)})


def _shifted(draw: random.Random, diff: Diff) -> Finding | None:
    true = _true(draw, diff)
    file = diff.file(true.span.path) if true else None
    if true is None or file is None:
        return None
    first = true.span.first + draw.choice((-1, 1)) * draw.randint(15, 600)
    last = first + draw.randint(0, 3)
    far = all(last < hunk.new_start - 10 or first > hunk.new_start + max(hunk.new_count, 1) + 9 for hunk in file.hunks)
    return true.model_copy(update={"span": Span(file.path, first, last)}) if first > 0 and far else None


def _fabricated(draw: random.Random, diff: Diff, foreign: Sequence[str]) -> Finding | None:
    """Most or all of its quotes come from other projects."""
    picked = _picked(draw, diff)
    if picked is None:
        return None
    lines = {line.text.strip() for file in diff.files for hunk in file.hunks for line in hunk.lines}
    invented = [line for line in draw.sample(foreign, 3) if line not in lines]
    real = [picked[2].text.strip()] if draw.random() < 0.3 and len(invented) > 1 else []
    return (
        _made(*picked, "wrong use of {name}", "This does not do what its name says.", [*invented, *real])
        if invented
        else None
    )


def _reversed(draw: random.Random, diff: Diff) -> Finding | None:
    """It says of a line that came that it went, or of one that went that it came."""
    kind = draw.choice("+-")
    picked = _picked(draw, diff, kind)
    if picked is None:
        return None
    file, hunk, line = picked
    text = line.text.strip()
    if any(text in one.text for one in hunk.lines if one.kind != kind):
        return None
    word = draw.choice(_REMOVING if kind == "+" else _ADDING)
    return _made(
        file, hunk, line, f"{word} something that matters", f"This {word}: `{{line}}`, which breaks the callers."
    )


# Faults

_BEFORE = "def pay(amount):\n    return int(amount)\n\n\ndef give(amount):\n    return amount\n"
_AFTER = "def pay(amount):\n    return eval(amount)\n\n\ndef give(amount):\n    return amount\n"
_GRAVE = {
    "title": "eval of what comes in",
    "path": "till.py",
    "line": 2,
    "last_line": 2,
    "problem": "`return eval(amount)` runs whatever text the caller of `pay()` hands in",
    "evidence": ["return eval(amount)"],
    "severity": "CRITICAL",
    "confidence": 90,
    "suggestion": "Use int().",
}
_FAULTS: dict[str, Callable[[], str | ModelError]] = {
    "timeout": lambda: ModelTimeout("scripted/model", 1),
    "500": lambda: ModelFault("scripted/model", "500", passing=False),
    "prose": lambda: "I think that this looks good.",
    "[]": lambda: "[]",
    "dies": lambda: ReplyCut("scripted/model"),
}


def _faults(options: argparse.Namespace) -> None:
    """One reviewer finds something grave. `[]` from that reviewer is an answer; everything else is a fault."""
    calls = _calls_of_a_review({})
    plans: list[dict[int, str]] = [{at: fault} for at in range(len(calls)) for fault in _FAULTS]
    if options.pairs:
        for one, two in itertools.combinations(range(len(calls)), 2):
            plans += [{one: a, two: b} for a in _FAULTS for b in _FAULTS]
    accepted = lost = unrecorded = 0
    slowest = 0.0
    decisions: Counter[str] = Counter()
    for plan in plans:
        start = time.monotonic()
        said: list[str] = []
        report = _one_review(plan, said)
        slowest = max(slowest, time.monotonic() - start)
        decisions[f"{report.decision}{'' if report.complete else ', incomplete'}"] += 1
        finder_spoke = plan.get(calls.index("security")) is None
        known = any(finding.severity == "CRITICAL" for finding in report.findings)
        made = {at: fault for at, fault in plan.items() if calls[at] in said}
        accepted += report.decision == "ACCEPT" and not _is_quiet(made, calls)
        lost += finder_spoke and not known
        unrecorded += not report.id
    print(f"{len(calls)} calls in a review, {len(plans)} reviews: {dict(decisions)}")
    print(f"accepted {accepted}, lost {lost}, without a record {unrecorded}, slowest {slowest:.1f} s")
    if accepted or lost or unrecorded:
        sys.exit(1)


def _is_quiet(plan: dict[int, str], calls: Sequence[str]) -> bool:
    """The one reviewer that would have found it says that there is nothing, and no call that was made fails."""
    return plan.get(calls.index("security")) == "[]" and all(fault == "[]" for fault in plan.values())


def _calls_of_a_review(plan: dict[int, str]) -> list[str]:
    said: list[str] = []
    _one_review(plan, said)
    return sorted(set(said))


def _one_review(plan: dict[int, str], said: list[str]) -> ReviewReport:
    """Calls are known by who speaks; `plan` names those that fail by their place in the order of names."""
    names = ("A1", "A2", "B1", "B2", "C1", "C2", "api-contract", "general", "logic", "moderator", "security")
    failing = {names[at]: fault for at, fault in plan.items()}

    def speak(request: Request) -> str | Reply | ModelError:
        text = request.messages[0].text
        if request.stage == "review.reviewer":
            name = text.split("You are the reviewer ", 1)[1].split(".", 1)[0]
            reply = json.dumps({"findings": [_GRAVE] if name == "security" else []})
        elif request.stage == "review.participant":
            match = re.search(r"You are participant (\w), round (\d)", text)
            assert match is not None
            name = match[1] + match[2]
            stances = {"A": "agree", "B": "disagree", "C": "neutral"}
            reply = json.dumps({"argument": "line 2", "stance": stances[match[1]]})
        else:
            name, reply = "moderator", json.dumps({"reason": "line 2", "decision": "uphold"})
        said.append(name)
        return _FAULTS[failing[name]]() if name in failing else reply

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "till.py").write_text(_BEFORE)
        _committed(root)
        (root / "till.py").write_text(_AFTER)
        workshop = scripted_workshop(
            root, speak, settings=["budget.context_window=32000", "index.vectors=manual"], unsafe=True
        )
        try:
            return _reviewed(workshop, ChangeSelection(), seed=0)
        finally:
            workshop.close()


def _committed(root: Path) -> None:
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=root, check=True)


def _reviewed(workshop: Workshop, wanted: ChangeSelection, *, seed: int, pipeline: str = "review") -> ReviewReport:
    request = ReviewRequest(commit=wanted.commit, seed=seed, pipeline=pipeline)
    report = workshop.call(request).report
    assert isinstance(report, ReviewReport)
    return report


# Time


def _overhead(options: argparse.Namespace) -> None:
    """Two thousand changed lines in twenty files; the panel answers at once, with ten findings each."""

    def speak(request: Request) -> str:
        if request.stage != "review.reviewer":
            return json.dumps({"argument": "line 2", "stance": "agree"})
        entries = [{**_GRAVE, "path": f"shop/part{at}.py", "title": f"number {at} is wrong"} for at in range(10)]
        return json.dumps({"findings": entries})

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "shop").mkdir()
        for at in range(20):
            body = "".join(f"def part_{at}_{n}(value):\n    return value + {n}\n\n\n" for n in range(60))
            (root / f"shop/part{at}.py").write_text(body)
        _committed(root)
        for at in range(20):
            place = root / f"shop/part{at}.py"
            place.write_text(place.read_text().replace("return value + ", "return int(value) + ", 50))
        workshop = scripted_workshop(
            root, speak, settings=["budget.context_window=64000", "index.vectors=manual"], unsafe=True
        )
        changed = parse_diff(read_change(root, ChangeSelection(), mask=workshop.journal.mask).text)
        for pipeline in ("review-static", "review"):
            _reviewed(workshop, ChangeSelection(), seed=0, pipeline=pipeline)
            times = []
            for _ in range(options.repeat):
                start = time.perf_counter()
                report = _reviewed(workshop, ChangeSelection(), seed=0, pipeline=pipeline)
                times.append(time.perf_counter() - start)
            print(
                f"{pipeline}: {changed.added + changed.removed} changed lines, {len(report.findings)} findings,"
                f" median {statistics.median(times):.2f} s, worst {max(times):.2f} s"
            )
        workshop.close()


def _side_by_side(options: argparse.Namespace) -> None:
    del options
    said = Say('{"findings": []}', delay=1.0)
    with ScriptedServer([said], repeat_last=True) as server, tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "till.py").write_text(_BEFORE)
        _committed(root)
        (root / "till.py").write_text(_AFTER)
        own = root / ".bottega" / "pipelines"
        own.mkdir(parents=True)
        personas = ["security", "logic", "api-contract", "general"] * 3
        (own / "twelve.yaml").write_text(
            "pipeline:\n  name: twelve\n  kind: review\n  description: twelve\n  extends: review\n  settings:\n"
            f"    personas: {json.dumps(personas)}\n    diagnostics: false\n"
        )
        assignments = [
            "providers.here.kind=openai",
            f"providers.here.base_url={server.url}/v1",
            "providers.here.concurrency=4",
            "providers.here.api_key_env=HERE_KEY",
        ]
        environ = {"HOME": folder, "HERE_KEY": "k"}
        opening = Opening(root, tuple(assignments), model="here/test-model", is_exact=True, environ=environ)
        workshop = Workshop(opening)
        report = _reviewed(workshop, ChangeSelection(), seed=0, pipeline="twelve")
        steps = workshop.journal.runs.steps(report.run)
        took = next(_seconds(step.started_at, step.ended_at) for step in steps if step.step_id == "review")
        workshop.close()
    print(f"{len(report.panel)} reviewers of 1 s, 4 at a time: {took:.2f} s; {report.decision}")


def _seconds(start: str, end: str | None) -> float:
    from datetime import datetime

    assert end is not None
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


# Transcripts


def _transcript(options: argparse.Namespace) -> None:
    print("# Three commits, reviewed by the embedded model\n")
    print("Made by `python bench/review.py transcript`; nothing is left out and nothing is mended.\n")
    for repo, commit in zip(options.repo, options.commit, strict=True):
        model = "embedded/qwen2.5-coder-1.5b"
        workshop = Workshop(Opening(repo, ("index.vectors=manual",), model=model, environ={}))
        start = time.monotonic()
        report = _reviewed(workshop, ChangeSelection(commit=commit), seed=options.seed)
        took = time.monotonic() - start
        usage = workshop.journal.runs.usage(report.run)
        workshop.close()
        subject = report.intent.splitlines()[0] if report.intent else ""
        print(f"## {repo.name}, {commit[:9]}: {subject}\n")
        print(f"{took:.0f} s, {usage.calls} calls, {usage.prompt_tokens} + {usage.completion_tokens} tokens.\n")
        print(render_markdown(report).replace("\n#", "\n###").replace("# Review", "### Review", 1))


if __name__ == "__main__":
    main()
