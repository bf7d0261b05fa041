"""Codes that hold a number, beside the number itself, are met by it and by no near one."""

from typing import Any

import pandas as pd
import pytest

import pearljoin as pj

SHIPS = ["Ever Given", "Maersk Alabama", "Algeciras", "Emma", "Globe", "Madrid Bridge", "Aries"]
IDS = [9811000, 9821483, 9848819, 9896963, 9619907, 9777204, 9321483]


def ships(imo: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"ship": SHIPS[: len(imo)], "imo": imo})


def kinds(left: pd.DataFrame, right: pd.DataFrame, **options: Any) -> tuple[str, ...]:
    return pj.match(left, right, on=["ship", "imo"], **options).keys.kinds


@pytest.mark.parametrize("shape", ["IMO {}", "IMO{}", "IMO-{}", "No. {}", "#{}", "0{}"])
def test_a_number_with_something_before_it_is_a_code(shape: str) -> None:
    labelled, bare = ships([shape.format(n) for n in IDS]), ships(IDS)
    result = pj.match(labelled, bare, on=["ship", "imo"])
    assert result.keys.kinds == ("text", "code")
    assert result.matches().right.tolist() == list(range(len(IDS)))


def test_another_number_is_no_near_one() -> None:
    near = ships([f"IMO {n + 100}" for n in IDS])
    as_codes, as_numbers = (
        pj.match(near, ships(IDS), on=["ship", "imo"], kinds=given, threshold=0).matches()
        for given in (None, {"imo": "number"})
    )
    assert as_codes.right.tolist() == as_numbers.right.tolist()
    assert (as_codes.score < as_numbers.score).all()


@pytest.mark.parametrize(
    ("column", "texts"),
    [
        ("imo", [str(n) for n in IDS]),  # no more than the numbers
        ("imo", [f"{n} kg" for n in IDS]),
        ("imo", [f"EUR {n}" for n in IDS]),
        ("price", [f"Offer {n}" for n in IDS]),
    ],
)
def test_amounts_stay_numbers(column: str, texts: list[str]) -> None:
    left, right = (ships(cells).rename(columns={"imo": column}) for cells in (texts, IDS))
    assert pj.match(left, right, on=["ship", column]).keys.kinds == ("text", "number")


def test_short_numbers_with_a_label_stay_numbers() -> None:
    scores = [1500, 1612, 1702, 1833, 1900, 2010, 2105]
    assert kinds(ships([f"ELO {n}" for n in scores]), ships(scores)) == ("text", "number")


def test_fractions_beside_codes_stay_numbers() -> None:
    left = ships([f"IMO {n}" for n in IDS])
    assert kinds(left, ships([n + 0.5 for n in IDS])) == ("text", "number")


def test_a_given_kind_stays() -> None:
    left = ships([f"IMO {n}" for n in IDS])
    assert kinds(left, ships(IDS), kinds={"imo": "number"}) == ("text", "number")


def test_single_lookups_are_read_as_a_join_reads_them() -> None:
    fitted = pj.Matcher(on=["ship", "imo"]).fit(ships(IDS))
    left = ships([f"IMO {n}" for n in IDS])
    many = fitted.match(left)
    assert many.keys.kinds == ("text", "code")
    for at, row in enumerate(left.to_dict("records")):
        one = fitted.match(row)
        assert one.keys.kinds == ("text", "code")
        assert one.matches().right.tolist() == [at]
    assert fitted.match(ships(IDS)).keys.kinds == ("text", "number")


@pytest.mark.parametrize("shape", ["IMO {}", "x{}", "0{}"])
def test_as_the_only_key_they_are_text(shape: str) -> None:
    left = pd.DataFrame({"imo": [shape.format(n) for n in IDS[:5]]})
    right = pd.DataFrame({"imo": [*IDS[3:], *(n + 4321 for n in IDS[:3])]})
    for one, other in ((left, right), (right, left)):
        result = pj.match(one, other, on="imo")
        assert result.keys.kinds == ("text",)
        found = result.matches()
        pairs = set(zip(found.left.tolist(), found.right.tolist(), strict=True))
        assert {tuple(sorted(pair)) for pair in pairs} == {(0, 3), (1, 4)}
