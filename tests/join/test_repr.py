"""What objects say of themselves: in one line, without computing anything."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames import TrigramEncoder, match
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer

import pearljoin as pj
from pearljoin._comparison.comparison import Comparison
from pearljoin._repr import value_text

LEFT = pd.DataFrame({"seen": ["Acme", "globex", "zzz"], "country": ["IT", "US", "US"]})
RIGHT = pd.DataFrame({"name": ["ACME", "Globex"], "country": ["IT", "US"]})
KEYS = {"left_on": "seen", "right_on": "name"}


def test_a_result_says_what_is_known_already() -> None:
    result = match(LEFT, RIGHT, **KEYS, by="country", threshold="auto")
    start = "<MatchResult: 3 left rows against 2 on seen = name (text); by country; many_to_one, "
    assert repr(result) == f"{start}matches not yet chosen>"
    threshold = result.threshold
    assert repr(result) == f"{start}threshold {threshold:.4g}, matches not yet chosen>"
    assert len(result.matches()) == 2
    assert repr(result) == f"{start}threshold {threshold:.4g}, 2 matches>"


def test_a_fixed_threshold_is_known_at_once() -> None:
    result = match(["a", "b"], ["A"], threshold=0.75, constraint="m:m")
    start = "<MatchResult: 2 left rows against 1 on left = right (text), guessed; many_to_many, "
    assert repr(result) == f"{start}threshold 0.75, matches not yet chosen>"
    result.pairs()
    assert repr(result) == f"{start}threshold 0.75, 1 match>"
    result.matches(threshold=0.0)  # another threshold, not the result's own
    assert repr(result) == f"{start}threshold 0.75, 1 match>"


def test_nothing_is_computed(monkeypatch: pytest.MonkeyPatch, trigrams: TrigramEncoder) -> None:
    def compute(*_: object) -> None:
        raise AssertionError("scored for its repr")

    matcher = pj.Matcher(**KEYS, encoder=trigrams).fit(RIGHT)
    monkeypatch.setattr(Comparison, "rank", compute)
    result = matcher.match(LEFT)
    asked = list(trigrams.asked)
    assert repr(result).endswith("matches not yet chosen>")
    assert trigrams.asked == asked


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({}, ""),
        ({"threshold": "auto", "precision": 0.9, "constraint": "m:1", "k": None}, ""),
        ({"on": "name", "threshold": 0.4}, "on='name', threshold=0.4"),
        ({"threshold": pj.FixedThreshold(1)}, "threshold=1"),
        ({"precision": 0.8}, "precision=0.8"),
        (
            {"threshold": pj.PrecisionTarget(0.8)},
            "threshold=PrecisionTarget(precision=0.8)",
        ),
        (
            {"left_on": ["a", "b"], "right_on": ["c", "d"], "weights": np.array([2, 1])},
            "left_on=['a', 'b'], right_on=['c', 'd'], weights=[2, 1]",
        ),
        (
            {"constraint": "m:m", "k": 2, "verbose": False},
            "constraint='many_to_many', k=2, verbose=False",
        ),
        ({"encoder": TfidfVectorizer()}, "encoder=<TfidfVectorizer>"),
        ({"encoder": Path("a") / "b", "batch_size": 8}, "encoder='a/b', batch_size=8"),
    ],
)
def test_a_matcher_says_its_options(options: dict, shown: str) -> None:
    assert repr(pj.Matcher(**options)) == f"Matcher({shown})"


def test_a_fitted_matcher_says_its_reference(trigrams: TrigramEncoder, tmp_path: Path) -> None:
    matcher = pj.Matcher(on="name", by="country", veto="name", encoder=trigrams)
    call = "Matcher(on='name', by='country', veto='name', encoder=<TrigramEncoder>)"
    assert repr(matcher) == call
    matcher.fit(RIGHT)
    columns = "on name; by country; veto name"
    assert repr(matcher) == f"<{call}: 2 reference rows {columns}>"
    matcher.add(pd.DataFrame({"name": ["Initech"], "country": ["US"]}))
    assert repr(matcher) == f"<{call}: 3 reference rows {columns}>"
    matcher.save(tmp_path / "saved")
    loaded = pj.Matcher.load(tmp_path / "saved", encoder=trigrams)
    assert repr(loaded) == repr(matcher)


def test_a_joiner_says_its_parameters_and_not_its_table() -> None:
    joiner = pj.FuzzyJoiner(RIGHT, on="name", threshold=0.5, how="inner")
    wanted = "FuzzyJoiner(reference=<DataFrame of 2 rows>, how='inner', on='name', threshold=0.5)"
    assert repr(joiner) == str(joiner) == joiner.__repr__(N_CHAR_MAX=80) == wanted
    assert repr(clone(joiner)) == wanted
    assert repr(pj.FuzzyJoiner(["Rome"])) == "FuzzyJoiner(reference=['Rome'])"
    lazy = pl.LazyFrame({"name": ["x"]})
    assert repr(pj.FuzzyJoiner(lazy)) == "FuzzyJoiner(reference=<LazyFrame>)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a" * 300, "<str>"),
        (["Rome"] * 21, "<list of 21>"),
        (["a" * 300], "<list of 1>"),
        (pl.Series(["x"]), "<Series of 1 row>"),
        (np.arange(30), "<ndarray of 30>"),
        ({"name": 2.0}, "{'name': 2.0}"),
        (np.float64(0.5), repr(np.float64(0.5))),
    ],
)
def test_long_values_are_named_by_their_kind(value: object, text: str) -> None:
    assert value_text(value) == text
