"""Which candidates are chosen as null pairs, worked out by hand."""

import numpy as np
import pytest
from pearljoin._scoring.null_pairs import choose_null_pairs, sample_by_log_odds

from pearljoin._features.rival_groups import Groups
from pearljoin._features.text_profiles import Texts, text_profiles
from pearljoin._features.unmatched_tokens import PairTexts
from pearljoin._scoring import null_pairs


def logits(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def test_what_is_left_to_sure_rows_without_their_matches() -> None:
    # Row 0 has a match, row 1 none, row 2 nothing else, row 3 two of the same logit.
    rows = Groups(np.array([0, 0, 0, 1, 1, 2, 3, 3]))
    marked = choose_null_pairs(logits(-1, 2, 0.5, -0.1, -2, 3, 1, 1), rows, None)
    assert marked.tolist() == [True, False, True, False, False, False, False, False]


@pytest.mark.parametrize(
    ("match", "other", "again"),
    [
        ("new york", "newyork", True),
        ("bank of england", "england bank", True),
        ("acme holdings inc", "acme holdings", True),
        ("university of california berkeley", "university of califronia berkeley", True),
        ("world championship 1994", "world championship 1998", False),
        ("world championship 1994", "world championship", False),
        ("poles in germany", "poles in france", False),
        ("season 2", "season ii", False),
        ("the long name of a compound 1 1 2", "the long name of a compound 1 2 2", False),
        ("wvtv", "wvtw", False),
        ("", "new york", False),
    ],
)
def test_the_matchs_name_over_again_is_no_rival(match: str, other: str, again: bool) -> None:
    left, right = ["anything"], [match, other]
    sides = (Texts(texts, texts, [""] * len(texts)) for texts in (left, right))
    pairs = PairTexts(*text_profiles(*sides), np.array([0, 0]), np.array([0, 1]))
    marked = choose_null_pairs(logits(3, 1), Groups(np.array([0, 0])), pairs)
    assert marked.tolist() == [False, not again]


def test_no_pairs() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert choose_null_pairs(logits(), Groups(nothing), None).shape == (0,)


def test_some_rows_stand_for_many_whatever_their_order_and_the_last_digits(monkeypatch) -> None:
    monkeypatch.setattr(null_pairs, "MOST_ROWS", 3)
    values = logits(5, 1, 4, 2, 3)
    assert sorted(values[sample_by_log_odds(np.arange(5), values)].tolist()) == [1, 3, 5]
    assert sample_by_log_odds(np.array([4, 0]), values).tolist() == [4, 0]
    left, right = [f"name {n}" for n in range(8)], ["one thing", "another"]
    found = []
    for order in (np.arange(8), np.arange(8)[::-1]):
        sides = (Texts(texts, texts, [""] * len(texts)) for texts in (left, right))
        rows = np.repeat(order, 2)
        pairs = PairTexts(*text_profiles(*sides), rows, np.tile([0, 1], 8))
        noise = np.random.default_rng(len(found)).random(16).astype(np.float32) * 1e-3
        marked = choose_null_pairs(np.tile(logits(3, 1), 8) + noise, Groups(rows), pairs)
        assert marked[::2].tolist() == [False] * 8
        found.append(sorted(rows[marked].tolist()))
    assert found[0] == found[1]
    assert len(found[0]) == 3
