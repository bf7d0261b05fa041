"""Veto columns of text compare by what is written, where that is dates, numbers or codes."""

import warnings
from pathlib import Path

import pandas as pd
import pytest
from frames import FrameMaker, TrigramEncoder, match, pairs_of

import pearljoin as pj
from pearljoin._fitted.save_matcher import read_store, write_store

DAYS = [f"2024-03-{day:02}" for day in range(4, 16)]
PLACES = ["Mill Lane 4", "Harbour Street 19", "Oak Avenue 7", "Station Road 52"] * 3
ISO = {"place": PLACES, "day": DAYS}
SLASHES = {
    "place": [place.upper() for place in PLACES],
    "day": [f"{int(day[8:]):02}/03/2024" for day in DAYS],
}
SAME = [(row, row) for row in range(len(DAYS))]
OPTIONS = {"on": "place", "veto": "day", "threshold": 0.3}


def test_days_are_the_same_in_two_notations(make_frame: FrameMaker) -> None:
    found = match(make_frame(ISO), make_frame(SLASHES), **OPTIONS)
    assert pairs_of(found.matches()) == SAME
    found = match(make_frame(SLASHES), make_frame(ISO), **OPTIONS)
    assert pairs_of(found.matches()) == SAME


def test_rows_that_were_entered_twice_share_a_cluster() -> None:
    table = pd.concat([pd.DataFrame(ISO), pd.DataFrame(SLASHES)], ignore_index=True)
    labels = pj.find_duplicates(table, on=["place", "day"], veto="day").clusters()
    assert labels.tolist() == [*range(12), *range(12)]


SPELLINGS = {
    "dates": ("day", ["4 March 2024", "5 Mar 24", "06.03.2024"], ["2024-03-04", "2024-03-05"]),
    "numbers": ("size", ["1.5 kg", "250 g", "3 kg"], ["1500 g", "0.25 kg"]),
    "codes": ("isbn", ["978-3-16-148410-0", "978-0-306-40615-7"], ["9783161484100"]),
    "phones": ("phone", ["+44 20 7946 0958", "+44 20 7946 0999"], ["0044 20 7946 0958"]),
    "postcodes": ("zip", ["SW1A 1AA", "EC1A 1BB"], ["sw1a1aa"]),
    "e-mail": ("mail", ["Ann@Example.org", "Bo@example.org"], ["<ann@example.org>"]),
}


@pytest.mark.parametrize("case", SPELLINGS)
def test_a_value_is_the_same_in_each_of_its_spellings(case: str) -> None:
    name, right, left = SPELLINGS[case]
    tables = [pd.DataFrame({"x": ["foo"] * len(cells), name: cells}) for cells in (left, right)]
    found = match(*tables, on="x", veto=name, threshold=0.3, constraint="m:m").matches()
    assert pairs_of(found) == [(row, row) for row in range(len(left))]


ABROAD = ["+33 1 23 45 67 89", "+44 20 7946 0958", "(415) 555-2671", "020 7946 0958"]
"""The first number's country is another in `HOME`; of two, one side does not say the country."""

HOME = ["+44 1 23 45 67 89", "0044 20 7946 0958", "+1 415 555 2671", "+44 20 7946 0958"]


@pytest.mark.parametrize("tables", [(ABROAD, HOME), (HOME, ABROAD)])
def test_two_country_codes_conflict_and_a_missing_one_does_not(tables, tmp_path: Path) -> None:
    left, right = (pd.DataFrame({"place": PLACES[:4], "phone": cells}) for cells in tables)
    matcher = pj.Matcher(on="place", veto="phone", threshold=0.3).fit(right)
    matcher.save(tmp_path / "m")
    for one in (matcher, pj.Matcher.load(tmp_path / "m")):
        assert pairs_of(one.match(left).matches()) == [(1, 1), (2, 2), (3, 3)]
        assert pairs_of(one.add(left[:1]).match(left[:1]).matches()) == [(0, 4)]


def test_a_number_without_country_is_of_one_country_in_each_cluster() -> None:
    phones = [ABROAD[0], HOME[0], "01 23 45 67 89"]
    table = pd.DataFrame({"place": ["Mill Lane 4"] * 3, "phone": phones})
    labels = pj.find_duplicates(table, on="place", veto="phone", threshold=0.3).clusters()
    assert labels[0] != labels[1]
    assert labels[2] in labels[:2]
    joined = pj.find_duplicates(table[1:], on="place", veto="phone", threshold=0.3).clusters()
    assert joined.tolist() == [0, 0]


