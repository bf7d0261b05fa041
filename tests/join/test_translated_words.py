"""Words of one table stand for words of the other: the answers tell which."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj

FITTINGS = {
    "Compression Elbow": "compression elb",
    "Straight Coupling": "straight coupl",
    "Equal Tee": "equal tee",
    "Gate Valve": "gate vlv",
    "Threaded Reducer": "threaded rdcr",
}
FIRST = (
    "Acme Boreal Cobalt Delta Ember Falcon Granite Harbor Indigo Juniper Kestrel Lumen Meridian "
    "Nimbus Orion Pinnacle Quartz Ridge Summit Tundra"
)
SECOND = "Foods Systems Logistics Energy Textiles Media Robotics Pharma Marine Optics"
METALS = {metal: metal for metal in ("brass", "copper", "chrome", "steel")}
SIZES = (10, 15, 22, 28, 35)
LISTED = [(what, metal, size) for what in FITTINGS for metal in METALS for size in SIZES]
RIGHT = pd.DataFrame({"item": [f"{what}, {metal}, {size} mm" for what, metal, size in LISTED]})
ASKED = LISTED[::2]
LEFT = pd.DataFrame(
    {"item": [f"{size}mm {METALS[metal]} {FITTINGS[what]}" for what, metal, size in ASKED]}
)


@pytest.fixture(scope="module")
def matched() -> pj.MatchResult:
    return pj.match(LEFT, RIGHT, on="item", encoder="pearl-nano")


def test_abbreviations_of_a_table_are_read_as_what_they_are_short_for(
    matched: pj.MatchResult,
) -> None:
    assert matched.keys.words["item"] == {
        "coupl": "Coupling",
        "elb": "Elbow",
        "rdcr": "Reducer",
        "vlv": "Valve",
    }
    assert matched.keys.kinds == ("text, translated",)
    found = matched.matches()
    assert (found.right == 2 * found.left).all()
    assert len(found) == len(LEFT)


def test_an_explanation_says_what_a_text_was_read_as(matched: pj.MatchResult) -> None:
    (read,) = matched.explain(0).translations.values()
    assert read == "10mm brass compression Elbow"


def test_rows_match_alone_as_they_do_together_and_after_loading(tmp_path: Path) -> None:
    matcher = pj.Matcher(on="item", encoder="pearl-nano").fit(RIGHT).calibrate(LEFT)
    matcher.save(tmp_path / "saved")
    whole = matcher.match(LEFT).matches(0.0)
    for one in (matcher, pj.Matcher.load(tmp_path / "saved")):
        for row in (3, 17, 40):
            alone = one.match(LEFT.iloc[[row]]).matches(0.0)
            assert alone.right.tolist() == whole.right[whole.left == row].tolist()
            np.testing.assert_allclose(alone.score, whole.score[whole.left == row], atol=1e-5)
    # A row that was not there to learn from is read by the same words.
    new = matcher.match(["28mm steel gate vlv"]).matches()
    assert RIGHT.item[new.right].tolist() == ["Gate Valve, steel, 28 mm"]


def test_neither_order_nor_repeated_rows_change_what_is_learned() -> None:
    shuffled = LEFT.sample(frac=1, random_state=1)
    repeated = pd.concat([LEFT, LEFT.iloc[[4]].loc[[4] * 50]])
    plain, *others = (
        pj.match(left, RIGHT, on="item", encoder="pearl-nano").keys.words
        for left in (LEFT, shuffled, repeated)
    )
    assert all(other == plain for other in others)


@pytest.mark.parametrize("seed", [0, 2, 6, 9])
def test_a_price_that_says_little_hides_no_abbreviations(seed: int) -> None:
    """Words are learned from a column by itself: with it, no pair is a likely answer before."""
    rng = np.random.default_rng(seed)
    heads = {"Hexagon head screw": "Hex hd screw", "Countersunk screw": "Csk screw"}
    finishes = {"zinc plated": "zp", "stainless steel A2": "A2"}
    listed = [
        (head, diameter, length, finish)
        for head in heads
        for diameter in (4, 5, 6, 8, 10)
        for length in (16, 20, 30, 40, 60)
        for finish in finishes
    ]
    right = pd.DataFrame({"article": [f"{h} M{d} x {n} mm {f}" for h, d, n, f in listed]})
    right["price"] = [round(d * n / (50 if "A2" in f else 100), 2) for _, d, n, f in listed]
    asked = rng.choice(len(listed), 60, replace=False)
    some = [listed[place] for place in asked]
    left = pd.DataFrame({"article": [f"{heads[h]} M{d}x{n} {finishes[f]}" for h, d, n, f in some]})
    left["price"] = (right["price"].to_numpy()[asked] * rng.uniform(0.7, 1.4, 60)).round(2)
    found = pj.match(left, right, on=["article", "price"], encoder="pearl-nano").matches()
    assert found.left.tolist() == list(range(60))
    assert found.right.tolist() == asked.tolist()


def test_words_that_the_reference_has_stand_for_themselves() -> None:
    """Siblings that are not listed are no other names of those that are."""
    colours = ["red", "green", "blue", "white"]
    right = [
        f"{what} {colour}" for what in ("Chair", "Table", "Lamp", "Shelf") for colour in colours
    ]
    left = [
        f"{what} {colour}"
        for what in ("chair", "table", "lamp", "shelf")
        for colour in ("red", "grey")
    ]
    result = pj.match(left, right, encoder="pearl-nano")
    assert "grey" not in result.keys.words.get("left", {})
    found = result.matches()
    assert [left[at] for at in found.left if "grey" in left[at]] == []


def test_words_in_contrast_stand_for_no_other() -> None:
    right = [
        f"{town} North {what}"
        for town in ("Leeds", "York", "Hull", "Bath")
        for what in ("Mill", "Gate")
    ]
    left = [name.replace("North", "South") for name in right]
    result = pj.match(left, right, encoder="pearl-nano")
    assert not result.keys.words
    assert not len(result.matches())


def test_words_of_other_letters_may_be_of_other_things() -> None:
    """Where junior schools are asked for and senior ones are listed, all answers agree."""
    towns = ("Ashby", "Corby", "Derby", "Formby", "Rugby", "Selby", "Whitby", "Enderby")
    left, right = ([f"{town} {what} School" for town in towns] for what in ("Junior", "Senior"))
    assert not pj.match(left, right, encoder="pearl-nano").keys.words


def test_beside_other_columns() -> None:
    left = LEFT.assign(price=[10 + at for at in range(len(LEFT))])
    right = RIGHT.assign(price=[10 + at // 2 for at in range(len(RIGHT))])
    result = pj.match(left, right, on=["item", "price"], encoder="pearl-nano")
    assert result.keys.words["item"]["elb"] == "Elbow"
    found = result.matches()
    assert (found.right == 2 * found.left).mean() > 0.95


def test_a_compound_is_no_part_of_it() -> None:
    listed = [
        (metal, part, size)
        for metal in ("Stahl", "Messing", "Kupfer")
        for part in ("Schraube", "Mutter", "Scheibe", "Niet")
        for size in (4, 5, 6, 8)
    ]
    left = [f"{metal}{part.lower()} {size}" for metal, part, size in listed]
    right = [f"{metal} {part}, {size} mm" for metal, part, size in listed]
    found = pj.match(left, right, encoder="pearl-nano").matches()
    assert found.left.tolist() == found.right.tolist() == list(range(len(listed)))


def test_a_code_that_may_be_short_for_two_words_stands_for_none() -> None:
    """Where Australia is read as AU and Austria as nothing, rows of Austria would go to it."""
    lands = {"Austria": "AT", "Australia": "AU", "Germany": "DE", "Spain": "ES"}
    rng = np.random.default_rng(5)
    firms = [f"{one} {other}" for one, other in itertools.product(FIRST.split(), SECOND.split())]
    rows = [
        (firm, land)
        for firm in rng.permutation(firms)[:75].tolist()
        for land in rng.choice(list(lands), 2, replace=False).tolist()
    ]
    right = pd.DataFrame([(f"{firm} Ltd", lands[land]) for firm, land in rows])
    asked = rng.permutation(len(rows))[:100]
    named = [rows[at] for at in asked.tolist()]
    slips = [int(rng.integers(1, len(firm) - 2)) if rng.random() < 0.3 else 0 for firm, _ in named]
    written = [
        (firm[:at] + firm[at + 1 :] if at else firm, land)
        for at, (firm, land) in zip(slips, named, strict=True)
    ]
    left = pd.DataFrame(written)
    left.columns = right.columns = pd.Index(["firm", "land"])
    found = pj.match(left, right, on=["firm", "land"], encoder="pearl-nano").matches()
    assert (asked[found.left] == found.right).mean() > 0.95
