"""A text column of several in which numbers tell two values apart."""

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._records.similarity import TextValues

NAMES = ["Lindgard oat flakes", "Okavan peanut butter", "Brenning olive oil", "Tunder green tea"]
SIZES = ["250 g", "500 g", "750 g", "1 kg", "red, 4 pieces", "red, 6 pieces"]
GOODS = pd.DataFrame(
    [(name, size) for name in NAMES for size in SIZES], columns=["name", "variant"]
)


def test_a_value_with_another_number_is_at_the_bottom_of_the_scale() -> None:
    asked = pd.DataFrame({"name": NAMES[:1] * 3, "variant": ["500g", "red, 6 pcs", "blue"]})
    comparison = pj.match(asked, GOODS, on=["name", "variant"]).comparison
    assert isinstance(comparison.reference.values[1], TextValues)
    pairs = comparison.compare(np.zeros(3, dtype=np.int64), np.array([0, 1, 3]))
    assert pairs.columns[1].position[0] == pairs.columns[1].position[2] == 0
    assert pairs.columns[1].position[1] > 4
    assert (pairs.columns[0].position > 7).all()


@pytest.mark.parametrize("encoder", ["pearl-mini", "pearl-nano"])
def test_another_size_of_the_same_good_is_no_match(encoder: str) -> None:
    asked = GOODS.iloc[::2].assign(
        name=[name.replace("a", "aa", 1) for name in GOODS["name"].iloc[::2]],
        variant=[size.replace(" g", "g") for size in GOODS["variant"].iloc[::2]],
    )
    rest = GOODS.drop(index=[0, 8, 16])
    matches = pj.match(asked, rest, on=["name", "variant"], encoder=encoder).matches()
    found = dict(zip(matches.left.tolist(), rest.index[matches.right].tolist(), strict=True))
    assert found == {at: 2 * at for at in range(len(asked)) if 2 * at not in (0, 8, 16)}
