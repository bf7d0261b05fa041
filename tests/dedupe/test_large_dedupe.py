"""Tables of more records than the networks learned from, and fair samples of them."""

import numpy as np
import pandas as pd

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


def test_a_large_table_counts_for_one_that_the_networks_know(monkeypatch) -> None:
    monkeypatch.setattr(table_weights, "USUAL_SIZE", 50.0)
    table = people(160)
    result = pj.find_duplicates(table, on=list(table), encoder="pearl-nano")
    assert result.comparison.weights.n_right == 50.0


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
