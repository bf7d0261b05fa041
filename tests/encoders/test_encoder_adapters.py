import numpy as np
import pytest
import scipy.sparse
import torch
from encoder_samples import NAMES
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline

from pearljoin import InputError
from pearljoin._encoders import Encoder, load_encoder
from pearljoin._encoders.unit_vectors import checked_vectors, unit_rows


def lengths(texts):
    return [[len(text), 1.0] for text in texts]


def test_a_function_is_an_encoder_of_unit_rows():
    encoder = load_encoder(lengths)
    assert isinstance(encoder, Encoder)
    assert encoder.dim == 2
    assert encoder.fallback_threshold is None
    vectors = encoder.encode(["abc", ""])
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, [[3 / 10**0.5, 1 / 10**0.5], [0, 1]], rtol=1e-6)
    assert encoder.encode([]).shape == (0, 2)


def test_batches_are_handed_over_in_order():
    sizes = []

    def counting(texts):
        sizes.append(len(texts))
        return lengths(texts)

    encoder = load_encoder(counting, batch_size=2)
    phrases = ["a", "bb", "ccc", "dddd", "eeeee"]
    np.testing.assert_array_equal(encoder.encode(phrases), load_encoder(lengths).encode(phrases))
    assert sizes[1:] == [2, 2, 1]


class Sentences:
    """Shaped like a sentence-transformers model."""

    def encode(self, sentences, batch_size=32):
        return torch.tensor(lengths(sentences), requires_grad=True)


def test_an_object_with_encode_that_gives_tensors():
    np.testing.assert_allclose(load_encoder(Sentences()).encode(["abc"]), [[0.9487, 0.3162]], 1e-4)


def test_pearljoins_own_encoders_are_used_as_they_are(encoder):
    assert load_encoder(encoder) is encoder


def test_a_fitted_vectoriser_is_used_as_it_is():
    vectoriser = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3)).fit(NAMES)
    vectors = load_encoder(vectoriser, corpus=["something else"]).encode(NAMES[:9])
    expected = vectoriser.transform(NAMES[:9]).toarray()
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_an_unfitted_vectoriser_is_cloned_and_fitted_on_the_corpus():
    vectoriser = CountVectorizer()
    encoder = load_encoder(vectoriser, corpus=["red car", "blue car"])
    assert encoder.dim == 3
    assert not hasattr(vectoriser, "vocabulary_")
    half = 0.5**0.5
    # blue, car, red; a phrase of unknown words has no vector
    np.testing.assert_allclose(encoder.encode(["red car", "bus"]), [[0, half, half], [0, 0, 0]])


def test_a_pipeline_and_a_vectoriser_that_needs_no_fitting():
    pipeline = make_pipeline(TfidfVectorizer(), TruncatedSVD(5, random_state=0))
    assert load_encoder(pipeline, corpus=NAMES).encode(NAMES).shape == (len(NAMES), 5)
    assert load_encoder(HashingVectorizer(n_features=64)).encode(["a b"]).shape == (1, 64)


def test_an_unfitted_vectoriser_without_texts():
    with pytest.raises(InputError, match="TfidfVectorizer is not fitted, and there is no text"):
        load_encoder(TfidfVectorizer())


def test_a_vectoriser_that_finds_no_words():
    with pytest.raises(InputError, match="CountVectorizer cannot be fitted on the texts"):
        load_encoder(CountVectorizer(), corpus=["a", "b"])


def test_a_vocabulary_too_large_to_make_dense_stays_sparse():
    texts = ["red car", "", "blue car car", "bus"]
    encoder = load_encoder(HashingVectorizer(), batch_size=3)
    assert (encoder.dim, encoder.sparse) == (1 << 20, True)
    vectors = encoder.encode(texts)
    assert scipy.sparse.isspmatrix_csr(vectors)
    assert (vectors.dtype, vectors.shape) == (np.float32, (4, 1 << 20))
    expected = HashingVectorizer().transform(texts)
    assert abs(vectors - expected).max() < 1e-6
    assert encoder.encode([]).shape == (0, 1 << 20)
    assert not load_encoder(lengths).sparse