def test_what_cannot_be_read_is_text_and_what_is_missing_is_null() -> None:
    days = ["2024-03-04", "2024-03-05", *DAYS[4:], "on Sundays"]
    right = pd.DataFrame({"x": ["foo"] * len(days), "day": days})
    left = pd.DataFrame({"x": ["foo"] * 3, "day": ["On sundays", "N/A", "at noon"]})
    found = match(left, right, on="x", veto="day", threshold=0.3).matches()
    assert pairs_of(found) == [(0, len(days) - 1), (1, 0)]


def test_long_numbers_are_told_apart_by_all_their_digits() -> None:
    numbers = [f"{at}23456789012{at}" for at in range(1, 9)] + ["5 kg", "70 kg"]
    right = pd.DataFrame({"x": ["foo"] * len(numbers), "amount": numbers})
    left = pd.DataFrame({"x": ["foo"] * 2, "amount": ["1234567890129", numbers[3]]})
    found = match(left, right, on="x", veto="amount", threshold=0.3).matches()
    assert pairs_of(found) == [(1, 3)]


def test_a_kind_that_is_given_for_the_key_holds_for_the_veto() -> None:
    tables = [pd.DataFrame({"x": ["foo"], "model": [model]}) for model in ("KDL-40", "KD-L40")]
    options = {"on": ["x", "model"], "veto": "model", "threshold": 0.0}
    assert pairs_of(pj.match(*tables, **options, kinds={"model": "code"}).matches()) == [(0, 0)]
    with pytest.warns(pj.NoMatchWarning):
        assert not len(pj.match(*tables, **options, kinds={"model": "name"}).matches())


def fitted() -> pj.Matcher:
    return pj.Matcher(**OPTIONS, encoder=TrigramEncoder()).fit(pd.DataFrame(SLASHES))


def test_a_matcher_reads_single_rows_as_it_was_fitted(tmp_path: Path) -> None:
    matcher = fitted()
    matcher.save(tmp_path / "m")
    for one in (matcher, pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())):
        # Alone, it does not say that the day stands first.
        row = pd.DataFrame({"place": ["Mill Lane 4"], "day": ["04/03/2024"]})
        assert pairs_of(one.match(row).matches()) == [(0, 0)]
        assert pairs_of(one.match(pd.DataFrame(ISO)).matches()) == SAME
        one.add(pd.DataFrame({"place": ["Mill Lane 4"], "day": ["05/04/2024"]}))
        row = pd.DataFrame({"place": ["Mill Lane 4"], "day": ["5 April 2024"]})
        assert pairs_of(one.match(row).matches()) == [(0, len(DAYS))]


def test_rows_of_a_calibration_say_how_later_ones_are_written(tmp_path: Path) -> None:
    american = pd.DataFrame({"place": PLACES, "day": [f"3/{int(day[8:])}/2024" for day in DAYS]})
    matcher = pj.Matcher(on="place", veto="day", threshold=0.3).fit(pd.DataFrame(SLASHES))
    matcher.calibrate(american)
    matcher.save(tmp_path / "m")
    for one in (matcher, pj.Matcher.load(tmp_path / "m")):
        assert pairs_of(one.match(american[:1]).matches()) == [(0, 0)]


def test_a_folder_of_before_compares_text(tmp_path: Path) -> None:
    """Folders of earlier versions say that the column is text, and have no readings of it."""
    fitted().save(tmp_path / "m")
    content, arrays, files = read_store(tmp_path / "m")
    assert list(content["exact_kinds"][1]) == ["parsed_date"]
    content["exact_kinds"] = [[], ["text"]]
    for part in ("readers", "right_readers"):
        content[part] = content[part][:1]
    write_store(tmp_path / "m", content, arrays, files)
    loaded = pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())
    assert pairs_of(loaded.match(pd.DataFrame(SLASHES)).matches()) == SAME
    assert not len(loaded.match(pd.DataFrame(ISO)).matches())


def test_a_deduplicator_reads_added_rows_as_it_was_fitted(tmp_path: Path) -> None:
    table = pd.concat([pd.DataFrame(ISO), pd.DataFrame(SLASHES)], ignore_index=True)
    grown = pj.Deduplicator(on=["place", "day"], veto="day").fit(table)
    grown.save(tmp_path / "d")
    for one in (grown, pj.Deduplicator.load(tmp_path / "d")):
        one.add(pd.DataFrame({"place": ["Mill Lane 4"], "day": ["04/03/2024"]}))
        assert one.clusters().tolist() == [*range(12), *range(12), 0]


def test_nothing_is_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        match(pd.DataFrame(ISO), pd.DataFrame(SLASHES), **OPTIONS)
