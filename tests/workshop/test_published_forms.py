"""What a verb prints as JSON has the form that is published for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bottega.ask import AskRequest
from bottega.enrich import EnrichEstimateRequest
from bottega.investigate import InvestigateRequest, ScanRequest
from bottega.retrieve import GraphRequest, IndexRequest, MapRequest, SearchRequest, ShowRequest, StatsRequest
from bottega.review import ReviewRequest
from bottega.testing import scripted_workshop
from bottega.verbs import VerbRequest
from bottega.workshop import RunsRequest, find_verb
from bottega.workshop.models import ModelsRequest
from bottega.workshop.runs import RunRequest
from bottega.write import WriteRequest

DIFF = "--- a/bells.py\n+++ b/bells.py\n@@ -1,3 +1,3 @@\n-def ring(times):\n+def ring(count):\n     return times\n \n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tower")
    (root / "bells.py").write_text("def ring(times):\n    return times\n\n\ndef toll():\n    return ring(3)\n")
    with scripted_workshop(root, {}) as workshop:
        workshop.call(IndexRequest())
    return root


def requests(root: Path) -> list[VerbRequest]:
    return [
        IndexRequest(),
        SearchRequest(query="ring the bells"),
        ShowRequest(what="ring"),
        GraphRequest(node="ring"),
        MapRequest(),
        StatsRequest(),
        AskRequest(question="what rings?", no_model=True),
        ReviewRequest(diff=DIFF, no_model=True),
        ScanRequest(target=root),
        InvestigateRequest(target=root, no_model=True),
        EnrichEstimateRequest(),
        WriteRequest(text="///raw double"),
        ModelsRequest(),
        RunsRequest(),
        RunRequest(run="last"),
    ]


@pytest.mark.parametrize("number", range(15))
def test_a_result_reads_back_as_what_is_published(place: Path, number: int) -> None:
    request = requests(place)[number]
    with scripted_workshop(place, {"write.coder": ["def double(n):\n    return 2 * n\n"]}) as workshop:
        result = workshop.call(request)
    verb = find_verb(request.verb)
    published = verb.result.published or verb.result
    printed = json.loads(json.dumps(result.as_json()))
    assert published.model_validate_json(json.dumps(printed)).model_dump(mode="json") == printed
    assert verb.read_request(request.model_dump(mode="json")) == request
