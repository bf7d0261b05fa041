"""The token table of a model folder as word vectors: no network is run.

A transformer's first step is to look each token up in a table. A word's vector here is the mean
of its tokens' rows, so every word that the tokenizer can split into tokens has one. The rows are
read from `model.onnx` as they are stored, in 8 bits.

The tokenizers library splits some 100,000 words a second, and most of that time makes objects that
are not used here. WordPiece itself is a few lines, greedy and longest first. So plain words
(lower-case ASCII letters and digits, which BERT's normaliser leaves unchanged) are split by those
lines; all other words, and every word of another kind of tokenizer, by the library.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._encoders.onnx_file import FLOAT32, read_initializers
from pearljoin._errors import ModelError
from pearljoin._ragged import bounds_of
from pearljoin._typing import BoolVector, FloatMatrix, IntVector

__all__ = ["TokenTable", "WordTokenizer"]

CONTINUES = "##"
"""Prefix of tokens that continue a word."""

_is_plain = re.compile(r"[a-z0-9]+").fullmatch


class TokenTable:
    """The token rows of a model, and the tokenizer that splits words into tokens.

    Parameters
    ----------
    tokenizer
        Bytes of a `tokenizer.json`.
    onnx
        Bytes of a `model.onnx` that holds its token table as float32, float16, or int8 with a
        scale for each row.
    where
        Name of the folder for errors.

    Raises
    ------
    ModelError
        If no such table is in it.
    """

    def __init__(self, tokenizer: bytes, onnx: bytes, where: str) -> None:
        self._tokenizer = WordTokenizer(tokenizer)
        size = len(self._tokenizer.vocabulary)
        self._rows, self._scales = _read_table(onnx, size, where)

    @property
    def dim(self) -> int:
        """Numbers in a word's vector."""
        return int(self._rows.shape[1])

    def lookup(self, words: Sequence[str]) -> tuple[FloatMatrix, BoolVector]:
        """Return the mean of each word's token rows; see `WordTable`."""
        ids, lengths = self._tokenizer.split(words)
        shares = self._scales[ids, 0] / np.repeat(lengths, lengths)
        bounds = bounds_of(lengths)
        # Only the rows that are used are turned into float32.
        used, place = np.unique(ids, return_inverse=True)
        shape = (len(words), len(used))
        mixing = csr_matrix((shares.astype(np.float32), place, bounds), shape=shape)
        vectors = mixing @ self._rows[used].astype(np.float32)
        return np.asarray(vectors, dtype=np.float32), lengths > 0

    def sample(self, limit: int) -> tuple[list[str], FloatMatrix]:
        """Return the first tokens that are whole words, and their vectors."""
        by_id = sorted(self._tokenizer.vocabulary.items(), key=lambda item: item[1])
        words = [token for token, _ in by_id if len(token) > 1 and token.isalpha()][:limit]
        return words, self.lookup(words)[0]


def _read_table(onnx: bytes, size: int, where: str) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """Read the array with a row for each token, and the rows' scales if it is of whole numbers."""
    tensors = [t for t in read_initializers(onnx, where) if t.shape[:1] == (size,)]
    tables = [t for t in tensors if len(t.shape) == 2 and t.shape[1] > 1 and t.dtype is not None]
    scales = [t for t in tensors if int(np.prod(t.shape)) == size and t.dtype == FLOAT32]
    whole = bool(tables) and np.issubdtype(tables[0].dtype, np.integer)
    if len(tables) != 1 or (whole and len(scales) != 1):
        raise ModelError(
            f"No token table was found in {where}. Got {len(tables)} tables and {len(scales)} "
            f"scales for {size} tokens. Hint: pass other word vectors as `vectors`."
        )
    rows = tables[0].read()
    scale = scales[0].read() if whole else np.ones(size, dtype=np.float32)
    return rows, scale.reshape(size, 1)


