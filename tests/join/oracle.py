"""The score of every pair, written down again from scikit-learn's parts: slow and plain."""

from collections.abc import Sequence

import numpy as np
from frames import TrigramEncoder
from scipy.optimize import linear_sum_assignment
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize

from pearljoin._search.tfidf import _ngram_columns, word_columns
from pearljoin._text.background import bundled_background
from pearljoin._text.normalise import mend, normalise

BELOW_EQUAL = 1 - 1e-5
BACKGROUND = 300
"""Texts that the background counts for."""


def text_scores(left: Sequence[str], right: Sequence[str]) -> np.ndarray:
    """Mean of meaning and spelling; 1 for equal texts only. float64 of shape (n_left, n_right)."""
    encoder = TrigramEncoder()
    meaning = np.maximum(
        encoder.encode(list(map(mend, left))) @ encoder.encode(list(map(mend, right))).T, 0
    )
    left_texts, right_texts = [[normalise(mend(text)) for text in side] for side in (left, right)]
    # The distinct texts of the reference count once in the document frequencies.
    corpus = [normalise(mend(text)) for text in dict.fromkeys(right)]
    spelling = np.zeros_like(meaning, dtype=np.float64)
    for options, columns_of in (
        ({"analyzer": "char_wb", "ngram_range": (2, 4)}, ngram_columns),
        ({"analyzer": "word", "token_pattern": r"\S+"}, word_columns),
    ):
        model = CountVectorizer(**options).fit([*left_texts, *corpus])
        names = bundled_background().shares(columns_of(list(model.get_feature_names_out())))
        texts = np.asarray((model.transform(corpus) > 0).sum(axis=0)).reshape(-1)
        n_texts = len(corpus) + BACKGROUND
        share = np.where(texts > 0, (texts + BACKGROUND * names) / n_texts, names)
        idf = 1 - np.log(np.clip(share, 1 / n_texts, 1))
        both = [
            normalize(model.transform(side).multiply(idf)) for side in (left_texts, right_texts)
        ]
        spelling += (both[0] @ both[1].T).toarray() / 2
    scores = np.minimum((meaning + spelling) / 2, BELOW_EQUAL)
    return np.where(np.array(left_texts)[:, None] == np.array(right_texts), 1.0, scores)


def ngram_columns(ngrams: list[str]) -> np.ndarray:
    """The column of each n-gram."""
    columns = []
    for ngram in ngrams:
        points = np.array([ord(letter) for letter in ngram], dtype=np.uint32)
        columns.extend(_ngram_columns(points, np.zeros(len(points), dtype=np.int64), len(ngram))[1])
    return np.array(columns)


def best_total(scores: np.ndarray, threshold: float) -> float:
    """Greatest sum of scores over pairs that reach the threshold, each row used at most once."""
    usable = np.where(scores >= threshold, scores, 0.0)
    return float(usable[linear_sum_assignment(usable, maximize=True)].sum())
