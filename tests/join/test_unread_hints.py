"""What `UnreadColumnWarning` advises, by the values that cannot be read."""

import pandas as pd
import pytest
from frames import pairs_of

import pearljoin as pj


def test_of_codes_that_cannot_be_read_the_hint_says_so() -> None:
    right = pd.DataFrame({"n": [f"Comune {at}" for at in range(20)]})
    parcels = [(7 * at % 40 + 1, 13 * at % 420 + 1) for at in range(20)]
    right["ref"] = [f"{sheet:04d}-{parcel:05d}" for sheet, parcel in parcels]
    left = right.assign(ref=[f"Fg. {sheet} Part. {parcel}" for sheet, parcel in parcels])
    message = r"compare both as codes: kinds={'ref': 'code'}\.$"
    # Named, since none of this depends on what they are recognised as.
    with pytest.raises(pj.InputError, match=message):
        pj.match(left, right, on=["n", "ref"], kinds={"ref": "phone"})
    left.loc[0, "ref"] = right.loc[0, "ref"]
    with pytest.warns(pj.UnreadColumnWarning, match=message):
        pj.match(left, right, on=["n", "ref"], kinds={"ref": "phone"})
    result = pj.match(left, right, on=["n", "ref"], kinds={"ref": "code"})
    assert result.keys.kinds == ("text", "code")


def test_of_infinite_numbers_the_hint_says_that_they_count_as_null() -> None:
    right = pd.DataFrame({"n": ["Ann Lee", "Bo Day", "Cy Fox"], "v": [1.5, 2.0, 3.0]})
    left = right.assign(v=[float("inf"), float("-inf"), 3.0])
    message = r"^2 of 3 values of 'v' .* Got 'inf'\. Hint: an infinite number .* or None"
    with pytest.warns(pj.UnreadColumnWarning, match=message) as caught:
        found = pj.match(left, right, on=["n", "v"]).matches()
    assert "kinds=" not in str(caught[0].message)
    # As the hint says, nulls do the same without a warning.
    nulls = pj.match(left.assign(v=[None, None, 3.0]), right, on=["n", "v"]).matches()
    assert pairs_of(found) == pairs_of(nulls)
    assert found.score.tolist() == nulls.score.tolist()
