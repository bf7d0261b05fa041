"""Tables of more records than the networks learned from, and fair samples of them."""

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._clusters import table_weights
from pearljoin._records.sampling import hash_rows, lowest_hashes, mix

FIRST = ["Anna", "Bruno", "Clara", "David", "Elena", "Felix", "Greta", "Henry", "Irene", "Jonas"]
SYLLABLES = ["ab", "bran", "cas", "du", "eri", "fi", "gar", "han", "iva", "jen", "kel", "lo"]


def people(n: int) -> pd.DataFrame:
    """Make `n` people, and every fourth of them again with a letter less."""
    rng = np.random.default_rng(0)
    born = pd.Timestamp("1940-01-01") + pd.to_timedelta(rng.integers(0, 22_000, n), unit="D")
    table = pd.DataFrame({"first": rng.choice(FIRST, n), "born": born.strftime("%Y-%m-%d")})
    table["family"] = ["".join(part).title() for part in rng.choice(SYLLABLES, (n, 2))]
    again = table[::4].assign(family=[f"{name[:2]}{name[3:]}" for name in table["family"][::4]])
    return pd.concat([table, again], ignore_index=True)


@pytest.mark.parametrize(
    ("n_decoys", "left_out", "tried"),
    [
        (0, 0.0, [50.0]),  # nothing agrees by chance: the size that the networks know
        (100_000, 0.0, [50.0, 199.0]),  # more does than the log odds say at any size
        (0, 0.5, [50.0, 199.0]),  # too few decoys are left to tell
    ],
)
def test_a_large_table_counts_for_a_small_one_unless_decoys_deny_it(
    n_decoys, left_out, tried, monkeypatch
) -> None:
    sizes = []

    def meet(self, weights, near):
        sizes.append(weights.n_right)
        return np.full(n_decoys, 5.0, dtype=np.float32), left_out

    monkeypatch.setattr(table_weights, "USUAL_SIZE", 50.0)
    monkeypatch.setattr(table_weights.WeightLearner, "_meet_decoys", meet)
    table = people(160)
    result = pj.find_duplicates(table, on=list(table), encoder="pearl-nano")
    assert result.comparison.weights.n_right == tried[-1]
    assert sizes == tried


def test_a_table_of_usual_size_counts_for_itself() -> None:
    table = people(160)
    result = pj.find_duplicates(table, on=list(table), encoder="pearl-nano")
    assert result.comparison.weights.n_right == 199.0


def test_a_sample_has_all_values_of_the_first_column() -> None:
    rng = np.random.default_rng(0)
    n = 10_000
    values = [[f"town {at}" for at in range(30)], [f"name {at}" for at in range(n)]]
    codes = [rng.integers(30, size=n), np.arange(n)]
    sample = lowest_hashes(mix(hash_rows(values, codes, n)), 2_000)
    of_town = np.bincount(codes[0][sample], minlength=30)
    assert of_town.min() > 30
    assert of_town.max() < 110
