"""Codes that both tables have: those of one register, or each table's own."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from frames import match

import pearljoin as pj
from pearljoin._tables import own_codes

GIVEN = "Anna", "Peter", "Maria", "John", "Laura", "David", "Sara", "Thomas"
FAMILY = "Smith", "Miller", "Baker", "Turner", "Cooper", "Fisher", "Carter", "Walker", "Hunter"
PEOPLE = [f"{given} {family}" for given in GIVEN for family in FAMILY]
N = len(PEOPLE)


def in_order(name: str) -> str:
    given, family = name.split()
    return f"{family.upper()}, {given}"


def two_tables(codes: list[str], others: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    left = pd.DataFrame({"ref": codes, "name": PEOPLE})
    return left, pd.DataFrame({"name": list(map(in_order, PEOPLE)), "ref": others})


def numbered(form: str, order: np.ndarray) -> list[str]:
    return [form.format(place + 1) for place in order.tolist()]


@pytest.mark.parametrize(
    ("here", "there"), [("C{}", "C{}"), ("C{}", "C{:04d}"), ("{:03d}/24", "{:03d}/24")]
)
@pytest.mark.parametrize("named", ["ref", "client"])
def test_codes_of_two_registers_are_not_compared(here: str, there: str, named: str) -> None:
    rng = np.random.default_rng(1)
    left, right = two_tables(numbered(here, np.arange(N)), numbered(there, rng.permutation(N)))
    result = match(left, right.rename(columns={"ref": named}))
    assert result.keys.left == ("name",)
    assert result.keys.left_out["ref"] == "numbers the rows of each table"


def test_people_are_found_beside_codes_of_two_registers() -> None:
    rng = np.random.default_rng(1)
    order = rng.permutation(N)
    left, right = two_tables(numbered("C{}", np.arange(N)), numbered("C{}", order))
    found = pj.match(left, right, encoder="pearl-nano").matches()
    assert found.left.tolist() == found.right.tolist() == list(range(N))


@pytest.mark.parametrize("there", ["C{}", "C{:04d}"])
def test_codes_of_one_register_are_compared(there: str) -> None:
    left, right = two_tables(*(numbered(form, np.arange(N)) for form in ("C{}", there)))
    shuffled = right.sample(frac=1, random_state=0)
    assert set(match(left, shuffled).keys.left) == {"ref", "name"}


def test_names_in_another_language_leave_the_codes_to_say_who_is_meant() -> None:
    rng = np.random.default_rng(2)
    syllables = ["ka", "mo", "ri", "tu", "se", "no", "la", "pi", "do", "ve"]
    codes = numbered("C{}", np.arange(N))
    left, right = two_tables(codes, codes)
    right["name"] = ["".join(rng.choice(syllables, 4)).title() for _ in codes]
    assert "ref" in match(left, right).keys.left


def test_half_of_the_names_are_others() -> None:
    """Firms that were renamed keep their number."""
    codes = numbered("C{}", np.arange(N))
    left, right = two_tables(codes, codes)
    right.loc[::2, "name"] = [f"Holding {at}" for at in range(N // 2)]
    assert "ref" in match(left, right).keys.left


def test_names_of_large_tables_are_not_read(monkeypatch) -> None:
    rng = np.random.default_rng(1)
    left, right = two_tables(numbered("C{}", np.arange(N)), numbered("C{}", rng.permutation(N)))
    monkeypatch.setattr(own_codes, "MOST_ROWS", N - 1)
    assert set(match(left, right).keys.left) == {"ref", "name"}


def test_categories_do_not_tell_whose_codes_are() -> None:
    """Where a firm is registered and where it sells are two facts."""
    rng = np.random.default_rng(3)
    countries = [f"{first}land {second}" for first in GIVEN for second in ("North", "South")]
    left, right = (
        pd.DataFrame({"ref": numbered("C{}", np.arange(N)), "country": rng.choice(countries, N)})
        for _ in range(2)
    )
    assert "ref" in match(left, right).keys.left


def kept(left: list[str | None], right: list[str | None]) -> bool:
    """Whether the codes of one register are compared beside these names."""
    codes = [f"AX-{at * 7919 % 99_991}" for at in range(len(left))]
    one = pd.DataFrame({"ref": codes, "name": left})
    other = pd.DataFrame({"ref": codes, "name": right}).sample(frac=1, random_state=0)
    return "ref" in match(one, other).keys.left


def words(n: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    syllables = ["ka", "mo", "ri", "tu", "se", "no", "la", "pi", "do", "ve"]
    return ["".join(rng.choice(syllables, 5)).title() for _ in range(n)]


def test_a_stray_word_of_the_other_language_is_no_agreement() -> None:
    left = [
        f"{one} {other} von der Au" for one, other in zip(words(90, 1), words(90, 2), strict=True)
    ]
    right = [f"{one} {other}" for one, other in zip(words(90, 3), words(90, 4), strict=True)]
    right[3] += " von der"
    assert kept(left, right)


def test_who_married_keeps_the_number() -> None:
    rng = np.random.default_rng(5)
    families, given = words(90, 5), rng.choice(GIVEN, 90)
    left = [f"{one} {other}" for one, other in zip(given, families, strict=True)]
    right = [f"{one} {other}" for one, other in zip(given, rng.permutation(families), strict=True)]
    assert kept(left, right)


def test_rows_without_a_name_do_not_say_whose_codes_are() -> None:
    some: list[str | None] = [None if at % 10 else name for at, name in enumerate(words(120, 6))]
    other = words(120, 6)
    other[1] = other[11] = None  # type: ignore[call-overload]
    assert kept(some, other)


def test_another_row_of_the_code_may_have_the_name() -> None:
    codes = [f"AX-{at * 7919 % 99_991}" for at in range(300)]
    names = words(300, 7)
    left = pd.DataFrame({"ref": codes[:50], "name": names[:50]})
    old = pd.DataFrame({"ref": codes, "name": words(50, 8) + names[50:]})
    right = pd.concat([old, left], ignore_index=True)
    assert "ref" in match(left, right).keys.left


def test_missing_values_of_nullable_columns_have_no_say() -> None:
    rng = np.random.default_rng(1)
    left, right = two_tables(numbered("C{}", np.arange(N)), numbered("C{}", rng.permutation(N)))
    left, right = left.astype("string"), right.astype("string")
    left.loc[3, "name"] = right.loc[5, "ref"] = pd.NA
    assert match(left, right).keys.left == ("name",)
