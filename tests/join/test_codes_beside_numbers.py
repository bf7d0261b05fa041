"""Codes that hold a number, beside the number itself, are met by it and by no near one."""

import itertools
from typing import Any

import pandas as pd
import pytest
from repetitions import one_in

import pearljoin as pj

SHIPS = ["Ever Given", "Maersk Alabama", "Algeciras", "Emma", "Globe", "Madrid Bridge", "Aries"]
IDS = [9811000, 9821483, 9848819, 9896963, 9619907, 9777204, 9321483]


def ships(imo: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"ship": SHIPS[: len(imo)], "imo": imo})


def kinds(left: pd.DataFrame, right: pd.DataFrame, **options: Any) -> tuple[str, ...]:
    return pj.match(left, right, on=["ship", "imo"], **options).keys.kinds


def kinds_of(left: pd.DataFrame, right: pd.DataFrame, column: str) -> tuple[str, ...]:
    return pj.match(left, right, on=["ship", column]).keys.kinds


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


N_FIRMS = 24
BUDGETS = [123_456 + 37_711 * at for at in range(N_FIRMS)]


LABELS = ["R", "Ft", "BWP", "pop.", "est.", "Total:", "n="]


@pytest.mark.parametrize(
    ("column", "label"), one_in(itertools.product(["budget", "figure"], LABELS), 2)
)
def test_near_amounts_after_an_unknown_word_match(label: str, column: str) -> None:
    firms = [f"{word} {trade}" for word in SHIPS[:6] for trade in ("Ltd", "Inc", "AG", "SA")]
    near = [f"{label} {budget + at % 5 * 100}" for at, budget in enumerate(BUDGETS)]
    left, right = (pd.DataFrame({"firm": firms, column: cells}) for cells in (near, BUDGETS))
    result = pj.match(left, right, on=["firm", column])
    assert result.keys.kinds == ("text", "number")
    assert result.matches().right.tolist() == list(range(N_FIRMS))


@pytest.mark.parametrize("column", ["budget", "annual rent", "value", "visitors"])
def test_a_column_named_after_amounts_has_some(column: str) -> None:
    left, right = (
        ships(cells).rename(columns={"imo": column}) for cells in ([f"Ft {n}" for n in IDS], IDS)
    )
    assert kinds_of(left, right, column) == ("text", "number")
    # A fee has an amount, and its number has none.
    left, right = (table.rename(columns={column: "fee_id"}) for table in (left, right))
    assert kinds_of(left, right, "fee_id") == ("text", "code")


def test_round_numbers_after_a_word_are_amounts() -> None:
    round_ones = [n - n % 1000 for n in IDS]
    left, right = ships([f"est. {n}" for n in round_ones]), ships(round_ones)
    assert kinds(left, right) == ("text", "number")


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
