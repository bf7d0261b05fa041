"""More than forty reference rows: neighbours are searched, and nothing may be lost by it."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder, match, pairs_of
from oracle import text_scores
from repetitions import few, one_in


def many(seed: int, n: int) -> list[str]:
    rng = np.random.default_rng(seed)
    parts = ["north", "south", "st", "lodge", "house", "inn", "of", "old", "hotel", "7", "12"]
    return [" ".join(rng.choice(parts, size=rng.integers(1, 5))) for _ in range(n)]


@pytest.mark.parametrize(("seed", "threshold"), one_in(product(range(3), [0.2, 0.45, 0.7]), 4))
def test_a_searched_many_to_many_misses_nothing(seed: int, threshold: float) -> None:
    left, right = many(seed, 70), many(seed + 100, 150)
    everything = match(left, right, threshold=0.0, constraint="m:m").matches()
    assert len(everything) == 70 * 150
    found = match(left, right, threshold=threshold, constraint="m:m").matches()
    assert pairs_of(found) == pairs_of(everything.above(threshold))
    np.testing.assert_allclose(
        found.score, text_scores(left, right)[found.left, found.right], atol=2e-5
    )


@pytest.mark.parametrize(("threshold", "filler"), few(product([0.5, 0.3, 0.7], [" 🎉", ""]), 1))
def test_a_searched_many_to_many_of_two_columns_misses_nothing(threshold, filler: str) -> None:
    def table(seed: int, n: int) -> pd.DataFrame:
        # Some texts that the bundled model does not wholly know, which spelling alone judges.
        second = [text + filler * (at % 2) for at, text in enumerate(many(seed + 7, n))]
        return pd.DataFrame({"a": many(seed, n), "b": second})

    left, right = table(0, 40), table(50, 120)
    encoder = "default" if filler else TrigramEncoder()
    options = {"on": ["a", "b"], "constraint": "m:m", "encoder": encoder}
    everything = match(left, right, threshold=0.0, **options).matches()
    found = match(left, right, threshold=threshold, **options).matches()
    assert pairs_of(found) == pairs_of(everything.above(threshold))


@pytest.mark.parametrize("seed", range(3))
def test_a_searched_many_to_one_finds_nearly_every_best(seed: int) -> None:
    left, right = many(seed, 200), many(seed + 100, 400)
    best = match(left, right, threshold=0.0, constraint="m:m").matches().best()
    found = match(left, right, threshold=0.0).matches()
    assert found.left.tolist() == list(range(200))
    assert (found.score <= best.score + 2e-6).all()
    assert (found.right == best.right).mean() > 0.98


@pytest.mark.parametrize("seed", range(3))
def test_a_searched_join_does_not_depend_on_the_order_of_the_right(seed: int) -> None:
    left, right = many(seed, 100), many(seed + 100, 300)
    places = np.random.default_rng(seed).permutation(300)
    for constraint in ("m:1", "m:m"):
        options = {"constraint": constraint, "threshold": 0.4}
        plain = match(left, right, **options).matches()
        turned = match(left, [right[place] for place in places], **options).matches()
        assert turned.left.tolist() == plain.left.tolist()
        np.testing.assert_allclose(turned.score, plain.score, atol=2e-5)
