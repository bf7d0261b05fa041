"""Words that stand in each other's place in a table of texts, and so tell its things apart."""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._scoring.alternatives import (
    differ_in_alternatives,
    find_alternatives,
    without_words,
)

MAKERS = ["Hallsted", "Brenning", "Okavan", "Tunder", "Merrow", "Quintal", "Zephir", "Lindgard"]
GRIDS = {
    "reports": [f"{one} annual report {n}" for one, n in product(MAKERS, (2019, 2020, 2021))],
    "doses": [f"{one} ibuprofen {n}" for one, n in product(MAKERS, ("200 mg", "400 mg", "1 g"))],
    "rooms": [f"Building {one}, Room {n}" for one, n in product("ABCDEF", range(101, 109))],
    "few": [f"{one} annual report {n}" for one, n in product(MAKERS[:5], (2019, 2020, 2021))],
}


def marked(one: str, other: str, alternatives: tuple[tuple[str, str], ...]) -> bool:
    at = np.zeros(1, dtype=np.int64)
    found = differ_in_alternatives([one], [other], at, at, alternatives)
    assert found == differ_in_alternatives([other], [one], at, at, alternatives)
    return bool(found[0])


def test_three_words_in_two_places_are_alternatives() -> None:
    texts = [f"{color} shirt {size}" for color, size in product(["red", "blue", "green"], "sml")]
    assert set(find_alternatives(texts)) == {
        ("blue", "green"), ("blue", "red"), ("green", "red"), ("l", "m"), ("l", "s"), ("m", "s"),
    }  # fmt: skip
    assert find_alternatives(texts) == find_alternatives(texts[::-1])


@pytest.mark.parametrize(
    "texts",
    [
        # One place alone.
        ["north bank", "south bank", "west bank"],
        # Legal forms.
        [f"{name} {form}" for name, form in product(["arden", "dunmore"], ["ltd", "inc", "gmbh"])],
        # Of one amount, written otherwise.
        [f"{name} {n}" for name, n in product(["arden", "dunmore"], ["500g", "500", "500gr."])],
        [" ".join(f"{word}{n}" for n in range(30)) for word in "abc"],
        ["", "one", "one two"],
    ],
)  # fmt: skip
def test_others_are_none(texts: list[str]) -> None:
    assert find_alternatives(texts) == ()


def test_two_spellings_in_many_places_are_none() -> None:
    texts = [f"{color} of {name}" for color, name in product(["colour", "color"], MAKERS)]
    assert {word for pair in find_alternatives(texts) for word in pair} == set(MAKERS)


def test_texts_that_differ_in_alternatives() -> None:
    known = (("bosch", "siemens"), ("san jose", "siemens"), ("4a", "4b"))
    assert marked("bosch annual report", "siemens annual report", known)
    assert marked("bosch annual report", "annual report, siemens", (("bosch", "siemens"),))
    assert marked("san jose report", "siemens report", known)
    assert marked("room 4a", "room 4b", known)
    # One of them misspelt, beside another slip.
    assert marked("bosch anual report", "siemns annual report", known)
    # Slips, added words, and words of which nothing is known.
    assert not marked("bosch annual report", "bosh annual report", known)
    assert not marked("bosch annual report", "bosch siemens annual report", known)
    assert not marked("bosch annual report", "braun annual report", known)
    assert not marked("", "siemens", known)


def test_alternatives_to_words_that_tell_nothing_are_left_out() -> None:
    known = (("bosch", "siemens"), ("law", "physics"), ("san jose", "siemens"))
    assert without_words(known, ["law", "jose"]) == (("bosch", "siemens"),)


@pytest.mark.parametrize("encoder", ["pearl-mini", "pearl-nano"])
@pytest.mark.parametrize("grid", GRIDS)
def test_a_grid_has_no_duplicates(grid: str, encoder: str) -> None:
    found = pj.find_duplicates(pd.DataFrame({"name": GRIDS[grid]}), on="name", encoder=encoder)
    assert len(found.pairs()) == 0


def test_duplicates_among_a_grid_are_found(tmp_path: Path) -> None:
    texts = [*GRIDS["reports"], "Hallsted anual report 2019", "Quintl annual report 2020"]
    table = pd.DataFrame({"id": range(len(texts)), "name": texts})
    fitted = pj.Deduplicator(ids="id", on="name").fit(table)
    pairs = fitted.result.pairs()
    rows = sorted(zip(pairs.left_row.tolist(), pairs.right_row.tolist(), strict=True))
    assert rows == [(0, 24), (16, 25)]
    comparison = fitted.result.comparison
    assert isinstance(comparison, TablePairs)
    assert ("hallsted", "quintal") in comparison.weights.alternatives
    # What was learned is frozen, and kept where it is saved.
    fitted.save(tmp_path / "fitted")
    loaded = pj.Deduplicator.load(tmp_path / "fitted")
    later = pd.DataFrame({"id": [-1, -2], "name": ["Okavn annual report 2021", "Okavn report"]})
    clusters = fitted.clusters()
    assert fitted.add(later).tolist() == loaded.add(later).tolist()
    assert fitted.clusters()[-2] == clusters[texts.index("Okavan annual report 2021")]
