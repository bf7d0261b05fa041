"""Numbers and codes of texts."""

from zlib import crc32

import pytest

from pearljoin._text.normalise import normalise
from pearljoin._text.numbers import (
    AGAIN,
    NUMBER_COLUMNS,
    code_words,
    codes,
    labelled,
    labels,
    number_table,
    numbers,
    numbers_by_label,
    only_decimal,
    repeats,
)
from pearljoin._text.tokens import LONGEST


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", []),
        ("henry viii", [8]),
        ("route 66a", [66]),
        ("66a elm road", [700_265]),
        ("12d", [700_052]),
        ("12b", [700_050]),
        ("12 b", [700_050, 12]),
        ("3d", [3]),
        ("seven of 9", [9, 7]),
        ("season 2008 09", [2008, 2009]),
        ("1999 00", [1999, 2000]),
        ("2008 10", [2008, 10]),
        ("007", [7]),
        ("9" * 40, [int("9" * 15)]),
        ("viking", []),
    ],
)
def test_numbers(text: str, wanted: list[int]) -> None:
    assert numbers(text) == wanted


@pytest.mark.parametrize(
    ("text", "is_labelled"),
    [
        ("building 3 floor 04", True),
        ("floor 4 room 4 seat 1", True),
        ("opus 27 no 14 no 2", False),
        ("season 2007 2008 round 3", False),
        ("12 floor 3 room 4", False),
        ("rice 5 kg pack 2", False),
        ("floor 3b room 4", False),
        ("floor 3", False),
        ("floor", False),
    ],
)
def test_numbers_are_labelled_where_each_follows_a_word_of_its_own(
    text: str, is_labelled: bool
) -> None:
    found = numbers_by_label(text)
    assert len(labels(found)) == len(labelled(found)) == is_labelled


def test_labels_are_compared_in_any_order() -> None:
    texts = "floor 3 room 4", "room 04 floor 3", "floor 4 room 3"
    one, same, other = map(numbers_by_label, texts)
    assert labels(one) == labels(same) == labels(other)
    assert labelled(one) == labelled(same) != labelled(other)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 1 2", [1 + AGAIN]),
        ("1 1 1", [1 + AGAIN, 1 + 2 * AGAIN]),
        ("1990 film 1990", []),
        ("1 2 a 1", []),
        ("1 n 1st st", [1 + AGAIN]),
        ("12 n 1st st", []),
        ("1 church lane york yo1 7hh", [1 + AGAIN]),
        ("7 church lane york yo1 7hh", [7 + AGAIN]),
        ("11 church lane york yo1 7hh", []),
        ("1 bank 1stop", []),
        ("sata 2.5 2 tb", [2 + AGAIN]),
        ("sata 2.5 1tb", []),
        ("version 2.2", []),
    ],
)
def test_repeats_are_of_a_row_or_beside_another_form(text: str, wanted: list[int]) -> None:
    assert repeats(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("milk 3.5% 1 l", "3.5"),
        ("milk 3.50%", "3.5"),
        ("opens 09.30", "9.3"),
        ("day 03.05", "3.5"),
        ("part 0.50", "0.5"),
        ("part 2.00", "2.0"),
        ("milk 1.5 l 3.5%", ""),  # Of two, nothing says which is which.
        ("version 1.2.3", ""),
        ("milk 35", ""),
    ],
)
def test_the_one_decimal_of_a_text(text: str, wanted: str) -> None:
    assert only_decimal(text) == wanted


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("DMC-TZ5K", "dmctz5k", True),
        ("DMC TZ5K", "panasonic dmc-tz5k camera", True),
        ("WH 1000 XM4", "wh1000xm4", True),
        ("DMC-TZ5K", "dmc-tz5s", False),
        ("12345", "12345", False),  # A number is no code.
        ("camera", "camera", False),
        ("a4", "a4", False),  # Too short.
    ],
)
def test_codes_are_the_same_without_what_separates_them(one: str, other: str, shared: bool) -> None:
    first, second = (set(codes(normalise(text))) for text in (one, other))
    assert bool(first & second) is shared


def test_codes_are_hashes_of_words_side_by_side() -> None:
    assert codes("ab c1 2") == [
        crc32(code)
        for code in (
            b"abc1",
            b"abc12",
        )
    ]
    assert codes("") == []
    assert codes("x\ud800123") == [crc32("x\ud800123".encode("utf-8", "surrogatepass"))]


def test_code_words_are_the_words_with_letters_and_digits() -> None:
    assert code_words("sony a4b 1000 wh1000xm4 camera a4") == "a4b wh1000xm4"
    assert code_words("sony") == ""
    assert len(code_words("a1b " * 500)) == LONGEST


def test_a_table_has_a_column_for_each_number() -> None:
    table = number_table(["7 7 8", "", "none", str(NUMBER_COLUMNS + 7)], numbers)
    assert table.shape == (4, NUMBER_COLUMNS)
    assert table.indices.tolist() == [7, 8, 7]
    assert table.indptr.tolist() == [0, 2, 2, 2, 3]
    assert set(table.data.tolist()) == {1}
    assert number_table([], numbers).shape == (0, NUMBER_COLUMNS)
