"""Scorer files: reading a match scorer from JSON, plain numbers that cannot run code."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pearljoin._encoders import Encoder, bundled_scorer
from pearljoin._errors import ModelError
from pearljoin._features.context import CONTEXT_FEATURES, TABLE_FEATURES
from pearljoin._features.registry import REGISTRY
from pearljoin._features.unmatched_tokens import UNMATCHED_FEATURES
from pearljoin._records.records import Records
from pearljoin._scoring.answered import ROW_FEATURES
from pearljoin._scoring.level_prior import LevelPrior
from pearljoin._scoring.network import Layers, Network
from pearljoin._scoring.record_features import (
    PAIR_FEATURES,
    RECORD_FEATURES,
    WITHIN_FEATURES,
)
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._scoring.record_table import RECORD_TABLE_FEATURES
from pearljoin._scoring.scorer import Scorer
from pearljoin._scoring.table_calibration import TableCalibration
from pearljoin._scoring.text_correction import INTERVAL_FEATURES
from pearljoin._scoring.text_siblings import TEXT_PAIR_FEATURES

__all__ = ["FORMAT", "read_record_networks", "read_scorer", "record_networks_of", "scorer_of"]

FORMAT = 10
"""Version of the file format that is read."""

Scalar = TypeVar("Scalar", bound=np.generic)

_MOST_BYTES, _MOST_MEMBERS, _WIDEST, _MOST_KNOTS = 2**22, 16, 1024, 64
"""Bounds of a file, of the networks in it, of a layer and of a scale, so that a damaged file costs
little."""


def scorer_of(encoder: Encoder | None, records: Records) -> Scorer | None:
    """Read the match scorer of an encoder, which is for one key column of text.

    Parameters
    ----------
    encoder
        The encoder, if there is one; it may have a scorer file as its attribute `scorer`.
    records
        What is to be scored.

    Raises
    ------
    ModelError
        As in `read_scorer`, or if the scorer is for vectors of another dimension.
    """
    content = getattr(encoder, "scorer", None)
    if not isinstance(content, bytes) or [field.kind for field in records.fields] != ["text"]:
        return None
    where = str(getattr(encoder, "name", "the encoder"))
    scorer = _kept(content, where).scorer
    _check_dim(encoder, len(scorer.middle), where)
    return scorer


def _check_dim(encoder: Encoder | None, dim: int, where: str) -> None:
    """Refuse a scorer for vectors of another dimension than the encoder's."""
    wanted = getattr(encoder, "dim", dim)
    if dim != wanted:
        raise _unusable(where, f"it is for vectors of dimension {dim}, not {wanted}")


def record_networks_of(encoder: Encoder | None) -> RecordNetworks | None:
    """Read the networks of an encoder that score records of several columns.

    Parameters
    ----------
    encoder
        The encoder; it may have a scorer file as its attribute `scorer`. None where no key column
        is text: then those of the bundled model serve.

    Raises
    ------
    ModelError
        As in `read_scorer`.
    """
    content = bundled_scorer() if encoder is None else getattr(encoder, "scorer", None)
    if not isinstance(content, bytes):
        return None
    where = str(getattr(encoder, "name", "the encoder"))
    networks = _kept(content, where).networks
    if networks is not None:
        _check_dim(encoder, len(networks.middle), where)
    return networks


class _ScorerFile(NamedTuple):
    """What a scorer file holds: for one key column of text, and for records of several columns."""

    scorer: Scorer
    networks: RecordNetworks | None


@lru_cache(maxsize=4)
def _kept(content: bytes, where: str) -> _ScorerFile:
    """Read a scorer file once: that takes as long as a match of a few rows; it never changes."""
    raw = _parsed(content, where)
    return _ScorerFile(_scorer(raw, where), _networks(raw, where))


def _networks(raw: dict[str, Any], where: str) -> RecordNetworks | None:
    """Read the record networks of a scorer file; None without any."""
    if "records" not in raw:
        return None
    try:
        return read_record_networks(raw["records"], _numbers(raw["middle"], 1))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _unusable(where, f"it is not of the form expected ({error!r})") from error


