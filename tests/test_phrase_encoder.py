"""PhraseEncoder: scikit-learn's estimator checks for text, and the tools it works within."""

import pickle
from collections.abc import Sequence

import numpy as np
import pandas as pd
import polars as pl
import pytest
import skrub
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn_checks import WITHOUT_DATA, check_estimator

import pearljoin as pj

DIM = 16
NAMES = ["Le Monde", "Die Zeit", "El País", "Le Monde", "La Repubblica", "The Guardian", "Die Zeit"]


class LetterEncoder:
    """Counts of letters, and what it was asked to encode."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, phrases: Sequence[str]) -> np.ndarray:
        self.asked += phrases
        vectors = np.zeros((len(phrases), DIM))
        for row, phrase in enumerate(phrases):
            for place, letter in enumerate(phrase.lower()):
                vectors[row, ord(letter) % DIM] += 1 + place % 3
        return vectors


def expected(name: str) -> np.ndarray:
    vector = LetterEncoder().encode([name])[0]
    return vector / np.linalg.norm(vector)


def letters(**options) -> pj.PhraseEncoder:
    return pj.PhraseEncoder(LetterEncoder(), **options)


@pytest.fixture(scope="module")
def bundled() -> pj.PhraseEncoder:
    return pj.PhraseEncoder().fit(["x"])


# What goes in ---------------------------------------------------------------------------------


def test_each_distinct_text_is_encoded_once() -> None:
    model = LetterEncoder()
    encoder = pj.PhraseEncoder(model, n_components=2).fit(["x", "y", "z"])
    model.asked.clear()
    encoder.fit_transform([*NAMES, None, ""])
    probe = ["pearljoin"]  # asked for once, to learn the number of columns
    assert model.asked == [*probe, *dict.fromkeys(NAMES)]
    model.asked.clear()
    encoder.transform(NAMES * 3)
    assert model.asked == list(dict.fromkeys(NAMES))


def test_numbers_beside_text_are_read_as_text() -> None:
    found = letters().fit_transform(["1984", 1984, 1984.0, "Emma"])
    wanted = [expected("1984")] * 3 + [expected("Emma")]
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_awkward_texts_get_finite_unit_vectors(bundled: pj.PhraseEncoder) -> None:
    texts = ["a" * 100_000, "\x00\x07", "\ud800", "שלום", "🎉🎉", "'; --"]
    lengths = np.linalg.norm(bundled.transform(texts), axis=1)
    np.testing.assert_allclose(lengths, 1, atol=1e-5)


@pytest.mark.parametrize("empty", [[], pd.Series([], dtype="str"), pl.DataFrame({"a": []})])
def test_no_rows_give_no_rows(empty) -> None:
    assert letters().fit_transform(empty).shape == (0, DIM)


@pytest.mark.parametrize(
    "nulls", [[None, None], pd.Series([np.nan, np.nan]), [float("nan"), pd.NA], pd.Series([pd.NaT])]
)
def test_a_column_of_nulls_gives_zeros(nulls) -> None:
    found = letters().fit_transform(nulls)
    np.testing.assert_array_equal(found, np.zeros((len(nulls), DIM)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([1.5, 2.5], "takes text. Got a column of numbers, 'text'"),
        (pd.Series([1, 2], name="age"), "takes text. Got a column of numbers, 'age'"),
        (pd.Series(pd.to_datetime(["2024-01-01"])), "Got a column of dates"),
        ([True, False], "Got a column of booleans"),
    ],
)
def test_a_column_without_any_text_is_refused(data, message: str) -> None:
    fitted = letters().fit(["x"])
    for call in (letters().fit, letters().fit_transform, fitted.transform):
        with pytest.raises(pj.InputError, match=message):
            call(data)


# Estimator checks, on text ---------------------------------------------------------------------


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_scikit_learn_checks_that_need_no_data(name: str) -> None:
    check_estimator(name, pj.PhraseEncoder())


def test_parameters_and_defaults() -> None:
    assert pj.PhraseEncoder().get_params() == {
        "model": "default",
        "n_components": None,
        "batch_size": None,
        "device": "auto",
        "random_state": None,
        "verbose": False,
    }
    assert pj.PhraseEncoder().set_params(n_components=3, device="cpu").n_components == 3
    assert repr(pj.PhraseEncoder(n_components=3)) == "PhraseEncoder(n_components=3)"
    with pytest.raises(ValueError, match="Invalid parameter 'components'"):
        pj.PhraseEncoder().set_params(components=3)


def test_fit_leaves_parameters_and_data_alone_and_returns_self() -> None:
    encoder = letters(n_components=2, random_state=0)
    before, column = encoder.get_params(), pd.Series([*NAMES, None])
    kept = column.copy()
    assert encoder.fit(column) is encoder
    assert encoder.get_params() == before
    pd.testing.assert_series_equal(column, kept)
    assert encoder.n_features_in_ == 1


def test_clone_has_the_parameters_and_nothing_fitted() -> None:
    encoder = letters(n_components=2).set_output(transform="pandas").fit(NAMES)
    twin = clone(encoder)
    assert twin.get_params() == encoder.get_params()
    assert not hasattr(twin, "n_components_")
    assert isinstance(twin.fit_transform(NAMES), pd.DataFrame)
    assert encoder.set_output(transform="default").transform(NAMES).shape == (7, 2)
    assert isinstance(twin.transform(NAMES), pd.DataFrame)


def test_clone_shares_a_model_that_cannot_be_copied(bundled: pj.PhraseEncoder) -> None:
    model = pj.load_encoder()
    twin = clone(pj.PhraseEncoder(model))
    np.testing.assert_array_equal(twin.fit_transform(NAMES), bundled.transform(NAMES))


def test_a_fitted_vectoriser_is_used_as_it_is_and_another_fitted() -> None:
    fitted = TfidfVectorizer().fit(["le monde", "die zeit", "zeit"])
    found = clone(pj.PhraseEncoder(fitted)).fit_transform(["Le Monde", "Die Zeit"])
    np.testing.assert_allclose(found, fitted.transform(["Le Monde", "Die Zeit"]).toarray(), 1e-6)

    encoder = pj.PhraseEncoder(TfidfVectorizer()).fit(NAMES)
    wanted = TfidfVectorizer().fit(list(dict.fromkeys(NAMES))).transform(["Die Woche", "Zeit"])
    for one in (encoder, pickle.loads(pickle.dumps(encoder))):
        np.testing.assert_allclose(one.transform(["Die Woche", "Zeit"]), wanted.toarray(), 1e-6)


def test_a_vectoriser_of_too_many_columns_is_refused() -> None:
    with pytest.raises(pj.InputError, match=r"Got 1,048,576 columns\. Hint: put .*TruncatedSVD"):
        pj.PhraseEncoder(HashingVectorizer()).fit(NAMES)


@pytest.mark.parametrize("n_components", [None, 3])
def test_fitting_again_changes_nothing(n_components: int | None) -> None:
    encoder = letters(n_components=n_components).fit(NAMES)
    once = encoder.transform(NAMES)
    np.testing.assert_array_equal(encoder.fit(NAMES).transform(NAMES), once)
    np.testing.assert_array_equal(encoder.fit_transform(NAMES), once)


def test_fitting_on_other_data_forgets_the_first() -> None:
    encoder = letters(n_components=2).fit(pd.DataFrame({"paper": NAMES}))
    encoder.set_params(n_components=None).fit(["x"])
    assert encoder.get_feature_names_out()[0] == "phraseencoder_0"
    assert not hasattr(encoder, "feature_names_in_")
    np.testing.assert_array_equal(encoder.transform(NAMES), letters().fit_transform(NAMES))


@pytest.mark.parametrize("n_components", [None, 3])
def test_rows_do_not_depend_on_the_rows_beside_them(n_components: int | None) -> None:
    encoder = letters(n_components=n_components).fit(NAMES)
    whole = encoder.transform(NAMES)
    one_by_one = np.concatenate([encoder.transform([name]) for name in NAMES])
    np.testing.assert_allclose(one_by_one, whole, atol=1e-6)
    order = np.random.default_rng(0).permutation(len(NAMES))
    shuffled = encoder.transform([NAMES[row] for row in order])
    np.testing.assert_allclose(shuffled, whole[order], atol=1e-6)


def test_rows_of_the_bundled_model_do_not_depend_on_the_rows_beside_them(
    bundled: pj.PhraseEncoder,
) -> None:
    whole = bundled.transform(NAMES)
    one_by_one = np.concatenate([bundled.transform([name]) for name in NAMES])
    assert (whole * one_by_one).sum(axis=1).min() > 0.9999


def test_y_is_ignored() -> None:
    wanted = letters(n_components=2).fit_transform(NAMES)
    found = letters(n_components=2).fit_transform(NAMES, np.arange(len(NAMES)))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("method", ["transform", "get_feature_names_out"])
def test_unfitted_raises(method: str) -> None:
    arguments = [NAMES] if method == "transform" else []
    with pytest.raises(NotFittedError, match="PhraseEncoder instance is not fitted yet"):
        getattr(pj.PhraseEncoder(), method)(*arguments)


def test_a_pickle_holds_no_weights_and_gives_the_same_vectors() -> None:
    encoder = pj.PhraseEncoder(n_components=3).fit(NAMES)
    stored = pickle.dumps(encoder)
    assert len(stored) < 20_000  # 3 axes of 576 numbers; the model has 23 million
    assert encoder.transform(["Libération"]).shape == (1, 3)  # still works itself
    np.testing.assert_array_equal(
        pickle.loads(stored).transform(["Libération"]), encoder.transform(["Libération"])
    )


def test_a_pickle_whose_model_changed_says_so() -> None:
    encoder = pickle.loads(pickle.dumps(pj.PhraseEncoder().fit(NAMES)))
    encoder.model = LetterEncoder()
    with pytest.raises(pj.ModelError, match=r"not the one that was fitted.* Got 16 columns, 576"):
        encoder.transform(NAMES)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_components": 0}, "n_components must be a whole number above 0, or None. Got 0"),
        ({"n_components": 2.0}, "n_components must be a whole number above 0, or None. Got 2.0"),
        ({"n_components": True}, "n_components must be a whole number above 0, or None. Got True"),
        ({"device": "tpu"}, "device must be one of auto, cpu, cuda. Got 'tpu'"),
        ({"batch_size": 0}, "batch_size must be at least 1. Got 0"),
        ({"model": "pearl"}, "no encoder called 'pearl'"),
    ],
)
def test_options_are_checked_at_fit(options: dict, message: str) -> None:
    encoder = pj.PhraseEncoder(**{"model": LetterEncoder(), **options})
    with pytest.raises(pj.InputError, match=message):
        encoder.fit(NAMES)
    assert not hasattr(encoder, "n_components_")


# Names and frames ------------------------------------------------------------------------------


def test_feature_names() -> None:
    names = letters(n_components=2).fit(pd.Series(NAMES, name="paper")).get_feature_names_out()
    assert names.tolist() == ["paper_0", "paper_1"]
    assert names.dtype == object
    unnamed = letters(n_components=2).fit(NAMES)
    assert unnamed.get_feature_names_out().tolist() == ["phraseencoder_0", "phraseencoder_1"]
    assert unnamed.get_feature_names_out(["x0"]).tolist() == ["x0_0", "x0_1"]
    assert letters().fit(pl.Series(["x"])).get_feature_names_out()[0] == "phraseencoder_0"
    assert letters().fit(pd.DataFrame({3: ["x"]})).get_feature_names_out()[-1] == "3_15"
    assert len(letters().fit(["x"]).get_feature_names_out()) == DIM


def test_feature_names_that_do_not_fit_are_refused() -> None:
    encoder = letters().fit(pl.DataFrame({"paper": NAMES}))
    assert encoder.feature_names_in_.tolist() == ["paper"]
    for wrong in (["other"], ["paper", "other"]):
        with pytest.raises(pj.InputError, match=r"must be the one column's name. Got \["):
            encoder.get_feature_names_out(wrong)
    with pytest.raises(pj.InputError, match="Got 'other', fitted on 'paper'"):
        encoder.transform(pl.DataFrame({"other": NAMES}))
    assert encoder.transform(pl.Series("other", ["x"])).shape == (1, DIM)


def test_pandas_output_has_names_and_the_index() -> None:
    column = pd.Series(["Le Monde", None], name="paper", index=["b", "b"])
    encoder = letters(n_components=1).set_output(transform="pandas").fit(NAMES)
    found = encoder.fit([*NAMES]).set_output(transform="pandas").transform(column)
    assert found.index.tolist() == ["b", "b"]
    found = encoder.fit(column.iloc[:1]).transform(column)
    assert found.columns.tolist() == ["paper_0"]
    assert found.dtypes.tolist() == [np.float32]
    whole = letters().set_output(transform="pandas").fit_transform(column)
    np.testing.assert_allclose(whole.to_numpy(), [expected("Le Monde"), np.zeros(DIM)], atol=1e-6)
    assert whole.index.tolist() == ["b", "b"]


def test_polars_output_has_names() -> None:
    found = letters().set_output(transform="polars").fit_transform(pl.DataFrame({"paper": NAMES}))
    assert found.columns == [f"paper_{i}" for i in range(DIM)]
    assert set(found.dtypes) == {pl.Float32}
    np.testing.assert_allclose(found.row(1), expected("Die Zeit"), atol=1e-6)


# Fewer columns ---------------------------------------------------------------------------------


def test_components_are_the_principal_axes_of_the_distinct_texts() -> None:
    from sklearn.decomposition import PCA

    distinct = list(dict.fromkeys(NAMES))
    vectors = np.array([expected(name) for name in distinct])
    wanted = PCA(2, svd_solver="full").fit(vectors).transform(vectors)
    found = letters(n_components=2).fit(NAMES).transform(distinct)
    np.testing.assert_allclose(np.abs(found), np.abs(wanted), atol=1e-5)
    many = [f"{name} {i}" for name in distinct for i in range(20)]
    vectors = np.array([expected(name) for name in many])
    wanted = PCA(3, svd_solver="full").fit(vectors).transform(vectors)
    found = letters(n_components=3).fit_transform(many)
    np.testing.assert_allclose(np.abs(found), np.abs(wanted), atol=1e-4)


def test_components_do_not_depend_on_the_order_of_the_rows() -> None:
    forward = letters(n_components=2).fit(NAMES).transform(NAMES)
    backward = letters(n_components=2).fit(NAMES[::-1]).transform(NAMES)
    np.testing.assert_allclose(forward, backward, atol=1e-5)


def test_nulls_are_zeros_with_components_too() -> None:
    found = letters(n_components=2).fit_transform([None, *NAMES, ""])
    np.testing.assert_array_equal(found[[0, -1]], np.zeros((2, 2)))
    np.testing.assert_array_equal(found[1:-1], letters(n_components=2).fit_transform(NAMES))


@pytest.mark.parametrize(("texts", "wanted", "kept"), [(NAMES, 9, 5), (["x"], 2, 1)])
def test_more_components_than_texts_are_cut_with_a_warning(texts, wanted: int, kept: int) -> None:
    encoder = letters(n_components=wanted)
    with pytest.warns(
        pj.PearljoinWarning, match=f"n_components={wanted} for .*: {kept} are kept"
    ) as caught:
        found = encoder.fit_transform(texts)
    assert caught[0].filename == __file__
    assert found.shape == (len(texts), kept)
    assert np.isfinite(found).all()
    assert len(encoder.get_feature_names_out()) == encoder.n_components_ == kept


def test_more_components_than_columns_are_cut_with_a_warning() -> None:
    many = [f"{name} {i}" for name in NAMES for i in range(10)]
    with pytest.warns(pj.PearljoinWarning, match="vectors of 16 columns: 16 are kept"):
        assert letters(n_components=40).fit_transform(many).shape == (70, 16)


def test_components_need_texts() -> None:
    with pytest.raises(pj.InputError, match=r"n_components=2 needs texts .* a column of 2 rows"):
        letters(n_components=2).fit([None, " "])


def wide(texts: list[str]) -> np.ndarray:
    return np.array([np.random.default_rng(list(t.encode())).normal(size=2_100) for t in texts])


def test_wide_vectors_depend_on_the_seed_alone() -> None:
    texts = [str(i) + "x" for i in range(60)]
    first, second = (
        pj.PhraseEncoder(wide, n_components=3, random_state=0).fit_transform(texts) for _ in "ab"
    )
    np.testing.assert_array_equal(first, second)
    other = pj.PhraseEncoder(wide, n_components=3, random_state=1).fit_transform(texts)
    assert not np.array_equal(first, other)


# Within other tools ----------------------------------------------------------------------------

PEOPLE = [
    "nurse", "surgeon", "doctor", "physician", "dentist", "midwife",
    "carpenter", "bricklayer", "plumber", "roofer", "welder", "electrician",
]  # fmt: skip
HEALTH = [1] * 6 + [0] * 6


def test_pipeline_learns_from_the_vectors() -> None:
    model = make_pipeline(pj.PhraseEncoder(), StandardScaler(), LogisticRegression())
    model.fit(PEOPLE, HEALTH)
    assert model.predict(["pharmacist", "paediatrician", "mason", "joiner"]).tolist() == [
        1,
        1,
        0,
        0,
    ]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("columns", ["job", ["job"]])
def test_column_transformer(frame, columns) -> None:
    table = frame({"job": PEOPLE, "pay": np.arange(12.0)})
    both = ColumnTransformer(
        [("text", letters(n_components=2), columns), ("number", "passthrough", ["pay"])]
    )
    found = both.fit_transform(table)
    wanted = letters(n_components=2).fit_transform(PEOPLE)
    np.testing.assert_allclose(found[:, :2], wanted, atol=1e-6)
    np.testing.assert_array_equal(found[:, 2], np.arange(12.0))
    assert both.get_feature_names_out().tolist() == ["text__job_0", "text__job_1", "number__pay"]
    as_frame = both.set_output(transform="pandas").fit_transform(table)
    assert as_frame.columns.tolist() == ["text__job_0", "text__job_1", "number__pay"]


def test_grid_search_over_the_number_of_components() -> None:
    model = make_pipeline(letters(), LogisticRegression())
    search = GridSearchCV(model, {"phraseencoder__n_components": [1, 4, None]}, cv=3)
    search.fit(PEOPLE, HEALTH)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    best = search.best_params_["phraseencoder__n_components"]
    fitted = search.best_estimator_.named_steps["phraseencoder"]
    assert fitted.n_components_ == (best or DIM)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_skrub_table_vectorizer(frame) -> None:
    jobs = [f"{job} {i}" for job in PEOPLE for i in range(4)]
    table = frame({"job": jobs, "home": jobs[::-1], "age": list(range(48))})
    vectoriser = skrub.TableVectorizer(high_cardinality=letters(n_components=3))
    found = vectoriser.fit_transform(table)
    columns = [f"{name}_{i}" for name in ("job", "home") for i in range(3)]
    assert list(found.columns) == [*columns, "age"]
    assert type(found) is frame
    wanted = letters(n_components=3).fit_transform(jobs)
    np.testing.assert_allclose(found[columns[:3]].to_numpy(), wanted, atol=1e-5)
    np.testing.assert_allclose(vectoriser.transform(table).to_numpy(), found.to_numpy(), atol=1e-6)
    assert vectoriser.kind_to_columns_["high_cardinality"] == ["job", "home"]


def test_skrub_table_vectorizer_with_the_bundled_model_and_nulls() -> None:
    jobs = [*PEOPLE * 4, None]
    table = pd.DataFrame({"job": [job and f"{job} {i}" for i, job in enumerate(jobs)]})
    found = skrub.TableVectorizer(high_cardinality=pj.PhraseEncoder()).fit_transform(table)
    assert found.shape == (49, 576)
    lengths = np.linalg.norm(found.to_numpy(), axis=1)
    np.testing.assert_allclose(lengths, [1] * 48 + [0], atol=1e-5)


def test_the_names_of_figure_1(bundled: pj.PhraseEncoder) -> None:
    """The paper's figure 1: which of five names means The New York Times?

    The bundled model tells two of its three aliases from the two other things, and has "NYTimes"
    behind the Post; PEARL has it before. A model that does better may change this order.
    """
    others = ["nytimes.com", "NYTimes", "New-York Daily Times", "New York Post", "New York"]
    cosine = bundled.transform(others) @ bundled.transform(["The New York Times"])[0]
    ranked = [others[i] for i in np.argsort(-cosine)]
    assert ranked == ["New-York Daily Times", "nytimes.com", "New York Post", "NYTimes", "New York"]
    assert dict(zip(others, cosine.round(1).tolist(), strict=True)) == pytest.approx(
        {
            "nytimes.com": 0.8,
            "NYTimes": 0.6,
            "New-York Daily Times": 0.9,
            "New York Post": 0.7,
            "New York": 0.6,
        }
    )
