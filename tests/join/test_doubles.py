"""References that name things twice: doubles take nothing from each other."""

from __future__ import annotations

import logging
from itertools import product

import numpy as np
import pandas as pd
import pytest
from clubs import ASKED, ONE, OTHER, TOWNS
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import one_in

import pearljoin as pj
from pearljoin._features.rival_groups import Groups
from pearljoin._scoring.record_doubles import in_order


def joined(reference: list[str], **options) -> pj.MatchResult:
    return pj.match(ASKED, reference, encoder="pearl-nano", **options)


def n_found(result: pj.MatchResult, n_names: int) -> tuple[int, int]:
    """How many matches are right, of a reference with so many names of each club in turn."""
    matches = result.matches()
    return int((matches.right // n_names == matches.left).sum()), len(matches)


def test_clubs_with_two_names_each_are_found_as_those_with_one() -> None:
    both = [name for pair in zip(ONE, OTHER, strict=True) for name in pair]
    right, every = n_found(joined(both), 2)
    alone, _ = n_found(joined(ONE), 1)
    assert right >= alone - 2
    assert right == every


def test_doubles_are_listed_and_named_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    both = [name for pair in zip(ONE, OTHER, strict=True) for name in pair]
    with caplog.at_level(logging.INFO, logger="pearljoin"):
        result = joined(both)
        result.matches()
    pairs = {(2 * at, 2 * at + 1) for at in range(len(TOWNS))}
    assert len(pairs & set(result.doubles)) >= 36
    told = result.explain(0)
    assert told.doubles == (OTHER[0],) or told.doubles == (ONE[0],)
    assert f"the same thing: {told.doubles[0]!r}" in repr(told)
    assert told.runner_up not in (ONE[0], OTHER[0])
    assert "right rows taken for doubles of others" in caplog.text


def test_a_reference_without_doubles_has_none() -> None:
    assert joined(ONE).doubles == ()


def test_names_that_only_add_words_stay_rivals() -> None:
    reference = [name for club in ONE for name in (club, f"{club} Reserves")]
    result = joined(reference)
    assert result.doubles == ()
    right, every = n_found(result, 2)
    assert (result.matches().right % 2 == 0).all()
    assert right == every


@pytest.mark.filterwarnings("ignore::pearljoin.DuplicateReferenceWarning")
def test_a_company_with_two_names_is_an_answer() -> None:
    result = pj.match(["Acme Corporation"], ["Acme Corp", "Acme Corp.", "Zenith Ltd"])
    assert len(result.matches()) == 1
    assert result.matches().score[0] > 0.9
    assert result.doubles == ((0, 1),)


@pytest.mark.filterwarnings("ignore::pearljoin.DuplicateReferenceWarning")
def test_brackets_tell_something_whichever_of_equal_names_is_first() -> None:
    names = ["Hello Adele", "HELLO (Adele)", "Globex", "Initech", "Umbrella", "Stark"]
    swapped = [names[1], names[0], *names[2:]]
    scores = [
        pj.match(["Hello"], right, encoder="pearl-nano", threshold=0.01).matches().score[0]
        for right in (names, swapped)
    ]
    assert min(scores) > 0.9


@pytest.mark.filterwarnings("ignore::pearljoin.DuplicateReferenceWarning")
@pytest.mark.parametrize("encoder", ["pearl-nano", "pearl-mini"])
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Acme Corporation", ["Acme Corp.", "Acme Corp", "ACME CORP"]),
        ("St. Marys Hospital", ["Saint Mary's Hospital", "SAINT MARYS HOSPITAL"]),
    ],
)
def test_names_equal_but_for_case_and_punctuation_tie(
    left: str, right: list[str], encoder: str
) -> None:
    result = pj.match([left], [*right, "Zenith Ltd"], encoder=encoder)
    pairs = result.comparison.candidates
    assert pairs.right[: len(right)].tolist() == list(range(len(right)))
    assert len(set(pairs.score[: len(right)].tolist())) == 1
    assert result.matches().right.tolist() == [0]
    # Equal as it stands goes first all the same.
    assert pj.match(right[-1:], right, encoder=encoder).matches().right.tolist() == [len(right) - 1]


