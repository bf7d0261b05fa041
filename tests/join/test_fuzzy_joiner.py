"""FuzzyJoiner: the join as a scikit-learn transformer."""

import pickle

import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of, join, rows_of
from scipy.sparse import csr_matrix
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_parameters_default_constructible

import pearljoin as pj

CITIES = pd.DataFrame({"city": ["Paris", "Lyon", "Rome"], "people": [2.1, 0.5, 2.8]})
HOMES = {"town": ["PARIS", "Lyons", "Atlantis", None], "rooms": [1, 2, 3, 4]}
OPTIONS = {"left_on": "town", "right_on": "city", "threshold": 0.4}


def joiner(reference=CITIES, **options) -> pj.FuzzyJoiner:
    return pj.FuzzyJoiner(reference, **{"encoder": TrigramEncoder(), **OPTIONS, **options})


@pytest.mark.parametrize("how", ["left", "inner", "full", "semi"])
def test_it_joins_as_fuzzy_join_does(make_frame: FrameMaker, how: str) -> None:
    homes = make_frame(HOMES)
    found = joiner(how=how).fit_transform(homes)
    wanted = join(homes, CITIES, **OPTIONS, how=how)
    assert type(found) is type(homes)
    assert columns_of(found) == columns_of(wanted)
    assert rows_of(found, "town")[:2] == ["PARIS", "Lyons"]


def test_the_default_keeps_every_row_once_and_in_order() -> None:
    homes = pd.DataFrame(HOMES, index=[5, 5, 1, 2])
    found = joiner().fit(homes).transform(homes)
    assert found["people"].fillna(-1).tolist() == [2.1, 0.5, -1, -1]
    assert found.index.tolist() == [5, 5, 1, 2]


def test_the_reference_is_encoded_once(trigrams: TrigramEncoder) -> None:
    fitted = joiner(encoder=trigrams).fit(pd.DataFrame(HOMES))
    # Its rows are calibrated on, too.
    assert trigrams.asked[1:] == ["Paris", "Lyon", "Rome", "PARIS", "Lyons", "Atlantis"]
    trigrams.asked.clear()
    fitted.transform(pd.DataFrame(HOMES))
    assert trigrams.asked == ["PARIS", "Lyons", "Atlantis"]


def test_fitting_again_gives_the_same() -> None:
    homes = pd.DataFrame(HOMES)
    fitted = joiner().fit(homes)
    first = fitted.transform(homes)
    pd.testing.assert_frame_equal(fitted.fit(homes.head(1)).transform(homes), first)


def test_rows_do_not_depend_on_each_other_where_words_are_known() -> None:
    homes = pd.DataFrame(HOMES)
    fitted = joiner().fit(homes)
    whole = fitted.transform(homes)["city"].tolist()
    alone = [fitted.transform(homes.iloc[[at]])["city"].tolist()[0] for at in range(4)]
    assert [str(cell) for cell in alone] == [str(cell) for cell in whole]


def test_feature_names(make_frame: FrameMaker) -> None:
    fitted = joiner(suffix="_ref", score="likeness").fit(make_frame(HOMES))
    names = ["town", "rooms", "city", "people", "likeness"]
    assert fitted.get_feature_names_out().tolist() == names
    assert list(columns_of(fitted.transform(make_frame(HOMES)))) == names


def test_parameters_and_clone() -> None:
    check_parameters_default_constructible("FuzzyJoiner", pj.FuzzyJoiner(CITIES))
    original = joiner(constraint="1:1", suffix=("_a", "_b"))
    copy = clone(original)
    assert copy.get_params()["constraint"] == "1:1"
    assert not hasattr(copy, "matcher_")
    assert original.set_params(threshold=0.9).threshold == 0.9
    homes = pd.DataFrame(HOMES)
    assert original.fit(homes).transform(homes)["city"].notna().tolist() == [
        True,
        False,
        False,
        False,
    ]


def test_not_fitted() -> None:
    with pytest.raises(NotFittedError, match="not fitted yet"):
        joiner().transform(pd.DataFrame(HOMES))
    with pytest.raises(NotFittedError, match="not fitted yet"):
        joiner().get_feature_names_out()


def test_pickle() -> None:
    homes = pd.DataFrame(HOMES)
    fitted = joiner().fit(homes)
    copy = pickle.loads(pickle.dumps(fitted))
    pd.testing.assert_frame_equal(copy.transform(homes), fitted.transform(homes))


def test_pickle_with_the_bundled_encoder() -> None:
    homes = pd.DataFrame(HOMES)
    fitted = joiner(encoder="default").fit(homes)
    copy = pickle.loads(pickle.dumps(fitted))
    pd.testing.assert_frame_equal(copy.transform(homes), fitted.transform(homes))


def test_in_a_pipeline() -> None:
    homes = pd.DataFrame({"town": ["paris", "lyon", "rome", "Lyon!"], "rooms": [1, 2, 3, 4]})
    rents = [2.1 + 1, 0.5 + 2, 2.8 + 3, 0.5 + 4]
    pipeline = make_pipeline(
        joiner(),
        FunctionTransformer(lambda table: table[["rooms", "people"]]),
        SimpleImputer(),
        LinearRegression(),
    )
    predicted = pipeline.fit(homes, rents).predict(homes)
    assert predicted.tolist() == pytest.approx(rents)


