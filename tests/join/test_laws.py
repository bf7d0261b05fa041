"""What holds of every join, whatever the tables."""

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder, join, match, pairs_of
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import best_total, text_scores
from repetitions import few

import pearljoin as pj
from pearljoin._records.similarity import TextValues
from pearljoin._search import tfidf
from pearljoin._text.normalise import normalise
from pearljoin._text.term_weights import TermWeights

law = settings(derandomize=True, deadline=None, max_examples=25)

WORDS = st.sampled_from(["north", "South", "lodge", "house", "st", "st.", "ÉTÉ", "ete", "9", "a"])
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
CELLS = st.one_of(NAMES, st.sampled_from([None, "", "  "]), st.text(max_size=6))
COLUMNS = st.lists(CELLS, max_size=12)
THRESHOLDS = st.sampled_from([0.0, 0.2, 0.4, 0.7, 1.0])
CONSTRAINTS = st.sampled_from(["m:1", "1:1", "m:m"])
SIDES = {"left": COLUMNS, "right": COLUMNS, "threshold": THRESHOLDS}


def frame(cells: list) -> pd.DataFrame:
    return pd.DataFrame({"x": pd.Series(cells, dtype=object), "row": np.arange(len(cells))})


def is_null(cell: Any) -> bool:
    return cell is None or not cell or cell.isspace()


def usable(cells: list) -> list[int]:
    return [row for row, cell in enumerate(cells) if not is_null(cell)]


def rows(left: list, right: list, how: str, **options: Any) -> list[tuple]:
    """Left row and right row of each row of the result; -1 where there is none."""
    joined = join(frame(left), frame(right), on="x", how=how, **options)
    names = [name for name in ("row", "row_right") if name in joined.columns]
    return [tuple(map(int, row)) for row in joined[names].fillna(-1).itertuples(index=False)]


@law
@given(**SIDES, constraint=CONSTRAINTS)
def test_row_counts_of_each_how(left, right, threshold, constraint) -> None:
    options = {"threshold": threshold, "constraint": constraint}
    inner = rows(left, right, "inner", **options)
    left_alone = [row for row in range(len(left)) if row not in {pair[0] for pair in inner}]
    right_alone = [row for row in range(len(right)) if row not in {pair[1] for pair in inner}]
    by_left = sorted(inner + [(row, -1) for row in left_alone], key=lambda pair: pair[0])
    extra = [(-1, row) for row in right_alone]
    assert rows(left, right, "left", **options) == by_left
    assert rows(left, right, "right", **options) == inner + extra
    assert rows(left, right, "full", **options) == by_left + extra
    assert [row for (row,) in rows(left, right, "anti", **options)] == left_alone


@law
@given(**SIDES, constraint=CONSTRAINTS)
def test_semi_and_anti_are_the_left_table(left, right, threshold, constraint) -> None:
    options = {"threshold": threshold, "constraint": constraint, "on": "x"}
    semi, anti = (join(frame(left), frame(right), how=how, **options) for how in ("semi", "anti"))
    together = pd.concat([semi, anti]).sort_index()
    pd.testing.assert_frame_equal(together, frame(left))
    inner = join(frame(left), frame(right), how="inner", **options)
    assert semi["row"].tolist() == sorted(set(inner["row"]))


@law
@given(**SIDES)
def test_many_to_one_keeps_lefts_rows(left, right, threshold) -> None:
    joined = join(frame(left), frame(right), on="x", threshold=threshold)
    pd.testing.assert_frame_equal(joined[["x", "row"]], frame(left))


@law
@given(**SIDES, constraint=CONSTRAINTS)
def test_matches_stand_in_left_order_best_first(left, right, threshold, constraint) -> None:
    found = match(left, right, threshold=threshold, constraint=constraint).matches()
    for (row, score), (next_row, next_score) in pairwise(
        zip(found.left.tolist(), found.score.tolist(), strict=True)
    ):
        assert row < next_row or (row == next_row and score >= next_score)
    assert (found.score >= np.float32(threshold)).all()
    assert len(set(pairs_of(found))) == len(found)


@law
@given(**SIDES, constraint=CONSTRAINTS)
def test_null_keys_match_nothing(left, right, threshold, constraint) -> None:
    found = match(left, right, threshold=threshold, constraint=constraint).matches()
    assert set(found.left.tolist()) <= set(usable(left))
    assert set(found.right.tolist()) <= set(usable(right))


