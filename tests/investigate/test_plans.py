"""What code makes of a survey and a plan."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.investigate.allotting import allot_turns
from bottega.investigate.plans import MAX_TURNS, Plan, parse_plan

NAMES = st.sampled_from(["a", "b", "c", "d"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(lambda parts: "/".join(parts) + "/")


def closed(paths: set[str]) -> list[str]:
    """With every directory above them."""
    found = {""}
    for path in paths:
        parts = path.rstrip("/").split("/")
        found |= {"/".join(parts[: at + 1]) + "/" for at in range(len(parts))}
    return sorted(found)


TREES = st.sets(PATHS, max_size=12).map(closed)
SAID = st.fixed_dictionaries(
    {
        "priority_dirs": st.lists(
            st.fixed_dictionaries({"path": PATHS, "suggested_turns": st.integers(-5, 99)}), max_size=4
        ),
        "shallow_dirs": st.lists(st.fixed_dictionaries({"path": PATHS}), max_size=4),
        "skip_dirs": st.lists(st.fixed_dictionaries({"path": PATHS}), max_size=4),
        "investigation_order": st.sampled_from(["leaf-first", "priority-first", "random"]),
    }
)


@given(TREES, SAID, st.integers(0, 60))
def test_children_come_before_parents_under_any_plan(tree: list[str], said: dict[str, object], ceiling: int) -> None:
    plan = parse_plan(said, tree, "top")
    allotted = allot_turns(plan, tree, ceiling=ceiling)
    order = [one.path for one in allotted]
    assert sorted(order) == sorted(tree)
    for place, path in enumerate(order):
        assert not any(later.startswith(path) for later in order[place + 1 :])
    assert all(one.turns <= MAX_TURNS for one in allotted)
    assert all(one.turns >= 1 for one in allotted if one.tier != "skip")
    assert next(one for one in allotted if one.path == "").tier != "skip"


@given(TREES, SAID)
def test_no_plan_skips_most_of_a_tree(tree: list[str], said: dict[str, object]) -> None:
    skipped = [one for one in allot_turns(parse_plan(said, tree, "top"), tree) if one.tier == "skip"]
    assert len(skipped) <= max(3, len(tree) // 4)


def test_paths_are_understood_however_they_are_written() -> None:
    tree = ["", "docs/", "src/", "src/parser/"]
    said = {"priority_dirs": [{"path": one, "suggested_turns": 18} for one in ("./docs/", "top/src/parser", "moon")]}
    plan = parse_plan(said, tree, "top")
    assert plan is not None
    assert [one.path for one in plan.priority] == ["docs/", "src/parser/"]
    assert plan.unknown == ("moon",)
    whole = parse_plan({"shallow_dirs": [{"path": "."}]}, tree, "top")
    assert whole is not None
    assert [one.path for one in whole.shallow] == [""]


def test_skip_wins_over_the_other_lists() -> None:
    said = {"priority_dirs": [{"path": "docs"}], "shallow_dirs": [{"path": "docs"}], "skip_dirs": [{"path": "docs"}]}
    tiers = {
        one.path: one.tier for one in allot_turns(parse_plan(said, ["", "docs/", "src/"], "top"), ["", "docs/", "src/"])
    }
    assert tiers == {"": "default", "docs/": "skip", "src/": "default"}


def test_without_a_plan_every_directory_gets_the_usual() -> None:
    assert {one.turns for one in allot_turns(None, ["", "a/", "a/b/"])} == {10}
    assert [one.path for one in allot_turns(Plan(), ["", "a/", "a/b/"])] == ["a/b/", "a/", ""]


@pytest.mark.parametrize(
    "said",
    [
        ["doc", "src"],
        ["doc/", "./src/"],
        ["doc, src"],
        "doc, src",
        ["doc and src"],
        ["doc\nsrc"],
        [{"path": "doc; src"}],
        {"path": "`doc`, `src/`"},
        ["/home/ada/top/doc", "top/src"],
        ["doc/**", "src/*"],
        ["Doc", "SRC"],
        ["doc directory", "the/top/src"],
    ],
)
def test_directories_that_are_there_are_found_however_a_plan_writes_them(said: object) -> None:
    plan = parse_plan({"shallow_dirs": said}, ["", "doc/", "src/", "src/algo/"], "top")
    assert plan is not None
    assert ([one.path for one in plan.shallow], plan.unknown) == (["doc/", "src/"], ())


def test_the_last_part_of_a_path_is_enough_where_it_is_the_only_one() -> None:
    plan = parse_plan(
        {"skip_dirs": ["algo", "test", "gone, src"]}, ["", "a/test/", "b/test/", "src/", "src/algo/"], "top"
    )
    assert plan is not None
    assert [one.path for one in plan.skip] == ["src/algo/", "src/"]
    assert plan.unknown == ("test", "gone")


def test_a_name_with_a_comma_is_one_directory_when_it_is_there() -> None:
    plan = parse_plan({"skip_dirs": ["doc, src"]}, ["", "doc, src/", "doc/", "src/"], "top")
    assert plan is not None
    assert [one.path for one in plan.skip] == ["doc, src/"]