def test_doubles_with_different_veto_values_stay_rivals() -> None:
    left = pd.DataFrame({"name": ["Acme Corporation"], "country": [None]}, dtype="object")
    right = pd.DataFrame(
        {"name": ["Acme Corp", "Acme Corp.", "Zenith Ltd"], "country": list("abc")}
    )
    kept = pj.match(left, right, on="name", veto="country")
    assert kept.doubles == ()
    assert kept.matches(0.0).score[0] < 0.95


def clubs(names: list[str], copies: int) -> pd.DataFrame:
    """Name, street and year of foundation; `names` has so many of each club in turn."""
    rows = np.arange(len(names)) // copies
    is_copy = np.arange(len(names)) % copies > 0
    words = np.where(is_copy, "St", "Street")
    streets = [f"{3 * row + 2} {TOWNS[-row]} {word}" for row, word in zip(rows, words, strict=True)]
    return pd.DataFrame({"club": names, "street": streets, "founded": 1880 + rows * 7 % 60})


@pytest.mark.parametrize(
    ("on", "encoder"),
    one_in(product([["club", "street"], ["club", "founded"]], ["pearl-nano", "pearl-mini"]), 3),
)
def test_records_with_two_rows_each_are_found_as_those_with_one(
    on: list[str], encoder: str
) -> None:
    both = [name for pair in zip(ONE, OTHER, strict=True) for name in pair]
    result = pj.match(clubs(ASKED, 1), clubs(both, 2), on=on, encoder=encoder)
    right, every = n_found(result, 2)
    assert right == every >= 36
    pairs = {(2 * at, 2 * at + 1) for at in range(len(TOWNS))}
    assert len(pairs & set(result.doubles)) >= 30
    assert not set(result.doubles) - pairs
    told = result.explain(0)
    assert told.doubles
    odds = told.base + sum(reason.effect for reason in told.reasons)
    assert 1 / (1 + np.exp(-odds)) == pytest.approx(told.score, abs=1e-3)


def test_siblings_of_several_columns_stay_rivals() -> None:
    reference = [name for club in ONE for name in (club, f"{club} Women")]
    sides = clubs(ASKED, 1), clubs(reference, 2).assign(founded=1880 + np.arange(80) % 79)
    assert pj.match(*sides, on=["club", "founded"], encoder="pearl-nano").doubles == ()


def test_doubles_of_several_columns_with_different_veto_values_stay_rivals() -> None:
    both = [name for pair in zip(ONE, OTHER, strict=True) for name in pair]
    left = clubs(ASKED, 1).assign(league=None)
    right = clubs(both, 2).assign(league=[f"{row % 2}" for row in range(80)])
    options = {"on": ["club", "street"], "encoder": "pearl-nano"}
    assert pj.match(left, right, **options).doubles
    assert pj.match(left, right, **options, veto="league").doubles == ()


def test_of_one_thing_none_has_less_than_a_smaller_share() -> None:
    """The second of the first row is nearest to the others of its thing, and is not the answer."""
    raised = np.array([[0.5, 0.7, 0.6, 0.2], [0.5, 0.7, 0.1, 0.0]], dtype=np.float32)
    things = np.array([[3, 3, 3, 8], [3, 8, 9, -1]])
    ordered = in_order(raised, things)
    assert ordered[0].tolist() == pytest.approx([0.7, 0.7, 0.6, 0.2], abs=1e-5)
    assert ordered[0, 0] - ordered[0, 1] > 1e-6
    assert ordered[1].tolist() == raised[1].tolist()


def test_payments_of_two_days_are_two() -> None:
    """The payments of one payee by month differ in a digit or two."""
    payments = [
        {
            "payee": f"{town} Service",
            "date": f"2024-{month:02}-0{1 + (at + month) % 3}",
            "sum": 9.9 + 10 * (at % 4),
        }
        for at, town in enumerate(TOWNS[:12])
        for month in range(1, 9)
    ]
    right = pd.DataFrame(payments)
    left = right.assign(payee="SEPA " + right["payee"].str.upper())
    result = pj.match(left, right, on=list(right), encoder="pearl-nano")
    matches = result.matches()
    assert result.doubles == ()
    assert len(matches) > 0.9 * len(left)
    assert (matches.left == matches.right).all()
    half = right.iloc[1::2].reset_index(drop=True)
    matches = pj.match(left, half, on=list(right), encoder="pearl-nano").matches()
    assert len(matches) > 0.8 * len(half)
    assert (matches.left == 2 * matches.right + 1).mean() > 0.9


