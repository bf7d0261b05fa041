"""The character encoder's input: a word's characters and its word pieces, in one vocabulary."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.trainers import WordPieceTrainer

from pearljoin._errors import InputError, ModelError

__all__ = ["PADDING", "InputKind", "LoveVocabulary"]

InputKind: TypeAlias = Literal["mixed", "characters", "pieces"]

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SUB]", "[SEP]")
PADDING, UNKNOWN, START, SUBWORDS, END = range(len(SPECIAL))
LONGEST_WORD = 64
"""Characters; the rest of a longer word is not read."""


class LoveVocabulary:
    """Turns words into rows of numbers (Chen et al. 2022, section 4.1).

    A word becomes ``[CLS]``, its characters, ``[SUB]``, its word pieces, ``[SEP]``. A character
    and a piece that are written alike share one entry. Words are lower-cased.

    Parameters
    ----------
    entries
        The vocabulary; the five special entries stand first.
    kind
        ``"mixed"``, or ``"characters"`` or ``"pieces"`` alone, which have no ``[SUB]``.

    Raises
    ------
    ModelError
        If the special entries do not stand first, or an entry occurs twice.

    Examples
    --------
    >>> vocabulary = LoveVocabulary.learn(["misspell", "spelling", "spell"], size=40)
    >>> vocabulary.spell("Spells")
    ['[CLS]', 's', 'p', 'e', 'l', 'l', 's', '[SUB]', 'spell', '##s', '[SEP]']
    """

    def __init__(self, entries: Sequence[str], kind: InputKind = "mixed") -> None:
        if tuple(entries[: len(SPECIAL)]) != SPECIAL or len(set(entries)) != len(entries):
            raise ModelError(
                f"A vocabulary starts with {', '.join(SPECIAL)} and names each entry once. "
                f"Got {list(entries[:5])}, ... Hint: take the folder as training wrote it."
            )
        if kind not in get_args(InputKind):
            raise InputError(
                f"There is no such input. Got {kind!r}. "
                f"Hint: one of {', '.join(get_args(InputKind))}."
            )
        self.entries = list(entries)
        self.kind = kind
        self._ids = {entry: row for row, entry in enumerate(entries)}
        self._pieces = Tokenizer(
            WordPiece(self._ids, unk_token=SPECIAL[UNKNOWN], max_input_chars_per_word=LONGEST_WORD)
        )

    @classmethod
    def learn(
        cls,
        words: Iterable[str],
        *,
        size: int,
        fewest: int = 2,
        kind: InputKind = "mixed",
    ) -> LoveVocabulary:
        """Learn characters and word pieces from words, each counted once.

        Parameters
        ----------
        words
            The words to imitate.
        size
            Most entries, special ones and characters among them. A character takes two, at the
            start and inside of a word; a quarter of `size` of them are kept, the most frequent.
        fewest
            In how many places a pair of pieces must stand to become one piece.
        kind
            See the class.
        """
        # An entry is a line of a file, so none may hold a line break.
        clean = [word for word in dict.fromkeys(map(_clean, words)) if word.split() == [word]]
        common = Counter("".join(clean)).most_common(size // 4)
        characters = sorted(character for character, _ in common)
        clean = [word for word in clean if set(word).issubset(characters)]
        tokenizer = Tokenizer(WordPiece(unk_token=SPECIAL[UNKNOWN]))
        # Named here, characters have an order; the trainer's own changes from run to run, and
        # with it which of two equally frequent pairs becomes a piece.
        first = [*SPECIAL, *characters, *(f"##{character}" for character in characters)]
        trainer = WordPieceTrainer(
            vocab_size=size, min_frequency=fewest, show_progress=False, special_tokens=first
        )
        tokenizer.train_from_iterator(clean, trainer)
        ids = tokenizer.get_vocab()
        return cls(sorted(ids, key=ids.__getitem__), kind)

    def __len__(self) -> int:
        return len(self.entries)

    def spell(self, word: str) -> list[str]:
        """Return a word's entries, special ones included."""
        return [self.entries[entry] for entry in self._rows([word])[0]]

    def encode(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return words as numbers.

        Parameters
        ----------
        words
            Any strings; an empty one has the special entries alone.

        Returns
        -------
        ids
            int64 of shape (n_words, longest): rows of the embedding table, ended by 0.
        """
        rows = self._rows(words)
        ids = np.full((len(rows), max(map(len, rows), default=1)), PADDING, dtype=np.int64)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
        return ids

    def _rows(self, words: Sequence[str]) -> list[list[int]]:
        clean = [_clean(word) for word in words]
        characters = [[self._ids.get(character, UNKNOWN) for character in word] for word in clean]
        if self.kind == "characters":
            return [[START, *row, END] for row in characters]
        pieces = [found.ids for found in self._pieces.encode_batch(clean)]
        if self.kind == "pieces":
            return [[START, *row, END] for row in pieces]
        return [
            [START, *row, SUBWORDS, *spelt, END]
            for row, spelt in zip(characters, pieces, strict=True)
        ]


def _clean(word: str) -> str:
    """Lower-case, compose accents, cut; what cannot be written as UTF-8 becomes "?"."""
    clean = unicodedata.normalize("NFC", word.lower()).encode("utf-8", "replace").decode()
    return clean[:LONGEST_WORD]
