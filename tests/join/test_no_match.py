"""The warning where two tables have no match: it tells how near they came."""

import re
import warnings

import pytest

import pearljoin as pj

FRUIT, PAPERS = ["apple pie", "plum jam"], ["The New York Times", "Le Monde"]


def test_two_tables_without_a_match_are_warned_of() -> None:
    with pytest.warns(pj.NoMatchWarning, match="No left row has a match") as caught:
        assert len(pj.match(FRUIT, PAPERS).matches()) == 0
    assert caught[0].filename == __file__
    best, least = re.findall(r"scores of (\S+), .* threshold of (\S+)\.", str(caught[0].message))[0]
    assert float(best) < float(least)


def test_a_join_is_warned_of_too() -> None:
    with pytest.warns(pj.NoMatchWarning, match="threshold of 1"):
        pj.fuzzy_join(["Le Mond"], PAPERS, threshold=1.0)


@pytest.mark.parametrize(("left", "right"), [(FRUIT, []), ([], PAPERS), ([None], PAPERS)])
def test_nothing_to_compare_is_no_surprise(left, right) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", pj.NoMatchWarning)
        assert len(pj.match(left, right).matches()) == 0


def test_a_lookup_may_find_nothing_silently() -> None:
    matcher = pj.Matcher().fit(PAPERS)
    with warnings.catch_warnings():
        warnings.simplefilter("error", pj.NoMatchWarning)
        assert len(matcher.match(FRUIT).matches()) == 0


def test_one_match_is_enough() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", pj.NoMatchWarning)
        assert len(pj.match([*FRUIT, "Le Monde"], PAPERS).matches()) == 1
