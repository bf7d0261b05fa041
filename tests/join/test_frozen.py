"""A fitted matcher: what it has learned is frozen, and a row is matched by that alone."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder, pairs_of
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import people
from repetitions import few

import pearljoin as pj
from pearljoin._comparison import comparison
from pearljoin._comparison.reference import Reference
from pearljoin._tables.read_table import as_table

law = settings(derandomize=True, deadline=None, max_examples=6)

WORDS = st.sampled_from(
    ["acme", "globex", "bank", "of", "oslo", "lima", "gmbh", "ltd", "inc", "new", "york", "times",
     "university", "tz5k", "dmc", "2", "42", "(uk)", "j.", "smith,", "bob", "robert", "ü", "AG"]
)  # fmt: skip
NAMES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
CELLS = NAMES | st.none() | st.sampled_from(["", " ", "???", "NaN"])
LEFT = st.lists(CELLS, min_size=1, max_size=8)
RIGHT = st.lists(CELLS, min_size=1, max_size=10)

REFERENCE = [
    "Acme Holdings Inc", "Globex GmbH", "Bank of Oslo", "The New York Times", "Lima Bank",
    "University of Oslo", "University of Lima", "Panasonic DMC-TZ5K", "Smith, Robert", "Initech",
]  # fmt: skip
QUERIES = ["acme holding", "Bank Oslo", "NY Times", "oslo univ.", "DMCTZ5K", "Bob Smith", "hooli"]


@pytest.fixture(scope="module")
def bundled() -> Any:
    return pj.load_encoder("default")


def found_by_row(matcher: pj.Matcher, left: Any) -> list[dict[int, float]]:
    """The candidates of each left row, and their scores."""
    return candidates_of(matcher.match(left), len(left))


def candidates_of(result: pj.MatchResult, n_left: int) -> list[dict[int, float]]:
    matches = result.matches(0.0, "m:m")
    found: list[dict[int, float]] = [{} for _ in range(n_left)]
    rows = zip(pairs_of(matches), matches.score.tolist(), strict=True)
    for (row, right), score in rows:
        found[row][right] = score
    return found


def found_and_decided(
    matcher: pj.Matcher, left: Any
) -> tuple[list[dict[int, float]], dict[int, int]]:
    """Both of one result: what is decided is asked first, as a user would."""
    result = matcher.match(left)
    chosen = dict(pairs_of(result.matches()))
    return candidates_of(result, len(left)), chosen


def check_same(found: list[dict[int, float]], wanted: list[dict[int, float]]) -> None:
    assert [set(row) for row in found] == [set(row) for row in wanted]
    for one, other in zip(found, wanted, strict=True):
        for right, score in one.items():
            assert score == pytest.approx(other[right], abs=1e-5)


def is_clear(row: dict[int, float], threshold: float) -> bool:
    """Whether the row's decision hangs on no rounding error."""
    scores = sorted(row.values(), reverse=True)
    close = [abs(score - threshold) < 1e-5 for score in scores]
    return not any(close) and (len(scores) < 2 or scores[0] - scores[1] > 1e-5)


def table(names: list[Any]) -> pd.DataFrame:
    frame = pd.DataFrame({"name": pd.Series(names, dtype=object)})
    frame["n"] = [float(len(str(name))) for name in names]
    frame["city"] = [("oslo", "lima", None)[len(str(name)) % 3] for name in names]
    return frame


KINDS: dict[str, dict[str, Any]] = {
    "one": {"on": "name"},
    "by": {"on": "name", "by": "city"},
    "veto": {"on": "name", "veto": "city"},
    "several": {"on": ["name", "n"]},
    "weights": {"on": ["name", "n", "city"], "weights": [2, 1, 1]},
    "similarities": {"on": "name", "encoder": TrigramEncoder()},
    "nulls": {"on": "name", "nulls_equal": True},
}

WAYS = few([(kind, at % 2 == turn) for turn in (0, 1) for at, kind in enumerate(KINDS)], len(KINDS))
"""Each kind, every second one calibrated; and then the other way round."""


# Rows by themselves -----------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "calibrated"), WAYS)
@law
@given(left=LEFT, right=RIGHT, places=st.data())
def test_rows_are_matched_as_they_are_by_themselves(
    bundled, kind: str, calibrated: bool, left, right, places
) -> None:
    matcher = pj.Matcher(**{"encoder": bundled, **KINDS[kind]}).fit(table(right))
    rows = table(left)
    if calibrated:
        matcher.calibrate(table([*left, "acme bank"]))
    whole, chosen = found_and_decided(matcher, rows)
    threshold = matcher.calibration.threshold
    order = places.draw(st.permutations(range(len(left))))
    cut = places.draw(st.integers(0, len(left)))
    batches = [[row] for row in range(len(left))] + [order[:cut], order[cut:], order]
    for batch in batches:
        part = rows.iloc[batch]
        found, of_part = found_and_decided(matcher, part)
        check_same(found, [whole[row] for row in batch])
        for at, row in enumerate(batch):
            if is_clear(whole[row], threshold):
                assert of_part.get(at) == chosen.get(row)
    assert matcher.match(rows.iloc[:1]).threshold == threshold


