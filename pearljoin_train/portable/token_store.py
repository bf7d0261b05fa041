"""Token ids of many texts by text; what is not among them is tokenised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from pearljoin_train.models.token_ids import TokenIds

__all__ = ["TokenStore"]


class TokenStore:
    """Looks token ids up, or makes them: what `PhraseModel.tokenise` returns.

    Parameters
    ----------
    texts
        Distinct.
    tokens
        Their ids, in the same order.
    tokenise
        Makes the ids of other texts.

    Examples
    --------
    >>> def made(texts):
    ...     return TokenIds.of([[len(text)] for text in texts])
    >>> store = TokenStore(["a", "b"], TokenIds.of([[7, 7], [8]]), made)
    >>> store(["b", "ccc", "a"]).ids.tolist()
    [8, 3, 7, 7]
    """

    def __init__(
        self,
        texts: Iterable[str],
        tokens: TokenIds,
        tokenise: Callable[[Sequence[str]], TokenIds],
    ) -> None:
        self._row = {text: row for row, text in enumerate(texts)}
        self._tokens = tokens
        self._tokenise = tokenise

    def __call__(self, texts: Sequence[str]) -> TokenIds:
        """Return the token ids of any texts."""
        rows = np.array([self._row.get(text, -1) for text in texts], dtype=np.int64)
        known, unknown = np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)
        made = self._tokenise([texts[at] for at in unknown.tolist()])
        both = TokenIds.joined([self._tokens.take(rows[known]), made])
        return both.take(np.argsort(np.concatenate([known, unknown]), kind="stable"))

    @staticmethod
    def write(tokens: TokenIds, path: Path) -> None:
        """Write token ids, two bytes each where they fit."""
        small = not len(tokens.ids) or int(tokens.ids.max()) < 2**16
        ids = tokens.ids.astype(np.uint16 if small else np.uint32)
        np.savez(path, ids=ids, lengths=tokens.lengths.astype(np.uint16))

    @staticmethod
    def read(path: Path) -> TokenIds:
        """Read what `write` wrote."""
        with np.load(path, allow_pickle=False) as file:
            ids, lengths = file["ids"].astype(np.int32), file["lengths"].astype(np.int64)
        return TokenIds(ids, np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]))
