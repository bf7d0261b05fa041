"""Drawn inputs, and those that once broke something: `python -m tests.fuzz` tries more."""

import pytest
from fuzz.cases import draw_case, kept_cases
from fuzz.laws import check
from repetitions import few

N_INPUTS, PART = 500, 50


@pytest.mark.parametrize("first", few(range(0, N_INPUTS, PART), 1))
def test_drawn_inputs_keep_the_laws(first: int) -> None:
    outcomes = [check(draw_case(seed)) for seed in range(first, first + PART)]
    # Refusals alone would show nothing.
    assert sum(outcome.endswith("worked") for outcome in outcomes) >= PART / 2


def test_what_once_broke_works() -> None:
    assert kept_cases()
    for name, case in kept_cases().items():
        assert check(case).endswith("worked"), name


def test_a_case_is_the_same_from_its_file_as_from_its_seed(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("fuzz.cases.KEPT", tmp_path)
    from fuzz import cases

    cases.keep(draw_case(7), "why it broke")
    kept = cases.kept_cases()["7"]
    assert kept.pop("why") == "why it broke"
    assert kept == draw_case(7)
    assert check(kept) == check(draw_case(7))