@law
@given(left=LEFT, other=LEFT, right=RIGHT)
def test_other_left_rows_change_nothing(bundled, left, other, right) -> None:
    matcher = pj.Matcher(encoder=bundled).fit(right).calibrate([*left, "acme bank"])
    wanted = found_by_row(matcher, left)
    check_same(found_by_row(matcher, [*other, *left])[len(other) :], wanted)
    check_same(found_by_row(matcher, [*left, *other])[: len(left)], wanted)


@pytest.mark.parametrize("calibrated", [False, True])
def test_a_row_that_is_there_a_thousand_times_changes_nothing(bundled, calibrated: bool) -> None:
    matcher = pj.Matcher(encoder=bundled).fit(REFERENCE)
    if calibrated:
        matcher.calibrate(QUERIES)
    wanted = found_by_row(matcher, QUERIES)
    often = [*QUERIES, *["Acme Holding GmbH"] * 1000]
    check_same(found_by_row(matcher, often)[: len(QUERIES)], wanted)


def test_one_call_of_two_tables_counts_distinct_rows_once(bundled) -> None:
    once = pj.match(QUERIES, REFERENCE, encoder=bundled)
    often = [*QUERIES[::-1], *["NY Times"] * 1000, *QUERIES]
    many = pj.match(often, REFERENCE, encoder=bundled)
    assert many.threshold == pytest.approx(once.threshold, abs=1e-5)
    wanted = once.matches(0.0, "m:m")
    found = many.matches(0.0, "m:m")
    scores = {
        (QUERIES[row], right): score
        for (row, right), score in zip(pairs_of(wanted), wanted.score.tolist(), strict=True)
    }
    for (row, right), score in zip(pairs_of(found), found.score.tolist(), strict=True):
        assert score == pytest.approx(scores[often[row], right], abs=1e-5)
    # What is expected of matches is of rows.
    kept = many.matches(0.0).score
    assert many.expected_precision(0.0) == pytest.approx(kept.mean(), abs=1e-6)


@pytest.mark.parametrize("keys", few([["name", "n"], ["name", "city"]], 1))
def test_several_columns_count_distinct_rows_once_in_any_order(bundled, keys: list[str]) -> None:
    rng = np.random.default_rng(0)
    words = ["acme", "globex", "oslo", "lima", "bank", "house", "inn", "old", "new", "road"]
    right, left = (
        table([" ".join(rng.choice(words, 3)) for _ in range(n)]).drop_duplicates()
        for n in (100, 80)
    )
    once = pj.match(left, right, on=keys, encoder=bundled)
    mixed = pd.concat([left, left.iloc[:5]]).iloc[rng.permutation(len(left) + 5)]
    many = pj.match(mixed, right, on=keys, encoder=bundled)
    assert many.threshold == pytest.approx(once.threshold, abs=1e-5)
    wanted, found = (result.matches(0.0) for result in (once, many))
    by_key = dict(zip(left["name"], wanted.score.tolist(), strict=True))
    scores = [by_key[name] for name in mixed["name"].iloc[found.left]]
    assert found.score == pytest.approx(np.array(scores), abs=1e-5)


def test_one_row_and_one_reference_row(bundled) -> None:
    matcher = pj.Matcher(encoder=bundled).fit(["International Business Machines"])
    assert len(matcher.match(["IBM"]).matches(0.0)) == 1
    assert pairs_of(matcher.match(["international business machines"]).matches()) == [(0, 0)]
    assert len(matcher.match([None]).matches(0.0)) == 0
    assert len(matcher.match([]).matches(0.0)) == 0


def test_a_fitted_matcher_of_several_columns_finds_its_rows() -> None:
    # No i: with the x behind it, it would be nine.
    names = [f"{a} {b}" for a in ("north", "south", "east", "west") for b in "abcdefghjk"]
    right = pd.DataFrame({"name": names, "n": np.arange(40) * 10.0})
    left = pd.DataFrame({"name": [f"{name}x" for name in names], "n": right["n"]})
    matcher = pj.Matcher(on=["name", "n"], threshold=0.5).fit(right)
    assert matcher._fitted.learned().state.match_weights.match_rate == 0.5
    assert pairs_of(matcher.match(left).matches()) == [(row, row) for row in range(40)]
    assert pairs_of(matcher.match(left.iloc[[7]]).matches()) == [(0, 7)]


