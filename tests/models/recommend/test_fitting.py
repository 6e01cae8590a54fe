"""Whether a model fits is computed from the memory that is here."""

from __future__ import annotations

from datetime import date

import pytest

from bottega.models.recommend import Gpu, KnownModel, Machine, judge_fit, load_table, rank_for_role
from bottega.models.weights import list_weights

GB = 10**9


def model(size: float, **facts: object) -> KnownModel:
    row = {
        "size_gb": size,
        "cache_bytes_per_token": 0,
        "context_window": 32768,
        "licence": "Apache-2.0",
        "roles": ["coding"],
        "good_for": "code",
        "source": "a card",
        "checked": date(2026, 11, 19),
    }
    return KnownModel.model_validate({**row, **facts})


@pytest.mark.parametrize(
    ("memory", "size", "fit"),
    [
        (16, 4.7, "fits"),
        (8, 4.7, "tight"),
        (8, 3.0, "fits"),
        (4, 1.1, "fits"),
        (4, 2.4, "tight"),
        (4, 4.7, "does not fit"),
    ],
)
def test_a_model_has_to_leave_room_for_the_rest(memory: int, size: float, fit: str) -> None:
    verdict = judge_fit(model(size), Machine(memory * GB, cores=4))
    assert (verdict.fit, verdict.place) == (fit, "" if fit == "does not fit" else "processor")


def test_the_cache_of_the_context_window_counts() -> None:
    roomy, greedy = model(4.7), model(4.7, cache_bytes_per_token=262144)
    machine = Machine(16 * GB, cores=4)
    assert judge_fit(greedy, machine).memory_bytes - judge_fit(roomy, machine).memory_bytes == 8192 * 262144


def test_memory_that_the_source_states_is_taken_as_stated() -> None:
    assert judge_fit(model(14, memory_gb=16.0), Machine(64 * GB, cores=4)).memory_bytes == 16 * GB


def test_what_fits_a_gpu_is_never_slow_and_what_does_not_is_shared_with_the_processor() -> None:
    machine = Machine(32 * GB, cores=8, gpus=(Gpu("RTX", 12 * GB), Gpu("RTX", 12 * GB)))
    small, large = judge_fit(model(18), machine), judge_fit(model(23), machine)
    assert (small.fit, small.place, small.is_slow) == ("fits", "GPU", False)
    assert (large.fit, large.place, large.is_slow) == ("fits", "GPU and processor", True)


def test_on_a_processor_it_counts_how_much_is_read_for_each_token() -> None:
    machine = Machine(64 * GB, cores=8)
    assert judge_fit(model(18), machine).is_slow
    assert not judge_fit(model(18, parameters_b=30, active_parameters_b=3), machine).is_slow
    assert not judge_fit(model(18), Machine(64 * GB, cores=8, shares_memory=True)).is_slow


def test_unknown_memory_is_unknown() -> None:
    assert judge_fit(model(1), Machine(None, cores=1)).fit == "unknown"


def test_what_fits_is_quick_and_free_to_use_comes_first() -> None:
    table = {
        "a/huge": model(60),
        "a/tight": model(13),
        "a/slow": model(9),
        "a/research": model(3, permits_commercial_use=False),
        "a/good": model(3),
        "a/other": model(1, roles=["judge"]),
    }
    machine = Machine(16 * GB, cores=4)
    verdicts = {name: judge_fit(row, machine) for name, row in table.items()}
    assert rank_for_role("coding", table, verdicts) == ["a/good", "a/research", "a/slow", "a/tight"]


def test_every_role_has_a_model_on_a_small_machine() -> None:
    from bottega.settings import ROLES

    table = load_table({"HOME": "/nowhere"})
    verdicts = {name: judge_fit(row, Machine(8 * GB, cores=4)) for name, row in table.items()}
    assert [role for role in ROLES if not rank_for_role(role, table, verdicts)] == []


def test_the_table_agrees_with_the_weights_that_can_be_pulled() -> None:
    table = load_table({"HOME": "/nowhere"})
    for weights in list_weights():
        row = table[f"embedded/{weights.name}"]
        assert (row.licence, row.context_window) == (weights.licence, weights.context)
        assert row.size_gb == pytest.approx(weights.size / 1e9, abs=0.01)
