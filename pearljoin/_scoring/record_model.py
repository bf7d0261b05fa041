"""Learning how records of several columns match: match weights from two tables, or from one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pearljoin._features.profiled_texts import RecordTexts
from pearljoin._kinds.address import OTHER_UNIT
from pearljoin._kinds.date import ParsedDates
from pearljoin._ragged import items_of_rows
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.sampling import content_order
from pearljoin._records.similarity import NumberValues, TextValues
from pearljoin._scoring.column_pairs import ColumnPairs, PairedRecords
from pearljoin._scoring.compared import Compared, equal_values
from pearljoin._scoring.knots import knot_counts
from pearljoin._scoring.level_prior import LevelPrior, Probabilities
from pearljoin._scoring.match_weights import MatchWeights, learn
from pearljoin._scoring.other_people import NamedPairs, People, learn_people
from pearljoin._scoring.record_evidence import column_positions, n_knots_of
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._scoring.rereading import ASK_NOTHING, AskedColumns, Rereading
from pearljoin._scoring.series import holds_days
from pearljoin._scoring.silent_columns import silent_columns
from pearljoin._scoring.telling_columns import telling_columns
from pearljoin._scoring.translated_values import translations
from pearljoin._typing import FloatVector, IntVector

__all__ = [
    "WIDER_KIND",
    "count_among_all",
    "learn_from_both",
    "learn_from_reference",
    "learn_within",
    "mean_group",
    "prior_of",
    "record_kind",
]

BIRTHS = "birth_date"

WIDER_KIND = {BIRTHS: "date"}
"""Kinds of columns of which more is known than of the kind that they belong to."""

AGAINST = {"address": int(OTHER_UNIT)}
"""Knots of kinds of columns at which pairs are never evidence for a match: two flats of one
building."""

LASTING, MOST_CHANGED = frozenset({"address", "code"}), 0.35
"""Kinds of columns that seldom change; and share of the likely pairs that agree in such a column of
one table, at most, for most of these pairs to be of related things."""

NAME = "name"
"""The kind of columns of text."""

SAMPLE = 20_000
"""Pairs of records at random from which the share of each knot among all pairs is estimated."""


def learn_from_both(
    left: EncodedRecords,
    right: EncodedRecords,
    pairs: RecordPairs,
    right_at: IntVector,
    sample: IntVector,
    networks: RecordNetworks,
    asked: AskedColumns = ASK_NOTHING,
) -> tuple[MatchWeights, Rereading]:
    """Learn match weights, and how key columns are to be read, from sampled left records.

    Parameters
    ----------
    left, right
        The two sides.
    pairs, right_at
        The candidate pairs of the sampled records, and int64 of shape (n_pairs,): the right record
        of each.
    sample
        int64 of shape (n_sampled,), ascending: these records.
    networks
        What texts are compared by, and the match weights of tables at large.
    asked
        Places of key columns of which it is asked how they are to be read.

    Returns
    -------
    weights, rereading
        The match weights, and what is to be read otherwise. Columns that are translated may tell
        more than they did, so that none is silent before.
    """
    written = PairedRecords(left, right, pairs.left, right_at)
    # Pairs at random are drawn by place, so the places must not depend on the order of rows.
    part = left.take(sample)
    part = part.take(content_order(part))
    right = right.take(content_order(right))
    n_right = mean_group(part, right)
    seen = [column.position for column in pairs.columns]
    counts = _counts_at_random(part, right, networks, seen)
    among_all = [among for among, _ in counts]
    prior = [prior_of(right, at, networks) for at in range(len(right.values))]
    weights = learn(pairs.columns, pairs.left, len(sample), n_right, among_all, prior)
    rereading = Rereading(translated=translations(pairs, weights, written, asked.may_translate))
    if asked.may_drop and not rereading.is_needed:
        known = len(sample), among_all, [found for _, found in counts], prior
        rereading = Rereading(silent_columns(pairs, weights, *known, written, asked.may_drop))
    weights = replace(weights, people=_people(right, pairs.named, pairs.columns, networks))
    return networks.knowing_pairs(weights, pairs, len(sample)), rereading


def learn_within(
    side: EncodedRecords,
    first: IntVector,
    second: IntVector,
    pairs: RecordPairs,
    sample: IntVector,
    networks: RecordNetworks,
) -> MatchWeights:
    """Learn match weights from the candidates of sampled records of one table.

    Parameters
    ----------
    side
        The table.
    first, second
        int64 of shape (n_pairs,): its candidate pairs that have a sampled record, each once.
    pairs
        How they compare.
    sample
        int64 of shape (n_sampled,), ascending: these records.
    networks
        As of `learn_from_both`.
    """
    is_sampled = np.zeros(len(side), dtype=bool)
    is_sampled[sample] = True
    # A pair counts for each of its records that is sampled.
    which = np.concatenate([np.flatnonzero(is_sampled[first]), np.flatnonzero(is_sampled[second])])
    n_first = int(is_sampled[first].sum())
    once, again = which[:n_first], which[n_first:]
    of = np.concatenate([first[once], second[again]])
    order = np.argsort(of, kind="stable")
    of, which = of[order], which[order]
    compared = [column.take(which) for column in pairs.columns]
    named = None if pairs.named is None else pairs.named.take(which)
    ordered = side.take(content_order(side))
    part = ordered
    if len(sample) < len(side):
        part = side.take(sample)
        part = part.take(content_order(part))
    n_others = max(1.0, mean_group(side, side) - 1)
    seen = [column.position for column in compared]
    among_all = count_among_all(part, ordered, networks, seen)
    prior = [_prior_within(side, at, networks) for at in range(len(side.values))]
    learned = partial(learn, compared, of, len(sample), n_others, among_all)
    weights = learned(prior)
    telling = telling_columns(compared, of, weights, among_all)
    fixed = {
        at: replace(prior[at], known=m, is_fixed=True)
        for at, share in telling.items()
        if (m := _lasting_m(side, at, share, prior[at], networks)) is not None
    }
    if fixed:
        weights = learned([fixed.get(at, usual) for at, usual in enumerate(prior)])
    return replace(weights, people=_people(ordered, named, compared, networks))


def learn_from_reference(reference: EncodedRecords, networks: RecordNetworks) -> MatchWeights:
    """Learn match weights from a reference alone.

    Only u probabilities are learned, from pairs of different records, and by these of which sort a
    column is: the m probabilities are those of such columns in tables at large.

    Parameters
    ----------
    reference
        The reference.
    networks
        As of `learn_from_both`.
    """
    reference = reference.take(content_order(reference))
    n_right = mean_group(reference, reference)
    nothing = [np.zeros(0, dtype=np.float32)] * len(reference.values)
    among_all = count_among_all(reference, reference, networks, nothing)
    prior = [prior_of(reference, at, networks) for at in range(len(reference.values))]
    weights = learn((), np.zeros(0, dtype=np.int64), 0, n_right, among_all, prior)
    return replace(weights, people=_people(reference, None, (), networks))


def _people(
    side: EncodedRecords,
    named: NamedPairs | None,
    compared: Sequence[Compared],
    networks: RecordNetworks,
) -> People:
    """Learn by which key columns people are known, from candidate pairs where there are any."""
    tops = [n_knots_of(side, at, networks) - 1 for at in range(len(side.values))]
    return learn_people(side, named, [] if named is None else equal_values(compared, tops))


def prior_of(side: EncodedRecords, at: int, networks: RecordNetworks) -> LevelPrior:
    """Return the m and u probabilities of a key column's kind in tables at large."""
    n_knots, kind = n_knots_of(side, at, networks), record_kind(side, at)
    is_text = kind == NAME
    usual = networks.priors.get(WIDER_KIND.get(kind, kind))
    if usual is not None and len(usual.m) == n_knots:
        narrower = networks.priors.get(kind) if kind in WIDER_KIND else None
        if narrower is not None and len(narrower.m) == n_knots:
            return replace(usual, known=narrower.m)
        return replace(usual, is_text=is_text, against=AGAINST.get(kind))
    m = np.full(n_knots, 0.3 / (n_knots - 1))
    m[-1] = 0.7
    u = np.geomspace(1, 0.01, n_knots)
    return LevelPrior(m, u / u.sum(), is_text=is_text)


