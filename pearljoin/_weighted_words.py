"""WeightedWordEncoder: texts as weighted averages of word vectors (De Boom et al. 2016)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError

from pearljoin._encoders import Encoder
from pearljoin._encoders._folder import MODELS, ONNX, TOKENIZER, read_folder
from pearljoin._encoders._load import DEFAULT, bundled_names
from pearljoin._errors import InputError
from pearljoin._progress import progress
from pearljoin._typing import BoolVector, FloatMatrix, IntVector
from pearljoin._word_vectors import (
    DocumentFrequencies,
    Pooling,
    RankWeights,
    TokenTable,
    Vocabulary,
    Words,
    WordStore,
    WordTable,
    imputer,
    keep_top,
    load_word_table,
    pool,
    rank_parts,
    sort_by_idf,
    split_words,
)

__all__ = ["WeightedWordEncoder"]

CHUNK = 8_192
"""Texts pooled at once: bounds the memory of the intermediate arrays."""
LARGEST_DENSE = 1 << 30
"""Numbers. A dense tf-idf matrix of more is refused: `transform` gives a sparse one."""

Frequencies: TypeAlias = str | Path | tuple[Mapping[str, int], int] | None


class WeightedWordEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Encode short texts by word vectors, weighted by the rank of each word's idf.

    The words of a text are sorted from high to low inverse document frequency; each one's vector
    is multiplied by a weight learned for its rank, and the products are averaged (De Boom et al.
    2016, equations 1, 3 and 12 to 14). There is no network to run, so it is fast; the weights
    learned with one table of word vectors serve with others.

    Parameters
    ----------
    vectors
        Word vectors: ``"default"``, the token table of the bundled encoder (a word of several
        tokens has their mean), or another bundled name or model folder; the path of a word2vec,
        FastText (text or binary) or GloVe file; a gensim ``KeyedVectors``; or a mapping from
        word to vector.
    pooling
        How word vectors make a text's vector. ``"weighted"`` is the method; the others are the
        paper's baselines (section 5.1): ``"mean"``, ``"max"``, ``"min"``, ``"min-max"`` (both,
        side by side), ``"idf-mean"`` (each vector times its idf, then the mean), ``"tf-idf"``
        (no word vectors; one column a counted word).
    weights
        For ``"weighted"``: ``"names"``, learned on pairs of names of one thing; ``"text"``,
        learned on running text, as in the paper; a list, one weight a rank; or a JSON file
        written by ``python -m pearljoin_train word-weights learn``.
    top
        Share of each text's words that counts, those of highest idf, rounded up: above 0, at
        most 1. The paper's "top 30 % idf" baselines have 0.3.
    document_frequencies
        In how many documents words occur: a file (see Notes), or a pair of a mapping and the
        number of documents. None: `fit` counts them in its texts.
    unknown
        Words without a vector: ``"skip"`` leaves them out, as if they were not in the text;
        ``"characters"`` makes one from the word's characters (FastText files: from its n-grams;
        others: by an encoder that imitates the table, learned in seconds at `fit`); or an object
        with ``encode``, which gives the table's dimension. A number that is unknown is first
        sought with its digits as one "0", as the paper writes numbers.
    lowercase
        Whether texts are lower-cased. False for tables of cased words.
    cache_size
        Words whose vectors are kept between calls, at most a few more.
    verbose
        A progress bar: None shows it on a terminal once it has taken a few seconds.

    Attributes
    ----------
    document_frequencies_
        The document frequencies in force, once fitted.
    n_features_in_
        1, once fitted.

    Notes
    -----
    - A text's vector depends on its words, not on their order; words of equal idf are ordered by
      a checksum of the word. A word that occurs twice counts twice.
    - A text of m words takes m weights at equal steps between the first and the last (equations
      12 and 13; see below), whether it is shorter or longer than those learned from. The only
      word of a text takes the first weight.
    - A text without words, or all of whose words are unknown, has a row of zeros.
    - Equation 13 as printed adds the slope to the upper weight; the interpolation that is meant
      adds it to the lower one, and so does this.
    - The file of document frequencies has the number of documents in its first line, then
      ``word<TAB>count`` a line; what gensim's ``Dictionary.save_as_text`` writes is read too.
    - ``"idf-mean"`` follows equation 1, whose idf is 0 or less for a word of all (but one)
      texts: fitted on two or three texts it can cancel whole texts out.

    References
    ----------
    De Boom, Van Canneyt, Demeester and Dhoedt: "Representation learning for very short texts
    using weighted word embedding aggregation", Pattern Recognition Letters 80 (2016).

    Examples
    --------
    >>> table = {"red": [1.0, 0.0], "apple": [0.0, 1.0], "the": [1.0, 1.0]}
    >>> encoder = WeightedWordEncoder(table, weights=[1.0, 0.5, 0.0])
    >>> encoder.fit(["the apple", "the red apple", "the end"]).transform(["the red apple"])
    array([[0.33333334, 0.16666667]], dtype=float32)
    >>> encoder.encode(["Apple", "quince"])
    array([[0., 1.],
           [0., 0.]], dtype=float32)
    """

    def __init__(
        self,
        vectors: Any = "default",
        *,
        pooling: Pooling = "weighted",
        weights: str | Path | ArrayLike = "names",
        top: float = 1.0,
        document_frequencies: Frequencies = None,
        unknown: Literal["skip", "characters"] | Encoder = "skip",
        lowercase: bool = True,
        cache_size: int = 200_000,
        verbose: bool | None = None,
    ) -> None:
        self.vectors = vectors
        self.pooling = pooling
        self.weights = weights
        self.top = top
        self.document_frequencies = document_frequencies
        self.unknown = unknown
        self.lowercase = lowercase
        self.cache_size = cache_size
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> WeightedWordEncoder:
        """Count document frequencies, where none were given, and get the word vectors ready.

        Parameters
        ----------
        X
            Texts: a sequence, an array, a Series, or a frame of one column.
        y
            Ignored.

        Returns
        -------
        self
            This encoder.

        Raises
        ------
        InputError
            If an option has a value that it cannot have, or `X` is not a column of texts.
        """
        self._check_options()
        texts = _texts_of(X)
        given = self.document_frequencies
        if given is None:
            counted = DocumentFrequencies.from_texts(texts, lowercase=self.lowercase)
        elif isinstance(given, tuple):
            counted = DocumentFrequencies(*given)
        else:
            counted = DocumentFrequencies.read(given)
        self.document_frequencies_ = counted
        self.n_features_in_ = 1
        self._make_store()
        return self

    def transform(self, X: Any) -> Any:
        """Return the texts' vectors as the paper has them, of any length.

        Parameters
        ----------
        X
            Texts, as `fit` takes them. Nulls count as empty texts.

        Returns
        -------
        vectors
            float32 of shape (n_texts, dim). With ``pooling="tf-idf"`` a scipy CSR matrix.
        """
        parts: list[Any] = list(self._chunks(_texts_of(X)))
        return vstack(parts, format="csr") if self.pooling == "tf-idf" else np.concatenate(parts)

    @property
    def encode(self) -> Callable[[Sequence[str]], FloatMatrix]:
        """Function from phrases to unit vectors, as an `Encoder` has it; once fitted.

        It takes any strings and returns float32 of shape (n_phrases, dim). Rows have unit
        length, but for zeros where no word of a phrase has a vector. Tf-idf vectors come out
        dense, and are refused where they would not fit in memory.
        """
        # NotFittedError is an AttributeError, so an unfitted encoder has no `encode`: what takes
        # encoders takes it for a transformer then, and fits a clone.
        self._get_store()
        return self._encode

    def _encode(self, phrases: Sequence[str]) -> FloatMatrix:
        found = self.transform(phrases)
        if self.pooling == "tf-idf":
            if found.shape[0] * found.shape[1] > LARGEST_DENSE:
                raise InputError(
                    f"tf-idf vectors do not fit in memory as a dense array. Got shape "
                    f"{found.shape}. Hint: transform() gives them as a sparse matrix."
                )
            found = found.toarray()
        lengths = np.sqrt(np.einsum("ij,ij->i", found, found))[:, None]
        found /= np.where(lengths > 0, lengths, np.float32(1.0))
        return np.asarray(found, dtype=np.float32)

    def transform_ranks(self, X: Any, n_ranks: int) -> FloatMatrix:
        """Return what each rank's weight is multiplied with: for learning weights.

        Parameters
        ----------
        X
            Texts, as `fit` takes them; few enough for a result that fits in memory.
        n_ranks
            Number of weights, at least 1.

        Returns
        -------
        parts
            float32 of shape (n_texts, n_ranks, dim). With ``pooling="weighted"``, `transform`
            gives ``weights @ parts``.
        """
        store = self._get_store()
        if not isinstance(store, WordStore):
            raise InputError(
                "tf-idf has no word vectors to weight. Got pooling='tf-idf'. "
                "Hint: use pooling='weighted'."
            )
        words, matrix = self._sorted(_texts_of(X), store)
        return rank_parts(words, matrix, n_ranks)

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Tell which phrases have words, all of them with a vector.

        Returns
        -------
        covered
            bool of shape (n_phrases,).
        """
        store = self._get_store()
        covered = np.zeros(len(phrases), dtype=np.bool_)
        for start in range(0, len(phrases), CHUNK):
            words, lengths = self._split(phrases[start : start + CHUNK])
            unknown = store.rows(words).ids < 0
            text = np.repeat(np.arange(len(lengths)), lengths)
            missing = np.bincount(text[unknown], minlength=len(lengths))
            covered[start : start + CHUNK] = (lengths > 0) & (missing == 0)
        return covered

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        store = self._get_store()
        if isinstance(store, Vocabulary):
            return len(store.words)
        return store.table.dim * (2 if self.pooling == "min-max" else 1)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the columns' names: ``<column>_<i>``, or the words for tf-idf."""
        store = self._get_store()
        if isinstance(store, Vocabulary):
            return np.array(store.words, dtype=object)
        names = ["weightedwordencoder"] if input_features is None else list(input_features)
        return np.array([f"{names[0]}_{i}" for i in range(self.dim)], dtype=object)

    def _check_options(self) -> None:
        if self.pooling not in get_args(Pooling):
            raise InputError(
                f"There is no such pooling. Got {self.pooling!r}. "
                f"Hint: use one of {', '.join(map(repr, get_args(Pooling)))}."
            )
        if not 0.0 < self.top <= 1.0:
            raise InputError(
                f"top is a share of a text's words, above 0 and at most 1. Got {self.top!r}. "
                "Hint: 0.3 keeps the 30 % of highest idf."
            )

    def _make_store(self) -> None:
        counts = self.document_frequencies_
        self._rank_weights = None
        if self.pooling == "tf-idf":
            self._store: WordStore | Vocabulary = Vocabulary(counts)
            return
        if self.pooling == "weighted":
            self._rank_weights = RankWeights.load(self.weights)
        table = _load_table(self.vectors)
        impute = imputer(self.unknown, table)
        self._store = WordStore(table, counts, impute=impute, capacity=self.cache_size)

    def _get_store(self) -> WordStore | Vocabulary:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                "This WeightedWordEncoder has not counted any words yet. Got no call of fit. "
                "Hint: call fit(texts); with document_frequencies given, fit([]) is enough."
            )
        if not hasattr(self, "_store"):  # unpickled
            self._make_store()
        return self._store

    def _split(self, phrases: Sequence[str]) -> tuple[list[str], IntVector]:
        found = split_words(phrases, lowercase=self.lowercase)
        lengths = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
        return list(chain.from_iterable(found)), lengths

    def _chunks(self, texts: Sequence[str]) -> Iterator[FloatMatrix | csr_matrix]:
        self._get_store()
        starts = range(0, max(len(texts), 1), CHUNK)
        shown = progress(
            starts, total=len(starts), label="encoding", unit="batch", verbose=self.verbose
        )
        for start in shown:
            yield self._pool(texts[start : start + CHUNK])

    def _pool(self, texts: Sequence[str]) -> FloatMatrix | csr_matrix:
        store = self._get_store()
        words, matrix = self._sorted(texts, store)
        if isinstance(store, Vocabulary):
            return store.vectors(words)
        return pool(words, matrix, self.pooling, self._rank_weights)

    def _sorted(
        self, texts: Sequence[str], store: WordStore | Vocabulary
    ) -> tuple[Words, FloatMatrix]:
        """Return the texts' known words that count, sorted, and the matrix of their vectors."""
        words, lengths = self._split(texts)
        rows = store.rows(words)
        known = rows.ids >= 0
        text = np.repeat(np.arange(len(texts)), lengths)[known]
        ids = rows.ids[known]
        counts = np.bincount(text, minlength=len(texts))
        found = sort_by_idf(ids, rows.idf[ids], rows.ties[ids], counts)
        return keep_top(found, self.top), rows.matrix

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "document_frequencies_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

    def __getstate__(self) -> dict[str, Any]:
        # The store holds a lock and copies of what `vectors` names: it is made again.
        state = dict(super().__getstate__())
        state.pop("_store", None)
        return state


