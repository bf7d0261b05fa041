"""Sizes and versions of texts are read alike, however they are written."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pearljoin as pj
from pearljoin._text.amounts import with_points
from pearljoin._text.normalise import as_encoded, normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Screw 3.5 x 25", "screw 3.5x25"),
        ("Screw 3,5X25", "screw 3.5x25"),
        ("Screw 4.0 × 40", "screw 4x40"),
        ("Screw 4.50 * 40", "screw 4.5x40"),
        ("Винт 5 х 10", "винт 5x10"),
        ("Bolt M6 x 20 A2", "bolt m6x20 a2"),
        ("PZ2 x 100mm", "pz2x100 mm"),
        ("Board 1,200 x 600 x 18 mm", "board 1200x600x18 mm"),
        ("Rug 80cm x 200 cm", "rug 80x200 cm"),
        ('Frame 8" x 10"', "frame 8x10"),
        ("Cable 3 x 1,5 mm²", "cable 3x1.5 mm2"),
        ("Water 6 x 0,5 l", "water 6x500 ml"),
        ("1920 X 1080", "1920x1080"),
        # What is joined as it is: codes, cars, numbers of another base.
        ("AX100X20", "ax100x20"),
        ("Fiat Panda 4x4", "fiat panda 4x4"),
        ("0x1F and 0x05", "0x1f and 0x05"),
        # No sizes, and sizes that no rule levels.
        ("Lens 2x", "lens 2x"),
        ("Windows 10 x64", "windows 10 x64"),
        ("Beam 20 mm x 3 m", "beam 20 mm x 3 m"),
        ("1.000 x 2.000", "1.000x2.000"),
        ("1,2,3x4", "1 2 3x4"),
        ("1.2.3 x 4", "1.2.3 x 4"),
        ("1234567 x 3", "1234567 x 3"),
    ],
)
def test_sizes_are_written_in_one_way(text: str, expected: str) -> None:
    assert normalise(text) == normalise(expected) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PHP License v3.01", "php license 3.01"),
        ("Editor, version 3.01", "editor 3.01"),
        ("Editor ver. 3.01", "editor 3.01"),
        ("Editor v v2.0", "editor 2.0"),
        ("Version 3.14", "version 3.14"),
        ("V8 engine", "v8 engine"),
        ("GPLv2.1", "gplv2.1"),
        ("Roe v. Wade", "roe v wade"),
    ],
)
def test_versions_are_written_without_their_letter(text: str, expected: str) -> None:
    assert normalise(text) == normalise(expected) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Migraine w/ aura", "migraine with aura"),
        ("Salad (w/cheese, w/o ham)", "salad with cheese without ham"),
        ("w/e 5 May", "w e 5 may"),
        ("W/O 4711", "w o 4711"),
    ],
)
def test_with_and_without_are_written_out(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text('0123456789.,xX×* mc"v/', max_size=30))
def test_normalising_sizes_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize("text", ["1x" * 20_000, "1 x " * 20_000, "1,1 x" * 20_000, "9" * 80_000])
def test_long_rows_of_factors_take_linear_time(text: str) -> None:
    assert len(normalise(text)) <= len(text)


def test_encoders_see_sizes_in_one_way() -> None:
    assert as_encoded("Bolt M6 X 20 Caf&eacute;") == "Bolt M6x20 Café"
    assert as_encoded("Bolt M6") == "Bolt M6"


def test_a_join_reads_sizes_with_and_without_blanks() -> None:
    sizes = ["3.5 x 25", "3.5 x 35", "4.0 x 40", "4.5 x 50", "5.0 x 80"]
    left = pd.DataFrame({"item": [f"{size.replace(' ', '')} drywall screw" for size in sizes]})
    left["item"] = left["item"].str.replace(".0x", "x", regex=False)
    right = pd.DataFrame({"item": [f"Drywall screw {size}" for size in sizes]})
    found = pj.match(left, right, on="item").matches()
    assert found.right.tolist() == found.left.tolist() == [*range(5)]
    assert (found.score > 0.9).all()


@pytest.mark.parametrize("text", ["2 x 1/2.5 m", "10 x 1/2,5"])
def test_a_stroke_before_a_decimal_is_no_fraction(text: str) -> None:
    assert with_points(text) == text
