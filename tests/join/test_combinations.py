"""Tables whose records are combinations of values, such as countries by years."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from repetitions import few

import pearljoin as pj
from pearljoin._candidates import blocking, combination_blocking
from pearljoin._comparison import comparison
from pearljoin._records.crossed import are_crossed
from pearljoin._search import tfidf

STREETS = {
    "Oak Street": "Oak St", "Oak Avenue": "Oak Ave.", "Elm Road": "Elm Rd", "Elm Avenue": "Elm Ave",
    "Church Road": "Church Rd.", "Church Avenue": "Church Ave", "Mill Lane": "Mill Ln",
}  # fmt: skip
NUMBERS = range(1, 25, 2)
KEYS = ["street", "number"]


def panel(streets: list[str]) -> pd.DataFrame:
    rows = [(street, number) for street in streets for number in NUMBERS]
    return pd.DataFrame(rows, columns=KEYS)


@pytest.fixture(scope="module")
def matcher() -> pj.Matcher:
    return pj.Matcher(on=KEYS).fit(panel([*STREETS.values()])).calibrate(panel([*STREETS]))


def test_records_match_where_all_their_values_do() -> None:
    found = pj.match(panel([*STREETS]), panel([*STREETS.values()]), on=KEYS).matches()
    assert len(found) >= 70
    assert found.left.tolist() == found.right.tolist()


def test_what_is_not_there_matches_nothing() -> None:
    left, right = panel([*STREETS]), panel([*STREETS.values()][:5])
    later = left.assign(number=left["number"] + 1)
    found = pj.match(pd.concat([left, later], ignore_index=True), right, on=KEYS).matches()
    # An avenue that is not there may go to the road of its name; no number goes to the next one.
    assert (found.left == found.right).mean() >= 0.8
    assert found.left.max() < len(left)
    assert len(found) >= 50


@pytest.mark.parametrize("column", few(["number", "year", "flat"], 1))
def test_among_many_records_those_of_near_values_are_candidates(
    column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (blocking, combination_blocking, comparison):
        monkeypatch.setattr(module, "LARGE", 100)
    monkeypatch.setattr(tfidf, "COMMON_ROWS", 20)  # numbers that most streets have propose nothing
    monkeypatch.setattr(tfidf, "COMMON_SHARE", 0.001)
    firsts = "Oak", "Elm", "Church", "Mill", "Park", "Lake", "Hill", "River"
    names = [[f"{first} {last}" for first in firsts for last in lasts] for lasts in
             (("Street", "Avenue", "Road"), ("St", "Ave.", "Rd"))]  # fmt: skip
    marks = [chr(65 + at) for at in range(26)] if column == "flat" else range(1990, 2016)
    left, right = (
        pd.DataFrame([(street, mark) for street in streets for mark in marks])
        .set_axis(["street", column], axis=1)
        .astype(object)
        for streets in names
    )
    left.loc[20, column], right.loc[40, "street"] = None, None
    matcher = pj.Matcher(on=["street", column]).fit(right).calibrate(left)
    found = matcher.match(left).matches()
    # An equal number of the road beside the avenue is a near value, too.
    assert (found.left == found.right).mean() > 0.95
    assert len(found) >= len(left) - 10
    some = range(0, len(left), 60)
    alone = [matcher.match(left.iloc[[at]]).matches(threshold=0).score[0] for at in some]
    together = matcher.match(left).matches(threshold=0).score[some]
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_an_explanation_tells_of_the_values() -> None:
    # Streets that are read as the right ones are equal, and equal keys have no evidence to tell.
    left = panel([f"Old {street}" for street in STREETS])
    result = pj.match(left, panel([*STREETS.values()]), on=KEYS)
    explanation = result.explain(1)
    effects = {reason.kind: reason.effect for reason in explanation.reasons}
    assert effects["all values"] > 1
    total = explanation.base + sum(effects.values())
    score = explanation.score
    assert total == pytest.approx(np.log(score / (1 - score)), abs=1e-3)


def test_a_row_scores_alone_as_among_others(matcher: pj.Matcher) -> None:
    left = panel([*STREETS])
    together = matcher.match(left).matches(threshold=0.0)
    alone = [matcher.match(left.iloc[[at]]).matches(threshold=0.0) for at in range(0, 84, 7)]
    at = np.arange(0, 84, 7)
    assert [one.right[0] for one in alone] == together.right[at].tolist()
    np.testing.assert_allclose([one.score[0] for one in alone], together.score[at], atol=1e-5)


@pytest.mark.parametrize("added", [False, True])
def test_a_saved_matcher_gives_the_same_scores(
    matcher: pj.Matcher, added: bool, tmp_path: Path
) -> None:
    if added:  # so many streets with one number each that few combinations are there
        more = [(f"{chr(65 + at % 26)}{at} Square", 1) for at in range(400)]
        reference, left = panel([*STREETS.values()]), panel([*STREETS])
        matcher = pj.Matcher(on=KEYS).fit(reference).calibrate(left)
        matcher.add(pd.DataFrame(more, columns=KEYS))
    matcher.save(tmp_path / "m")
    left = panel([*STREETS])
    one, other = (each.match(left).matches() for each in (matcher, pj.Matcher.load(tmp_path / "m")))
    assert len(one) >= 70
    assert one.right.tolist() == other.right.tolist()
    np.testing.assert_array_equal(one.score, other.score)


@pytest.mark.parametrize(
    ("sizes", "is_crossed"),
    [((4, 6), True), ((3, 3), False), ((24, 1), False), ((12, 2), True), ((13, 1, 2), True)],
)
def test_combinations_are_of_several_repeated_values(
    sizes: tuple[int, ...], is_crossed: bool
) -> None:
    columns = [column.ravel() for column in np.indices(sizes)]
    assert are_crossed(columns) == is_crossed
    assert not are_crossed([*columns, np.arange(len(columns[0]))])
    assert not are_crossed([np.full(24, -1), np.arange(24)])
