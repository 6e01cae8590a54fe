"""Twenty runs of different verbs at once, in one workshop over one repository, while its files change."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bottega.ask import AskRequest
from bottega.enrich import EnrichEstimateRequest
from bottega.investigate import InvestigateRequest, ScanRequest
from bottega.retrieve import GraphRequest, IndexRequest, MapRequest, SearchRequest, ShowRequest, StatsRequest
from bottega.review import ReviewRequest
from bottega.testing import Say, ScriptedServer
from bottega.testing.wire import Received
from bottega.verbs import VerbRequest
from bottega.workshop import Opening, Workshop
from bottega.write import WriteRequest

LIMIT = 3
BELLS = '''"""Bells of the tower."""


def ring(times):
    """Ring the bell so many times."""
    return "ding" * times


class Tower:
    """A tower with a bell."""

    def strike(self, hour):
        """Strike the hour, on the twelve-hour clock."""
        return ring(hour % 12 or 12)
'''
CLOCK = '''from tower.bells import Tower


def noon():
    """What is heard at noon."""
    return Tower().strike(12)
'''
DIFF = """diff --git a/tower/clock.py b/tower/clock.py
--- a/tower/clock.py
+++ b/tower/clock.py
@@ -3,4 +3,4 @@ from tower.bells import Tower

 def noon():
     \"\"\"What is heard at noon.\"\"\"
-    return Tower().strike(12)
+    return eval("Tower().strike(12)")
"""


class Town:
    """A model that answers by what it is asked, slowly enough for calls to overlap, and counts how many do."""

    def __init__(self) -> None:
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            yield
        finally:
            with self._lock:
                self._now -= 1

    def __call__(self, ask: Received) -> Say:
        with self.counted():
            threading.Event().wait(0.03)
        return Say(self._reply(ask.prompt))

    def _reply(self, prompt: str) -> str:
        if "You are the reviewer" in prompt:
            return json.dumps({"findings": []})
        if "judgement_summary" in prompt:
            return '{"judgement_summary": "Right.", "confidence_score": 9, "conflict_score": 1}'
        if "[HYBRID:]" in prompt:
            return "[HYBRID:] ring the bell of the tower"
        if "[Answer:]" in prompt:
            return "[Answer:] `Tower.strike` calls `ring` [tower/bells.py:12-14]."
        return "def double(n):\n    return 2 * n\n"


@pytest.fixture
def tower(tmp_path: Path) -> Path:
    root = tmp_path / "tower-town"
    for path, text in {"tower/bells.py": BELLS, "tower/clock.py": CLOCK, "tower/__init__.py": ""}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "Build the tower"]):
        subprocess.run([*git, *arguments], check=True)
    return root


def opened(root: Path, url: str) -> Workshop:
    settings = (
        "index.vectors=manual",
        "providers.here.kind=openai",
        f"providers.here.base_url={url}/v1",
        f"providers.here.concurrency={LIMIT}",
        "budget.context_window=32000",
        "sandbox.allow_unsafe=true",
    )
    return Workshop(Opening(root, settings, model="here/m", is_exact=True, environ={"HOME": str(root.parent)}))


def requests(root: Path) -> list[tuple[VerbRequest, Callable[[Any], Any]]]:
    """Each with what its result comes to, whatever files were added meanwhile."""
    tower = root / "tower"
    ask = "how does the tower strike the hour?"
    return [
        (SearchRequest(query="Tower.strike", path="tower"), lambda r: r.hits[0].span),
        (SearchRequest(query="noon", mode="bm25", path="tower"), lambda r: r.hits[0].span.path),
        (SearchRequest(query="ring", mode="bm25", kind="function", path="tower"), lambda r: r.hits[0].symbol),
        (ShowRequest(what="Tower.strike"), lambda r: [(node.node, node.text, node.callees) for node in r.nodes]),
        (ShowRequest(what="tower/clock.py:4-6"), lambda r: [node.text for node in r.nodes]),
        (GraphRequest(node="ring", edges=("calls",), depth=3), lambda r: (r.nodes, r.edges)),
        (MapRequest(path="tower"), lambda r: r.text),
        (StatsRequest(), lambda r: r.languages["Python"] >= 3),
        (IndexRequest(), lambda r: r.files >= 3),
        (AskRequest(question=ask), lambda r: (r.answer, r.grounding, r.sources)),
        (AskRequest(question=ask, mode="bm25"), lambda r: (r.answer, r.grounding, r.sources)),
        (AskRequest(question="Tower.strike", no_model=True), lambda r: (r.grounding, bool(r.sources))),
        (WriteRequest(text="double: double(2) is 4"), lambda r: (r.output, r.summary)),
        (WriteRequest(text="///raw double"), lambda r: r.output),
        (ReviewRequest(diff=DIFF, seed=1), lambda r: (r.report.decision, [f.title for f in r.report.findings])),
        (ReviewRequest(diff=DIFF, no_model=True), lambda r: [finding.title for finding in r.report.findings]),
        (InvestigateRequest(target=tower, no_model=True), lambda r: (r.report.complete, len(r.report.directories))),
        (ScanRequest(target=tower), lambda r: (r.files, [language.code for language in r.languages])),
        (EnrichEstimateRequest(paths=("tower",)), lambda r: r.files),
        (SearchRequest(query="bell tower strike hour", path="tower"), lambda r: {hit.span.path for hit in r.hits}),
    ]


def test_twenty_runs_at_once_come_to_what_they_come_to_one_by_one(tower: Path) -> None:
    town = Town()
    with ScriptedServer(town) as server:
        with opened(tower, server.url) as workshop:
            alone = [read(workshop.call(request)) for request, read in requests(tower)]
        town.most = 0
        stop = threading.Event()

        def change_files() -> None:
            number = 0
            while not stop.wait(0.02):
                number += 1
                file = tower / "attic" / f"box_{number % 25}.py"
                file.parent.mkdir(exist_ok=True)
                file.write_text(f"def open_box_{number}(key):\n    return key + {number}\n")

        changing = threading.Thread(target=change_files)
        changing.start()
        try:
            with opened(tower, server.url) as workshop, ThreadPoolExecutor(8) as pool:
                work = requests(tower)
                started = [pool.submit(workshop.call, request) for request, _ in work]
                together = [read(future.result(100)) for future, (_, read) in zip(started, work, strict=True)]
                statuses = {run.status for run in workshop.journal.runs.newest(100)}
        finally:
            stop.set()
            changing.join()
    for (request, _), one_by_one, at_once in zip(requests(tower), alone, together, strict=True):
        assert at_once == one_by_one, request.verb
    assert statuses == {"done"}
    assert 1 < town.most <= LIMIT, "calls overlap, and never more of them than the server may have"


def test_two_workshops_on_one_repository_share_the_limit_of_a_server(tower: Path) -> None:
    town = Town()
    with ScriptedServer(town) as server, opened(tower, server.url) as one, opened(tower, server.url) as other:
        handles = [shop.start(WriteRequest(text=f"///raw double {n}")) for n in range(6) for shop in (one, other)]
        assert {handle.result(60).output for handle in handles} == {"def double(n):\n    return 2 * n\n"}
    assert town.most <= LIMIT
