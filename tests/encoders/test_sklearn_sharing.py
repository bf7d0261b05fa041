"""Clones of the transformers share what is large or cannot be copied."""

import pickle
import threading
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import pearljoin as pj

CITIES = pd.DataFrame({"city": ["Paris", "Lyon", "Rome"], "people": [2.1, 0.5, 2.8]})
HOMES = pd.DataFrame({"city": ["PARIS", "Lyons", "rome", "Paris!"] * 3})


class LockedEncoder:
    """Holds a lock, as a client of a service or a session does: neither copied nor pickled."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def encode(self, phrases: list[str]) -> np.ndarray:
        with self.lock:
            return np.array([[len(p), p.lower().count("r"), 1.0] for p in phrases])

    def encode_words(self, words: list[str]) -> np.ndarray:
        return self.encode(words)


def joiner(encoder: Any) -> pj.FuzzyJoiner:
    return pj.FuzzyJoiner(CITIES, on="city", threshold=0.1, encoder=encoder)


def phrases(encoder: Any) -> pj.PhraseEncoder:
    return pj.PhraseEncoder(encoder)


def words(encoder: Any) -> pj.WeightedWordEncoder:
    return pj.WeightedWordEncoder({"paris": [1.0, 0.0, 0.0]}, unknown=encoder, weights=[1.0])


def test_a_clone_of_a_joiner_shares_reference_and_encoder() -> None:
    original = joiner(LockedEncoder()).fit(HOMES)
    copy = clone(original)
    assert copy.reference is CITIES
    assert copy.encoder is original.encoder
    assert not hasattr(copy, "matcher_")
    pd.testing.assert_frame_equal(copy.fit_transform(HOMES), original.transform(HOMES))


@pytest.mark.parametrize(("make", "name"), [(phrases, "model"), (words, "unknown")])
def test_a_clone_of_an_encoder_shares_its_model(make, name: str) -> None:
    original = make(LockedEncoder()).fit(["paris", "rome"])
    copy = clone(original)
    assert getattr(copy, name) is getattr(original, name)
    found = copy.fit(["paris", "rome"]).transform(["paris", "rome"])
    np.testing.assert_array_equal(found, original.transform(["paris", "rome"]))


def test_a_clone_of_a_pipeline_shares_too() -> None:
    pipeline = make_pipeline(joiner(LockedEncoder()), FunctionTransformer(lambda t: t[["people"]]))
    copy = clone(pipeline)
    assert copy[0].encoder is pipeline[0].encoder
    assert copy[0] is not pipeline[0]


@pytest.mark.parametrize("make", [joiner, phrases, words])
def test_a_clone_keeps_the_kind_of_output(make) -> None:
    copy = clone(make(LockedEncoder()).set_output(transform="pandas"))
    assert isinstance(copy.fit_transform(HOMES), pd.DataFrame)


@pytest.mark.parametrize("make", [joiner, phrases])
def test_nested_parameters_are_set_on_a_copy(make) -> None:
    vectoriser = TfidfVectorizer(analyzer="char")
    name = "encoder" if make is joiner else "model"
    original = make(vectoriser)
    assert original.get_params()[f"{name}__analyzer"] == "char"
    copy = clone(original).set_params(**{f"{name}__analyzer": "word"})
    assert copy.get_params()[f"{name}__analyzer"] == "word"
    assert vectoriser.analyzer == "char"
    assert original.get_params()[f"{name}__analyzer"] == "char"
    both = clone(original).set_params(
        **{name: TfidfVectorizer(min_df=2), f"{name}__analyzer": "char_wb"}
    )
    nested = both.get_params()[name]
    assert (nested.min_df, nested.analyzer) == (2, "char_wb")
    assert original.get_params()[name] is vectoriser
    with pytest.raises(ValueError, match="Invalid parameter 'analyser'"):
        clone(original).set_params(**{f"{name}__analyser": "word"})


@pytest.mark.parametrize("make", [joiner, phrases])
@pytest.mark.parametrize("given_first", [True, False])
def test_a_nested_estimator_that_is_given_is_not_changed(make, given_first: bool) -> None:
    name = "encoder" if make is joiner else "model"
    given = TfidfVectorizer(min_df=2)
    values = {name: given, f"{name}__analyzer": "char_wb"}
    if not given_first:
        values = dict(reversed(values.items()))
    params = make(TfidfVectorizer()).set_params(**values).get_params()
    assert params[name] is not given
    assert (params[f"{name}__min_df"], params[f"{name}__analyzer"]) == (2, "char_wb")
    assert given.analyzer == "word"


@pytest.mark.parametrize("make", [joiner, phrases])
@pytest.mark.parametrize("wrong", ["{}__analyser", "{}__no__name", "batchsize", "verbose__x"])
def test_where_one_parameter_is_refused_none_is_set(make, wrong: str) -> None:
    name = "encoder" if make is joiner else "model"
    vectoriser = TfidfVectorizer(analyzer="char")
    transformer = make(vectoriser)
    before = transformer.get_params()
    values = {"batch_size": 7, f"{name}__min_df": 2, wrong.format(name): 1, "device": "cpu"}
    with pytest.raises((ValueError, AttributeError), match=r"Invalid parameter|has no attribute"):
        transformer.set_params(**values)
    after = transformer.get_params()
    assert after.keys() == before.keys()
    assert all(after[key] is before[key] for key in before)
    assert vectoriser.min_df == 1


def test_a_grid_over_the_encoders_own_parameters() -> None:
    vectoriser = TfidfVectorizer(analyzer="char")
    model = make_pipeline(
        joiner(vectoriser),
        FunctionTransformer(lambda table: table[["match_score"]].fillna(0)),
        LogisticRegression(),
    )
    grid = {"fuzzyjoiner__encoder__analyzer": ["char", "char_wb"], "fuzzyjoiner__threshold": [0.2]}
    search = GridSearchCV(model, grid, cv=2).fit(HOMES, [0, 1] * 6)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert vectoriser.analyzer == "char"
    assert not hasattr(vectoriser, "vocabulary_")


def test_a_clone_is_pickled_as_its_original() -> None:
    fitted = clone(joiner(TfidfVectorizer(analyzer="char"))).fit(HOMES)
    copy = pickle.loads(pickle.dumps(fitted))
    pd.testing.assert_frame_equal(copy.transform(HOMES), fitted.transform(HOMES))


@pytest.mark.parametrize("make", [joiner, phrases, words])
def test_unfitted_they_say_what_to_do(make) -> None:
    unfitted = make(LockedEncoder())
    name = type(unfitted).__name__
    message = rf"This {name} instance is not fitted yet\. Got no call of fit\. Hint: call fit\("
    with pytest.raises(NotFittedError, match=message):
        unfitted.transform(HOMES)
    with pytest.raises(NotFittedError, match=message):
        unfitted.get_feature_names_out()
