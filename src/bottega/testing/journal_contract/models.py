"""What a `FactStore` and an `EnrichmentStore` promise."""

from __future__ import annotations

from bottega.journal import Enrichment, Journal, new_id
from bottega.testing.journal_contract.factory import Contract


class FactContract(Contract):
    """One value for each model and name."""

    def test_a_fact_is_replaced_by_the_next_one_and_forgotten_with_its_model(
        self, journal: Journal, second: Journal
    ) -> None:
        assert journal.facts.get("ollama/a", "window") is None
        journal.facts.put("ollama/a", "window", 4096)
        journal.facts.put("ollama/a", "window", 8192)
        journal.facts.put("ollama/b", "schema", {"works": True})
        assert second.facts.get("ollama/a", "window") == 8192
        journal.facts.forget("ollama/a")
        assert second.facts.get("ollama/a", "window") is None
        assert second.facts.get("ollama/b", "schema") == {"works": True}

    def test_the_models_with_a_fact_are_listed_in_order(self, journal: Journal) -> None:
        for model in ("ollama/b", "ollama/a"):
            journal.facts.put(model, "window", 1)
        journal.facts.put("ollama/c", "schema", 1)
        assert journal.facts.models("window") == ["ollama/a", "ollama/b"]
        assert journal.facts.models("speed") == []


class EnrichmentContract(Contract):
    """Descriptions are kept for the content they describe; the newest of each content counts."""

    def test_only_descriptions_count_and_only_of_this_model_and_prompt(self, journal: Journal) -> None:
        run_id = new_id()
        journal.enrichments.put(run_id, Enrichment("a.py", "1", "ollama/a", "v1", {"purpose": "a"}, ""))
        journal.enrichments.put(run_id, Enrichment("b.py", "2", "ollama/a", "v1", None, "timeout"))
        journal.enrichments.put(run_id, Enrichment("c.py", "3", "ollama/a", "v2", {"purpose": "c"}, ""))
        journal.enrichments.put(run_id, Enrichment("d.py", "4", "ollama/b", "v1", {"purpose": "d"}, ""))
        assert journal.enrichments.described("ollama/a", "v1") == {("a.py", "1")}

    def test_the_newest_description_of_each_content_is_found(self, journal: Journal, second: Journal) -> None:
        for hash_, purpose in (("1", "old"), ("2", "other content"), ("1", "new")):
            journal.enrichments.put(new_id(), Enrichment("a.py", hash_, "ollama/a", "v1", {"purpose": purpose}, ""))
        journal.enrichments.put(new_id(), Enrichment("a.py", "1", "ollama/a", "v1", None, "timeout"))
        found = {entry.hash: entry.description for entry in second.enrichments.newest()}
        assert found == {"1": {"purpose": "new"}, "2": {"purpose": "other content"}}