@law
@given(left=COLUMNS, right=COLUMNS, constraint=CONSTRAINTS)
def test_equal_strings_win(left, right, constraint) -> None:
    found = match(left, right, threshold=0.0, constraint=constraint).matches()
    partners: dict[int, list[int]] = {}
    for left_row, right_row in pairs_of(found):
        partners.setdefault(left_row, []).append(right_row)
    for left_row, score in zip(found.left.tolist(), found.score.tolist(), strict=True):
        equal = [row for row in usable(right) if right[row] == left[left_row]]
        alike = [row for row in usable(right) if normalise(right[row]) == normalise(left[left_row])]
        if constraint == "m:m":
            wanted = equal + [row for row in alike if row not in equal]
            assert partners[left_row][: len(wanted)] == wanted
        elif constraint == "m:1" and alike:
            assert partners[left_row] == [(equal or alike)[0]]
            assert score == 1
    for left_row, right_row, score in zip(found.left, found.right, found.score, strict=True):
        assert (score == 1) == (normalise(left[left_row]) == normalise(right[right_row]))


@law
@given(**SIDES, order=st.randoms(use_true_random=False))
def test_the_order_of_the_right_changes_nothing_but_tied_choices(
    left, right, threshold, order
) -> None:
    places = list(range(len(right)))
    order.shuffle(places)
    shuffled = [right[place] for place in places]
    plain = match(left, right, threshold=threshold).matches()
    turned = match(left, shuffled, threshold=threshold).matches()
    assert turned.left.tolist() == plain.left.tolist()
    np.testing.assert_allclose(turned.score, plain.score, atol=2e-5)
    every = match(left, right, threshold=0.0, constraint="m:m").matches()
    scores = dict(zip(pairs_of(every), every.score.tolist(), strict=True))
    for left_row, right_row in pairs_of(turned):
        assert scores[left_row, places[right_row]] == pytest.approx(
            max(score for (row, _), score in scores.items() if row == left_row), abs=2e-5
        )


@law
@given(**SIDES, constraint=CONSTRAINTS, batch_size=st.integers(1, 5))
def test_the_batch_size_changes_nothing(left, right, threshold, constraint, batch_size) -> None:
    options = {"threshold": threshold, "constraint": constraint}
    plain = match(left, right, **options).matches()
    found = match(left, right, batch_size=batch_size, **options).matches()
    assert pairs_of(found) == pairs_of(plain)
    assert found.score.tolist() == plain.score.tolist()


@law
@given(left=COLUMNS, right=COLUMNS, constraint=st.sampled_from(["m:1", "m:m"]))
def test_a_higher_threshold_never_adds_a_match(left, right, constraint) -> None:
    result = match(left, right, constraint=constraint)
    found = [set(pairs_of(result.matches(threshold=t / 10))) for t in range(11)]
    assert all(more >= fewer for more, fewer in pairwise(found))


@law
@given(
    seed=st.integers(0, 9),
    n_left=st.sampled_from([5, 60]),
    constraint=st.sampled_from(["m:1", "m:m"]),
)
def test_a_higher_precision_never_adds_a_match(seed, n_left, constraint) -> None:
    rng = np.random.default_rng(seed)
    words = ["north", "south", "east", "lodge", "house", "inn", "old", "new", "road"]
    right = [f"{a} {b} {c}" for a, b, c in rng.choice(words, (50, 3))]
    left = [
        f"{a} {b}" if i % 2 else f"{a} {b}s"
        for i, (a, b) in enumerate(rng.choice(words, (n_left, 2)))
    ]
    result = match(left, right, constraint=constraint)
    targets = [pj.PrecisionTarget(p) for p in (0, 0.2, 0.5, 0.8, 0.9, 0.99, 1)]
    found = [set(pairs_of(result.matches(threshold=target))) for target in targets]
    assert all(more >= fewer for more, fewer in pairwise(found))
    assert len(found[0]) > len(found[-1])


@law
@given(left=COLUMNS, right=COLUMNS)
def test_every_score_is_the_mean_of_meaning_and_spelling(left, right) -> None:
    left_texts = [left[row] for row in usable(left)]
    right_texts = [right[row] for row in usable(right)]
    found = match(left, right, threshold=0.0, constraint="m:m").matches()
    wanted = [(a, b) for a in usable(left) for b in usable(right)]
    assert sorted(pairs_of(found)) == wanted
    if wanted:
        scores = text_scores(left_texts, right_texts)
        left_position = {row: at for at, row in enumerate(usable(left))}
        right_position = {row: at for at, row in enumerate(usable(right))}
        expected = [scores[left_position[a], right_position[b]] for a, b in pairs_of(found)]
        np.testing.assert_allclose(found.score, expected, atol=2e-5)


@law
@given(**SIDES)
def test_many_to_many_is_every_pair_that_reaches_the_threshold(left, right, threshold) -> None:
    everything = match(left, right, threshold=0.0, constraint="m:m").matches()
    found = match(left, right, threshold=threshold, constraint="m:m").matches()
    wanted = everything.above(threshold)
    assert pairs_of(found) == pairs_of(wanted)
    assert found.score.tolist() == wanted.score.tolist()


