"""Joins by several columns match where all values are the same, whatever match weights say."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd
import pytest
from repetitions import one_in

import pearljoin as pj
from pearljoin._comparison import calibration, value_agreement

CITIES = ["Springfield", "Riverton", "Oakdale", "Fairview", "Georgetown", "Salem", "Clinton"]
FIRST = ["Anna", "Bernd", "Clara", "Dieter", "Eva", "Frank", "Greta", "Hans", "Ines", "Jonas"]
LAST = ["Adler", "Brandt", "Conrad", "Dorn", "Ebert", "Fuchs"]
NAMES = [f"{first} {last}" for first in FIRST for last in LAST]
SHORT = [f"{first[0]}. {last}" for first in FIRST for last in LAST]


AGREEING: list[Callable[[int], list[object]]] = [
    lambda n: [None] * n,
    lambda n: [CITIES[at % 7] for at in range(n)],
    lambda n: ["x"] * n,
    lambda n: [2000 + at % 3 for at in range(n)],
]


@pytest.mark.parametrize(
    ("column", "encoder"), one_in(product(AGREEING, ["pearl-nano", "pearl-mini"]), 3)
)
def test_a_column_that_agrees_loses_no_match(
    column: Callable[[int], list[object]], encoder: str
) -> None:
    known, written = NAMES[:40], [name.upper().replace("N", "NN", 1) for name in NAMES]
    left, right = pd.DataFrame({"name": written}), pd.DataFrame({"name": known})
    alone = pj.match(left, right, on="name", encoder=encoder).matches()
    left["more"], right["more"] = column(len(NAMES)), column(len(NAMES))[: len(known)]
    beside = pj.match(left, right, on=["name", "more"], encoder=encoder).matches()
    n_alone = int((alone.left == alone.right).sum())
    assert int((beside.left == beside.right).sum()) >= n_alone - 1
    assert (beside.left != beside.right).sum() <= (alone.left != alone.right).sum() + 2


def test_a_missing_value_leaves_it_to_what_the_others_tell_apart() -> None:
    # Two records a name, told apart by the year: the name alone is no answer.
    right = pd.DataFrame({"name": NAMES[:30] * 2, "year": [1990] * 30 + [2010] * 30})
    left = pd.DataFrame({"name": NAMES[:30], "year": [1990.0] * 15 + [np.nan] * 15})
    result = pj.match(left, right, on=["name", "year"])
    found = result.matches()
    assert {*range(15)} <= {*found.left[found.left == found.right].tolist()}
    scores = [result.explain(row).score for row in range(15, 30)]
    assert max(scores) < 0.7


def test_rows_alone_get_what_they_get_together() -> None:
    right = pd.DataFrame({"name": NAMES, "city": [CITIES[at % 7] for at in range(60)]})
    left = pd.DataFrame({"name": SHORT[::2], "city": right["city"][::2].tolist()})
    matcher = pj.Matcher(on=["name", "city"]).fit(right).calibrate(left)
    together = matcher.match(left).matches(0.0)
    # Of all cities, and of first names in every place of the list.
    rows = range(0, len(left), 3)
    alone = [matcher.match(left.iloc[[row]]).matches(0.0) for row in rows]
    assert [one.right.tolist() for one in alone] == [
        together.right[together.left == row].tolist() for row in rows
    ]
    scores = np.concatenate([one.score for one in alone])
    assert np.abs(scores - together.score[np.isin(together.left, rows)]).max() < 1e-5


def test_values_that_were_compared_to_learn_are_not_compared_again(monkeypatch) -> None:
    """Scores are those of a matcher that compares them again."""
    right = pd.DataFrame({"name": NAMES, "city": [CITIES[at % 7] for at in range(60)]})
    left = pd.DataFrame({"name": SHORT, "city": right["city"]})
    find, found = value_agreement._value_pairs, []

    def value_pairs(*arguments):
        found.append(arguments[1])
        return find(*arguments)

    monkeypatch.setattr(value_agreement, "_value_pairs", value_pairs)
    once = pj.match(left, right, on=["name", "city"], encoder="pearl-nano")
    n_texts = len(once.comparison.state.of_values)
    assert sorted(found) == sorted(once.comparison.state.of_values)
    assert n_texts > 0
    matcher = pj.Matcher(on=["name", "city"], encoder="pearl-nano").fit(right).calibrate(left)
    again = matcher.match(left)
    pd.testing.assert_frame_equal(once.pairs(), again.pairs())
    assert len(found) == 3 * n_texts


def test_neither_are_those_of_a_sample(monkeypatch) -> None:
    """Where more left records are matched than learned from, all their values are compared once."""
    right = pd.DataFrame({"name": NAMES, "city": [CITIES[at % 7] for at in range(60)]})
    left = pd.DataFrame({"name": SHORT, "city": right["city"]})
    monkeypatch.setattr(calibration, "CALIBRATION_SAMPLE", 20)
    find, n_asked = value_agreement._value_pairs, []

    def value_pairs(*arguments):
        asked, pairs = find(*arguments)
        if arguments[1] == 0:
            n_asked.append(len(asked))
        return asked, pairs

    monkeypatch.setattr(value_agreement, "_value_pairs", value_pairs)
    pj.match(left, right, on=["name", "city"], encoder="pearl-nano").pairs()
    assert n_asked == [20, 60]


@pytest.mark.parametrize("option", ["by", "veto"])
def test_records_that_another_column_tells_apart_are_told_apart(option: str) -> None:
    right = pd.DataFrame(
        [
            (country, product, year)
            for country in ("Germany", "France", "Italy", "Spain", "Poland", "Austria", "Sweden")
            for product in ("wheat", "barley", "maize", "oats")
            for year in (2001, 2002, 2003)
        ],
        columns=["country", "product", "year"],
    )
    left = right.iloc[::5].reset_index(drop=True)
    left["country"] = [name[:3] + name[4:] for name in left["country"]]
    options = {option: "year"}
    assert len(pj.match(left, right, on=["country", "product"], **options).matches()) == len(left)


def test_what_tells_little_apart_makes_no_match() -> None:
    n = 30
    right = pd.DataFrame({"name": [*NAMES[:n]], "sex": ["f", "m", *[None] * (n - 2)]})
    right.loc[[0, 1], "name"] = None
    left = pd.DataFrame({"name": SHORT[40:60], "sex": ["f", "m"] * 10})
    assert len(pj.match(left, right, on=["name", "sex"]).matches()) == 0
