"""Tables most of whose rows resemble others and are different things: houses of a street."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pandas as pd

import pearljoin as pj
from pearljoin._scoring.record_features import record_features
from pearljoin_train.scorer.write_scorer import attach

WORDS = [
    *("Station", "Church", "Mill", "Park", "Victoria", "Albert", "Queen", "King", "Oak", "Elm"),
    *("Garden", "Castle", "Bridge", "Market", "School"),
]


def streets(n_repeated: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Houses of 30 streets, each with its postcode; some are written a second time."""
    rng = np.random.default_rng(4)
    rows = []
    for word in WORDS:
        for kind in ("Road", "Lane"):
            code = (
                f"LS{rng.integers(1, 29)} {rng.integers(1, 9)}{''.join(rng.choice([*'ABDH'], 2))}"
            )
            first = int(rng.integers(1, 150))
            rows += [(f"{first + 2 * at} {word} {kind}", code) for at in range(rng.integers(1, 14))]
    house = [*range(len(rows)), *rng.choice(len(rows), n_repeated, replace=False).tolist()]
    for at in house[len(rows) :]:
        address, code = rows[at]
        short = address.replace("Road", "Rd").replace("Lane", "Ln")
        rows.append((short.upper() if rng.random() < 0.5 else f"{short}, Leeds", code))
    return pd.DataFrame(rows, columns=["address", "postcode"]), np.array(house)


def n_pairs(labels: np.ndarray) -> int:
    sizes = np.bincount(labels)
    return int((sizes * (sizes - 1) // 2).sum())


def test_houses_of_a_street_are_told_apart() -> None:
    table, house = streets(40)
    found = pj.find_duplicates(table, on=list(table))
    labels = found.clusters()
    both = np.unique(np.column_stack([labels, house]), axis=0, return_inverse=True)[1]
    right = n_pairs(both.reshape(-1))
    assert right / n_pairs(labels) > 0.9
    assert right / n_pairs(house) > 0.7
    assert found.expected_precision() < right / n_pairs(labels) + 0.1


def test_where_no_house_is_written_twice_few_are_joined() -> None:
    table, _ = streets(0)
    assert n_pairs(pj.find_duplicates(table, on=list(table)).clusters()) <= 0.02 * len(table)


def test_weights_that_the_table_does_not_bend_are_kept(tmp_path) -> None:
    """A saved deduplicator scores new rows as the one that was saved does."""
    table, _ = streets(20)
    made = pj.Deduplicator(on=list(table)).fit(table)
    made.save(tmp_path / "made")
    read = pj.Deduplicator.load(tmp_path / "made")
    new = pd.DataFrame({"address": ["3 OAK RD", "12 Elm Lane"], "postcode": ["LS1 4AB", "LS2 7AH"]})
    for one in (made, read):
        one.add(new)
    pd.testing.assert_frame_equal(made.pairs(0.0), read.pairs(0.0))
    assert len(made.pairs(0.0)) > 100


def test_a_model_of_before_has_one_network_for_all_tables(tmp_path) -> None:
    """Its scorer has none for records of several columns."""
    folder = tmp_path / "model"
    shutil.copytree(pj.load_encoder("pearl-nano").folder, folder)
    content = json.loads((folder / "scorer.json").read_bytes())
    del content["records"]["same_records"]
    attach(content, folder)
    table, _ = streets(10)
    table["street"] = table["address"].str.replace(r"^[\d ]+", "", regex=True)
    found = pj.find_duplicates(table, on=list(table), encoder=str(folder)).comparison
    compared = found.compare(*found.pairs)
    networks, weights = found.scorer.networks, found.weights
    assert networks.same_records is None
    np.testing.assert_array_equal(
        networks.records_log_odds(compared, weights),
        networks.within_log_odds(record_features(compared, weights)),
    )


def test_match_weights_of_before_are_scored_by_the_network_of_before() -> None:
    """Weights that know no usual ones, as of a folder of an earlier version."""
    table, _ = streets(40)
    comparison = pj.find_duplicates(table, on=list(table)).comparison
    compared = comparison.compare(*comparison.pairs)
    scorer, weights = comparison.scorer, comparison.weights
    before = scorer.networks.within_log_odds(record_features(compared, weights))
    older = replace(weights, usual=())
    np.testing.assert_array_equal(scorer.networks.records_log_odds(compared, older), before)
    assert np.abs(scorer.networks.records_log_odds(compared, weights) - before).max() > 2