class WordTokenizer:
    """Split words into token ids.

    Parameters
    ----------
    tokenizer
        Bytes of a `tokenizer.json`.
    """

    def __init__(self, tokenizer: bytes) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_str(tokenizer.decode("utf-8"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.vocabulary: Mapping[str, int] = self._tokenizer.get_vocab(with_added_tokens=True)
        token = getattr(self._tokenizer.model, "unk_token", None)
        self._unknown = self.vocabulary.get(token, -1) if isinstance(token, str) else -1
        self._pieces = _word_pieces(self._tokenizer, self.vocabulary)

    def split(self, words: Sequence[str]) -> tuple[IntVector, IntVector]:
        """Split words into tokens, each word by itself.

        Returns
        -------
        ids
            int64 of shape (n_tokens,): the words' tokens end to end, unknown ones left out.
        lengths
            int64 of shape (n_words,): how many tokens each word has.
        """
        plain = np.zeros(len(words), dtype=np.bool_)
        if self._pieces is not None:
            plain[:] = [match is not None for match in map(_is_plain, words)]
        lengths = np.empty(len(words), dtype=np.int64)
        parts = []
        for chosen, split in ((plain, self._pieces), (~plain, self._by_library)):
            rows = np.flatnonzero(chosen).tolist()
            if rows and split is not None:
                found, lengths[rows] = split([words[row] for row in rows])
                parts.append((chosen, found))
        ids = np.empty(int(lengths.sum()), dtype=np.int64)
        for chosen, found in parts:
            ids[np.repeat(chosen, lengths)] = found
        return ids, lengths

    def _by_library(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        # The library takes no lone surrogates.
        clean = [w if w.isascii() else w.encode("utf-8", "replace").decode() for w in words]
        encoded = self._tokenizer.encode_batch(clean, add_special_tokens=False)
        tokens = [[token for token in e.ids if token != self._unknown] for e in encoded]
        return list(chain.from_iterable(tokens)), list(map(len, tokens))


class WordPieces:
    """WordPiece for plain words: the longest token that fits, from left to right.

    Parameters
    ----------
    vocabulary
        Token ids.
    longest_word
        Characters. Longer words get no tokens.

    Examples
    --------
    >>> pieces = WordPieces({"play": 0, "##ing": 1, "##in": 2}, longest_word=100)
    >>> pieces(["playing", "plain", "play"])
    ([0, 1, 0], [2, 0, 1])
    """

    def __init__(self, vocabulary: Mapping[str, int], longest_word: int) -> None:
        self._first = {t: i for t, i in vocabulary.items() if not t.startswith(CONTINUES)}
        self._later = {
            t.removeprefix(CONTINUES): i for t, i in vocabulary.items() if t.startswith(CONTINUES)
        }
        self._longest_token = max(map(len, vocabulary), default=0)
        self._longest_word = longest_word

    def __call__(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """Return all words' tokens end to end, and how many each word has: 0 if a part has none."""
        # One loop rather than a function of a word: calls would take half of the time.
        ids: list[int] = []
        lengths = []
        for word in words:
            before, start, tokens = len(ids), 0, self._first
            stop = len(word) if len(word) <= self._longest_word else 0
            while start < stop:
                end = min(stop, start + self._longest_token)
                while (token := tokens.get(word[start:end])) is None and end > start:
                    end -= 1
                if token is None:
                    del ids[before:]
                    break
                ids.append(token)
                start, tokens = end, self._later
            lengths.append(len(ids) - before)
        return ids, lengths


def _word_pieces(tokenizer: Any, vocabulary: Mapping[str, int]) -> WordPieces | None:
    """Return WordPiece for a tokenizer that splits plain words by it, else None."""
    parts = (tokenizer.model, tokenizer.normalizer, tokenizer.pre_tokenizer)
    kinds = tuple(type(part).__name__ for part in parts)
    added = (token.content for token in tokenizer.get_added_tokens_decoder().values())
    if kinds != ("WordPiece", "BertNormalizer", "BertPreTokenizer") or any(map(_is_plain, added)):
        return None
    model = tokenizer.model
    if model.continuing_subword_prefix != CONTINUES:
        return None
    return WordPieces(vocabulary, int(model.max_input_chars_per_word))
