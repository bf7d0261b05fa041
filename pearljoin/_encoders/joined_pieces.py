"""Word pieces of many texts at once: the texts are tokenised as one, with a special token between.

The tokenizers package makes an object of each text that it is given, in one thread, which takes
longer than to split the text. Of a few hundred joined texts it makes one, and the pieces of each
are what they were by a tokenizer of BERT's kind, which looks at no more than a word at a time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pearljoin._ragged import bounds_of, items_of_rows, sizes_of
from pearljoin._typing import IntVector

__all__ = ["JoinedPieces"]

_AT_ONCE = 256
"""Texts joined to one."""

_SEPARATOR = "[SEP]"

_MARK = "["
"""Begins the name of every special token: a text without it holds none, nor a part of one that a
neighbour could end."""

_NAME = re.compile(r"\[[^\[\]\s]+\]")
"""Such a name."""


@dataclass(frozen=True)
class JoinedPieces:
    """A tokenizer of BERT's kind, without padding and cut.

    Attributes
    ----------
    tokenizer
        Of the tokenizers package.
    separator, separator_id
        The special token put between texts, and its id.
    before, after
        int64: the ids that stand before and after the pieces of every phrase.
    """

    tokenizer: Any
    separator: str
    separator_id: int
    before: IntVector
    after: IntVector

    @classmethod
    def of(
        cls, tokenizer: Any, raw: Mapping[str, Any], prefix: str, longest: int
    ) -> JoinedPieces | None:
        """Read a tokenizer; None where it is of another kind.

        Parameters
        ----------
        tokenizer
            Of the tokenizers package; it must neither pad nor cut.
        raw
            Its ``tokenizer.json``.
        prefix
            Put before every phrase.
        longest
            Ids that a phrase is cut to; None is returned where the prefix leaves no room.
        """
        separator = _separator(raw)
        is_apart = not prefix or (prefix.endswith(" ") and _MARK not in prefix)
        if separator is None or not is_apart:
            return None
        whole = tokenizer.encode("a")
        bare = tokenizer.encode("a", add_special_tokens=False)
        if len(bare.ids) != 1:
            return None
        at = whole.ids.index(bare.ids[0])
        begin = tokenizer.encode(prefix, add_special_tokens=False).ids
        before, after = [*whole.ids[:at], *begin], whole.ids[at + 1 :]
        if len(before) + len(after) >= longest:
            return None
        return cls(
            tokenizer,
            separator,
            int(tokenizer.token_to_id(separator)),
            np.array(before, dtype=np.int64),
            np.array(after, dtype=np.int64),
        )

    def pieces(self, texts: Sequence[str]) -> tuple[IntVector, IntVector]:
        """Tokenise texts without the ids that stand around a phrase.

        Returns
        -------
        ids, bounds
            int64 of shape (n_tokens,), and of shape (n_texts + 1,): the ids, end to end, where
            those of each text begin, and the end.
        """
        odd = [at for at, text in enumerate(texts) if _MARK in text]
        safe = list(texts)
        for at in odd:
            safe[at] = ""
        joined = [
            self.separator.join([*safe[at : at + _AT_ONCE], ""])
            for at in range(0, len(safe), _AT_ONCE)
        ]
        batch = [*joined, *(texts[at] for at in odd)]
        encodings = self.tokenizer.encode_batch_fast(batch, add_special_tokens=False)
        found = [np.array(encoding.ids, dtype=np.int64) for encoding in encodings]
        pool = np.concatenate([*found, np.zeros(0, dtype=np.int64)])
        n_joined = sum(map(len, found[: len(joined)]))
        ends = np.flatnonzero(pool[:n_joined] == self.separator_id)
        starts = np.concatenate([np.zeros(1, dtype=np.int64), ends + 1])[: len(ends)]
        sizes = ends - starts
        sizes[odd] = [len(ids) for ids in found[len(joined) :]]
        starts[odd] = n_joined + bounds_of(sizes[odd])[:-1]
        return pool[items_of_rows(starts, sizes)[1]], bounds_of(sizes)

    def framed(self, texts: Sequence[str], longest: int) -> tuple[IntVector, IntVector, IntVector]:
        """Tokenise phrases, with the ids that stand around them.

        Parameters
        ----------
        texts
            The phrases.
        longest
            Ids of a phrase; pieces beyond are cut.

        Returns
        -------
        ids, sizes, uncut
            int64: the ids, end to end, how many each phrase has, and how many without the cut.
        """
        pieces, bounds = self.pieces(texts)
        around = len(self.before) + len(self.after)
        n_pieces = sizes_of(bounds)
        kept = np.minimum(n_pieces, longest - around)
        sizes = kept + around
        ends = np.cumsum(sizes)
        ids = np.empty(int(sizes.sum()), dtype=np.int64)
        starts = ends - sizes
        ids[starts[:, None] + np.arange(len(self.before))] = self.before
        ids[ends[:, None] - np.arange(len(self.after), 0, -1)] = self.after
        into, taken = starts + len(self.before), bounds[:-1]
        ids[items_of_rows(into, kept)[1]] = pieces[items_of_rows(taken, kept)[1]]
        return ids, sizes, n_pieces + around


def _separator(raw: Mapping[str, Any]) -> str | None:
    """Return the special token to put between texts; None for a tokenizer of another kind."""
    model = raw.get("model") or {}
    normalizer, splitter = (raw.get(part) or {} for part in ("normalizer", "pre_tokenizer"))
    kinds = model.get("type"), normalizer.get("type"), splitter.get("type")
    added = raw.get("added_tokens") or []
    is_plain = all(_NAME.fullmatch(token["content"]) for token in added)
    if kinds != ("WordPiece", "BertNormalizer", "BertPreTokenizer") or not is_plain:
        return None
    flags = ("single_word", "lstrip", "rstrip", "normalized")
    for token in added:
        if token["content"] == _SEPARATOR and not any(token.get(flag) for flag in flags):
            return None if model.get("unk_token") == _SEPARATOR else _SEPARATOR
    return None
