"""Guessed keys: numbers of things and of rows, codes and amounts; the log of what is left out."""

import logging
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker, TrigramEncoder, join, match

import pearljoin as pj

N = 60
FIRST = ["Anna", "Ben", "Carla", "David", "Eva", "Frank"]
LAST = ["Meier", "Schmidt", "Weber", "Fischer"]
NAMES = [f"{FIRST[n % 6]} {LAST[n % 4]}" for n in range(N)]
CITIES = ["Ulm", "Bonn", "Kiel"] * (N // 3)
FIRMS = [f"{one} {two} Trading" for one in FIRST for two in "abcdefghij"]
SOME = np.random.default_rng(2).permutation(N)[:35].tolist()
OFFERS = {"firm": FIRMS, "city": CITIES}
UNNAMED = {"name": NAMES, "city": CITIES}


def rows(table: dict[str, list[Any]], chosen: list[int]) -> dict[str, list[Any]]:
    """Some rows of a table."""
    return {name: [column[at] for at in chosen] for name, column in table.items()}


@pytest.mark.parametrize("kind", [int, float, str])
def test_consecutive_numbers_are_keys_where_the_other_table_has_some(
    kind: type, make_frame: FrameMaker
) -> None:
    right = {"customer": list(range(1, N + 1)), **UNNAMED}
    left = rows(right, SOME)
    left["customer"] = [kind(number) for number in left["customer"]]
    for tables in ((left, right), (right, left)):
        assert "customer" in match(*map(make_frame, tables)).keys.left


def test_a_customer_is_found_by_its_number() -> None:
    right = pd.DataFrame({"customer": range(1, N + 1), **UNNAMED})
    left = right.iloc[SOME].reset_index(drop=True)
    left["name"] = [f"{name[:1]}. {name.split()[1]}" for name in left["name"]]
    assert pj.match(left, right).matches().right.tolist() == SOME


def test_orders_name_their_customers_again(make_frame: FrameMaker) -> None:
    right = {"customer": list(range(1, N + 1)), **UNNAMED}
    left = rows(right, [*SOME, *SOME])
    assert match(make_frame(left), make_frame(right)).keys.left == ("customer", "name", "city")


OWN_NUMBERS = {
    "each its own": (list(range(1, 36)), list(range(1, N + 1))),
    "each its own, from another one on": (list(range(35)), list(range(1, N + 1))),
    "each its own, as text on the left": ([str(n) for n in range(1, 36)], list(range(1, N + 1))),
    "others with gaps": (list(range(1, 36)), list(range(30, 30 + 9 * N, 9))),
    "prices": (list(range(1, 36)), [n + 0.5 for n in range(N)]),
    "few rows": ([1, 2, 3], list(range(1, N + 1))),
}


@pytest.mark.parametrize("case", OWN_NUMBERS)
def test_numbers_of_rows_are_no_keys(case: str, make_frame: FrameMaker) -> None:
    left, right = OWN_NUMBERS[case]
    for one, other in ((left, right), (right, left)):
        tables = [
            make_frame({"position": numbers, **rows(OFFERS, list(range(len(numbers))))})
            for numbers in (one, other)
        ]
        assert match(*tables).keys.left == ("firm", "city")


def guessed(table: dict[str, Any], make_frame: FrameMaker) -> list[str]:
    """The columns by which duplicates are looked for."""
    options = {"encoder": TrigramEncoder(), "threshold": 0.5}
    return list(pj.find_duplicates(make_frame(table), **options).keys.left)


ROADS = ["中山路", "王府井大街", "สุขุมวิท", "テヘラン通り", "서울시종로구"]
KEPT = {
    "amounts as text": [f"{183 + n}.99" for n in range(N)],
    "amounts as text, one of them twice": [*(f"{183 + n}.99" for n in range(N - 1)), "183.99"],
    "sizes as text": [f"{25 * n + 5}mm" for n in range(N)],
    "addresses without blanks": [f"{ROADS[n % 5]}{n + 12}号" for n in range(N)],
    "codes of which one stands twice": [*(f"A-{n:03}" for n in range(N - 1)), "A-007"],
    "numbers of which one stands twice": [*range(1000, 1000 + 7 * (N - 1), 7), 1000],
}


@pytest.mark.parametrize("case", KEPT)
def test_all_but_distinct_codes_of_one_table_are_compared(
    case: str, make_frame: FrameMaker
) -> None:
    name = "address" if "addresses" in case else "value"
    assert guessed({**OFFERS, name: KEPT[case]}, make_frame) == ["firm", "city", name]


LEFT_OUT = {
    "codes": [f"A-{n:03}" for n in range(N)],
    "codes with one Chinese letter": [f"京A{n + 12345}" for n in range(N)],
    "numbers": list(range(1000, 1000 + 7 * N, 7)),
    "numbers as text": [str(10_000 + 7 * n) for n in range(N)],
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_distinct_codes_of_one_table_are_left_out(case: str, make_frame: FrameMaker) -> None:
    assert guessed({**OFFERS, "value": LEFT_OUT[case]}, make_frame) == ["firm", "city"]


def test_chinese_addresses_are_compared_in_few_rows() -> None:
    places = pd.DataFrame(
        {
            "店名": [f"{name}店" for name in "东西南北天地山水风火雷泽金木土日月星"],
            "地址": [f"北京市王府井大街{n % 15 + 20}号" for n in range(18)],
        }
    )
    assert pj.find_duplicates(places).keys.left == ("店名", "地址")
    assert pj.match(places, places).keys.left == ("店名", "地址")


def test_amounts_as_text_are_compared_as_numbers_are(make_frame: FrameMaker) -> None:
    amounts = [183.99 + n for n in range(N)]
    for column in (amounts, list(map(str, amounts))):
        left = make_frame({**OFFERS, "total": column})
        right = make_frame({**OFFERS, "total": [amount + 0.25 for amount in amounts]})
        assert match(left, right).keys.left == ("firm", "city", "total")


def messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The lines about what is left out."""
    said = [record.getMessage() for record in caplog.records if record.levelname == "INFO"]
    return [message for message in said if message.startswith("left out")]


def test_the_log_names_what_is_left_out_of_one_table(
    caplog: pytest.LogCaptureFixture, make_frame: FrameMaker
) -> None:
    table = {"id": range(N), **OFFERS, "sku": LEFT_OUT["codes"], "memo_1": [None] * N}
    with caplog.at_level(logging.INFO, "pearljoin"):
        guessed({name: list(column) for name, column in table.items()}, make_frame)
        guessed(OFFERS, make_frame)
        guessed({"firm": FIRMS, "notes": FIRMS}, make_frame)
    assert messages(caplog) == [
        "left out of the guessed key columns: id (bookkeeping by its name), "
        "sku (codes or whole numbers, all distinct), memo_1 (no values to compare)",
        "left out of the guessed key columns: notes (bookkeeping by its name)",
    ]


def test_the_log_names_what_is_left_out_of_two_tables(
    caplog: pytest.LogCaptureFixture, make_frame: FrameMaker
) -> None:
    left = {"row": list(range(N)), **OFFERS, "position": list(range(N)), "seen": FIRMS}
    right = left | {"seen": list(range(N))}
    with caplog.at_level(logging.INFO, "pearljoin"):
        join(make_frame(left), make_frame(right))
        join(make_frame(left), make_frame(right), on="firm")
    assert messages(caplog) == [
        "left out of the guessed key columns: row (bookkeeping by its name), position (numbers "
        "the rows of each table), seen (values that cannot be compared)"
    ]


def test_infinite_decimals_are_no_row_numbers() -> None:
    names = [f"thing number {letter}{letter}" for letter in "abcdefghijkl"]
    table = pd.DataFrame({"name": names, "v": [*map(Decimal, range(11)), Decimal("Infinity")]})
    assert pj.find_duplicates(table).keys.left == ("name", "v")


def test_remarks_are_no_key_beside_names_that_repeat() -> None:
    names = ["Acme Pumps", "Acme Pump"] * 3 + ["Borealis", "Borealis Ltd", "Nova Oil"] * 3
    notes = [f"{word} the {other}" for word in ("ask", "call", "see", "meet", "pay")
             for other in ("clerk", "office", "owner")]  # fmt: skip
    table = pd.DataFrame({"name": names, "notes": notes})
    assert pj.find_duplicates(table).keys.left == ("name",)
    assert pj.Matcher().fit(table).match(["Acme Pumps"]).keys.right == ("name",)


def test_codes_alone_are_compared() -> None:
    table = pd.DataFrame(
        {
            "sku": [f"A-{1000 + 7 * at}" for at in range(12)],
            "mpn": [f"B{2000 + 3 * at}" for at in range(12)],
        }
    )
    assert pj.find_duplicates(table).keys.left == ("sku", "mpn")