def test_a_record_alone_is_answered_as_among_others() -> None:
    both = [name for pair in zip(ONE, OTHER, strict=True) for name in pair]
    asked = clubs(ASKED, 1)
    options = {"on": ["club", "street"], "encoder": "pearl-nano"}
    matcher = pj.Matcher(**options).fit(clubs(both, 2)).calibrate(asked)
    every = matcher.match(asked).all_matches()
    for row in (0, 7, 39):
        alone = matcher.match(asked.iloc[[row]]).all_matches()
        assert alone.right.tolist() == [every.right[row]]
        assert alone.score == pytest.approx(every.score[[row]], abs=1e-5)


def test_missing_names_in_the_reference_change_no_answer() -> None:
    both = [name for pair in zip(ONE, OTHER, strict=True) for name in pair]
    with_null = joined([None, *both, None])
    plain = joined(both)
    assert (with_null.matches().right - 1).tolist() == plain.matches().right.tolist()
    assert with_null.matches().score == pytest.approx(plain.matches().score, abs=1e-5)


@pytest.fixture(scope="module")
def of_two_names() -> pj.Matcher:
    both = [name for pair in zip(ONE, OTHER, strict=True) for name in pair]
    return pj.Matcher(encoder="pearl-nano").fit(both)


@settings(max_examples=10, deadline=None)
@given(rows=st.lists(st.integers(0, len(TOWNS) - 1), min_size=1, max_size=6))
def test_a_row_alone_is_answered_as_in_a_batch(of_two_names, rows: list[int]) -> None:
    matcher = of_two_names
    asked = [ASKED[row] for row in rows]
    batch = matcher.match(asked).all_matches()
    alone = [matcher.match([name]).all_matches() for name in asked]
    assert batch.right.tolist() == [int(one.right[0]) for one in alone]
    assert batch.score == pytest.approx(np.array([one.score[0] for one in alone]), abs=1e-5)


numbers = st.floats(-5, 5, width=32)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), numbers), min_size=1, max_size=30))
def test_rivals_are_the_pairs_of_other_things(rows: list[tuple[int, int, float]]) -> None:
    """Against a loop over all pairs."""
    group, thing, value = (np.array(column) for column in zip(*rows, strict=True))
    value = value.astype(np.float32)
    groups = Groups(group, thing)
    odds = np.exp(value.astype(np.float64))
    best, share = groups.best_other(value, -9.0), groups.share(odds)
    for at in range(len(rows)):
        others = (group == group[at]) & (thing != thing[at])
        assert best[at] == max(value[others], default=np.float32(-9.0))
        rest = sum(odds[others & (thing == other)].max() for other in set(thing[others].tolist()))
        own = odds[at]
        assert share[at] == pytest.approx(np.log(own / (1 + rest)), abs=1e-4)


def test_the_order_of_a_reference_of_doubles_changes_no_score() -> None:
    both = [name for pair in zip(ONE, OTHER, strict=True) for name in pair]
    reference = clubs(both, 2)
    options = {"on": ["club", "street"], "encoder": "pearl-nano", "threshold": 0.0}
    plain = pj.match(clubs(ASKED, 1), reference, **options).matches()
    turned = pj.match(clubs(ASKED, 1), reference[::-1], **options).matches()
    np.testing.assert_allclose(turned.score, plain.score, atol=2e-5)


def test_members_of_one_household_are_no_doubles() -> None:
    given = ["Anna", "Boris", "Carla", "David", "Greta", "Henry"]
    homes = [(town, f"{3 * at + 2} Mill Road") for at, town in enumerate(TOWNS)]
    members = [(given[(at + k) % 6], *home) for at, home in enumerate(homes) for k in range(3)]
    asked = [(given[(at + 4) % 6], *home) for at, home in enumerate(homes)]
    columns = ["given", "family", "street"]
    reference, left = (pd.DataFrame(rows, columns=columns) for rows in (members, asked))
    result = pj.match(left, reference, on=columns, encoder="pearl-nano")
    assert result.doubles == ()