def read_record_networks(raw: Any, middle: NDArray[np.float32]) -> RecordNetworks:
    """Read the part of a scorer file that is about several columns.

    Raises
    ------
    ValueError, TypeError, KeyError, AttributeError
        If it is not of the form expected.
    """
    names = [str(name) for name in raw["text_features"]]
    if list(raw["features"]) != list(RECORD_FEATURES):
        raise ValueError("it was made for other features of records")
    networks = RecordNetworks(
        text=_network(raw["text"]),
        text_features=_read_only(
            np.array([REGISTRY.names.index(name) for name in names], dtype=np.int64)
        ),
        knots=_numbers(raw["knots"], 1),
        priors={str(kind): _prior(each) for kind, each in raw["priors"].items()},
        answer=_network(raw["answer"]),
        answered=_network(raw["answered"]),
        same=_network(raw["same"]),
        same_in_table=_network(raw["same_in_table"]),
        same_within=_network(raw["same_within"]),
        same_records=_network(raw["same_records"]) if "same_records" in raw else None,
        same_texts=_network(raw["same_texts"]) if "same_texts" in raw else None,
        text_correction=_network(raw["text_correction"]),
        middle=middle,
        usual_scores=_read_only(np.sort(_numbers(raw["usual_scores"], 1))),
    )
    fits = (
        _network_fits(networks.text, len(names))
        and _network_fits(networks.answer, len(RECORD_FEATURES))
        and _network_fits(networks.answered, len(ROW_FEATURES) + len(RECORD_TABLE_FEATURES))
        and _network_fits(networks.same, len(PAIR_FEATURES))
        and _network_fits(networks.same_within, len(PAIR_FEATURES))
        and (
            networks.same_records is None
            or _network_fits(networks.same_records, len(WITHIN_FEATURES))
        )
        and (
            networks.same_texts is None
            or _network_fits(networks.same_texts, len(TEXT_PAIR_FEATURES))
        )
        and _network_fits(networks.text_correction, len(INTERVAL_FEATURES))
        and _network_fits(
            networks.same_in_table, len(PAIR_FEATURES) + 1 + len(RECORD_TABLE_FEATURES)
        )
        and 1 < len(networks.knots) <= _MOST_KNOTS
        and len(networks.usual_scores) > 0
        and bool(((networks.usual_scores >= 0) & (networks.usual_scores <= 1)).all())
        and bool((np.diff(networks.knots) > 0).all())
    )
    if not fits:
        raise ValueError("its arrays do not fit together")
    return networks


SORTS = {"sorts_m", "sorts_u", "shares"}
"""What a prior says of sorts: all of these or none."""


def _prior(raw: Any) -> LevelPrior:
    m, u = (_numbers(raw[name], 1).astype(np.float64) for name in ("m", "u"))
    if len(m) != len(u) or len(m) < 2 or min(m.min(), u.min()) <= 0:
        raise ValueError("m and u probabilities do not fit together")
    m, u = _read_only(m / m.sum()), _read_only(u / u.sum())
    # Folders of earlier versions know no sorts, and of some kinds there is one.
    if SORTS.isdisjoint(raw):
        return LevelPrior(m, u)
    of_sorts = [_numbers(raw[name], 2).astype(np.float64) for name in ("sorts_m", "sorts_u")]
    shares = _numbers(raw["shares"], 1).astype(np.float64)
    shape, least = (len(shares), len(m)), min(part.min() for part in (*of_sorts, shares))
    if any(part.shape != shape for part in of_sorts) or least <= 0:
        raise ValueError("m and u probabilities of sorts of columns do not fit together")
    sorts_m, sorts_u = (_read_only(part / part.sum(axis=1, keepdims=True)) for part in of_sorts)
    return LevelPrior(m, u, sorts_m, sorts_u, _read_only(shares / shares.sum()))


def _parsed(content: bytes, where: str) -> dict[str, Any]:
    """Parse a scorer file, and check its size and version."""
    if len(content) > _MOST_BYTES:
        raise _unusable(where, f"it is too large ({len(content):,} bytes)")
    try:
        raw: dict[str, Any] = json.loads(content)
        if raw["format"] != FORMAT or tuple(raw["features"]) != REGISTRY.names:
            raise _unusable(where, "it was made for another version")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        if isinstance(error, ModelError):
            raise
        raise _unusable(where, f"it is not of the form expected ({error!r})") from error
    return raw


def read_scorer(content: bytes, where: str) -> Scorer:
    """Read a match scorer from JSON.

    Parameters
    ----------
    content
        ``{"format": 10, "features": [...], "pair": network, "context": network, "table": {"mean":
        [...], "scale": [...], "slope": [...], "shift": [...]}, "middle": [...], "usual_scores":
        [...]}``, where a network is ``{"mean":
        [...], "scale": [...], "members": [[{"weights": [[...]], "biases": [...]}, ...], ...]}``.
    where
        What error messages call it.

    Raises
    ------
    ModelError
        If it is not of that form, or was made for other features than this version computes.
    """
    return _scorer(_parsed(content, where), where)


def _scorer(raw: dict[str, Any], where: str) -> Scorer:
    try:
        pair, second = _network(raw["pair"]), _network(raw["context"])
        table = TableCalibration(
            *(_numbers(raw["table"][name], 1) for name in ("mean", "scale", "slope", "shift"))
        )
        middle, usual = _numbers(raw["middle"], 1), _numbers(raw["usual_scores"], 1)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _unusable(where, f"it is not of the form expected ({error!r})") from error
    fits = (
        _network_fits(pair, len(REGISTRY))
        and _network_fits(second, len(CONTEXT_FEATURES) + len(UNMATCHED_FEATURES))
        and len(table.mean) == len(table.scale) == len(TABLE_FEATURES)
        and len(table.slope) == len(table.shift) == 1 + len(TABLE_FEATURES)
        and bool((table.scale > 0).all())
    )
    if not fits:
        raise _unusable(where, "its arrays do not fit together")
    return Scorer(pair, second, table, middle, _read_only(np.sort(usual)))


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
    return _read_only(array.astype(np.float32))


def _read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Refuse writing to an array, since matchers share what is read."""
    array.flags.writeable = False
    return array


def _unusable(where: str, why: str) -> ModelError:
    return ModelError(
        f"The match scorer of {where} cannot be used: {why}. "
        "Hint: update pearljoin, or train it again by `python -m pearljoin_train scorer`."
    )
