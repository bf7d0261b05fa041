"""Removing rows from a matcher's reference: they are forgotten, and nothing else changes."""

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker, TrigramEncoder, rows_of

import pearljoin as pj

NAMES = ["The New York Times", "Le Monde", "Die Zeit", "El Pais", "La Stampa"]


def fitted(right, **options):
    return pj.Matcher(threshold=0.35, encoder=TrigramEncoder(), **options).fit(right)


def test_a_removed_row_is_not_found_and_nothing_is_encoded(trigrams: TrigramEncoder) -> None:
    matcher = pj.Matcher(threshold=0.35, encoder=trigrams).fit(NAMES)
    asked = len(trigrams.asked)
    matcher.remove(["Le Monde"])
    assert len(trigrams.asked) == asked
    found = matcher.match(["le monde", "die zeit", "el pais"]).matches()
    assert found.left.tolist() == [1, 2]
    assert found.right.tolist() == [1, 2]


def test_rows_of_a_table_keep_their_other_columns(make_frame: FrameMaker) -> None:
    matcher = fitted(make_frame({"n": NAMES, "y": [1, 2, 3, 4, 5]}), on="n")
    matcher.remove(make_frame({"n": ["Le Monde"], "unused": ["x"]}))
    joined = matcher.match(make_frame({"n": ["el pais", "le monde"]})).join(score=None)
    assert rows_of(joined)[0][-1] == 4
    assert len(matcher.match(make_frame({"n": ["le monde"]})).matches()) == 0


def test_every_row_of_a_key_is_removed() -> None:
    matcher = fitted(["Le Monde", *NAMES]).remove(["Le Monde"])
    assert len(matcher.match(["le monde"]).matches()) == 0
    assert matcher.match(["die zeit"]).matches().right.tolist() == [1]


def test_a_row_may_be_added_again() -> None:
    matcher = fitted(NAMES).remove(["Die Zeit"]).add(["Die Zeit"])
    assert matcher.match(["die zeit"]).matches().right.tolist() == [4]


def test_what_was_learned_stays() -> None:
    towns = ("Bergheim", "Talstadt", "Seeburg")
    trades = ("Brewery", "Mills", "Bank", "Railway", "Library", "Works", "Press", "Dairy")
    names = [f"{town} {trade}" for town in towns for trade in trades]
    matcher = fitted(names)
    threshold = matcher.calibration.threshold
    score = matcher.match(["bergheim bank"]).matches().score
    matcher.remove(names[8:])
    assert matcher.calibration.threshold == threshold
    assert np.array_equal(matcher.match(["bergheim bank"]).matches().score, score)


def test_keys_of_several_columns_are_compared_whole() -> None:
    table = pd.DataFrame({"n": ["A one", "A one", "B two"], "c": ["x", "y", "x"], "v": [1, 2, 3]})
    matcher = fitted(table, on="n", by="c")
    matcher.remove(pd.DataFrame({"n": ["A one"], "c": ["y"]}))
    left = pd.DataFrame({"n": ["a one", "a one"], "c": ["x", "y"]})
    assert matcher.match(left).matches().left.tolist() == [0]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (["Le Monde", "Die Welt"], "no such rows. Got 1 unknown, 'Die Welt' first"),
        (["le monde"], "no such rows"),
        (NAMES, "No row of the reference would be left"),
        (pd.DataFrame({"x": ["Le Monde"]}), "single column"),
    ],
)
def test_what_cannot_be_removed_is_told(keys, message: str) -> None:
    matcher = fitted(NAMES)
    with pytest.raises(pj.InputError, match=message):
        matcher.remove(keys)
    assert len(matcher.match(["le monde"]).matches()) == 1


@pytest.mark.parametrize(
    ("options", "which"),
    [
        ({"on": "name"}, r"named in on=\."),
        ({"left_on": "firma", "right_on": "name"}, r"named in right_on=\."),
        ({"left_on": "firma"}, r"which is a key\."),
        ({}, r"which is a key\."),
    ],
)
def test_the_argument_that_named_a_missing_key_is_told(options, which: str, tmp_path) -> None:
    matcher = pj.Matcher(**options).fit(pd.DataFrame({"name": NAMES}))
    matcher.save(tmp_path / "saved")
    for kept in (matcher, pj.Matcher.load(tmp_path / "saved")):
        for change in (kept.remove, kept.add):
            for rows in ({"firma": "Le Monde"}, pd.DataFrame({"firma": ["Le Monde"], "n": [1]})):
                with pytest.raises(pj.InputError, match=rf"no column 'name', {which} Got"):
                    change(rows)


def test_the_argument_that_named_a_missing_column_of_equal_values_is_told() -> None:
    table = pd.DataFrame({"n": NAMES, "land": list("uscei")})
    matcher = fitted(table, on="n", left_by="country", right_by="land")
    with pytest.raises(pj.InputError, match=r"no column 'land', named in right_by="):
        matcher.remove({"n": "Le Monde", "country": "s"})


def test_the_length_is_that_of_the_reference() -> None:
    assert len(pj.Matcher()) == 0
    matcher = fitted(NAMES)
    assert len(matcher) == 5
    assert len(matcher.remove(NAMES[:2])) == 3
    assert len(matcher.add(["Die Welt", None])) == 5


@pytest.mark.parametrize("options", [{"on": ["n", "c"]}, {"on": "n", "by": "c"}])
def test_of_several_columns_numbers_of_rows_are_no_keys(options) -> None:
    table = pd.DataFrame({"n": ["A one", "B two"], "c": ["x", "y"]})
    matcher = fitted(table, **options)
    message = r"removed by their keys.*Got .* with 1 first.*\['n', 'c'\].* rather than numbers"
    with pytest.raises(pj.InputError, match=message):
        matcher.remove([1])
    assert len(matcher.remove([]).match(table).matches()) == 2
    matcher.remove(table[:1])
    assert matcher.match(table).matches().left.tolist() == [1]


def test_an_unfitted_matcher_says_so() -> None:
    with pytest.raises(pj.InputError, match="no reference yet"):
        pj.Matcher().remove(["a"])