# The reference alone ----------------------------------------------------------------------------


@pytest.fixture
def alone(monkeypatch) -> list[Reference]:
    """The references that something was learned of by themselves, one entry each time."""
    asked: list[Reference] = []
    learn = Reference._learn_alone

    def remember(reference: Reference) -> Any:
        asked.append(reference)
        return learn(reference)

    monkeypatch.setattr(Reference, "_learn_alone", remember)
    return asked


@pytest.mark.parametrize("kind", KINDS)
def test_one_call_of_two_tables_learns_nothing_of_the_reference_alone(bundled, alone, kind) -> None:
    options = {"encoder": bundled, **KINDS[kind]}
    result = pj.match(table(QUERIES), table(REFERENCE), **options)
    matches, threshold = result.matches(), result.threshold
    repr(result)
    assert alone == []
    fitted = pj.Matcher(**options).fit(table(REFERENCE))
    assert len(alone) == 1
    found = fitted.calibrate(table(QUERIES)).match(table(QUERIES))
    assert len(alone) == 1
    assert (found.threshold, pairs_of(found.matches())) == (threshold, pairs_of(matches))


@pytest.mark.parametrize("kind", KINDS)
def test_fitting_learns_of_the_reference_at_once_and_never_again(bundled, alone, kind) -> None:
    matcher = pj.Matcher(**{"encoder": bundled, **KINDS[kind]}).fit(table(REFERENCE))
    assert len(alone) == 1
    matcher.match(table(QUERIES)).matches()
    matcher.add(table(["Hooli Ltd"])).match(table(QUERIES)).matches()
    assert matcher.calibration.n_left == 0
    assert len(alone) == 1
    matcher.refit()
    assert len(alone) == 2


def test_without_left_rows_the_reference_alone_is_learned_of(bundled, alone) -> None:
    whole = pj.Matcher(on="name", encoder=bundled).fit(table(REFERENCE))
    empty = pj.match(table(QUERIES).head(0), table(REFERENCE), on="name", encoder=bundled)
    assert empty.threshold == whole.calibration.threshold
    assert len(empty.matches()) == 0
    assert len(alone) == 2


@pytest.mark.parametrize("keys", [["name"], ["name", "n"]])
def test_threads_that_ask_first_at_once_get_the_same(bundled, alone, keys: list[str]) -> None:
    fitted = pj.Matcher(on=keys, encoder=bundled).fit(table(REFERENCE))
    wanted, left = found_by_row(fitted, table(QUERIES)), table(QUERIES)
    unlearned = pj.Matcher(on=keys, encoder=bundled)._fit(as_table(table(REFERENCE), "right"))
    assert len(alone) == 1
    together = Barrier(6)

    def ask(_: int) -> list[dict[int, float]]:
        together.wait(timeout=60)
        return found_by_row(unlearned, left)

    with ThreadPoolExecutor(6) as pool:
        for found in pool.map(ask, range(6)):
            assert found == wanted
    assert len(alone) > 1


# Calibration ------------------------------------------------------------------------------------


def test_calibrate_needs_a_reference_and_rows(bundled) -> None:
    with pytest.raises(pj.InputError, match=r"no reference yet. Hint: call .fit"):
        pj.Matcher(encoder=bundled).calibrate(["a"])
    with pytest.raises(pj.InputError, match=r"no reference yet. Hint: call .fit"):
        _ = pj.Matcher(encoder=bundled).calibration
    with pytest.raises(pj.InputError, match=r"no reference yet. Hint: call .fit"):
        pj.Matcher(encoder=bundled).refit()
    matcher = pj.Matcher(encoder=bundled).fit(REFERENCE)
    with pytest.raises(pj.InputError, match=r"A calibration needs rows. Got none. Hint: give rows"):
        matcher.calibrate([])
    with pytest.raises(pj.InputError, match=r"A calibration needs rows. Got none. Hint: give rows"):
        matcher.calibrate(pd.DataFrame({"name": []}))
    assert matcher.calibration.n_left == 0


def test_rows_of_nulls_alone_are_no_rows_to_calibrate_on(bundled) -> None:
    matcher = pj.Matcher(encoder=bundled).fit(REFERENCE)
    before = found_by_row(matcher, QUERIES)
    with pytest.raises(pj.InputError, match=r"A calibration needs rows. Got 2 without a key"):
        matcher.calibrate([None, ""])
    assert found_by_row(matcher, QUERIES) == before