def test_sparse_vectors_are_scaled_as_dense_ones_are():
    rows = np.array([[1.0, 0, 0], [3e300, 4e300, 0], [1e-300, 0, 0], [0, 0, 0], [1, -2, 2]])
    outputs = {
        "csr": scipy.sparse.csr_matrix(rows),
        "coo with doubles": scipy.sparse.coo_matrix(
            (np.append(rows[rows != 0], [0.5, 0.5]), np.hstack([rows.nonzero(), [[0, 0], [1, 1]]])),
            shape=(5, 3),
        ),
        "csc array": scipy.sparse.csc_array(rows),
    }
    for name, output in outputs.items():
        wide = scipy.sparse.hstack([output, scipy.sparse.csr_matrix((5, 9_000))])
        found = checked_vectors(wide, n_phrases=5, dim=9_003, source="it")
        small = checked_vectors(output, n_phrases=5, dim=3, source="it")
        assert scipy.sparse.issparse(found)
        assert not scipy.sparse.issparse(small)
        np.testing.assert_allclose(found.toarray()[:, :3], small, rtol=1e-6, err_msg=name)
        assert found.has_canonical_format
        assert (found.data != 0).all()


def test_an_encoder_that_changes_between_sparse_and_dense_keeps_to_its_first():
    wide = np.zeros((1, 9_000))
    wide[0, 3] = 2
    kinds = iter([scipy.sparse.csr_matrix(wide), wide, scipy.sparse.csr_matrix(wide)])
    encoder = load_encoder(lambda texts: next(kinds))
    vectors = encoder.encode(["a"])
    assert scipy.sparse.issparse(vectors)
    assert vectors.toarray()[0, 3] == 1
    kinds = iter([wide, scipy.sparse.csr_matrix(wide)])
    vectors = load_encoder(lambda texts: next(kinds)).encode(["a"])
    assert isinstance(vectors, np.ndarray)
    assert vectors[0, 3] == 1


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ([1.0], r"must give one vector per phrase.*Got shape \(1,\)"),
        ([[1.0], [2.0]], r"a matrix of 1 rows. Got shape \(2, 1\)"),
        ([[]], r"Got shape \(1, 0\)"),
        ([[[1.0]]], r"Got shape \(1, 1, 1\)"),
        ([[float("nan"), 1.0]], "not finite numbers. Got NaN or infinity in row 0"),
        ([[float("inf"), 1.0]], "not finite numbers"),
        ([["x"]], "must give numbers. Got list"),
        (None, "must give"),
        ("text", "must give numbers. Got str"),
        (scipy.sparse.csr_matrix((2, 3)), r"Got shape \(2, 3\)"),
        (scipy.sparse.csr_matrix((2, 9_000)), r"Got shape \(2, 9000\)"),
        (
            scipy.sparse.csr_matrix(([np.nan], ([0], [7])), shape=(1, 9_000)),
            "Got NaN or infinity in row 0",
        ),
    ],
)
def test_output_that_is_no_matrix_of_vectors(output, message):
    with pytest.raises(InputError, match=f"encoder function <lambda>.*{message}"):
        load_encoder(lambda texts: output)


def test_vectors_of_changing_width():
    widths = iter([3, 3, 4])
    encoder = load_encoder(lambda texts: np.ones((len(texts), next(widths))))
    assert encoder.encode(["a"]).shape == (1, 3)
    with pytest.raises(InputError, match=r"must always give vectors of 3 columns. Got 4"):
        encoder.encode(["a"])


def test_huge_and_tiny_numbers_become_unit_rows():
    rows = {"pearljoin": [1.0, 0.0], "huge": [1e300, 1e300], "tiny": [1e-300, 0.0], "no": [0.0, 0]}
    encoder = load_encoder(lambda texts: [rows[text] for text in texts])
    half = 0.5**0.5
    expected = [[half, half], [1, 0], [0, 0]]
    np.testing.assert_allclose(encoder.encode(["huge", "tiny", "no"]), expected, rtol=1e-6)


def test_unit_rows_of_float32_at_its_limits():
    rows = np.array([[3e38, 3e38], [1e-40, 0], [0, 0]], dtype=np.float32)
    half = 0.5**0.5
    np.testing.assert_allclose(unit_rows(rows), [[half, half], [1, 0], [0, 0]], rtol=1e-3)


def test_what_is_no_encoder():
    with pytest.raises(InputError, match=r"Got int. Hint: leave it out"):
        load_encoder(7)
    with pytest.raises(InputError, match=r"Got the class TfidfVectorizer. Hint: make one"):
        load_encoder(TfidfVectorizer)