def test_set_output_gives_pandas() -> None:
    found = joiner().set_output(transform="pandas").fit_transform(pd.DataFrame(HOMES))
    assert list(found.columns) == ["town", "rooms", "city", "people", "match_score"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("by_context", [False, True])
def test_set_output_keeps_values_below_their_names(library: str, by_context: bool) -> None:
    homes = pd.DataFrame({**HOMES, 7: [5, 6, 7, 8]})
    if library == "polars":
        homes = pl.DataFrame(HOMES)
    fitted = joiner().fit(homes)
    turned = homes[homes.columns[::-1]]
    plain = fitted.transform(turned)
    if not by_context:
        configured = fitted.set_output(transform=library).transform(turned)
    else:
        with config_context(transform_output=library):
            configured = fitted.transform(turned)
    assert list(configured.columns) == list(plain.columns) == fitted.feature_names_out_
    for name in plain.columns:
        assert str(list(configured[name])) == str(list(plain[name]))
    assert list(configured["rooms"]) == HOMES["rooms"]


def test_columns_that_fit_was_not_given_pass_unless_an_output_is_configured() -> None:
    homes = pd.DataFrame(HOMES)
    fitted = joiner().fit(homes)
    more = homes.assign(floor=[0, 1, 2, 3])[["floor", "rooms", "town"]]
    names = ["town", "rooms", "floor", "city", "people", "match_score"]
    assert list(fitted.transform(more).columns) == names
    fitted.set_output(transform="pandas")
    with pytest.raises(pj.InputError, match=r"lacked when fitted.* Got \['floor'\]\. Hint: leave"):
        fitted.transform(more)
    with config_context(transform_output="pandas"):
        # What the joiner is told itself goes before the configuration.
        assert list(fitted.set_output(transform="default").transform(more).columns) == names


def test_a_lazy_reference_and_a_lazy_table() -> None:
    lazy = pl.DataFrame(CITIES).lazy()
    found = joiner(lazy).fit_transform(pl.LazyFrame(HOMES))
    assert isinstance(found, pl.LazyFrame)
    assert found.collect()["city"].to_list() == ["Paris", "Lyon", None, None]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"how": "leftish"}, r"how= is not understood. Got 'leftish'"),
        ({"suffix": 3}, r"suffix= must be a string"),
        ({"threshold": 3}, r"threshold must be a number"),
        ({"right_on": "town"}, r"right table has no column 'town'"),
        ({"left_on": "city"}, r"left table has no column 'city'"),
        ({"score": "rooms"}, r"score column's name is taken"),
    ],
)
def test_wrong_parameters_are_told_at_fit(options: dict, message: str) -> None:
    wrong = joiner(**options)
    with pytest.raises(pj.InputError, match=message):
        wrong.fit(pd.DataFrame(HOMES))


@pytest.mark.parametrize("how", ["inner", "right", "full", "outer", "semi", "anti"])
def test_a_target_needs_all_rows(how: str) -> None:
    # A full or a right join may have as many rows as y, and others in their places.
    homes, target = pd.DataFrame(HOMES), [1.0, 0.0, 1.0, 0.0]
    encoder = TrigramEncoder()
    dropping = joiner(how=how, encoder=encoder)
    rooms = FunctionTransformer(lambda table: table[["rooms"]])
    with pytest.raises(pj.InputError, match=rf"Got how='{how}', and y. Hint: how='left'"):
        make_pipeline(dropping, rooms, LinearRegression()).fit(homes, target)
    with pytest.raises(pj.InputError, match=rf"Got how='{how}', and y. Hint: how='left'"):
        dropping.fit_transform(homes, target)
    assert not encoder.asked  # nothing is encoded before
    dropping.fit(homes)


def test_a_target_needs_rows_that_are_not_repeated() -> None:
    homes, target = pd.DataFrame(HOMES), [1.0, 0.0, 1.0, 0.0]
    with pytest.raises(pj.InputError, match=r"Got constraint='m:m', and y. Hint: how='left'"):
        joiner(constraint="m:m").fit(homes, target)
    assert len(joiner(constraint="m:m", k=1).fit_transform(homes, target)) == len(target)


def test_a_column_that_was_there_at_fit_must_be_there() -> None:
    # Else the reference's column of the same name would take its place.
    left = pd.DataFrame({"name": ["Rome", "Oslo"], "people": [1, 2]})
    reference = pd.DataFrame({"name": ["Rome", "Oslo"], "people": [3, 4]})
    joiner = pj.FuzzyJoiner(reference, on="name").fit(left)
    with pytest.raises(pj.InputError, match=r"X lacks columns.* without \['people'\]"):
        joiner.transform(left[["name"]])
    assert joiner.feature_names_in_ == ["name", "people"]
    assert list(joiner.transform(left).columns) == list(joiner.get_feature_names_out())


@pytest.mark.parametrize(
    "to_array", [pd.DataFrame.to_numpy, lambda table: csr_matrix(table[["n"]])]
)
def test_arrays_of_the_step_before_have_no_names(to_array) -> None:
    table = pd.DataFrame({"city": ["Oslo", "Rome"], "n": [1, 2]})
    array = to_array(table)
    joiner = pj.FuzzyJoiner(table, on="city")
    message = r"by name.*Got .* of shape \(2, [12]\).*Hint: .*set_output\(transform='pandas'\)"
    with pytest.raises(pj.TableTypeError, match=message):
        joiner.fit(array)
    with pytest.raises(pj.TableTypeError, match=message):
        joiner.fit(table).transform(array)
    # As the hint says.
    same = FunctionTransformer(lambda table: table.to_numpy(), feature_names_out="one-to-one")
    steps = make_pipeline(same, pj.FuzzyJoiner(table, on="city"))
    with pytest.raises(pj.TableTypeError, match=message):
        steps.fit_transform(table)
    assert steps.set_output(transform="pandas").fit_transform(table)["n_right"].tolist() == [1, 2]