def _prior_within(side: EncodedRecords, at: int, networks: RecordNetworks) -> LevelPrior:
    """Return what is usual of a key column of one table.

    What resembles a record of one table is mostly related to it, and has other values than
    duplicates have: of which sort a column is does not show. Dates of birth are told by its name;
    but strangers born in one year are as many as duplicates, so that only days say who one is.
    """
    usual, values = prior_of(side, at, networks), side.values[at]
    parsed = values.parsed if isinstance(values, ParsedValues) else None
    are_days = isinstance(parsed, ParsedDates) and parsed.are_mostly_days
    known = usual.known if are_days else None
    return replace(usual.of_all, known=known, is_text=usual.is_text, against=usual.against)


def _lasting_m(
    side: EncodedRecords, at: int, agree: float, prior: LevelPrior, networks: RecordNetworks
) -> Probabilities | None:
    """Return the m probabilities to hold to of a telling column; None where none are to be.

    An event has one day. Addresses, codes and days of birth are misread or change, but not in most
    pairs. Texts may be worded otherwise, and who is entered again may have another telephone.
    """
    if prior.known is not None:
        return prior.known if agree <= MOST_CHANGED else None
    births = networks.priors.get(BIRTHS)
    if holds_days(side, at):
        return births.m if births is not None and len(births.m) == len(prior.m) else None
    return prior.m if record_kind(side, at) in LASTING and agree <= MOST_CHANGED else None


