"""WeightedWordEncoder: texts as averages of word vectors, weighted by idf rank."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import vstack

from pearljoin._encoders import Encoder
from pearljoin._errors import InputError
from pearljoin._progress import progress
from pearljoin._sklearn import TextTransformer, numbered_names
from pearljoin._tables.text_column import read_text_column
from pearljoin._typing import BoolVector, FloatMatrix
from pearljoin._weighted_words.options import check_options, make_aggregator
from pearljoin._word_vectors import Aggregator, DocumentFrequencies, Pooling, TfidfVocabulary
from pearljoin._word_vectors.split import chunks_of

__all__ = ["WeightedWordEncoder"]

LARGEST_DENSE = 1 << 30
"""Numbers of the largest dense tf-idf matrix; `transform` gives a sparse one."""

Frequencies: TypeAlias = str | Path | tuple[Mapping[str, int], int] | None


class WeightedWordEncoder(TextTransformer):
    """Encode short texts as averages of word vectors, weighted by idf rank.

    The words of a text are sorted from high to low inverse document frequency; each one's vector
    is multiplied by a weight learned for its rank, and the products are averaged (De Boom et al.
    2016, equations 1, 3 and 12 to 14). There is no network to run, so it is fast; the weights
    learned with one table of word vectors are good for others too.

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
        For ``"weighted"``: ``"names"``, learned on pairs of names of the same thing; ``"text"``,
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
        with ``encode_words`` or ``encode``, from a list of words to an array of shape (n_words,
        dim) in the table's space, such as a character encoder trained by ``python -m
        pearljoin_train love``. Its rows are scaled to the usual length of the table's; a row of
        zeros leaves the word out. A number that is unknown is first sought with its digits as
        one "0", as the paper writes numbers.
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

    _fitted_attribute = "document_frequencies_"
    _fit_hint = "call fit(texts); with document_frequencies given, fit([]) is enough."

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
        check_options(self.pooling, self.top, self.cache_size)
        texts = read_text_column(X).texts()
        given = self.document_frequencies
        if given is None:
            counted = DocumentFrequencies.from_texts(texts, lowercase=self.lowercase)
        else:
            counted = DocumentFrequencies.of(given)
        self._aggregator = self._make_aggregator(counted)
        self.document_frequencies_ = counted
        self.n_features_in_ = 1
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit and transform.

        Parameters
        ----------
        X, y
            As in `fit`.

        Returns
        -------
        vectors
            As from `transform`.
        """
        texts = list(X) if isinstance(X, Iterator) else X  # it is read twice
        return super().fit_transform(texts, y)

    def transform(self, X: Any) -> Any:
        """Return the texts' vectors as the paper defines them, not normalised.

        Parameters
        ----------
        X
            Texts, as `fit` takes them. Nulls count as empty texts.

        Returns
        -------
        vectors
            float32 of shape (n_texts, dim). With ``pooling="tf-idf"`` a scipy CSR matrix.
        """
        return self._vectors(X)

    @property
    def encode(self) -> Callable[[Sequence[str]], FloatMatrix]:
        """Function from phrases to unit vectors, as an `Encoder` has it; once fitted.

        It takes any strings and returns float32 of shape (n_phrases, dim). Rows have unit
        length, but for zeros where no word of a phrase has a vector. Tf-idf vectors come out
        dense, and are refused where they would not fit in memory.
        """
        # NotFittedError is an AttributeError, so an unfitted encoder has no `encode`, and is
        # taken for a transformer, of which a clone is fitted.
        self._get_aggregator()
        return self._encode

    def _encode(self, phrases: Sequence[str]) -> FloatMatrix:
        found = self._vectors(phrases)
        if not isinstance(found, np.ndarray):
            if found.shape[0] * found.shape[1] > LARGEST_DENSE:
                raise InputError(
                    f"tf-idf vectors do not fit in memory as a dense array. Got shape "
                    f"{found.shape}. Hint: transform() gives them as a sparse matrix."
                )
            found = found.toarray()
        lengths = np.sqrt(np.einsum("ij,ij->i", found, found))[:, None]
        found /= np.where(lengths > 0, lengths, np.float32(1.0))
        return np.asarray(found, dtype=np.float32)

    def _vectors(self, X: Any) -> Any:
        # What `transform` gives before scikit-learn makes a frame of it, where that was asked for.
        aggregator = self._get_aggregator()
        texts = read_text_column(X).texts()
        chunks = self._chunks(texts)
        if aggregator.pooling == "tf-idf":
            parts: list[Any] = [aggregator.vectors(texts[rows]) for rows in chunks]
            return vstack(parts, format="csr")
        vectors = np.empty((len(texts), aggregator.dim), dtype=np.float32)
        for rows in chunks:
            vectors[rows] = aggregator.vectors(texts[rows])
        return vectors

    def transform_ranks(self, X: Any, n_ranks: int) -> FloatMatrix:
        """Return the factor of each rank's weight, for learning weights.

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

        Raises
        ------
        InputError
            If `n_ranks` is below 1, or the pooling is ``"tf-idf"``.
        """
        if n_ranks < 1:
            raise InputError(f"There is at least one rank. Got n_ranks={n_ranks}. Hint: 20.")
        return self._get_aggregator().rank_parts(read_text_column(X).texts(), n_ranks)

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Return which phrases have words, all of them with a vector.

        Returns
        -------
        covered
            bool of shape (n_phrases,).
        """
        aggregator = self._get_aggregator()
        texts = read_text_column(phrases).texts()
        return np.concatenate([aggregator.covers(texts[rows]) for rows in chunks_of(texts)])

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        return self._get_aggregator().dim

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the columns' names: ``<column>_<i>``, or the words for tf-idf."""
        store = self._get_aggregator().store
        if isinstance(store, TfidfVocabulary):
            return np.array(store.words, dtype=object)
        names = ["weightedwordencoder"] if input_features is None else list(input_features)
        return numbered_names(names[0], self.dim)

    def _make_aggregator(self, counts: DocumentFrequencies) -> Aggregator:
        return make_aggregator(
            counts,
            vectors=self.vectors,
            pooling=self.pooling,
            weights=self.weights,
            top=self.top,
            unknown=self.unknown,
            lowercase=self.lowercase,
            cache_size=self.cache_size,
        )

    def _get_aggregator(self) -> Aggregator:
        self._check_fitted()
        if not hasattr(self, "_aggregator"):  # unpickled
            self._aggregator = self._make_aggregator(self.document_frequencies_)
        return self._aggregator

    def _chunks(self, texts: list[str]) -> Iterator[slice]:
        chunks = chunks_of(texts)
        return progress(
            chunks, total=len(chunks), label="encoding", unit="batch", verbose=self.verbose
        )

    def __getstate__(self) -> dict[str, Any]:
        # It holds a lock and copies of the word vectors, and is made again.
        state = dict(super().__getstate__())
        state.pop("_aggregator", None)
        return state
