"""Points that separate thousands, told by how large the other side's numbers are."""

from pathlib import Path

import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._kinds.comparers import settings_of, side_comparer, with_settings
from pearljoin._kinds.decimal_sign import sign_by_size
from pearljoin._kinds.number import NumberComparer

MILEAGE = [187_309, 92_114, 45_020, 120_500, 8_250]


def written(sign: str, unit: str = "") -> list[str]:
    return [f"{number:,}".replace(",", sign) + unit for number in MILEAGE]


@pytest.mark.parametrize("unit", ["", " km", " €"])
@pytest.mark.parametrize(("sign", "other"), [(".", ","), (",", ".")])
def test_the_reading_that_is_as_large_is_taken(sign: str, other: str, unit: str) -> None:
    texts = written(sign, unit)
    assert sign_by_size(texts, 90_000.0) == other
    assert sign_by_size(texts, 90.0) == sign


@pytest.mark.parametrize("size", [0.0, 1.0, 2_900.0, 1e9])
def test_neither_is_taken_where_neither_is_near(size: float) -> None:
    assert sign_by_size(written("."), size) is None


@pytest.mark.parametrize(
    "texts",
    [
        [],
        written(".")[:2],
        ["12.50", "187.309", "92.114", "45.020"],
        ["187309", "92.114", "45.020", "120.500"],
        ["187.309", "92,114", "45.020", "120,500"],
        ["0.309", "0.114", "0.020", "0.500"],
        ["1.187.309", "1.092.114", "2.045.020"],
        ["a", "b", "c", "d"],
    ],
)
def test_numbers_that_show_their_sign_or_are_few_are_left(texts: list[str]) -> None:
    assert sign_by_size(texts, 90_000.0) is None


@pytest.mark.parametrize("texts", [written("."), written(".", " km"), written(",", " km")])
def test_the_other_side_is_read_so(texts: list[str]) -> None:
    reference = NumberComparer().learned(MILEAGE, is_reference=True)
    for comparer in (reference, with_settings(NumberComparer(), settings_of(reference))):
        read = side_comparer(comparer, texts).read(texts)
        assert read.written.tolist() == MILEAGE


def test_a_reference_with_units_says_nothing() -> None:
    reference = NumberComparer().learned(["187 km", "92 km", "45 km"], is_reference=True)
    assert reference.size is None
    read = side_comparer(reference, written(".", " m")).read(written(".", " m"))
    assert read.written[0] == 187.309


def test_cars_are_found_by_their_mileage(tmp_path: Path) -> None:
    names = ["VW Golf", "VW Golf", "VW Golf", "Audi A4", "Audi A4"]
    left = pd.DataFrame({"car": names, "mileage": written(".", " km")})
    right = pd.DataFrame({"car": names, "mileage": MILEAGE})
    matcher = pj.Matcher(on=["car", "mileage"]).fit(right).calibrate(left)
    matcher.save(tmp_path / "cars")
    for one in (matcher, pj.Matcher.load(tmp_path / "cars")):
        found = one.match(left).matches()
        assert found.right.tolist() == [0, 1, 2, 3, 4]
        assert found.score.min() > 0.9
