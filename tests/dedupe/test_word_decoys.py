"""Texts with a word of another one in place of one of their own, and what they teach."""

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._clusters.decoys import closest_donor, draw_word_decoys

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


def test_a_word_is_replaced_by_one_as_frequent_and_a_number_by_a_number():
    """Else "Institute of" would be a decoy that resembles every institute."""
    towns = ["Bern", "Cork", "Graz", "Kiel", "Lodz", "Metz", "Nice", "Oulu", "Pisa", "Riga"]
    table = pd.DataFrame(
        {"name": [f"{town} Institute of {1900 + at}" for at, town in enumerate(towns)]}
    )
    side = pj.find_duplicates(table, on="name").comparison.side
    texts, (of, other) = draw_word_decoys(side, np.arange(len(side)), 100)
    places = {town.lower() for town in towns}
    for at in np.flatnonzero(of != other).tolist():
        town, institute, joint, year = texts[at].split()
        assert town in places
        assert year.isdigit()
        assert {institute, joint} <= {"institute", "of"}


def test_the_closest_donor_is_the_record_itself_or_the_likelier_one():
    pairs = np.array([0, 0, 1]), np.array([1, 2, 3]), np.array([-2.0, 3.0, 0.5], dtype=np.float32)
    donors = np.array([[0, 0], [1, 3]])
    of_decoys = np.array([0, 0, 0, 1, 1]), np.array([0, 2, 3, 1, 2])
    found = closest_donor(4, pairs, donors, of_decoys)
    assert found.tolist() == [np.inf, 3.0, 0.5, 0.5, 3.0]
    none = closest_donor(4, pairs, np.array([[3], [3]]), (np.array([0]), np.array([0])))
    assert none.tolist() == [-np.inf]


def test_both_donors_are_of_one_group():
    table = pd.DataFrame({"name": FIRMS, "town": ["Oslo", "Rome", "Oslo"] * 10})
    side = pj.find_duplicates(table, on="name", by="town").comparison.side
    donors = draw_word_decoys(side, np.arange(len(side)), 100)[1]
    assert np.array_equal(side.groups[donors[0]], side.groups[donors[1]])


def test_where_little_resembles_by_chance_more_is_found(found):
    pairs = set(zip(*found.pairs()[["left_row", "right_row"]].T.to_numpy().tolist(), strict=True))
    right = {(row, len(FIRMS) + row) for row in range(20)}
    assert pairs <= right
    # A name that lacks a word may be a sibling's, too: 16 before catalogues were learned from.
    assert len(pairs) >= 11
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
