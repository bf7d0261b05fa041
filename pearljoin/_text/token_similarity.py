"""Token similarity matrices: edit similarity, prefixes, acronyms and compounds."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._parallel import processors
from pearljoin._search import tfidf
from pearljoin._text.tokens import TokenIndex, TokenRuns, incidence
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["acronyms", "best_of", "compounds", "edit_similarity", "prefixes"]

EDIT_PENALTY = 3.0
"""The edit similarity of two tokens is ``1 - EDIT_PENALTY * edits / letters``, at least 0, where
edits are counted by optimal string alignment and letters in the longer token. It is 0.7 for
"California" and "Califronia", 0.25 for "WHCT" and "WHCQ", 0 for "Andi" and "Gbandi"."""

NEIGHBOURS = 10
"""Tokens that each token is compared with: its nearest by n-grams."""

LONGEST_WORD, LONGEST_ACRONYM, MOST_INITIALS, LONGEST_PREFIX = 64, 8, 40, 20
"""Bounds that names do not reach, and that keep long texts cheap."""

_DIGIT = re.compile(r"\d")


def edit_similarity(index: TokenIndex) -> csr_matrix:
    """Compute the edit similarity of tokens that are near each other, 1 for the same.

    Parameters
    ----------
    index
        The tokens.

    Returns
    -------
    similarity
        Sparse float32 of shape (n_tokens, n_tokens), symmetric, in (0, 1]; see `EDIT_PENALTY`.
    """
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    words, same = np.array(index.words, dtype=object), np.arange(len(index))
    # Numbers are no spellings of each other, and what is so long is no word.
    wrong = (_DIGIT.search(word) or len(word) > LONGEST_WORD for word in words)
    texts = ["" if no else word for word, no in zip(words, wrong, strict=True)]
    grams = tfidf.halves(tfidf.count(texts))[0]
    grams = csr_matrix(grams.multiply(1 / np.sqrt(np.maximum(1, grams.sum(axis=1)))))
    first, second, _ = tfidf.nearest(grams, grams, NEIGHBOURS)
    first, second = first[first != second], second[first != second]
    edits = process.cpdist(words[first], words[second], scorer=OSA.distance, workers=processors())
    length = np.array([len(word) for word in words], dtype=np.float32)
    letters = np.maximum(length[first], length[second])
    score = (1 - EDIT_PENALTY * edits / letters).astype(np.float32)
    kept = score > 0
    # Either may be missing among the other's nearest.
    rows = np.concatenate([same, first[kept], second[kept]])
    columns = np.concatenate([same, second[kept], first[kept]])
    scores = np.concatenate([np.ones(len(same), dtype=np.float32), score[kept], score[kept]])
    return _largest(rows, columns, scores, (len(same), len(same)))


def prefixes(index: TokenIndex) -> csr_matrix:
    """Find the tokens that each token begins with, or is.

    A token that begins with a digit is no prefix of another.

    Parameters
    ----------
    index
        The tokens.

    Returns
    -------
    prefixes
        Sparse 0/1, of shape (n_tokens, n_tokens).
    """
    words: list[int] = []
    beginnings: list[int] = []
    # In order, all that begins with a token follows it at once: these are the ones still open.
    still_open: list[str] = []
    for word in index.words:
        while still_open and not word.startswith(still_open[-1]):
            still_open.pop()
        found = [word, *still_open]
        words.extend([index.place[word]] * len(found))
        beginnings.extend(map(index.place.__getitem__, found))
        if len(word) <= LONGEST_PREFIX and not _DIGIT.match(word):
            still_open.append(word)
    shape = len(index), len(index)
    return incidence(np.array(words, np.int64), np.array(beginnings, np.int64), shape)


def acronyms(runs: TokenRuns) -> csr_matrix:
    """Find the tokens that are initials of two or more words in a row of each text.

    Of all its words, or of those that are not `SMALL_WORDS`.

    Parameters
    ----------
    runs
        The texts.

    Returns
    -------
    acronyms
        Sparse 0/1, of shape (n_texts, n_tokens).
    """
    every = np.ones(len(runs.bounds) - 1, dtype=bool)
    others = runs.content.n_words < runs.n_words
    found = _initials_in(runs, every), _initials_in(runs.content, others)
    texts, words = (np.concatenate(both) for both in zip(*found, strict=True))
    return incidence(texts, words, (len(every), len(runs.index)))


def _initials_in(runs: TokenRuns, wanted: BoolVector) -> tuple[IntVector, IntVector]:
    """Texts that are wanted, each with the tokens that are initials of some of its words."""
    letters, text, find = runs.initials, runs.text, runs.index.place.get
    start = np.flatnonzero(wanted[text])
    end = np.minimum(runs.bounds[1:], runs.bounds[:-1] + MOST_INITIALS)[text]
    texts, words = [], []
    for length in range(2, LONGEST_ACRONYM + 1):
        here = start[start + length <= end[start]]
        found = [find(letters[at : at + length], -1) for at in here.tolist()]
        words.append(np.array(found, dtype=np.int64))
        texts.append(text[here])
    text, word = np.concatenate(texts), np.concatenate(words)
    return text[word >= 0], word[word >= 0]


def compounds(*sides: TokenRuns) -> list[csr_matrix]:
    """Find compounds: "data base" covers the token "database", and "database" its two parts.

    The parts must stand side by side in some text of some side. Two numbers make no compound ("1 1"
    is not "11", nor "2 1st" "21st"). A compound covers its parts in every text that has one of
    them.

    Parameters
    ----------
    sides
        Texts of one index of tokens.

    Returns
    -------
    covered
        For each side, sparse 0/1 of shape (n_texts, n_tokens): the tokens that its texts cover.
    """
    index = sides[0].index
    size = len(index)
    pairs = [_neighbours(runs) for runs in sides]
    known = np.unique(np.concatenate([first * size + second for _, first, second in pairs]))
    parts = np.stack([known // size, known % size])
    words, place = index.words, index.place
    whole = np.array(
        [place.get(words[first] + words[second], -1) for first, second in parts.T.tolist()],
        dtype=np.int64,
    )
    begins, ends = (np.array([word[at].isdigit() for word in words]) for at in (0, -1))
    whole[ends[parts[0]] & begins[parts[1]]] = -1
    parts_of = incidence(
        np.tile(whole[whole >= 0], 2), parts[:, whole >= 0].reshape(-1), (size, size)
    )
    covered = []
    for runs, (text, first, second) in zip(sides, pairs, strict=True):
        word = whole[np.searchsorted(known, first * size + second)]
        shape = len(runs.bounds) - 1, size
        in_two = incidence(text[word >= 0], word[word >= 0], shape)
        covered.append(csr_matrix(in_two.maximum((runs.incidence() @ parts_of).minimum(1))))
    return covered


def _neighbours(runs: TokenRuns) -> tuple[IntVector, IntVector, IntVector]:
    """Tokens that stand side by side: the text of each two, and the numbers of both."""
    text = runs.text
    at = np.flatnonzero(text[:-1] == text[1:])
    return text[at], runs.number[at], runs.number[at + 1]


def best_of(has: csr_matrix, similarity: csr_matrix) -> csr_matrix:
    """Compute how similar the most similar token of each text is to every token.

    Parameters
    ----------
    has
        Sparse, of shape (n_texts, n_tokens): the tokens of texts.
    similarity
        Sparse, of shape (n_tokens, n_tokens), as of `edit_similarity`.

    Returns
    -------
    best
        Sparse, of shape (n_texts, n_tokens).
    """
    n_similar = np.diff(similarity.indptr)[has.indices]
    rows = np.repeat(np.repeat(np.arange(has.shape[0]), np.diff(has.indptr)), n_similar)
    expanded = similarity[has.indices]
    return _largest(rows, expanded.indices, expanded.data, has.shape)


def _largest(
    rows: IntVector, columns: NDArray[Any], values: FloatVector, shape: tuple[int, int]
) -> csr_matrix:
    """A sparse matrix that keeps the largest of the values at one place."""
    key = rows.astype(np.int64) * max(1, shape[1]) + columns
    order = np.lexsort((-values, key))
    first = order[np.flatnonzero(np.diff(key[order], prepend=-1))]
    return csr_matrix((values[first], (rows[first], columns[first])), shape=shape)
