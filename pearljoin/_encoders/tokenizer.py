"""Tokenise phrases, in the same way for every transformer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from pearljoin._encoders.joined_pieces import JoinedPieces
from pearljoin._encoders.tokenizer_checks import check_tokenizer
from pearljoin._errors import ModelError
from pearljoin._ragged import bounds_of, items_of_rows, row_of_each, sizes_of
from pearljoin._typing import BoolVector, IntVector

CHUNK = 8192
"""Phrases tokenised at once. Bounds the memory of token objects."""

# A text with this many characters a token is cut at the maximum length anyway, so the rest need
# not be tokenised.
_CHARACTERS_PER_TOKEN = 20
_REPLACEMENT = "�"


@dataclass(frozen=True)
class TokenIds:
    """Token ids of phrases, end to end.

    Parameters
    ----------
    ids
        int64 of shape (n_tokens,), all phrases' token ids in order.
    starts
        int64 of shape (n_phrases,), where each phrase begins in `ids`.
    lengths
        int64 of shape (n_phrases,), number of tokens of each phrase.
    covered
        bool of shape (n_phrases,), False where a token is unknown, the text was cut, or nothing
        but special tokens is left of it.
    """

    ids: IntVector
    starts: IntVector
    lengths: IntVector
    covered: BoolVector

    def rectangle(self, rows: IntVector) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return token ids of phrases of one length: int64 of shape (n_rows, length)."""
        length = int(self.lengths[rows[0]])
        picked: np.ndarray[Any, np.dtype[np.int64]] = self.ids[
            self.starts[rows][:, None] + np.arange(length)
        ]
        return picked

    def batches(self, *, tokens: int, phrases: int | None = None) -> Iterator[IntVector]:
        """Split the phrases into batches of one length each, short phrases first.

        No phrase is ever padded, so no phrase's vector can depend on its neighbours' lengths.

        Parameters
        ----------
        tokens
            About the number of tokens a batch.
        phrases
            Phrases a batch; None picks it by `tokens`.
        """
        order = np.argsort(self.lengths, kind="stable")
        changes = np.flatnonzero(np.diff(self.lengths[order])) + 1
        for group in np.split(order, changes):
            if len(group):
                size = phrases or max(1, tokens // int(self.lengths[group[0]]))
                for start in range(0, len(group), size):
                    yield group[start : start + size].astype(np.int64)


class PhraseTokenizer:
    """Tokenizer of phrases: a `tokenizer.json` without padding, cut at a fixed length.

    Parameters
    ----------
    content
        The bytes of a `tokenizer.json`.
    max_length
        Tokens to keep, special ones included.
    prefix
        Put before every phrase.
    where
        Name of the file for errors.
    """

    def __init__(
        self,
        content: bytes,
        *,
        max_length: int,
        prefix: str,
        where: str,
    ) -> None:
        from tokenizers import Tokenizer

        try:
            raw = json.loads(content)
            check_tokenizer(raw)
            self._tokenizer = Tokenizer.from_str(content.decode("utf-8"))
            unknown = _unknown_id(raw, self._tokenizer)
            # Files as published may pad everything to 128 tokens.
            self._tokenizer.no_padding()
            self._tokenizer.no_truncation()
            joined = JoinedPieces.of(self._tokenizer, raw, prefix, max_length)
        except Exception as error:  # tokenizers raises bare Exception
            raise ModelError(
                f"{where} is not a tokenizer. Got {error}. Hint: fetch or export the folder again."
            ) from error
        self._joined = joined
        self.unknown = unknown
        self._prefix = prefix
        self._max_length = max_length
        self._longest = max_length * _CHARACTERS_PER_TOKEN
        self._empty = len(self._tokenizer.encode(prefix).ids)
        if joined is None:
            self._tokenizer.enable_truncation(max_length)

    @property
    def vocabulary_size(self) -> int:
        """Number of token ids."""
        return int(self._tokenizer.get_vocab_size(with_added_tokens=True))

    def __call__(self, phrases: Sequence[str]) -> TokenIds:
        """Tokenise phrases; any strings, lone surrogates included."""
        parts = [self._chunk(phrases[at : at + CHUNK]) for at in range(0, len(phrases), CHUNK)]
        if not parts:
            empty = np.zeros(0, dtype=np.int64)
            return TokenIds(empty, empty, empty, np.zeros(0, dtype=np.bool_))
        ids, lengths, covered = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        return TokenIds(ids, np.cumsum(lengths) - lengths, lengths, covered)

    def _chunk(self, phrases: Sequence[str]) -> tuple[IntVector, IntVector, BoolVector]:
        """Return some phrases' ids, end to end, their lengths, and where they are covered."""
        cleaned = [self.clean(phrase) for phrase in phrases]
        texts = [text for text, _ in cleaned]
        if self._joined is not None:
            ids, sizes, uncut = self._joined.framed(texts, self._max_length)
        else:
            ids, sizes, uncut = self._one_by_one(texts)
        covered = np.fromiter((whole for _, whole in cleaned), np.bool_, len(cleaned))
        covered &= (sizes > self._empty) & (uncut <= self._max_length)
        covered[row_of_each(bounds_of(sizes))[ids == self.unknown]] = False
        return ids, sizes, covered

    def _one_by_one(self, texts: Sequence[str]) -> tuple[IntVector, IntVector, IntVector]:
        """Do as `JoinedPieces.framed` does with a tokenizer of any kind."""
        encodings = self._tokenizer.encode_batch_fast([self._prefix + text for text in texts])
        ids, sizes = _end_to_end(encodings)
        uncut = sizes.copy()
        for row in np.flatnonzero(sizes >= self._max_length).tolist():
            uncut[row] += len(encodings[row].overflowing)
        return ids, sizes, uncut

    def pieces(self, phrases: Sequence[str]) -> TokenIds:
        """Tokenise phrases without special tokens, prefix and cut: for models that add them up.

        Each distinct word is tokenised once; word pieces never span blanks.
        """
        cleaned = [self.clean(phrase) for phrase in phrases]
        listed = [text.split() for text, _ in cleaned]
        words, uses = distinct_words(listed)
        ids, bounds = self.word_pieces(words)
        place, items = items_of_rows(bounds[uses], sizes_of(bounds)[uses])
        tokens = ids[items]
        row = np.repeat(np.arange(len(listed)), np.fromiter(map(len, listed), np.int64))[place]
        lengths = np.bincount(row, minlength=len(listed))
        covered = np.fromiter((whole for _, whole in cleaned), np.bool_, len(cleaned))
        covered &= lengths > 0
        covered[row[tokens == self.unknown]] = False
        return TokenIds(tokens, np.cumsum(lengths) - lengths, lengths, covered)

    def word_pieces(self, words: Sequence[str]) -> tuple[IntVector, IntVector]:
        """Tokenise words without blanks, as `pieces` does.

        Returns
        -------
        ids, bounds
            int64 of shape (n_tokens,), and of shape (n_words + 1,): the ids, end to end, where
            those of each word begin, and the end.
        """
        if self._joined is not None:
            return self._joined.pieces(words)
        encodings = self._tokenizer.encode_batch_fast(list(words), add_special_tokens=False)
        ids, sizes = _end_to_end(encodings)
        return ids, bounds_of(sizes)

    def clean(self, phrase: str) -> tuple[str, bool]:
        """Return a text that is quickly tokenised, and whether it is still the same text."""
        whole = True
        if len(phrase) > self._longest:
            phrase = " ".join(phrase.split())
            whole = len(phrase) <= self._longest
            phrase = phrase[: self._longest]
        if not phrase.isascii():
            clean = phrase.encode("utf-8", "replace").decode("utf-8")
            if clean != phrase:
                whole = False
                phrase = "".join(
                    _REPLACEMENT if "\ud800" <= letter <= "\udfff" else letter for letter in phrase
                )
        return phrase, whole


def _end_to_end(encodings: Sequence[Any]) -> tuple[IntVector, IntVector]:
    """Return the ids of what the package tokenised, end to end, and how many each text has."""
    listed = [encoding.ids for encoding in encodings]
    sizes = np.fromiter(map(len, listed), np.int64, len(listed))
    return np.fromiter(chain.from_iterable(listed), np.int64, int(sizes.sum())), sizes


def distinct_words(listed: Sequence[Sequence[str]]) -> tuple[list[str], IntVector]:
    """Return the distinct words of some lists, and the number of each use, list after list."""
    words = list(dict.fromkeys(chain.from_iterable(listed)))
    number = dict(zip(words, range(len(words)), strict=True))
    uses = np.fromiter(map(number.__getitem__, chain.from_iterable(listed)), np.int64)
    return words, uses


def _unknown_id(raw: dict[str, Any], tokenizer: Any) -> int:
    """Return the id of the unknown token; -1 if the model has none."""
    model = raw["model"]
    if isinstance(model.get("unk_id"), int):
        return int(model["unk_id"])
    token = model.get("unk_token")
    found = tokenizer.token_to_id(token) if isinstance(token, str) else None
    return -1 if found is None else int(found)
