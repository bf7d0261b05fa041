"""Texts with a word of another one in place of one of their own, and what they teach."""

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._clusters.decoys import draw_word_decoys

FIRMS = """Meridian Tyre Works|Zurich Alpine Insurance|Bluebird Coffee Roasters|Okavango Mines
Halvorsen Shipping|Quantum Dental Supply|Lisbon Tram Company|Northgate Pet Foods|Vesta Glass
Penrose Mapping Services|Samarkand Carpets|Tidewater Boat Builders|Ivory Coast Cocoa Traders
Redwood Forest Products|Kestrel Drone Surveys|Old Harbour Brewery|Sahara Solar Farms|Mistral Kites
Graham Bell Telephony|Pemberton Steel Castings|Yangtze River Cruises|Falcon Crest Wines
Arctic Krill Fisheries|Lotus Paper Mill|Savannah Rail Freight|Copper Kettle Bakery|Jade Silk House
Bishop Organ Builders|Tundra Outdoor Clothing|Citrus Valley Juices""".replace("\n", "|").split("|")


def misspelt(name: str) -> str:
    """Two letters in the middle change places, and the last word goes."""
    words = name.split()
    word = words[0]
    middle = len(word) // 2
    words[0] = word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]
    return " ".join(words[:2])


@pytest.fixture(scope="module")
def found() -> pj.DedupeResult:
    table = pd.DataFrame({"name": FIRMS + [misspelt(name) for name in FIRMS[:20]]})
    return pj.find_duplicates(table, on="name")


def test_a_decoy_is_a_text_but_for_one_word_of_another(found):
    side = found.comparison.side
    texts, (of, other) = draw_word_decoys(side, np.arange(len(side)), 200)
    normal = side.values[0].normal
    for text, one, donor in zip(texts, of.tolist(), other.tolist(), strict=True):
        words, own = text.split(), normal[one].split()
        assert len(words) == len(own)
        changed = [new for new, old in zip(words, own, strict=True) if new != old]
        assert len(changed) <= 1
        assert set(changed) <= set(normal[donor].split())
    assert len(set(texts)) > 150


def test_both_donors_are_of_one_group():
    table = pd.DataFrame({"name": FIRMS, "town": ["Oslo", "Rome", "Oslo"] * 10})
    side = pj.find_duplicates(table, on="name", by="town").comparison.side
    donors = draw_word_decoys(side, np.arange(len(side)), 100)[1]
    assert np.array_equal(side.groups[donors[0]], side.groups[donors[1]])


def test_where_little_resembles_by_chance_more_is_found(found):
    pairs = set(zip(*found.pairs()[["left_row", "right_row"]].T.to_numpy().tolist(), strict=True))
    right = {(row, len(FIRMS) + row) for row in range(20)}
    assert pairs <= right
    assert len(pairs) >= 14
    weights = found.comparison.weights
    corrected = found.comparison.log_odds[np.isfinite(found.comparison.log_odds)]
    plain = found.comparison.scorer.log_odds(*found.comparison.pairs, weights)
    likely = plain[np.isfinite(plain)] > 0
    assert (corrected[likely] > plain[np.isfinite(plain)][likely]).mean() > 0.9


def test_where_all_texts_are_siblings_log_odds_do_not_rise():
    rng = np.random.default_rng(0)
    wards = [f"Ward {number} of St. Anne's Hospital" for number in rng.permutation(60)]
    found = pj.find_duplicates(pd.DataFrame({"name": wards}), on="name")
    assert len(set(found.clusters().tolist())) == 60


def test_few_texts_teach_nothing():
    found = pj.find_duplicates(pd.DataFrame({"name": FIRMS[:15]}), on="name")
    assert found.comparison.weights.correction is None


def test_nulls_that_equal_each_other_are_no_donors():
    table = pd.DataFrame({"name": [*FIRMS, None, None]})
    found = pj.find_duplicates(table, on="name", nulls_equal=True)
    side = found.comparison.side
    donors = draw_word_decoys(side, np.arange(len(side)), 100)[1]
    assert (side.codes[0][donors] >= 0).all()
    assert found.clusters()[-1] == found.clusters()[-2]


@pytest.mark.parametrize("option", ["by", "veto"])
def test_a_column_of_nulls_that_equal_each_other_has_no_donors(option):
    names = pd.Series([None] * 30, dtype="string")
    table = pd.DataFrame({"name": names, "town": [str(town) for town in range(30)]})
    found = pj.find_duplicates(table, on="name", nulls_equal=True, **{option: "town"})
    assert found.comparison.weights.correction is None
    assert len(set(found.clusters().tolist())) == 30