@law
@given(**SIDES)
def test_many_to_one_is_each_left_rows_best_of_all_pairs(left, right, threshold) -> None:
    everything = match(left, right, threshold=0.0, constraint="m:m").matches()
    firsts = dict(reversed(pairs_of(everything.above(threshold))))
    found = match(left, right, threshold=threshold).matches()
    assert dict(pairs_of(found)) == firsts
    assert len(found) == len(firsts)


@law
@given(
    left=st.lists(NAMES.map(lambda name: f"x {name}"), min_size=1, max_size=9),
    right=st.lists(NAMES.map(lambda name: f"{name} y"), min_size=1, max_size=9),
    threshold=THRESHOLDS,
)
def test_one_to_one_is_the_best_assignment_where_no_texts_are_equal(left, right, threshold) -> None:
    everything = match(left, right, threshold=0.0, constraint="m:m").matches()
    scores = np.zeros((len(left), len(right)))
    scores[everything.left, everything.right] = everything.score
    found = match(left, right, threshold=threshold, constraint="1:1").matches()
    assert len(set(found.left.tolist())) == len(set(found.right.tolist())) == len(found)
    assert (found.score >= np.float32(threshold)).all()
    np.testing.assert_allclose(found.score, scores[found.left, found.right])
    assert float(found.score.sum()) == pytest.approx(best_total(scores, threshold), abs=1e-4)


@law
@given(left=COLUMNS, right=COLUMNS)
def test_one_to_one_pairs_as_many_equal_rows_as_it_can(left, right) -> None:
    found = match(left, right, threshold=1.0, constraint="1:1").matches()
    left_texts = [normalise(left[row]) for row in usable(left)]
    right_texts = [normalise(right[row]) for row in usable(right)]
    assert len(set(found.left.tolist())) == len(set(found.right.tolist())) == len(found)
    assert len(found) == sum(
        min(left_texts.count(key), right_texts.count(key)) for key in set(left_texts)
    )


@law
@given(cells=COLUMNS, threshold=THRESHOLDS)
def test_a_column_against_itself_finds_every_row(cells, threshold) -> None:
    found = match(cells, cells, threshold=threshold, constraint="1:1").matches()
    assert found.left.tolist() == usable(cells)
    assert [cells[row] for row in found.right] == [cells[row] for row in usable(cells)]


@law
@given(**SIDES, k=st.integers(1, 4))
def test_k_takes_the_first_of_each_left_row(left, right, threshold, k) -> None:
    every = match(left, right, threshold=threshold, constraint="m:m").matches()
    found = match(left, right, threshold=threshold, constraint="m:m", k=k).matches()
    wanted = [
        pair
        for at, pair in enumerate(pairs_of(every))
        if sum(earlier[0] == pair[0] for earlier in pairs_of(every)[:at]) < k
    ]
    assert pairs_of(found) == wanted


# With probabilities: of the bundled scorer, and of several columns ------------------------------

LETTERS = st.sampled_from("bdfgklmnprstvz")
VOWELS = st.sampled_from("aeiou")
WORD = st.tuples(LETTERS, VOWELS, LETTERS, VOWELS, LETTERS).map("".join)
TITLES = st.lists(WORD, min_size=1, max_size=2).map(" ".join)
TABLE = st.lists(TITLES, min_size=2, max_size=8)
slow_law = settings(law, max_examples=12)


@pytest.fixture(scope="module")
def bundled():
    return pj.load_encoder("default")


def records(names: list[str]) -> pd.DataFrame:
    return pd.DataFrame({"x": names, "n": [len(name) * 7 % 5 for name in names]})


@slow_law
@given(left=TABLE, right=TABLE, constraint=st.sampled_from(["m:1", "m:m"]), several=st.booleans())
def test_a_higher_target_never_adds_a_match_where_scores_are_probabilities(
    bundled, left, right, constraint, several
) -> None:
    left_table, right_table = [name[:-1] for name in left[:2]] + right[:3] + left, right
    if several:
        left_table, right_table = records(left_table), records(right_table)
    options = {"on": ["x", "n"]} if several else {}
    result = pj.match(left_table, right_table, encoder=bundled, constraint=constraint, **options)
    assert result.calibrated
    for kind in (pj.FixedThreshold, pj.PrecisionTarget):
        found = [
            set(pairs_of(result.matches(threshold=kind(p)))) for p in (0, 0.3, 0.6, 0.8, 0.95, 1)
        ]
        assert all(more >= fewer for more, fewer in pairwise(found))


