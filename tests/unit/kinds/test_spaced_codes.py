"""Codes in blocks, with blanks between, and what is written likewise and is none."""

from __future__ import annotations

import random
import string
import time
from collections.abc import Callable

import pytest

from pearljoin._kinds.recognise import recognise
from pearljoin._kinds.spaced_codes import are_spaced_codes

RANDOM = random.Random(3)


def number(n: int) -> str:
    return "".join(RANDOM.choices(string.digits, k=n))


def letters(n: int) -> str:
    return "".join(RANDOM.choices(string.ascii_uppercase, k=n))


def one_of(*texts: str) -> str:
    return RANDOM.choice(texts)


def up_to(n: int) -> int:
    return RANDOM.randint(n // 20 + 1, n)


def column(write: Callable[[], str], n: int = 80) -> list[str]:
    return [write() for _ in range(n)]


@pytest.mark.parametrize(
    "write",
    [
        lambda: f"{one_of('MSKU', 'TCLU', 'CMAU')} {number(6)}-{number(1)}",
        lambda: f"{one_of('MSKU', 'TCLU', 'CMAU')} {number(7)}",
        lambda: f"{letters(2)}{number(2)} {letters(3)}",
        lambda: f"{letters(3)} {number(3)}",
        lambda: f"GB {number(3)} {number(4)} {number(2)}",
        lambda: f"DE {number(3)} {number(3)} {number(3)}",
        lambda: f"GB{number(2)} NWBK {number(4)} {number(4)} {number(4)} {number(2)}",
        lambda: f"978-0-{number(2)}-{number(6)}-{number(1)}",
        lambda: f"978 0 {number(2)} {number(6)} {number(1)}",
        lambda: f"{letters(2)} {number(2)} {number(2)} {number(2)} {letters(1)}",
        lambda: f"31 80 {number(4)} {number(3)}-{number(1)}",
        lambda: f"{letters(2)} {number(3)} {number(3)} {number(3)} {letters(2)}",
    ],
)
def test_codes_in_blocks(write: Callable[[], str]) -> None:
    assert recognise(column(write), "x") == "code"


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("plate", lambda: f"{one_of('B', 'M', 'PA', 'HH')}-{letters(2)} {up_to(9999)}"),
        ("container_no", lambda: f"{letters(4)} {number(6)}-{number(1)}"),
        ("Kennzeichen", lambda: f"{one_of('B', 'M', 'PA')} {letters(1)} {up_to(999):02d}"),
    ],
)
def test_the_name_lets_in_codes_of_more_shapes(name: str, write: Callable[[], str]) -> None:
    assert recognise(column(write), name) == "code"
    assert recognise(column(write, n=6), name) == "code"


@pytest.mark.parametrize(
    ("kind", "write"),
    [
        ("name", lambda: f"Room {up_to(40)} {letters(1)}"),
        ("name", lambda: f"ROOM {up_to(40)} {letters(1)}"),
        ("name", lambda: f"RM {number(3)}"),
        ("name", lambda: f"{one_of('Boeing', 'Airbus')} {up_to(800)}-{up_to(900)}"),
        ("name", lambda: f"{one_of('BMW', 'AUDI', 'FIAT')} {up_to(700)}"),
        ("address", lambda: f"{up_to(99)} {one_of('Main', 'Oak', 'Elm')} St"),
        ("address", lambda: f"{up_to(1999)} {one_of('MAIN', 'OAK', 'ELM')} {one_of('ST', 'RD')}"),
        ("name", lambda: f"{one_of('Studio', 'Club', 'Bar')} {up_to(99)}"),
        ("name", lambda: f"{one_of('CLUB', 'BAR', 'CAFE')} {up_to(99)}"),
        ("name", lambda: f"{one_of('Windows', 'iOS', 'Android')} {up_to(30)}"),
        ("name", lambda: f"{letters(3)} {number(1)}-{number(1)} {letters(3)}"),
        ("name", lambda: f"{letters(3)} {up_to(140)}-{up_to(140)} {letters(3)}"),
        ("name", lambda: f"{number(1)} - {number(1)}"),
        ("name", lambda: f"6-{number(1)} {number(1)}-6 7-{number(1)}"),
        ("number", lambda: f"{up_to(9)} {number(3)} KG"),
        ("number", lambda: f"EUR {up_to(90_000)}"),
        ("number", lambda: f"{up_to(9_000)} PSI"),
        ("name", lambda: f"{number(2)} X {number(2)} CM"),
        ("name", lambda: f"M{up_to(20)} X {up_to(100)}"),
        ("date", lambda: f"{up_to(28)} {one_of('JAN', 'MAR', 'MAY')} 20{number(2)}"),
        ("name", lambda: f"{one_of('EXPO', 'CES', 'WWDC')} {RANDOM.randint(1950, 2023)}"),
        ("name", lambda: f"V {number(1)}.{number(1)}.{number(2)}"),
        ("phone", lambda: f"+44 20 {number(4)} {number(4)}"),
        ("name", lambda: f"{one_of('PCB', 'HFC', 'CFC')} {up_to(200)}"),
        ("name", lambda: f"{one_of('ISO', 'DIN', 'DIN EN', 'BS', 'NF EN')} {up_to(60_000)}"),
        ("name", lambda: f"{one_of('LG', 'SONY', 'TCL')} {number(2)}UK{up_to(9000)} {letters(2)}"),
        ("name", lambda: f"{number(4)} {letters(2)}"),
        ("name", lambda: f"{number(4)} {letters(4)} {letters(3)}"),
        ("name", lambda: f"{letters(3)} {letters(4)} {number(4)}"),
        ("name", lambda: f"PO BOX {up_to(999)}"),
        ("postcode", lambda: f"{one_of('SW', 'NW')}{up_to(9)} {up_to(9)}{one_of('AA', 'BD')}"),
    ],
)
def test_what_is_written_likewise_stays(kind: str, write: Callable[[], str]) -> None:
    assert recognise(column(write), "x") == kind


def test_hexadecimal_numbers_that_count_up_are_codes() -> None:
    assert recognise([f"{number:016x}" for number in range(30)], "x") == "code"
    assert recognise([f"{number:08X}" for number in range(4000, 4200)], "x") == "code"
    phones = [f"{number(3)} {number(4)}" for _ in range(24)]
    assert recognise([*phones, *(f"2{at}a 0434" for at in range(10))], "x") != "code"
    assert recognise([f"{one_of('accede', 'facade', 'decade')}d" for _ in range(30)], "x") == "name"


def test_few_values_and_those_that_repeat_do_not_tell() -> None:
    codes = column(lambda: f"{one_of('MSKU', 'TCLU')} {number(6)}-{number(1)}", n=40)
    assert recognise(codes[:4], "x") == "name"
    assert recognise(codes, "x", n_cells=200) == "name"
    assert recognise(codes, "container", n_cells=200) == "code"


@pytest.mark.parametrize(
    "text", ["A" * 10_000, "A1" * 5_000 + "é", "AB " * 3_000 + "?", "1-" * 5_000]
)
def test_long_texts_take_no_time(text: str) -> None:
    start = time.process_time()
    assert not are_spaced_codes([f"{text}{number}" for number in range(20)])
    assert time.process_time() - start < 5
