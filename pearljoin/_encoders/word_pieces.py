"""Word pieces of plain words, without the tokenizers package: several times as fast for one word.

Words of printable ASCII alone, by a tokenizer of BERT's kind: lower case, punctuation by itself,
and of what is left the longest piece first (Wu et al. 2016). Other words are left to the package.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["WordPieces"]

_UNITS = re.compile(r"[a-z0-9]+|[^a-z0-9]")
_CONTINUED = "##"


@dataclass(frozen=True)
class WordPieces:
    """The vocabulary of a tokenizer, by where in a word a piece stands.

    Attributes
    ----------
    first, later
        Id of each piece that begins a word, and of each one that goes on, without its mark.
    unknown
        Id of what has no pieces.
    longest_unit, longest_piece
        Characters of a unit of letters that is split, and of a piece.
    """

    first: Mapping[str, int]
    later: Mapping[str, int]
    unknown: int
    longest_unit: int
    longest_piece: int

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> WordPieces | None:
        """Read a ``tokenizer.json``; None where it is of another kind."""
        model = raw.get("model") or {}
        normalizer, splitter = (raw.get(part) or {} for part in ("normalizer", "pre_tokenizer"))
        is_bert = (
            model.get("type") == "WordPiece"
            and model.get("continuing_subword_prefix") == _CONTINUED
            and normalizer.get("type") == "BertNormalizer"
            and normalizer.get("lowercase") is True
            and splitter.get("type") == "BertPreTokenizer"
        )
        unknown = (model.get("vocab") or {}).get(model.get("unk_token"))
        if not is_bert or unknown is None:
            return None
        first: dict[str, int] = {}
        later: dict[str, int] = {}
        for piece, number in model["vocab"].items():
            if piece.startswith(_CONTINUED) and piece != _CONTINUED:
                later[piece[len(_CONTINUED) :]] = number
            else:
                first[piece] = number
        longest = max(map(len, (*first, *later)))
        return cls(first, later, unknown, int(model["max_input_chars_per_word"]), longest)

    def splits(self, word: str) -> bool:
        """Whether a word without blanks is one that `ids` splits."""
        # A bracket may begin the name of a special token.
        return word.isascii() and word.isprintable() and "[" not in word

    def ids(self, word: str) -> list[int]:
        """Return the ids of a word's pieces.

        Parameters
        ----------
        word
            One that `splits` is true of.
        """
        word = word.lower()
        whole = self.first.get(word)
        if whole is not None and word.isalnum():
            return [whole]
        found: list[int] = []
        for unit in _UNITS.findall(word):
            found += self._of_unit(unit)
        return found

    def _of_unit(self, unit: str) -> list[int]:
        size = len(unit)
        if size > self.longest_unit:
            return [self.unknown]
        pieces: list[int] = []
        start, known = 0, self.first
        while start < size:
            for end in range(min(size, start + self.longest_piece), start, -1):
                number = known.get(unit[start:end])
                if number is not None:
                    break
            else:
                return [self.unknown]
            pieces.append(number)
            start, known = end, self.later
        return pieces
