"""From the evidence on pairs to probabilities of a match: small networks, as plain numbers.

In four steps. Each pair is judged by its own evidence; then by where it stands among the rivals of
its left and of its right record, as those were judged, and by what words its table usually leaves
over. Then the table says how far these judgements can be trusted: as was learned from other tables
(Platt's scaling, its two numbers read off the table's own scores), and by its own false claims,
which are what rows would claim if the answers that they surely have were taken away
(`pearljoin._scoring.null_pairs`). What then differs from table to table still is averaged over.
All these scale and shift the pairs of a table alike, so that no row's winner depends on them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pearljoin._errors import ModelError
from pearljoin._features.context import STANDING, TABLE, column_rival, standing, table_view
from pearljoin._features.groups import Groups
from pearljoin._features.registry import REGISTRY
from pearljoin._features.unmatched_tokens import LEFT_OVER, PairTexts, left_over
from pearljoin._scoring.null_calibration import calibrate_to_null
from pearljoin._scoring.null_pairs import evenly, others_of_sure_rows
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["FORMAT", "Network", "ScoreSteps", "Scorer", "TableCalibration", "read_scorer"]

FORMAT = 6
CLIP = 6.0
"""Standardised features are cut here, so that an odd pair is judged as an extreme known one."""

LARGEST_SLOPE = 1.0
"""Of the logarithm: a table stretches its logits to e times or squeezes them to 1/e at most."""

CHUNK = 2_048
"""Pairs judged at a time: few enough for what lies between two layers to stay in the cache."""

LEARNED = (3.0, 20.0)
"""How strongly what was learned from other tables is held, see `calibrate_to_null`."""

LEAST_WORTH = 0.7
"""Slope below which false claims are taken for true ones, of a reference that names things twice:
then what was learned stands. Of 214 joins kept out one lay below."""

LOWEST, HIGHEST, STEEPEST = -1.5, 1.0, 2.0
"""How far a table may lower and raise its log odds by its false claims, and stretch them."""

SPREAD = 1.05
"""Standard deviation of what log odds are off by from table to table. What makes the tables
likeliest is 1.15 for 212 joins kept out, 1.0 and 0.9 for plain tables of their lists (72 where
every row has an answer, 72 where half of them have), 1.0 for all together, and 1.15 with twice the
joins. A probability is the mean over such tables."""

_MOST_BYTES, _MOST_MEMBERS, _WIDEST = 2**22, 16, 1024


Layers: TypeAlias = "tuple[tuple[FloatMatrix, FloatVector], ...]"
"""Weights of shape (n_in, n_out) and biases of shape (n_out,), float32; rectified in between."""


@dataclass(frozen=True)
class Network:
    """Small feed-forward networks with one number at their end, of which the mean counts.

    Attributes
    ----------
    mean, scale
        float32 of shape (n_features,): inputs are standardised with these.
    members
        The layers of each.
    """

    mean: FloatVector
    scale: FloatVector
    members: tuple[Layers, ...]

    def logit(self, features: FloatMatrix) -> FloatVector:
        """What stands at the end: float32 of shape (n_pairs,)."""
        result = np.empty(len(features), dtype=np.float32)
        for start in range(0, len(features), CHUNK):
            part = slice(start, start + CHUNK)
            inputs = np.clip((features[part] - self.mean) / self.scale, -CLIP, CLIP)
            ends = [_run(layers, inputs) for layers in self.members]
            result[part] = sum(ends) / np.float32(len(ends))
        return result


def _run(layers: Layers, inputs: FloatMatrix) -> FloatVector:
    """The number at the end of one network."""
    for weights, biases in layers[:-1]:
        inputs = np.maximum(inputs @ weights + biases, 0)
    weights, biases = layers[-1]
    return np.asarray((inputs @ weights + biases)[:, 0], dtype=np.float32)


@dataclass(frozen=True)
class TableCalibration:
    """How a table's own scores say what its logits are worth.

    Attributes
    ----------
    mean, scale
        float32 of shape (n_numbers,): the table's numbers are standardised with these.
    slope, shift
        float32 of shape (1 + n_numbers,), a constant first: the logarithm of what logits are
        multiplied by, and what is added to them.
    """

    mean: FloatVector
    scale: FloatVector
    slope: FloatVector
    shift: FloatVector

    def apply(self, logit: FloatVector, view: FloatVector) -> FloatVector:
        """Scale and shift the logits of one table, described by `view`."""
        told = np.append(1, np.clip((view - self.mean) / self.scale, -CLIP, CLIP))
        stretch = np.exp(np.clip(told @ self.slope, -LARGEST_SLOPE, LARGEST_SLOPE))
        return np.asarray(stretch * logit + told @ self.shift, dtype=np.float32)


class ScoreSteps(NamedTuple):
    """What is said of each pair, step by step: log odds of a match but for `words`.

    Float32 of shape (n_pairs,) where nothing else is said.

    Attributes
    ----------
    pair
        By the pair's own evidence.
    words
        What it leaves over: float32 of shape (n_pairs, n_columns).
    standing
        By where it stands among its rivals and by what it leaves over, too.
    final
        Fitted to the table, tempered by its false claims and moderated: its logistic function is
        the probability.
    """

    pair: FloatVector
    words: FloatMatrix
    standing: FloatVector
    final: FloatVector


@dataclass(frozen=True)
class Scorer:
    """A calibrated match scorer.

    Attributes
    ----------
    pair
        Judges a pair by its evidence.
    standing
        Judges it again by where it stands among its rivals, and by the words it leaves over.
    table
        Fits the judgements to the table.
    """

    pair: Network
    standing: Network
    table: TableCalibration

    def probability(
        self,
        features: FloatMatrix,
        left: IntVector,
        right: IntVector,
        wording: PairTexts | None = None,
    ) -> FloatVector:
        """Probability that each candidate pair of a comparison is a match.

        Parameters
        ----------
        features
            float32 of shape (n_pairs, n_features), as `pair_features` gives.
        left, right
            int64 of shape (n_pairs,): which records, or rows, a pair is of.
        wording
            The pairs' texts. None leaves no words over, which speaks for all pairs: probabilities
            are then too high.

        Returns
        -------
        probability
            float32 of shape (n_pairs,), in [0, 1].
        """
        return np.asarray(expit(self.judge(features, left, right, wording).final), np.float32)

    def judge(
        self,
        features: FloatMatrix,
        left: IntVector,
        right: IntVector,
        wording: PairTexts | None = None,
    ) -> ScoreSteps:
        """Judge the candidate pairs step by step; arguments as of `probability`."""
        rows, columns = Groups(left), Groups(right)
        alone = self.pair.logit(features)
        words = left_over(wording, alone, rows)
        rival = column_rival(alone, columns)
        among = self._among(alone, rows, rival, words)
        view = table_view(among, rows, columns)
        final = self.table.apply(among, view)
        others = others_of_sure_rows(final, rows, wording)
        if others.any():
            without = REGISTRY.without_rivals(features[others], left[others])
            rest = Groups(left[others])
            claims = self._among(self.pair.logit(without), rest, rival[others], words[others])
            false = self.table.apply(claims[rest.best(claims)], view)
            final = _tempered(final, final[evenly(rows.best(final), final)], false)
        return ScoreSteps(alone, words, among, _moderated(final))

    def beside_rivals(
        self, judged: ScoreSteps, left: IntVector, right: IntVector, words: FloatMatrix
    ) -> FloatVector:
        """Judge pairs by where they stand, as if they left other words over.

        Parameters
        ----------
        judged
            Of all pairs.
        left, right
            int64 of shape (n_pairs,): which records, or rows, a pair is of.
        words
            float32 of shape (n_pairs, n_columns): in place of ``judged.words``.

        Returns
        -------
        standing
            float32 of shape (n_pairs,), as ``judged.standing``.
        """
        rival = column_rival(judged.pair, Groups(right))
        return self._among(judged.pair, Groups(left), rival, words)

    def _among(
        self, alone: FloatVector, rows: Groups, rival: FloatVector, words: FloatMatrix
    ) -> FloatVector:
        """Judge pairs by where they stand."""
        return self.standing.logit(standing(alone, rows, rival, words))


def _tempered(logit: FloatVector, claims: FloatVector, false: FloatVector) -> FloatVector:
    """Logits by what claims of rows turn out to be worth, within bounds."""
    intercept, slope = calibrate_to_null(
        claims.astype(np.float64), false.astype(np.float64), LEARNED
    )
    if slope < LEAST_WORTH:
        return logit
    shift = np.clip(intercept, LOWEST, HIGHEST)
    return np.asarray(shift + min(slope, STEEPEST) * logit, dtype=np.float32)


def _moderated(logit: FloatVector) -> FloatVector:
    """Log odds of the mean probability where logits vary by `SPREAD` (moderated: MacKay 1992)."""
    return np.asarray(logit / np.sqrt(1 + np.pi * SPREAD**2 / 8), dtype=np.float32)


def read_scorer(content: bytes, where: str) -> Scorer:
    """Read a scorer from JSON.

    Parameters
    ----------
    content
        ``{"format": 6, "features": [...], "pair": network, "standing": network, "table": {"mean":
        [...], "scale": [...], "slope": [...], "shift": [...]}}``, where a network is ``{"mean":
        [...], "scale": [...], "members": [[{"weights": [[...]], "biases": [...]}, ...], ...]}``.
    where
        What errors call it.

    Raises
    ------
    ModelError
        If it is not of that form, or made for other features than this version computes.
    """
    if len(content) > _MOST_BYTES:
        raise _unusable(where, f"it is too large ({len(content):,} bytes)")
    try:
        raw: dict[str, Any] = json.loads(content)
        if raw["format"] != FORMAT or tuple(raw["features"]) != REGISTRY.names:
            raise _unusable(where, "it was made for another version")
        pair, second = _network(raw["pair"]), _network(raw["standing"])
        table = TableCalibration(
            *(_numbers(raw["table"][name], 1) for name in ("mean", "scale", "slope", "shift"))
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        if isinstance(error, ModelError):
            raise
        raise _unusable(where, f"it is not of the form expected ({error!r})") from error
    fits = (
        _network_fits(pair, len(REGISTRY))
        and _network_fits(second, len(STANDING) + len(LEFT_OVER))
        and len(table.mean) == len(table.scale) == len(TABLE)
        and len(table.slope) == len(table.shift) == 1 + len(TABLE)
        and bool((table.scale > 0).all())
    )
    if not fits:
        raise _unusable(where, "its arrays do not fit together")
    return Scorer(pair, second, table)


def _network(raw: Any) -> Network:
    members = tuple(
        tuple((_numbers(one["weights"], 2), _numbers(one["biases"], 1)) for one in layers)
        for layers in raw["members"]
    )
    return Network(_numbers(raw["mean"], 1), _numbers(raw["scale"], 1), members)


def _network_fits(network: Network, n_inputs: int) -> bool:
    return (
        0 < len(network.members) <= _MOST_MEMBERS
        and all(_layers_fit(layers, n_inputs) for layers in network.members)
        and len(network.mean) == len(network.scale) == n_inputs
        and bool((network.scale > 0).all())
    )


def _layers_fit(layers: Layers, n_inputs: int) -> bool:
    widths = [n_inputs, *(len(biases) for _, biases in layers)]
    return (
        [weights.shape for weights, _ in layers] == list(pairwise(widths))
        and widths[-1] == 1
        and len(widths) > 1
        and max(widths) <= _WIDEST
    )


def _numbers(values: Any, n_dims: int) -> NDArray[np.float32]:
    array = np.asarray(values)
    # Text and whole numbers beyond 64 bits give arrays of other kinds.
    if array.ndim != n_dims or array.dtype.kind not in "iuf":
        raise ValueError("an array has the wrong shape or holds what is not a number")
    if not (np.abs(array) <= np.finfo(np.float32).max).all():
        raise ValueError("an array holds a number that is not finite")
    return array.astype(np.float32)


def _unusable(where: str, why: str) -> ModelError:
    return ModelError(
        f"The match scorer of {where} cannot be used: {why}. "
        "Hint: update pearljoin, or make it anew by `python -m pearljoin_train scorer`."
    )
