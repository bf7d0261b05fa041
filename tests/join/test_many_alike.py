"""Many distinct keys that are one once normalised, and other inputs whose pairs are very many."""

import tracemalloc

import numpy as np
import pytest
from frames import TrigramEncoder, match, pairs_of

import pearljoin as pj
from pearljoin._candidates import blocking
from pearljoin._candidates.blocking import MOST_ALIKE, MOST_PAIRS, refuse_above

N = 3 * MOST_ALIKE


def alike(n: int) -> list[str]:
    """Distinct texts that are "a b" once normalised."""
    return ["a" + "." * (at // 40 + 2) + "b" + "-" * (at % 40 + 1) for at in range(n)]


LEFT, RIGHT = alike(N), [*alike(N)[::-1], "c"]


def default(constraint: str, **options) -> pj.MatchResult:
    """With probabilities, so that candidates are the nearest and not all above the threshold."""
    return pj.match(LEFT, RIGHT, constraint=constraint, **options)


@pytest.mark.parametrize(
    "how", [default, lambda constraint: match(LEFT, RIGHT, constraint=constraint)]
)
@pytest.mark.filterwarnings("ignore::pearljoin.DuplicateReferenceWarning")
@pytest.mark.parametrize("constraint", ["many_to_one", "one_to_one"])
def test_each_of_many_alike_finds_its_own_spelling(how, constraint: str) -> None:
    found = how(constraint).matches()
    assert pairs_of(found) == [(at, N - 1 - at) for at in range(N)]
    assert found.score.tolist() == [1.0] * N


@pytest.mark.parametrize("others", [2 * N, MOST_ALIKE + 3])
def test_one_to_one_pairs_alike_rows_in_their_order(others: int) -> None:
    # No spelling is in both, so that all are equal after normalisation only.
    right = [text.upper() for text in alike(others)]
    found = pj.match(LEFT, right, constraint="one_to_one").matches()
    assert pairs_of(found) == [(at, at) for at in range(min(N, others))]


def test_many_to_many_finds_all_that_are_alike() -> None:
    found = default("many_to_many").matches()
    assert len(found) == N * N
    assert set(found.score.tolist()) == {1.0}
    # Its own spelling first, then those alike in their order.
    first = found.right[found.left == 0].tolist()
    assert first == [N - 1, *range(N - 1)]
    few = default("many_to_many", k=MOST_ALIKE + 5).matches()
    assert few.right[few.left == 0].tolist() == first[: MOST_ALIKE + 5]


def test_a_veto_forbids_some_of_those_alike() -> None:
    import pandas as pd

    left = pd.DataFrame({"x": LEFT, "v": [at % 2 for at in range(N)]})
    right = pd.DataFrame({"x": LEFT, "v": [(at + 1) % 2 for at in range(N)]})
    found = pj.match(left, right, on="x", veto="v", constraint="many_to_many").matches()
    assert len(found) == N * N // 2
    assert ((found.left + found.right) % 2 == 1).all()


def test_those_alike_take_no_memory_by_their_square() -> None:
    peaks = []
    for n in (500, 2_000):
        texts = alike(n)
        tracemalloc.start()
        match(texts, texts[::-1], constraint="one_to_one").matches()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 8 * peaks[0]  # the square would be 16 times


# Pairs that are too many ----------------------------------------------------------------------


def test_pairs_are_refused_above_the_limit_alone() -> None:
    refuse_above(MOST_PAIRS)
    with pytest.raises(pj.InputError, match=r"too many pairs to return\. Got 20,000,001 above"):
        refuse_above(MOST_PAIRS + 1)


@pytest.fixture
def few_pairs(monkeypatch) -> None:
    monkeypatch.setattr(blocking, "MOST_PAIRS", 3_000)


@pytest.mark.usefixtures("few_pairs")
@pytest.mark.parametrize(
    "run",
    [
        lambda: pj.deduplicate(
            [f"name {at}" for at in range(60)], threshold=0, encoder=TrigramEncoder()
        ),
        lambda: match(["Acme"] * 60, ["Acme"] * 60, constraint="many_to_many").matches(),
        lambda: default("many_to_many").matches(),
        lambda: match(alike(60), alike(60), constraint="many_to_many").matches(),
        lambda: match(alike(60), alike(60), constraint="many_to_many", threshold=0).matches(),
    ],
)
def test_too_many_pairs_are_refused_before_they_are_made(run) -> None:
    with pytest.raises(pj.InputError, match=r"of at most 3,000\. Hint: raise the threshold"):
        run()


@pytest.mark.usefixtures("few_pairs")
def test_as_many_pairs_as_may_be_are_returned() -> None:
    found = match(["Acme"] * 50, ["Acme"] * 60, constraint="many_to_many").matches()
    assert len(found) == 3_000
    found = match(alike(50), alike(60), constraint="many_to_many").matches()
    assert len(found) == 3_000


def test_many_key_columns_take_memory_by_their_values() -> None:
    import pandas as pd

    rng = np.random.default_rng(0)
    words = np.array(["red", "green", "blue", "black", "white"])
    table = pd.DataFrame({f"c{at}": rng.choice(words, 60) for at in range(30)})
    tracemalloc.start()
    result = match(table, table, on=list(table.columns))
    assert result.matches().right.tolist() == list(range(60))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # 30 columns of 2**21 hashed terms: tables of them would take a gigabyte and more.
    assert peak < 600e6
