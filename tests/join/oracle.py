"""The score of every pair, written down again from scikit-learn's parts: slow and plain."""

from collections.abc import Sequence

import numpy as np
from frames import TrigramEncoder
from scipy.optimize import linear_sum_assignment
from sklearn.feature_extraction.text import TfidfVectorizer

from pearljoin._text.normalise import mend, normalise

BELOW_EQUAL = 1 - 1e-5


def text_scores(left: Sequence[str], right: Sequence[str]) -> np.ndarray:
    """Mean of meaning and spelling; 1 for equal texts only. float64 of shape (n_left, n_right)."""
    encoder = TrigramEncoder()
    meaning = np.maximum(
        encoder.encode(list(map(mend, left))) @ encoder.encode(list(map(mend, right))).T, 0
    )
    left_texts, right_texts = [[normalise(mend(text)) for text in side] for side in (left, right)]
    # Each side's distinct texts count once in the document frequencies.
    corpus = [normalise(mend(text)) for side in (left, right) for text in dict.fromkeys(side)]
    spelling = np.zeros_like(meaning, dtype=np.float64)
    for options in (
        {"analyzer": "char_wb", "ngram_range": (2, 4)},
        {"analyzer": "word", "token_pattern": r"\S+"},
    ):
        model = TfidfVectorizer(**options).fit(corpus)
        spelling += (model.transform(left_texts) @ model.transform(right_texts).T).toarray() / 2
    scores = np.minimum((meaning + spelling) / 2, BELOW_EQUAL)
    return np.where(np.array(left_texts)[:, None] == np.array(right_texts), 1.0, scores)


def best_total(scores: np.ndarray, threshold: float) -> float:
    """Greatest sum of scores over pairs that reach the threshold, each row used at most once."""
    usable = np.where(scores >= threshold, scores, 0.0)
    return float(usable[linear_sum_assignment(usable, maximize=True)].sum())