def test_a_second_calibration_replaces_the_first(bundled) -> None:
    one = pj.Matcher(encoder=bundled).fit(REFERENCE).calibrate(["le monde", "die zeit", "hooli"])
    first = one.calibration
    assert one.calibrate(QUERIES) is one
    other = pj.Matcher(encoder=bundled).fit(REFERENCE).calibrate(QUERIES)
    assert one.calibration == other.calibration != first
    assert found_by_row(one, QUERIES) == found_by_row(other, QUERIES)


def test_a_calibration_says_what_was_learned(bundled) -> None:
    matcher = pj.Matcher(on="name", encoder=bundled, precision=0.8).fit(table(REFERENCE))
    alone = matcher.calibration
    assert (alone.n_left, alone.n_right, alone.kinds) == (0, len(REFERENCE), ("text",))
    assert alone.match_rate is None
    assert alone.slope > 0
    assert 0.3 <= alone.threshold <= 1
    assert matcher.match(table(QUERIES)).threshold == alone.threshold
    matcher.calibrate(table([*QUERIES, *QUERIES, None]))
    found = matcher.calibration
    assert found.n_left == len(QUERIES)
    assert 0 < found.match_rate < 1
    assert matcher.match(table(QUERIES[:1])).threshold == found.threshold
    assert repr(found).startswith("CalibrationSummary(n_left=7, n_right=10, kinds=('text',), thr")
    assert repr(matcher).endswith(": 10 reference rows on name, calibrated on 7 left rows>")


def test_calibrate_by_rows_equals_match_on_two_tables(bundled) -> None:
    matcher = pj.Matcher(encoder=bundled).fit(REFERENCE).calibrate(QUERIES)
    result = pj.match(QUERIES, REFERENCE, encoder=bundled)
    found = matcher.match(QUERIES)
    assert found.threshold == result.threshold
    for constraint in ("m:1", "1:1", "m:m"):
        wanted = result.matches(0.0, constraint)
        assert pairs_of(found.matches(0.0, constraint)) == pairs_of(wanted)
        assert found.matches(0.0, constraint).score.tolist() == wanted.score.tolist()


def test_the_sample_is_drawn_by_content(bundled, monkeypatch) -> None:
    monkeypatch.setattr("pearljoin._comparison.calibration.CALIBRATION_SAMPLE", 20)
    left = [f"{word} {n}" for word in ("acme", "globex", "oslo") for n in range(20)]
    one = pj.Matcher(encoder=bundled).fit(REFERENCE).calibrate(left)
    other = pj.Matcher(encoder=bundled).fit(REFERENCE).calibrate([*left[::-1], *left[:7]])
    assert one.calibration.n_left == other.calibration.n_left == 20
    assert one.calibration.threshold == pytest.approx(other.calibration.threshold, abs=1e-5)
    check_same(found_by_row(one, QUERIES), found_by_row(other, QUERIES))


def test_a_sample_that_was_calibrated_on_is_not_scored_again(monkeypatch) -> None:
    monkeypatch.setattr("pearljoin._comparison.calibration.CALIBRATION_SAMPLE", 20)
    tables = people(50, seed=9)
    found = pj.match(tables.left, tables.right, on=tables.keys).comparison
    scored, compare = [], comparison.compare_records

    def counted(left, right, left_at, *rest, **options):
        scored.extend(np.unique(left_at).tolist())
        return compare(left, right, left_at, *rest, **options)

    monkeypatch.setattr(comparison, "compare_records", counted)
    known, pairs = found.candidates, found.candidate_pairs
    assert len(scored) == len(np.unique(known.left)) - 20
    again = found.rank(*pairs)
    for name in ("left", "right", "score", "equality", "same", "things"):
        assert getattr(known, name).tolist() == getattr(again, name).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_in_common_can_be_calibrated_on(bundled, kind: str) -> None:
    matcher = pj.Matcher(**{"encoder": bundled, **KINDS[kind]}).fit(table(REFERENCE))
    left = table(["zzz", "qqq qqq", "xx"])
    left["city"] = "nowhere"
    calibration = matcher.calibrate(left).calibration
    assert calibration.n_left == 3
    assert 0 <= calibration.threshold <= 1
    assert len(matcher.match(left).matches(1.0)) == 0


