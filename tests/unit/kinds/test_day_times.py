"""Times of day in several ways of writing, and what is no time of day beside them."""

import random
from itertools import product

import numpy as np
import pytest
from kind_pairs import level

from pearljoin._kinds.comparers import fit_comparer, settings_of, side_comparer, with_settings
from pearljoin._kinds.day_times import learn_day_times
from pearljoin._kinds.number import NumberComparer
from pearljoin._kinds.recognise import recognise

DRAW = random.Random(4)
TIMES = sorted({(DRAW.randrange(5, 24), DRAW.choice([0, 10, 15, 30, 45])) for _ in range(40)})
CLOCK = [f"{hour:02d}:{minute:02d}" for hour, minute in TIMES]
PADDED = [f"{hour:02d}{minute:02d}" for hour, minute in TIMES]
POINT = [f"{hour}.{minute:02d}" for hour, minute in TIMES]
NUMBERS = [100 * hour + minute for hour, minute in TIMES]
HALVES = [
    f"{(hour - 1) % 12 + 1}.{minute:02d} {'am' if hour < 12 else 'pm'}" for hour, minute in TIMES
]
SHELVES = [f"{aisle:02d}{place:02d}" for aisle in range(1, 21) for place in range(1, 41)]
WRITINGS = [CLOCK, PADDED, POINT, NUMBERS, HALVES]
CLEAR_PAIRS = [
    pair
    for pair in product(WRITINGS, WRITINGS)
    # Nothing says that 945 and 9.45 are times of day.
    if pair not in ((POINT, NUMBERS), (NUMBERS, POINT))
]
LENGTHS = ["3:45", "2:10", "4:02", "3:30", "5:59", "3:05", "4:44", "2:58", "3:21", "6:10"]


@pytest.mark.parametrize(("left", "right"), CLEAR_PAIRS)
def test_one_time_in_two_writings_is_equal(left: list, right: list) -> None:
    reference = fit_comparer("number", right)
    side = side_comparer(reference, left)
    read, other = side.read(left), reference.read(right)
    assert read.canonical.tolist() == other.canonical.tolist()
    assert len(set(read.canonical)) == len(TIMES)
    again = with_settings(NumberComparer(), settings_of(side))
    assert again.read(left).canonical.tolist() == read.canonical.tolist()


def test_a_time_is_no_duration_of_as_many_minutes() -> None:
    right = [*CLOCK, "10:00", "06:00"]
    reference = fit_comparer("number", right)
    side = side_comparer(reference, [*PADDED, "0600"])
    assert level(side, "0600", "06:00", reference) == "equal"
    assert level(side, "0600", "10:00", reference) != "equal"


def test_numbers_by_their_type_are_times_too() -> None:
    reference = fit_comparer("number", CLOCK)
    numbers = np.array(NUMBERS)
    side = side_comparer(reference, numbers)
    assert side.read(numbers).canonical.tolist() == reference.read(CLOCK).canonical.tolist()


def test_one_column_in_two_writings() -> None:
    mixed = [*PADDED[::2], *CLOCK[1::2]]
    assert recognise(mixed, "std") == "number"
    reference = fit_comparer("number", mixed)
    assert sorted(reference.read(mixed).written) == sorted(60 * h + m for h, m in TIMES)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        # Minutes, of which two thirds end in less than 60.
        ([585, 600, 615, 630, 700, 725, 900, 1130, 1190, 1275], CLOCK),
        # Seconds beside lengths of songs.
        ([225, 130, 242, 210, 359, 185, 300, 178, 201, 340], LENGTHS),
        (["3.75", "2.17", "4.03", "3.5", "5.98", "3.08", "4.73", "2.97", "3.35", "6.17"], LENGTHS),
        # Prices, all of which could be times.
        (["2.50", "3.00", "12.50", "18.00", "14.50", "7.00", "9.50", "11.00", "13.00"], CLOCK),
    ],
)
def test_other_numbers_are_no_times(left: list, right: list) -> None:
    assert not learn_day_times([str(cell) for cell in left], learn_day_times(right)).bare


@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        (PADDED, "departure", "number"),
        (PADDED, "flight_no", "code"),
        ([f"{n:04d}" for n in range(1, 240, 7)], "x", "code"),
        ([f"{month:02d}{day:02d}" for month in range(1, 13) for day in (1, 9, 17)], "x", "code"),
        ([f"{n:02d}00" for n in range(24)], "x", "code"),
        ([f"{n:02d}15" for n in range(5)], "x", "code"),
        (HALVES, "start", "number"),
        # Places on shelves, and codes of industries.
        (PADDED, "x", "code"),
        (PADDED, "store", "code"),
        (SHELVES, "shelf", "code"),
        (SHELVES, "account", "code"),
        (["0111", "0112", "0131", "1021", "1311", "1411", "2011", "2022", "2211"], "sic", "code"),
    ],
)
def test_columns_of_times_and_of_codes(values: list, name: str, kind: str) -> None:
    assert recognise(values, name) == kind


def test_numbers_that_may_be_times_stay_as_they_are() -> None:
    reference = fit_comparer("number", NUMBERS)
    assert reference.read([1945]).canonical.tolist() == ["1945"]
    side = side_comparer(reference, NUMBERS)
    assert side.read([1945]).canonical.tolist() == ["1945"]
