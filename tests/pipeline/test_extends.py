"""Inheritance: settings merge deeply, steps are replaced by id, added and removed, parents first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from bottega.errors import PipelineError
from bottega.pipeline import Folder, Library, Pipeline

from .errand import KINDS
from .office import HERE, LIBRARY, office


def test_settings_merge_deeply_and_the_child_wins() -> None:
    assert LIBRARY.get("shop-late").settings == {
        "greeting": "good day",
        "hours": {
            "monday": {"opens": 8, "closes": 18},
            "friday": {"opens": 8, "closes": 22},
            "sunday": {"opens": 10},
        },
    }


def test_the_engine_settings_are_inherited_too() -> None:
    assert (LIBRARY.get("shop").entry, LIBRARY.get("shop").max_steps) == ("open", 40)
    assert (LIBRARY.get("shop-late").entry, LIBRARY.get("shop-late").max_steps) == ("open", 9)
    assert (LIBRARY.get("shop-night").entry, LIBRARY.get("shop-night").max_steps) == ("serve", 9)


def test_a_step_of_the_child_replaces_its_parents_whole() -> None:
    parent, child = LIBRARY.get("shop").steps["open"], LIBRARY.get("shop-late").steps["open"]
    assert parent.params == {"by": 2}
    assert child.params == {}


def test_steps_are_added_and_removed() -> None:
    assert list(LIBRARY.get("shop").steps) == ["open", "serve", "sweep", "close"]
    assert list(LIBRARY.get("shop-late").steps) == ["open", "serve", "sweep", "close", "lock"]
    assert list(LIBRARY.get("shop-night").steps) == ["serve", "sweep", "close"]


def test_three_levels_merge_from_the_root_to_the_child() -> None:
    night = LIBRARY.get("shop-night")
    assert night.lineage == ("shop", "shop-late", "shop-night")
    assert night.kind == "errand"
    assert night.description == "The third generation."
    assert night.settings["greeting"] == "good night"
    assert night.settings["hours"]["friday"] == {"opens": 8, "closes": 22}
    assert night.steps["sweep"].as_json() == {"id": "sweep", "action": "count", "by": 4, "next": "close"}


def test_a_description_is_inherited_until_a_child_has_its_own() -> None:
    assert LIBRARY.get("shop-late").description == "The one that others extend."


def test_a_parent_is_not_changed_by_its_children() -> None:
    before = LIBRARY.get("shop").as_json()
    LIBRARY.get("shop-night")
    assert LIBRARY.get("shop").as_json() == before


def test_a_step_keeps_the_place_where_it_was_written() -> None:
    steps = LIBRARY.get("shop-night").steps
    assert str(steps["serve"].place) == "pipelines/shop.yaml:13"
    assert str(steps["sweep"].place) == "pipelines/shop-night.yaml:8"


@pytest.mark.parametrize("name", LIBRARY.names())
def test_a_merged_pipeline_reads_back_from_its_record(name: str) -> None:
    merged = LIBRARY.get(name)
    recorded = json.dumps(merged.as_json())
    assert Pipeline.of_json(json.loads(recorded)).as_json() == merged.as_json()


@pytest.mark.parametrize("name", LIBRARY.names())
def test_a_merged_pipeline_prints_as_a_file_that_loads_again(name: str, tmp_path: Path) -> None:
    merged = LIBRARY.get(name)
    (tmp_path / "printed.yaml").write_text(yaml.safe_dump({"pipeline": merged.as_json()}, sort_keys=False))
    printed = Library([Folder(tmp_path, "printed")], KINDS).get(name)
    assert printed.as_json() == merged.as_json()
    assert printed.lineage == (name,)


def test_a_file_outside_the_folders_may_extend_those_inside(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("pipeline: {name: own, extends: shop, settings: {greeting: ahoy}}\n")
    pipeline = LIBRARY.load_file(own)
    assert pipeline.lineage == ("shop", "own")
    assert pipeline.settings["greeting"] == "ahoy"
    assert "own" not in LIBRARY.names()


def test_a_child_may_drop_a_step_and_write_it_anew(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("pipeline: {name: own, extends: walk, remove: [second], steps: [{id: second, action: go_home}]}\n")
    with pytest.raises(PipelineError, match="home cannot be reached"):
        LIBRARY.load_file(own)
    own.write_text(
        "pipeline: {name: own, extends: walk, remove: [second, home], steps: [{id: second, action: go_home}]}\n"
    )
    assert list(LIBRARY.load_file(own).steps) == ["first", "second"]


def test_both_endings_of_a_yaml_file_are_found(tmp_path: Path) -> None:
    source = (HERE / "pipelines" / "walk.yaml").read_text()
    (tmp_path / "a.yml").write_text(source)
    (tmp_path / "b.yaml").write_text(source.replace("walk", "stroll"))
    (tmp_path / "c.txt").write_text(source)
    assert Library([Folder(tmp_path, "own")], KINDS).names() == ["stroll", "walk"]


def test_a_merged_pipeline_runs_as_it_reads(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        assert errands.start("shop").count == 9
        assert errands.start("shop-late").count == 5
        assert errands.start("shop-night").count == 4
        assert [text for kind, _, text in errands.events() if kind == "remark"][-1] == "good night, 4"
