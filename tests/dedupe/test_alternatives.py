"""Words that stand in each other's place in a table of texts, and so tell its things apart."""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._clusters import table_weights
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._fitted.weights_file import read_alternatives
from pearljoin._scoring.alternatives import NO_ALTERNATIVES, Alternatives, find_alternatives
from pearljoin._text.normalise import normalise

MAKERS = ["Hallsted", "Brenning", "Okavan", "Tunder", "Merrow", "Quintal", "Zephir", "Lindgard"]
GRIDS = {
    "reports": [f"{one} annual report {n}" for one, n in product(MAKERS, (2019, 2020, 2021))],
    "doses": [f"{one} ibuprofen {n}" for one, n in product(MAKERS, ("200 mg", "400 mg", "1 g"))],
    "rooms": [f"Building {one}, Room {n}" for one, n in product("ABCDEF", range(101, 109))],
    "few": [f"{one} annual report {n}" for one, n in product(MAKERS[:5], (2019, 2020, 2021))],
}


def marked(one: str, other: str, pairs: tuple[tuple[str, str], ...]) -> bool:
    at, known = np.zeros(1, dtype=np.int64), Alternatives(pairs)
    found = known.differ([one], [other], at, at)
    assert found == known.differ([other], [one], at, at)
    return bool(found[0])


def test_three_words_in_two_places_are_alternatives() -> None:
    texts = [f"{color} shirt {size}" for color, size in product(["red", "blue", "green"], "sml")]
    assert set(find_alternatives(texts).pairs) == {
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
    assert find_alternatives(texts).pairs == ()


def test_two_spellings_in_many_places_are_none() -> None:
    texts = [f"{color} of {name}" for color, name in product(["colour", "color"], MAKERS)]
    assert {word for pair in find_alternatives(texts).pairs for word in pair} == set(MAKERS)


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


PERSONS = ["John Smith", "Mary Becker", "Peter Novak", "Anna Rossi", "Luis Ortega", "Karen Holm"]
LAST = [person.split()[1] for person in PERSONS]


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (("Dr {}", "Prof {}", "Mr {}"), PERSONS),
        (("Bill {}", "William {}", "Will {}"), LAST),
        (("John {}", "Jon {}", "Jhon {}"), LAST),
        (("J. {}", "John {}", "Jon {}"), LAST),
        (("{} Boulevard", "{} Blvd", "{} Bvd"), LAST),
        (("{} and Sons", "{} und Sons", "{} & Sons"), LAST),
    ],
)
def test_what_is_written_beside_a_name_is_none(written: tuple[str, ...], names: list[str]) -> None:
    """Titles, nicknames and spellings stand in each other's place, too."""
    texts = [normalise(form.format(name)) for name, form in product(names, written)]
    words = {word for pair in find_alternatives(texts).pairs for word in pair}
    assert words <= {normalise(name) for name in names}


@pytest.mark.parametrize(
    ("first", "rest"),
    [
        (("Bill", "William", "Will"), LAST),
        (("Dr", "Prof", "Mr"), PERSONS),
        (("J.", "John", "Jon"), LAST),
    ],
)
def test_spellings_in_threes_are_found_as_ever(
    first: tuple[str, ...], rest: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"{one} {other}" for other in rest for one in first]
    table = pd.DataFrame({"name": texts})
    found = pj.find_duplicates(table, on="name").clusters()
    monkeypatch.setattr(table_weights, "find_alternatives", lambda _: NO_ALTERNATIVES)
    assert found.tolist() == pj.find_duplicates(table, on="name").clusters().tolist()


def test_another_word_in_the_place_of_a_word_of_many_alternatives() -> None:
    known = tuple(("road", word) for word in ("avenue", "close", "drive", "lane", "street"))
    known = tuple((min(pair), max(pair)) for pair in known)
    assert marked("oak road 12", "oak terrace 12", known)
    assert not marked("oak road 12", "oak terrace 12", known[:4])
    # Short for it, or not in that place alone.
    assert not marked("oak road 12", "oak rd 12", known)
    assert not marked("oak road 12", "terrace oak", known)
    assert not marked("oak road 12", "oak old mill terrace 12", known)


def test_later_rows_of_a_grid_are_told_apart() -> None:
    table = pd.DataFrame({"id": range(24), "name": GRIDS["reports"]})
    fitted = pj.Deduplicator(ids="id", on="name").fit(table)
    texts = [
        "Vardholm annual report 2019",
        "Vardholm annual report 2020",
        "Merow annual report 2020",
    ]
    later = fitted.add(pd.DataFrame({"id": [-1, -2, -3], "name": texts})).tolist()
    clusters = fitted.clusters()
    assert later[2] == clusters[GRIDS["reports"].index("Merrow annual report 2020")]
    assert not set(later[:2]) & set(clusters[:24])
    assert later[0] != later[1]


def test_alternatives_to_words_that_tell_nothing_are_left_out() -> None:
    known = (("bosch", "siemens"), ("law", "physics"), ("san jose", "siemens"))
    assert Alternatives(known).without(["law", "jose"]).pairs == (("bosch", "siemens"),)


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
    assert ("hallsted", "quintal") in comparison.weights.alternatives.pairs
    # What was learned is frozen, and kept where it is saved.
    fitted.save(tmp_path / "fitted")
    loaded = pj.Deduplicator.load(tmp_path / "fitted")
    later = pd.DataFrame({"id": [-1, -2], "name": ["Okavn annual report 2021", "Okavn report"]})
    clusters = fitted.clusters()
    assert fitted.add(later).tolist() == loaded.add(later).tolist()
    assert fitted.clusters()[-2] == clusters[texts.index("Okavan annual report 2021")]


@pytest.mark.parametrize(
    "kept", [[["", "okavan"]], [["a", "a"]], [["a", "b", "c"]], ["ab"], [[1, 2]], {"a": "b"}, None]
)
def test_damaged_alternatives_are_refused(kept: object) -> None:
    with pytest.raises(ValueError, match="words that name different things are"):
        read_alternatives({"alternatives": kept})


def test_kept_alternatives_are_read() -> None:
    assert read_alternatives({"alternatives": [["a", "b c"]]}) == Alternatives((("a", "b c"),))
    assert read_alternatives({}) == NO_ALTERNATIVES


def test_an_explanation_says_which_stage_tells_two_texts_apart() -> None:
    texts = [*GRIDS["reports"], "Halsted annual report 2020"]
    result = pj.find_duplicates(texts)

    def steps(one: int, other: int) -> list[str]:
        return [step.kind for step in result.explain(one, other).waterfall()]

    assert "numbers" in steps(0, 1)
    assert "alternatives" in steps(0, 3)
    assert {"numbers", "alternatives"}.isdisjoint(steps(1, len(texts) - 1))
    for pair in ((0, 1), (0, 3), (1, len(texts) - 1)):
        found = result.explain(*pair)
        total = sum(step.effect for step in found.waterfall())
        assert 1 / (1 + np.exp(-total)) == pytest.approx(found.score, abs=1e-5)
