"""Store of mined hard negatives, with random sampling."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pearljoin._optional import require
from pearljoin_train.augment import Chance

__all__ = ["HardNegatives"]


class HardNegatives:
    """Phrases and their hard negatives, as read from a file.

    Parameters
    ----------
    phrases
        Distinct.
    starts
        int64 of shape (n_phrases + 1,): where each phrase's negatives begin in `rows`.
    rows
        int32 of shape (n_negatives,): the negatives, as rows of `phrases`.

    Examples
    --------
    >>> from random import Random
    >>> texts = ["Bern", "Berne", "Berlin"]
    >>> negatives = HardNegatives(texts, np.array([0, 1, 2, 4]), np.array([2, 2, 0, 1]))
    >>> negatives.of("Berlin"), negatives.draw("Bern", Random(0)), negatives.of("Rome")
    (('Bern', 'Berne'), ('Berlin',), ())
    """

    def __init__(
        self, phrases: Sequence[str], starts: NDArray[np.int64], rows: NDArray[np.int32]
    ) -> None:
        self._phrases = phrases
        self._starts = starts
        self._rows = rows
        self._place = {phrase: at for at, phrase in enumerate(phrases)}

    def __len__(self) -> int:
        """Return the number of phrases."""
        return len(self._phrases)

    @property
    def phrases(self) -> Sequence[str]:
        """Return the phrases, which are each other's negatives."""
        return self._phrases

    def of(self, phrase: str) -> tuple[str, ...]:
        """Return a phrase's negatives, of the most similar spelling first."""
        at = self._place.get(phrase)
        if at is None:
            return ()
        return tuple(
            self._phrases[row] for row in self._rows[self._starts[at] : self._starts[at + 1]]
        )

    def draw(self, phrase: str, rng: Chance, n: int = 2) -> tuple[str, ...]:
        """Draw negatives of a phrase.

        Parameters
        ----------
        phrase
            Any string.
        rng
            `random.Random` or a numpy generator.
        n
            How many; 2 in the paper.

        Returns
        -------
        drawn
            Distinct; fewer than `n` where the phrase has fewer.
        """
        left = list(self.of(phrase))
        return tuple(left.pop(int(rng.random() * len(left))) for _ in range(min(n, len(left))))

    @classmethod
    def read(cls, path: Path) -> HardNegatives:
        """Read what the command wrote: columns ``phrase`` and ``negatives``."""
        compute = require("pyarrow.compute", extra="train", purpose="Reading Parquet")
        parquet = require("pyarrow.parquet", extra="train", purpose="Reading Parquet")
        table = parquet.read_table(path, columns=["phrase", "negatives"]).combine_chunks()
        lengths = compute.list_value_length(table["negatives"]).to_numpy()
        rows = compute.index_in(compute.list_flatten(table["negatives"]), value_set=table["phrase"])
        starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        return cls(table["phrase"].to_pylist(), starts, rows.to_numpy())
