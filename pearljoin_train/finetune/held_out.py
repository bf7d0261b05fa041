"""Retrieval among the held-out pairs of a user: top-1 and average precision."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import average_precision_score

from pearljoin import Encoder
from pearljoin_train.data.splits import fold
from pearljoin_train.finetune.user_pairs import Pair, Things

__all__ = ["HeldOut"]

MOST_QUERIES, MOST_NAMES = 1_000, 5_000


class HeldOut:
    """Finds the right-hand names of held-out pairs among all right-hand names.

    Parameters
    ----------
    pairs
        All of them: names that were trained on stay among the wrong answers.
    held_out
        Those that are asked for.
    things
        Which names belong together.
    seed
        Draws 1,000 questions and 5,000 answers where there are more.
    """

    def __init__(
        self, pairs: list[Pair], held_out: list[Pair], things: Things, seed: int = 0
    ) -> None:
        rng = np.random.default_rng(seed)
        asked = list(dict.fromkeys(pair.left for pair in held_out))
        self.queries = _at_most(asked, MOST_QUERIES, rng)
        queried = set(self.queries)
        answers = list(dict.fromkeys(pair.right for pair in held_out if pair.left in queried))
        taken = set(answers)
        distractors = [pair.right for pair in pairs if pair.right not in taken]
        room = max(0, MOST_NAMES - len(answers))
        self.names = [*answers, *_at_most(list(dict.fromkeys(distractors)), room, rng)]
        sides = ([things[fold(text)] for text in texts] for texts in (self.queries, self.names))
        left, right = map(np.array, sides)
        self.same = left[:, None] == right[None, :]

    def measure(self, encoder: Encoder) -> dict[str, float]:
        """Return ``top1`` and ``average_precision``, both in [0, 1].

        The first is the share of names whose nearest is of the same thing, among names that have
        an answer; the second ranks all pairs by cosine.
        """
        cosines = encoder.encode(self.queries) @ encoder.encode(self.names).T
        answered = self.same.any(axis=1)
        found = self.same[np.arange(len(self.same)), cosines.argmax(axis=1)]
        precision = average_precision_score(self.same.ravel(), cosines.ravel())
        return {"top1": float(found[answered].mean()), "average_precision": float(precision)}


def _at_most(texts: list[str], most: int, rng: np.random.Generator) -> list[str]:
    if len(texts) <= most:
        return texts
    return [texts[at] for at in np.sort(rng.choice(len(texts), most, replace=False))]