@slow_law
@given(left=TABLE, right=TABLE, several=st.booleans())
def test_equal_strings_win_where_scores_are_probabilities(bundled, left, right, several) -> None:
    left_table, right_table = [*left, *right[::2]], right
    tables = (records(left_table), records(right_table)) if several else (left_table, right_table)
    options = {"on": ["x", "n"]} if several else {}
    found = pj.match(*tables, encoder=bundled, threshold=0.0, **options).matches()
    partner = dict(zip(found.left.tolist(), found.right.tolist(), strict=True))
    scores = dict(zip(found.left.tolist(), found.score.tolist(), strict=True))
    for row, name in enumerate(left_table):
        if name in right_table:
            assert partner[row] == right_table.index(name)
        if row in partner:
            assert (scores[row] == 1) == (name in right_table)


CLEAR = ["kestrel hall", "obsidian press", "juniper bakery", "walnut garage", "velvet opera"]
CLEAR += ["quarry museum", "falcon airways", "thistle bank", "marble school", "copper brewery"]


def number_of(name: str) -> int:
    return 100 * next(at for at, clear in enumerate(CLEAR) if clear.split()[1] in name)


@pytest.mark.parametrize("kind", few(["similarity", "scorer", "columns"], 2))
@slow_law
@given(
    places=st.permutations(range(len(CLEAR))),
    n_left=st.integers(3, 10),
    first=st.integers(0, 5),
    typo=st.integers(1, 5),
)
def test_swapping_the_tables_gives_the_same_pairs_one_to_one(
    bundled, kind, places, n_left, first, typo
) -> None:
    right = CLEAR[first:]
    chosen = [place for place in places if place >= first][:n_left]
    left = [CLEAR[place][:typo] + CLEAR[place][typo + 1 :] for place in chosen]
    options = {"constraint": "1:1", "threshold": 0.5}
    if kind == "columns":
        left_table, right_table = (
            pd.DataFrame({"x": names, "n": [number_of(name) for name in names]})
            for names in (left, right)
        )
        options |= {"on": ["x", "n"]}
    else:
        left_table, right_table = left, right
    encoder = TrigramEncoder() if kind == "similarity" else bundled
    there = pj.match(left_table, right_table, encoder=encoder, **options).matches()
    back = pj.match(right_table, left_table, encoder=encoder, **options).matches()
    wanted = {(at, place - first) for at, place in enumerate(chosen)}
    assert set(pairs_of(there)) == {(b, a) for a, b in pairs_of(back)} == wanted


def test_one_to_one_chooses_among_the_candidates_of_left_rows() -> None:
    # Every right name is nearer to the last left one than "red aple tart", and has its own equal.
    taken = [f"red apple {n}" for n in range(120)]
    left, right = [*taken, "red apple"], [*taken, "red aple tart"]
    candidates = match(left, right).comparison.candidates
    assert (120, 120) not in set(
        zip(candidates.left.tolist(), candidates.right.tolist(), strict=True)
    )
    found = match(left, right, constraint="1:1", threshold=0.1)
    assert pairs_of(found.matches()) == [(row, row) for row in range(120)]
    chosen = found.comparison.candidates
    assert np.array_equal(chosen.left, candidates.left)
    assert np.array_equal(chosen.right, candidates.right)
    assert np.array_equal(chosen.score, candidates.score)


@law
@given(
    left=st.lists(NAMES, min_size=1, max_size=6),
    right=st.lists(NAMES, min_size=1, max_size=6, unique=True),
    place=st.integers(0, 6),
)
def test_an_unrelated_reference_row_changes_no_winner(left, right, place) -> None:
    # Document frequencies are held fixed, at those of the reference without the row.
    longer = [*right[:place], "жщ юя", *right[place:]]
    left_values, right_values, more = (values_of(names) for names in (left, right, longer))
    idf = TermWeights.of(right_values.counts).idf

    def scores(reference: TextValues) -> np.ndarray:
        shape = len(left), len(reference.texts)
        spelling = tfidf.weigh(left_values.counts, idf), tfidf.weigh(reference.counts, idf)
        pairs = np.indices(shape).reshape(2, -1)
        return left_values.similarity(reference, spelling, *pairs).reshape(shape)

    before, after = scores(right_values), scores(more)
    assert after[:, [longer.index(name) for name in right]].tolist() == before.tolist()
    for row, best in enumerate(before.max(axis=1)):
        if best > after[row, longer.index("жщ юя")]:
            assert longer[after[row].argmax()] == right[before[row].argmax()]


def values_of(names: list[str]) -> TextValues:
    return TextValues(names, TrigramEncoder().encode(names), np.ones(len(names), dtype=bool))