# Adding and fitting again -----------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "calibrated"), WAYS)
def test_adding_keeps_what_is_frozen_and_fitting_again_renews_it(
    bundled, kind: str, calibrated: bool
) -> None:
    options = {"encoder": bundled, **KINDS[kind]}
    more = table(["Hooli Ltd", "Umbrella plc", "Bank of Bergen"])
    matcher = pj.Matcher(**options).fit(table(REFERENCE * 4))
    if calibrated:
        matcher.calibrate(table(QUERIES * 4))
    before, state = matcher.calibration, matcher._fitted.learned().state
    statistics = matcher._fitted.learned().reference.learned_statistics
    matcher.add(more)
    assert matcher.calibration.threshold == before.threshold
    kept = matcher._fitted.learned().state
    assert kept.sample is state.sample
    assert kept.calibration is state.calibration
    assert kept.match_weights is state.match_weights
    kept_statistics = matcher._fitted.learned().reference.learned_statistics
    assert all(one is other for one, other in zip(kept_statistics, statistics, strict=True))
    assert matcher.calibration.n_right > before.n_right
    whole = pd.concat([table(REFERENCE * 4), more])
    assert matcher.refit() is matcher
    again = pj.Matcher(**options).fit(whole)
    assert matcher.calibration == again.calibration
    assert matcher.calibration.n_left == 0
    check_same(found_by_row(matcher, table(QUERIES)), found_by_row(again, table(QUERIES)))


def test_a_threshold_of_similarities_is_frozen_too() -> None:
    words = [f"{a} {b}" for a in ("north", "south", "east") for b in ("inn", "lodge", "house")]
    right = [f"{word} {n}" for word in words for n in range(10)]
    matcher = pj.Matcher(encoder=TrigramEncoder()).fit(right)
    before = matcher.calibration.threshold
    assert before == matcher.match(["north inn 55"]).threshold != 0.4
    matcher.add([f"zz{n} {n * 7919}" for n in range(80)])
    assert matcher.calibration.threshold == before
    assert matcher.refit().calibration.threshold != before


def test_what_was_added_is_found_one_by_one_as_at_once(bundled) -> None:
    matcher = pj.Matcher(encoder=bundled).fit(REFERENCE).calibrate(QUERIES)
    matcher.add(["Hooli Ltd", "Bank of Bergen"])
    rows = [*QUERIES, "Hooli", "bergen bank"]
    whole = found_by_row(matcher, rows)
    for at, row in enumerate(rows):
        check_same(found_by_row(matcher, [row]), [whole[at]])
    best = {row: max(scores, key=scores.get) for row, scores in enumerate(whole)}
    assert (best[7], best[8]) == (10, 11)


# Saving -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "calibrated"), WAYS)
@pytest.mark.parametrize("added", [False, True])
def test_a_saved_matcher_keeps_its_calibration(
    bundled, kind: str, calibrated: bool, added: bool, tmp_path: Path
) -> None:
    options = {"encoder": bundled, **KINDS[kind]}
    matcher = pj.Matcher(**options).fit(table(REFERENCE * 4))
    if calibrated:
        matcher.calibrate(table([*QUERIES, *[f"{name} {name}" for name in QUERIES]]))
    if added:
        matcher.add(table(["Hooli Ltd", "Bank of Bergen"]))
    matcher.save(tmp_path / "m")
    loaded = pj.Matcher.load(tmp_path / "m", encoder=options["encoder"])
    assert loaded.calibration == matcher.calibration
    left = table([*QUERIES, "hooli", None])
    found, chosen = found_and_decided(matcher, left)
    assert found_and_decided(loaded, left) == (found, chosen)
    loaded.save(tmp_path / "again")
    again = pj.Matcher.load(tmp_path / "again", encoder=options["encoder"])
    assert again.calibration == matcher.calibration
    assert found_by_row(again, left) == found


# FuzzyJoiner ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["one", "by", "several", "weights", "similarities"])
def test_transform_of_a_subset_is_a_subset_of_transform(bundled, kind: str) -> None:
    options = {"encoder": bundled, **KINDS[kind]}
    left = table([*QUERIES, None, "Initech", "le monde"])
    joiner = pj.FuzzyJoiner(table(REFERENCE), **options).fit(left)
    whole = joiner.transform(left)
    for rows in ([0], [3, 1], list(range(len(left)))[::-1], *([row] for row in range(len(left)))):
        part = joiner.transform(left.iloc[rows])
        pd.testing.assert_frame_equal(part, whole.iloc[rows], atol=1e-5, check_dtype=False)


def test_a_joiner_is_calibrated_on_what_it_is_fitted_to(bundled) -> None:
    left, right = table(QUERIES), table(REFERENCE)
    joiner = pj.FuzzyJoiner(right, on="name", encoder=bundled).fit(left)
    wanted = pj.fuzzy_join(left, right, on="name", encoder=bundled)
    pd.testing.assert_frame_equal(joiner.transform(left), wanted)
