"""Booleans beside texts and numbers that are booleans."""

from itertools import permutations
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from frames import FrameMaker
from repetitions import one_in

import pearljoin as pj

pytestmark = pytest.mark.every_kind

PLACES = [f"{a} {b}" for a in ("north", "south") for b in ("inn", "road", "hill", "gate", "lodge")]
TRUTH = [True, False, True, True, False, False, True, False, False, True]
WRITTEN: dict[str, Any] = {
    "booleans": TRUTH,
    "whole numbers": [int(each) for each in TRUTH],
    "numbers": [float(each) for each in TRUTH],
    "digits": [str(int(each)) for each in TRUTH],
    "words": ["Yes" if each else "no" for each in TRUTH],
    "letters": ["Y" if each else "n" for each in TRUTH],
    "truth": ["TRUE" if each else "false" for each in TRUTH],
    "initials": ["t" if each else "F" for each in TRUTH],
    "mixed": ["yes", "0", "T", *("y" if each else "N" for each in TRUTH[3:])],
}
NUMBERS = {"whole numbers", "numbers", "digits"}
BOTH = ["name", "open"]


def frame(written: Any) -> pd.DataFrame:
    return pd.DataFrame({"name": PLACES, "open": written})


def by_open(result: pj.MatchResult, row: int) -> float:
    """What the column says for a match of a row."""
    return sum(reason.effect for reason in result.explain(row).reasons if reason.kind == "open")


@pytest.mark.parametrize(("left", "right"), one_in(permutations(WRITTEN, 2), 3))
def test_either_side_may_write_booleans_in_any_way(left: str, right: str) -> None:
    # Names that are alike, so that the flag tells the rows apart.
    tables = [frame(WRITTEN[side]).assign(name=PLACES[:5] * 2) for side in (left, right)]
    result = pj.match(*tables, on=BOTH)
    assert result.matches().right.tolist() == list(range(10))
    if not {left, right} <= NUMBERS:
        assert result.keys.kinds == ("text", "category")


def test_of_any_library(make_frame: FrameMaker) -> None:
    left = make_frame({"name": PLACES, "open": [None, *WRITTEN["letters"][1:]]})
    right = make_frame({"name": PLACES, "open": TRUTH})
    for one, other in ((left, right), (right, left)):
        found = pj.match(one, other, on=BOTH).matches()
        assert found.left.tolist() == found.right.tolist() == list(range(10))


def test_what_is_no_boolean_differs() -> None:
    left = frame(["maybe", *WRITTEN["words"][1:]])
    result = pj.match(left, frame(TRUTH), on=BOTH, threshold=0.0)
    assert by_open(result, 0) < 0 < by_open(result, 1)


@pytest.mark.parametrize("written", [["M", "w"] * 5, ["soon", "later"] * 5])
def test_texts_that_are_no_booleans_are_refused(written: list[str]) -> None:
    for tables in ((frame(written), frame(TRUTH)), (frame(TRUTH), frame(written))):
        with pytest.raises(pj.InputError, match=r"cannot be compared\. Got .*booleans.*'yes'"):
            pj.match(*tables, on=BOTH)


def test_other_numbers_are_none() -> None:
    # As any text that has no digit.
    with pytest.raises(pj.InputError, match=r"Got text in 'open' .* and numbers in 'open'"):
        pj.match(frame(WRITTEN["words"]), frame(range(10)), on=BOTH)


@pytest.mark.parametrize(
    ("learned", "asked"), [("booleans", "words"), ("words", "booleans"), ("words", "numbers")]
)
def test_a_matcher_reads_a_row_as_it_reads_many(learned: str, asked: str, tmp_path: Path) -> None:
    fitted = pj.Matcher(on=BOTH).fit(frame(WRITTEN[learned]))
    fitted.save(tmp_path / "saved")
    for matcher in (fitted, pj.Matcher.load(tmp_path / "saved")):
        many = matcher.match(frame(WRITTEN[asked])).matches()
        one = matcher.match({"name": PLACES[3], "open": WRITTEN[asked][3]}).matches()
        assert one.right.tolist() == [3]
        assert one.score.tolist() == many.score[3:4].tolist()
    calibrated = fitted.calibrate(frame(WRITTEN[asked]))
    scores = calibrated.match(frame(WRITTEN[asked])).matches().score.tolist()
    calibrated.save(tmp_path / "calibrated")
    calibrated = pj.Matcher.load(tmp_path / "calibrated")
    assert calibrated.match(frame(WRITTEN[asked])).matches().score.tolist() == scores


def test_of_a_single_column_or_with_weights_too() -> None:
    for left, right in (("letters", "booleans"), ("booleans", "words"), ("words", "numbers")):
        tables = frame(WRITTEN[left]), frame(WRITTEN[right])
        weighted = pj.match(*tables, on=BOTH, weights=[1, 1], threshold=0.0)
        assert weighted.matches().score.tolist() == pytest.approx([1.0] * 10)
        alone = pj.match(*tables, on="open", threshold=0.0).matches()
        assert [TRUTH[at] for at in alone.right] == TRUTH
