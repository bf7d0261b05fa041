"""Spelling words as tokens.

The tokenizers library spells some 100,000 words a second; most of that goes into objects that
nothing here looks at. WordPiece itself is a few lines, greedy and longest first, so plain words
(lower-case ASCII letters and digits, which BERT's normaliser leaves as they are) are spelt by
those; all other words, and every word of another kind of tokenizer, by the library.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from pearljoin._typing import IntVector

__all__ = ["Speller"]

CONTINUES = "##"
"""Stands before tokens that go on with a word."""

_is_plain = re.compile(r"[a-z0-9]+").fullmatch


class Speller:
    """Words to token ids.

    Parameters
    ----------
    tokenizer
        Content of a `tokenizer.json`.
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

    def spell(self, words: Sequence[str]) -> tuple[IntVector, IntVector]:
        """Spell words, each by itself.

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
        for chosen, spell in ((plain, self._pieces), (~plain, self._library)):
            rows = np.flatnonzero(chosen).tolist()
            if rows and spell is not None:
                found, lengths[rows] = spell([words[row] for row in rows])
                parts.append((chosen, found))
        ids = np.empty(int(lengths.sum()), dtype=np.int64)
        for chosen, found in parts:
            ids[np.repeat(chosen, lengths)] = found
        return ids, lengths

    def _library(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        # Lone surrogates cannot be handed over.
        clean = [w if w.isascii() else w.encode("utf-8", "replace").decode() for w in words]
        encoded = self._tokenizer.encode_batch(clean, add_special_tokens=False)
        spelt = [[token for token in e.ids if token != self._unknown] for e in encoded]
        return list(chain.from_iterable(spelt)), list(map(len, spelt))


class WordPieces:
    """WordPiece for plain words: at each place the longest token there is.

    Parameters
    ----------
    vocabulary
        Token ids.
    longest_word
        Characters. Longer words are not spelt.

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
        """Return the words' tokens end to end, and how many each has: 0 where a part has none."""
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
    """Return WordPiece's own rule if it is what the tokenizer does to plain words, else None."""
    parts = (tokenizer.model, tokenizer.normalizer, tokenizer.pre_tokenizer)
    kinds = tuple(type(part).__name__ for part in parts)
    added = (token.content for token in tokenizer.get_added_tokens_decoder().values())
    if kinds != ("WordPiece", "BertNormalizer", "BertPreTokenizer") or any(map(_is_plain, added)):
        return None
    model = tokenizer.model
    if model.continuing_subword_prefix != CONTINUES:
        return None
    return WordPieces(vocabulary, int(model.max_input_chars_per_word))
