"""Training streams from a user's pairs, with ordinary names as a regulariser."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from pearljoin import Encoder
from pearljoin_train.common.config import Config
from pearljoin_train.export.activation_ranges import calibration_names
from pearljoin_train.finetune.user_pairs import Pair, Things, names_by_entity
from pearljoin_train.negatives import HardNegatives
from pearljoin_train.training.batches import Streams
from pearljoin_train.training.examples import UNKNOWN, Examples
from pearljoin_train.training.streams import make_mixture

__all__ = ["user_streams", "with_vectors"]


def user_streams(trained: list[Pair], things: Things) -> Streams:
    """Return streams of the user's names and of ordinary names, whose similarities should stay."""
    rows: dict[str, tuple[str, ...]] = {}
    by_thing = names_by_entity(trained, things)
    for names in by_thing.values():
        rows |= {name: tuple(other for other in names if other != name) for name in names}
    own = _examples("own", list(rows), list(rows.values()))
    general = calibration_names()
    return Streams(
        aliases=[own],
        paraphrases=[],
        typed=None,
        general=_examples("general", general, [()] * len(general)),
        vectors={},
        mixture=make_mixture(Config(synonym_rate=0.0), []),
        negatives=_negatives(trained),
    )


def _examples(source: str, phrases: list[str], aliases: list[tuple[str, ...]]) -> Examples:
    return Examples(source, phrases, aliases, np.full(len(phrases), UNKNOWN))


def _negatives(trained: list[Pair]) -> HardNegatives | None:
    """Return the pairs labelled 0 as hard negatives of each other."""
    wrong: dict[str, set[str]] = defaultdict(set)
    for pair in trained:
        if not pair.same:
            wrong[pair.left].add(pair.right)
            wrong[pair.right].add(pair.left)
    if not wrong:
        return None
    phrases = sorted(wrong)
    place = {phrase: row for row, phrase in enumerate(phrases)}
    starts = np.cumsum([0, *(len(wrong[phrase]) for phrase in phrases)], dtype=np.int64)
    rows = [place[other] for phrase in phrases for other in sorted(wrong[phrase])]
    return HardNegatives(phrases, starts, np.array(rows, dtype=np.int32))


def with_vectors(streams: Streams, model: Encoder) -> Streams:
    """Add the base model's vectors of all names, for neighbours and distillation."""
    sources = [examples for examples in (*streams.aliases, streams.general) if examples is not None]
    return replace(streams, vectors={e.source: model.encode(e.phrases) for e in sources})
