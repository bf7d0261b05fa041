"""Long codes that are written in several ways are one word of the whole record."""

import numpy as np
import pandas as pd
import pytest
from repetitions import few

import pearljoin as pj

MAKES = ["ThinkPad", "MacBook-Pro", "Galaxy-S21", "Chromecast", "HP-Printer", "Raspberrypi"]
OWNERS = [
    "anna",
    "bruno",
    "carla",
    "dmitri",
    "elena",
    "fatima",
    "goran",
    "hiroshi",
    "ines",
    "jonas",
]


def devices() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    digits = list("0123456789abcdef")
    rows = [
        (f"{owner}s-{make.lower()}.lan", "".join(rng.choice(digits, 12)))
        for owner in OWNERS
        for make in MAKES
    ]
    return pd.DataFrame(rows, columns=["host", "mac"])


def with_signs(mac: str, sign: str, size: int) -> str:
    return sign.join(mac[at : at + size] for at in range(0, 12, size))


@pytest.mark.parametrize(("sign", "size"), few([("-", 2), (":", 2), (".", 4)], 1))
def test_an_address_of_a_network_card_counts_alike_in_any_notation(sign: str, size: int) -> None:
    table = devices()
    other = table.assign(host=[f"{make}-{at:03}" for at, make in enumerate(MAKES * len(OWNERS))])
    written = other.assign(mac=[with_signs(mac, sign, size).upper() for mac in other.mac])
    plain, signed = (
        pj.find_duplicates(pd.concat([table, more], ignore_index=True), on=["host", "mac"])
        for more in (other, written)
    )
    for row in range(0, len(table), 7):
        pair = row, row + len(table)
        assert signed.explain(*pair).score == pytest.approx(plain.explain(*pair).score, abs=0.02)
    truth = np.tile(np.arange(len(table)), 2)
    assert pj.evaluate(signed, truth).recall == pj.evaluate(plain, truth).recall