def _load_table(vectors: Any) -> WordTable:
    if not isinstance(vectors, str | Path):
        return load_word_table(vectors)
    if str(vectors) in bundled_names():
        return _token_table(MODELS / (DEFAULT if vectors == "default" else vectors))
    return _token_table(Path(vectors)) if Path(vectors).is_dir() else load_word_table(vectors)


def _token_table(path: Path) -> TokenTable:
    folder = read_folder(path)
    return TokenTable(folder.read(TOKENIZER), folder.read(ONNX), repr(str(path)))


def _texts_of(X: Any) -> list[str]:
    """Read a column of texts, whatever holds it; nulls become empty texts."""
    if isinstance(X, str | bytes):
        raise InputError(
            f"Texts must be a column, not a single string. Got {X!r:.80}. Hint: pass a list."
        )
    values = nw.from_native(X, pass_through=True, allow_series=True)
    if isinstance(values, nw.LazyFrame):
        values = values.collect()
    if isinstance(values, nw.DataFrame):
        if values.shape[1] != 1:
            raise InputError(
                f"One column of texts is encoded at a time. Got columns {values.columns}. "
                "Hint: pass one of them, or use a ColumnTransformer."
            )
        values = values[values.columns[0]]
    if isinstance(values, nw.Series):
        values = values.to_list()
    elif isinstance(values, np.ndarray):
        if values.ndim > 2 or (values.ndim == 2 and values.shape[1] != 1):
            raise InputError(
                f"One column of texts is encoded at a time. Got an array of shape {values.shape}. "
                "Hint: pass one of its columns."
            )
        values = values.ravel().tolist()
    return [value if isinstance(value, str) else _text(value) for value in values]


def _text(value: Any) -> str:
    # None, NaN, NaT and pandas.NA are the values that do not equal themselves.
    try:
        return "" if value is None or bool(value != value) else str(value)
    except TypeError:
        return ""
