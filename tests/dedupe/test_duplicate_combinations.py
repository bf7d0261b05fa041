"""Duplicates in tables whose rows are combinations of values, such as countries by years."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj

NAMES = {
    "University of Oxford": "Oxford University",
    "Deutsche Bank": "Deutsche Bank AG",
    "Sportklub Bischofshofen 1933": "SK Bischofshofen 1933",
    "International Paper": "Intl. Paper",
    "Volkswagen": "Volkswagen AG",
    "St. Mary's Hospital": "Saint Marys Hospital",
    "Technical School No. 5 in Malbork": None,
    "Siemens": None,
    "Burger King": None,
    "Unilever": None,
}
YEARS = range(2008, 2020)


def panel() -> pd.DataFrame:
    """Rows of each name and, where there is one, of its other name in later years."""
    rows = [(name, year, f"{name} {year}") for name in NAMES for year in YEARS]
    others = [(name, other) for name, other in NAMES.items() if other is not None]
    rows += [(other, year, f"{name} {year}") for name, other in others for year in YEARS[4:]]
    return pd.DataFrame(rows, columns=["name", "year", "thing"])


def scores_by_ids(grown: pj.Deduplicator) -> dict[frozenset[object], float]:
    # Before they are rounded for the table.
    left, right, scores = (part.tolist() for part in grown._fitted().row_pairs(0.0))
    ids = grown.ids
    ends = [frozenset([ids[one], ids[two]]) for one, two in zip(left, right, strict=True)]
    return dict(zip(ends, scores, strict=True))


def test_names_are_matched_within_a_year() -> None:
    table = panel()
    result = pj.find_duplicates(table, on=["name", "year"])
    quality = pj.evaluate(result, table["thing"])
    assert quality.precision >= 0.95
    assert quality.recall >= 0.8


@pytest.mark.parametrize("encoder", ["pearl-nano", "pearl-mini"])
def test_years_of_one_name_stay_apart(encoder: str) -> None:
    table = panel()
    clusters = pj.find_duplicates(table, on=["name", "year"], encoder=encoder).clusters()
    assert (table.groupby(clusters)["year"].nunique() == 1).all()


def test_a_missing_year_may_be_any() -> None:
    table = panel()
    table["year"] = table["year"].astype("Int64")
    table.loc[5, "year"] = None
    result = pj.find_duplicates(table, on=["name", "year"])
    assert result.explain(5, 6).score < result.threshold


@pytest.mark.parametrize("seed", [0, 1])
def test_rows_added_in_any_order_give_the_same_pairs(seed: int, tmp_path: Path) -> None:
    table = panel()
    table["id"] = np.arange(len(table))
    is_new = np.random.default_rng(0).random(len(table)) < 0.2
    new = table[is_new].sample(frac=1, random_state=seed)

    def fitted() -> pj.Deduplicator:
        return pj.Deduplicator(on=["name", "year"], ids="id").fit(table[~is_new])

    at_once, by_ones = fitted(), fitted()
    at_once.add(table[is_new])
    by_ones.save(tmp_path / "folder")
    by_ones = pj.Deduplicator.load(tmp_path / "folder")
    for start in range(0, len(new), 7):
        by_ones.add(new.iloc[start : start + 7])
    one, other = map(scores_by_ids, (at_once, by_ones))
    assert one.keys() == other.keys()
    assert max(abs(one[ends] - other[ends]) for ends in one) < 1e-5
