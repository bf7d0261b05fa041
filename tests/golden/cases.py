"""The joins whose every score, threshold, match and explanation the golden records keep."""

import csv
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import polars as pl

import pearljoin as pj

EXAMPLES = Path(__file__).parents[2] / "examples"

AUTOFJ_TABLES = ("BasketballTeam", "ShoppingMall", "SoccerLeague")
"""Tables of the AutoFJ benchmark; recorded by row number, since its texts are not kept here."""


def example_tables() -> tuple[pl.DataFrame, pl.DataFrame]:
    """The two tables in examples/, as they stand."""
    return pl.read_csv(EXAMPLES / "everyday.csv"), pl.read_csv(EXAMPLES / "official.csv")


def examples(**options: object) -> pj.MatchResult:
    """The example tables, joined by name."""
    return pj.match(*example_tables(), left_on="name", right_on="legal_name", **options)


def example_records(**options: object) -> pj.MatchResult:
    """The example tables, joined by name and country together."""
    keys = {"left_on": ["name", "country"], "right_on": ["legal_name", "country"]}
    return pj.match(*example_tables(), **keys, **options)


def readme_schools(**options: object) -> pj.MatchResult:
    """The whole example of the README."""
    schools = ["York Uni", "Univ. of Washington", "Sorbonne", "MIT", "Boston College"]
    seen = pd.DataFrame({"school": schools, "country": ["GB", "US", "FR", "US", "US"]})
    names = [
        "Université Paris 1 Panthéon-Sorbonne",
        "York University",
        "University of York",
        "Washington State University",
        "University of Washington",
        "Sorbonne Université",
        "Massachusetts Institute of Technology",
    ]
    countries = ["FR", "CA", "GB", "US", "US", "FR", "US"]
    official = pd.DataFrame({"name": names, "country": countries})
    return pj.match(seen, official, left_on="school", right_on="name", by="country", **options)


def readme_first_tables(**options: object) -> pj.MatchResult:
    """The tables behind the first lines of the README."""
    left = ["York Uni", "Univ of Washington", "Volkswagen", "Kyoto Univ.", "Some other place"]
    right = ["University of York", "University of Washington", "Volkswagen AG", "Kyoto University"]
    return pj.match(pd.DataFrame({"name": left}), pd.DataFrame({"name": right}), **options)


def readme_first_tables_by_country(**options: object) -> pj.MatchResult:
    """The same as the README's last line of them joins: equal countries only."""
    company = ["York Uni", "Univ of Washington", "Volkswagen", "Kyoto Univ.", "Some other place"]
    legal = ["University of York", "University of Washington", "Volkswagen AG", "Kyoto University"]
    left = pd.DataFrame({"company": company, "country": ["UK", "US", "DE", "JP", "FR"]})
    right = pd.DataFrame({"legal_name": legal, "country": ["UK", "US", "DE", "JP"]})
    keys = {"left_on": "company", "right_on": "legal_name", "by": "country"}
    return pj.match(left, right, **keys, threshold=0.8, **options)


def autofj(folder: Path) -> pj.MatchResult:
    """A table of AutoFJ as its benchmark joins it: right titles looked up among left ones."""
    return pj.match(_titles(folder / "right.csv"), _titles(folder / "left.csv"))


def _titles(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row["title"] for row in csv.DictReader(file)]


CASES: dict[str, Callable[[], pj.MatchResult]] = {
    "examples": examples,
    "examples_by_country": lambda: examples(by="country"),
    "examples_one_to_one": lambda: examples(by="country", constraint="one_to_one"),
    "examples_many_to_many": lambda: examples(by="country", constraint="many_to_many", k=3),
    "examples_veto": lambda: examples(veto="country", threshold=0.5),
    "examples_records": example_records,
    "examples_weights": lambda: example_records(weights=[3, 1]),
    "readme_schools": readme_schools,
    "readme_schools_at_half": lambda: readme_schools(threshold=0.5),
    "readme_first_tables": readme_first_tables,
    "readme_first_tables_by_country": readme_first_tables_by_country,
}