def record_kind(side: EncodedRecords, at: int) -> str:
    """Return the kind of a key column by which match weights of tables at large are kept."""
    values = side.values[at]
    if isinstance(values, TextValues):
        return NAME
    return "closeness" if isinstance(values, NumberValues) else values.prior_kind


def count_among_all(
    left: EncodedRecords,
    right: EncodedRecords,
    networks: RecordNetworks,
    seen: Sequence[FloatVector],
) -> list[NDArray[np.float64]]:
    """Count pairs of records at random by knot, for each key column.

    Those at the upper half of a scale are rare among them, and nearly all such pairs are
    candidates: so they are counted there, and the count is scaled down.

    Parameters
    ----------
    left, right
        The two sides; the same for one table.
    networks
        What texts are compared by.
    seen
        By key column, the positions of the candidate pairs; empty where there are none.

    Returns
    -------
    counts
        By key column, float64 of shape (n_knots,).
    """
    return [among for among, _ in _counts_at_random(left, right, networks, seen)]


def _counts_at_random(
    left: EncodedRecords,
    right: EncodedRecords,
    networks: RecordNetworks,
    seen: Sequence[FloatVector],
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Count as `count_among_all` does, and without what is known of candidates."""
    n_pairs = len(left) * mean_group(left, right)
    left_at, right_at = _any_pairs(left, right)
    if left is right:
        apart = left_at != right_at
        left_at, right_at = left_at[apart], right_at[apart]
    texts = RecordTexts(left, right, left_at, right_at)
    found = []
    for at, candidates in enumerate(seen):
        n_knots = n_knots_of(right, at, networks)
        pairs = ColumnPairs(left, right, at, left_at, right_at)
        position, _ = column_positions(pairs, networks, texts)
        sampled = knot_counts(position, n_knots)
        counts = sampled.copy()
        if len(candidates) and n_pairs > len(left_at):
            upper = slice((n_knots + 1) // 2, None)
            counts[upper] = knot_counts(candidates, n_knots)[upper] * (len(left_at) / n_pairs)
        found.append((counts, sampled))
    return found


def _any_pairs(left: EncodedRecords, right: EncodedRecords) -> tuple[IntVector, IntVector]:
    """All pairs of records of equal groups, or a sample of them; by left record."""
    start, count = _could_meet(left, right)
    order = _by_group(right)
    if int(count.sum()) <= SAMPLE:
        left_at, place = items_of_rows(start, count)
    else:
        rng = np.random.default_rng(0)
        left_at = np.sort(rng.choice(np.flatnonzero(count), SAMPLE))
        place = start[left_at] + (rng.random(SAMPLE) * count[left_at]).astype(np.int64)
    return left_at.astype(np.int64), order[place]


def mean_group(left: EncodedRecords, right: EncodedRecords) -> float:
    """How many right records a left one could meet, on average."""
    count = _could_meet(left, right)[1]
    return float(count.mean()) if len(count) else float(len(right))


def _could_meet(left: EncodedRecords, right: EncodedRecords) -> tuple[IntVector, IntVector]:
    """Where each left record's group starts among the right records by group, and its size."""
    if left.groups is None or right.groups is None:
        return np.zeros(len(left), dtype=np.int64), np.full(len(left), len(right))
    ordered = right.groups[_by_group(right)]
    start = np.searchsorted(ordered, left.groups, side="left")
    return start, np.searchsorted(ordered, left.groups, side="right") - start


def _by_group(right: EncodedRecords) -> IntVector:
    if right.groups is None:
        return np.arange(len(right))
    return np.argsort(right.groups, kind="stable").astype(np.int64)
