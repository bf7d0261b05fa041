"""Candidate pairs that are packed until they are decided: what comes out is what went in."""

from dataclasses import fields

import numpy as np
import pytest

from pearljoin._scoring.packed_candidates import PackedCandidates, join_parts
from pearljoin._scoring.ranking import Candidates


def part_of(first: int, sizes: list[int], *, largest: int, doubles: bool, same: bool) -> Candidates:
    """Pairs of left records from `first` on, of so many candidates each."""
    rng = np.random.default_rng(first)
    left = np.repeat(np.arange(first, first + len(sizes)), sizes)
    right = rng.integers(0, largest, len(left))
    scores = rng.random((2, len(left))).astype(np.float32)
    equality = rng.integers(0, 3, len(left)).astype(np.int8)
    things = np.where(rng.random(len(left)) < 0.3, right // 2, right) if doubles else None
    return Candidates(left, right, scores[0], equality, scores[1] if same else None, things)


def check_same(one: Candidates, other: Candidates) -> None:
    for field in fields(Candidates):
        ours, theirs = getattr(one, field.name), getattr(other, field.name)
        assert (ours is None) == (theirs is None)
        if ours is not None:
            assert ours.dtype == theirs.dtype
            assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("doubles", [True, False])
@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("largest", [100, 70_000, 2**40])
def test_parts_are_unpacked_and_joined_as_they_were(doubles, same, largest) -> None:
    options = {"largest": largest, "doubles": doubles, "same": same}
    parts = [
        part_of(0, [3, 0, 200], **options),
        part_of(3, [], **options),
        part_of(5, [1, 2, 0], **options),
    ]
    packed = PackedCandidates(parts)
    for part, found in zip(parts, packed, strict=True):
        check_same(found, part)
    whole = packed.joined()
    check_same(join_parts(iter(parts)), whole)
    assert whole.left.tolist() == [left for part in parts for left in part.left.tolist()]
    assert whole.best.tolist() == [0, 3, 203, 204]
    check_same(whole.take(np.arange(203)), parts[0])


def test_a_part_by_itself_is_left_as_it_is() -> None:
    part = part_of(0, [2, 2], largest=9, doubles=True, same=False)
    assert join_parts([part]) is part
