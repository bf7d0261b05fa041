"""Which names train the encoder."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin_train.data.splits import ENCODER_SHARE, fold, part_of


@given(st.text())
@settings(deadline=None)
def test_case_and_spaces_do_not_matter(text) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert fold(f"  {text}\t") == folded
    assert part_of(text) == part_of(folded) == part_of(f" {text} ")


def test_folding() -> None:
    assert fold(" The  NEW\nYork ") == "the new york"
    assert fold("Straße") == "strasse"


def test_three_quarters_are_the_encoders_for_ever() -> None:
    parts = [part_of(f"name {number}") for number in range(4000)]
    assert set(parts) == {"encoder", "scorer"}
    assert abs(parts.count("encoder") / 4000 - ENCODER_SHARE) < 0.03
    # Should this change, a scorer would be trained on names its encoder has seen.
    assert [part_of(name) for name in ("Bern", "Paris", "Lima")] == ["encoder"] * 3
    assert [part_of(name) for name in ("Rome", "Oslo", "Kyiv")] == ["scorer"] * 3
