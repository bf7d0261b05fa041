"""Lengths in millimetres meet those in centimetres; sizes without a unit stay as they are."""

from pathlib import Path
from time import perf_counter

import pandas as pd
import pytest
from frames import pairs_of

import pearljoin as pj
from pearljoin._tables.lengths import in_unit, unit_of_lengths
from pearljoin._tables.read_table import PlainColumn

LEFT = [
    "Adson forceps toothed 12cm", "Mayo scissors straight 14.5 cm", "Mayo scissors straight 17cm",
    "Mayo scissors curved 17 cm", "Iris scissors curved 11cm", "Crile Wood needle holder 15cm",
    "Mayo Hegar needle holder 18 cm", "Babcock 16cm", "Babcock 20cm",
]  # fmt: skip
RIGHT = [
    "Forceps, Adson, toothed, 120 mm", "Scissors, Mayo, straight, 145 mm",
    "Scissors, Mayo, straight, 170 mm", "Scissors, Mayo, curved, 170 mm",
    "Scissors, Iris, curved, 110 mm", "Needle holder, Crile-Wood, 150 mm",
    "Needle holder, Mayo-Hegar, 180 mm", "Forceps, Babcock, 160 mm", "Forceps, Babcock, 200 mm",
]  # fmt: skip
SAME = [(row, row) for row in range(len(LEFT))]


def test_units_of_the_reference_are_read() -> None:
    result = pj.match(LEFT, RIGHT)
    assert pairs_of(result.matches()) == SAME
    assert result.keys.kinds == ("text, lengths in mm",)
    assert pairs_of(pj.match(RIGHT, LEFT).matches()) == SAME
    joined = pj.fuzzy_join(pd.DataFrame({"tool": LEFT}), pd.DataFrame({"tool": RIGHT}), on="tool")
    assert joined["tool"].tolist() == LEFT


def test_a_row_is_read_by_itself_also_when_the_matcher_is_saved(tmp_path: Path) -> None:
    matcher = pj.Matcher().fit(RIGHT)
    matcher.save(tmp_path / "m")
    loaded = pj.Matcher.load(tmp_path / "m")
    for row, text in enumerate(LEFT):
        assert pairs_of(matcher.match([text]).matches()) == [(0, row)]
        assert pairs_of(loaded.match([text]).matches()) == [(0, row)]
    for one in (matcher, loaded):
        one.add(["Needle holder, Castroviejo, 14 cm"])
        found = one.match(["Castroviejo needle holder 140mm"]).matches()
        assert pairs_of(found) == [(0, len(RIGHT))]


def test_duplicates_in_two_units_meet() -> None:
    table = [*RIGHT, "Babcock forceps 20cm"]
    clusters = list(pj.find_duplicates(table).clusters())
    assert clusters[-1] == clusters[8]
    assert len(set(clusters)) == len(RIGHT)


@pytest.mark.parametrize(
    ("texts", "unit"),
    [
        (["Rod 5 mm", "Rod 10MM", "Rod 20mm"], "mm"),
        (["Rug 80 x 200 cm", "Rug 90x200cm", "Rug, round"], "cm"),
        (["Rug 80 x 200", "Rug 90x200", "Rug, round", "Rug 50 cm"], None),
        (["Scissors 14", "Scissors 16", "Screw 3 mm", "Screw 4 mm"], None),
        (["Rod 5 mm", "Rod 10 cm"], None),
        (["Album 45mmx", "10mmol", "5cms"], None),
        ([], None),
    ],
)
def test_unit_of_a_reference(texts: list[str], unit: str | None) -> None:
    assert unit_of_lengths(PlainColumn("name", texts)) == unit


@pytest.mark.parametrize(
    ("text", "unit", "read"),
    [
        ("Scissors 14,5cm", "mm", "Scissors 145 mm"),
        ("Tray 30x20 CM", "mm", "Tray 300x200 mm"),
        ("Tape 5\u00a0cm", "mm", "Tape 50 mm"),
        ("Kocher 13021 - 14 cm", "mm", "Kocher 13021 - 14 cm"),
        ("Kocher 13021, 14 cm", "mm", "Kocher 13021, 140 mm"),
        ("Pins 10-15 cm", "mm", "Pins 10-15 cm"),
        ("Pins 10 – 15 cm", "mm", "Pins 10 – 15 cm"),
        ("Pins 10 cm-15 cm", "mm", "Pins 10 cm-15 cm"),
        ("Pins 1/2 cm", "mm", "Pins 1/2 cm"),
        ("Pins 1 500 mm", "cm", "Pins 1 500 mm"),
        ("Board 19mm, 60 x 120 cm", "mm", "Board 19mm, 60 x 120 cm"),
        ("Hose 25 m, 3m tape", "cm", "Hose 25 m, 3m tape"),
        ("Screw 155 mm", "cm", "Screw 15.5 cm"),
        ("Screw 5 mm", "cm", "Screw 0.5 cm"),
        ("Screw 5 mm", "mm", "Screw 5 mm"),
        ("Sheet 1.500 cm", "mm", "Sheet 1.500 cm"),
        ("Sand 5 cm³, 3 cm2, 20 cm/s", "mm", "Sand 5 cm³, 3 cm2, 20 cm/s"),
        ("T-Shirt 2 M", "cm", "T-Shirt 2 M"),
        ("M8x40mm A3cm", "cm", "M8x40mm A3cm"),
    ],
)
def test_reading_in_a_unit(text: str, unit: str, read: str) -> None:
    column = PlainColumn("name", [text])
    found = in_unit(column, unit)
    assert found.to_list() == [read]
    assert (found is column) == (read == text)
    assert in_unit(found, unit) is found


@pytest.mark.parametrize("text", ["1×" * 10_000, "1 x " * 5_000, "1 " * 10_000, "1cm " * 5_000])
def test_long_rows_of_numbers_take_little_time(text: str) -> None:
    started = perf_counter()
    unit_of_lengths(PlainColumn("name", [f"{text} mm"]))
    in_unit(PlainColumn("name", [text]), "mm")
    assert perf_counter() - started < 1
