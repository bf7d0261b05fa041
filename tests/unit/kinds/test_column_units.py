"""Units of a column: in the name, in all cells of one side, and words that are no known unit."""

import json
from pathlib import Path

import pandas as pd
import pytest
from kind_pairs import level

import pearljoin as pj
from pearljoin._kinds.column_names import named_unit
from pearljoin._kinds.comparers import fit_comparer, settings_of, side_comparer, with_settings
from pearljoin._kinds.quantity_words import learn_number_words
from pearljoin._kinds.recognise import recognise
from pearljoin._kinds.units import UNITS, NamedUnit

HEIGHTS = ["18.6", "21", "35.4", "7.9", "12.2"]
SHARES = ["0.854", "0.12", "0.333", "0.071", "0.5"]
PERCENTS = ["85.4%", "12 %", "33.3%", "7.1%", "50%"]


def levels_of(right: list, left: list, names: tuple[str, str] = ("x", "x")) -> set[str]:
    """The levels of each left value beside the right one at its place, also after a save."""
    fitted = fit_comparer("number", right, unit=named_unit(names[1]))
    side = side_comparer(fitted, left, unit=named_unit(names[0]))
    loaded = with_settings(fitted, json.loads(json.dumps(settings_of(side))))
    found = [level(side, one, other, fitted) for one, other in zip(left, right, strict=True)]
    again = [level(loaded, one, other, fitted) for one, other in zip(left, right, strict=True)]
    assert found == again
    return set(found)


@pytest.mark.parametrize(
    ("right", "left", "names"),
    [
        (HEIGHTS, ["186 mm", "21 cm", "354 mm", "0.079 m", "12.2 cm"], ("height", "height_cm")),
        (["186", "21"], ["1.86 m", "21 cm"], ("height", "height_cm")),
        (["1000", "500", "250"], ["1 km", "500 m", "250 m"], ("distance", "Distance (m)")),
        (["0.3048", "3.048", "6.096"], ["1", "10", "20"], ("elev_ft", "elevation_m")),
        (["0.3048 m", "3.048 m", "6.096 m"], ["1", "10", "20"], ("elev_ft", "elevation")),
        # One habit of a whole column, in neither name.
        (["23200000", "1500000", "800000"], ["£23.2m", "£1.5m", "£800k"], ("x", "x")),
        (SHARES, PERCENTS, ("x", "x")),
        (PERCENTS, SHARES, ("x", "x")),
        (["85.4", "12", "33.3", "7.1", "50"], PERCENTS, ("x", "x")),
        (["€5", "€12.50", "€7"], ["5", "12.50", "7"], ("x", "x")),
        (["43", "12", "71"], ["43 yrs", "12 yrs", "71 yrs"], ("age", "age")),
        (["43", "12", "71", "9"], ["aged 43 yrs", "aged 12 yrs", "aged 71 yrs", "9"], ("x", "x")),
        (["144", "24", "60"], ["12 dz", "2 dozen", "60"], ("qty", "qty")),
        # Words that are no known unit.
        (["82.8", "40", "13.5"], ["82.8 U/L", "40 U/L", "13.5 U/L"], ("x", "x")),
        (["82.8 U/L", "40 U/L", "13.5 U/L"], ["82.8", "40", "13.5"], ("x", "x")),
        (["82.8 U/L", "40 U/L", "13.5 U/L"], ["82.8 u/l", "40.0 u/l", "13.5 u/l"], ("x", "x")),
        (["55.4", "48", "51.9"], ["TGW 55.4", "TGW: 48", "tgw 51.9"], ("x", "x")),
    ],
)
def test_one_number_in_two_ways_of_writing_a_unit(right: list, left: list, names: tuple) -> None:
    assert levels_of(right, left, names) == {"equal"}


@pytest.mark.parametrize(
    ("right", "left", "names"),
    [
        # Two currencies, and two unknown units, in one column: which one is meant is not known.
        (["5", "12", "7", "9"], ["5 €", "$12", "7 €", "$9"], ("x", "x")),
        (
            ["5", "12", "7", "9", "3", "4"],
            ["5 foo/l", "12 bar/l", "7 foo/l", "9 bar/l", "3 foo/l", "4 bar/l"],
            ("x", "x"),
        ),
        # Too few to be a habit.
        (["5", "12"], ["5 kg", "12 kg"], ("x", "x")),
        # A name may end in what is no unit there.
        (["5 kg", "12 kg", "7 kg"], ["5", "12", "7"], ("price_min", "weight")),
    ],
)
def test_numbers_that_only_agree_as_written(right: list, left: list, names: tuple) -> None:
    assert levels_of(right, left, names) == {"equal without unit"}


def test_two_unknown_units_are_two() -> None:
    right = ["82.8 U/L", "40 U/L", "13.5 U/L"]
    assert levels_of(right, ["82.8 mmol/L", "40 mmol/L", "13.5 mmol/L"]) == {"different"}


def test_a_name_whose_unit_the_numbers_contradict_does_not_count() -> None:
    right = [str(100 * number) for number in range(3, 40)]
    assert levels_of(right, right, ("length_ft", "length_m")) == {"equal"}


@pytest.mark.parametrize(
    ("right", "left", "names"),
    [
        # Thousands and millions, grams or tonnes of which nothing says that they are some.
        (["1200", "800", "250"], ["1200", "800", "250"], ("revenue_m", "revenue_mm")),
        (["1200", "800", "250"], ["1200", "800", "250"], ("group_m", "group_s")),
        (["1200", "800", "250"], ["1200", "800", "250"], ("x_g", "x_t")),
        (["1200", "800", "250"], ["1200", "800", "250"], ("x_t", "x_g")),
        (["5", "12", "7"], ["$5", "$12", "$7"], ("x_m", "x_mm")),
        (["5", "12", "7"], ["$5", "$12", "$7"], ("x_km", "x_mm")),
    ],
)
def test_what_may_be_no_unit_is_none(right: list, left: list, names: tuple) -> None:
    assert levels_of(right, left, names) == {"equal"}


@pytest.mark.parametrize(
    ("right", "left", "names"),
    [
        (["1.2", "0.8", "0.25"], ["1200", "800", "250"], ("length_mm", "length_m")),
        (["1200", "800", "250"], ["1.2", "0.8", "0.25"], ("length_m", "length_mm")),
        (["1.2", "0.8", "0.25"], ["1200 g", "800 g", "250 g"], ("weight", "weight_kg")),
        (["1.2 kg", "0.8 kg", "0.25 kg"], ["1200", "800", "250"], ("weight_g", "weight")),
        (["1.2", "0.8", "0.25"], ["120 cm", "0.8 m", "0.25 m"], ("length", "length_m")),
    ],
)
def test_a_letter_is_a_unit_beside_a_clear_one(right: list, left: list, names: tuple) -> None:
    assert levels_of(right, left, names) == {"equal"}


def test_a_name_of_numbers_lets_a_longer_word_be_a_unit() -> None:
    values = ["7.5 fathoms", "8.5 fathoms", "9.9 fathoms"]
    assert recognise(values, "width") == "number"
    assert recognise(values, "x") == "name"


def test_words_count_where_they_are_usual() -> None:
    assert learn_number_words(["5", "7", "12", "see note 3", "p. 4"]) == []
    assert learn_number_words(["Rocky 2", "Alien 3", "Jaws 4", "Saw 5"]) == []
    assert learn_number_words(["5-10 U/L", "B-52 mm", "A4 pages"] * 3) == []
    fitted = fit_comparer("number", ["5", "7", "12", "3"])
    side = side_comparer(fitted, ["5", "7", "12", "see note 3"])
    assert level(side, "see note 3", "3", fitted) == "missing"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["82.8 U/L", "40 U/L", "13.5 U/L"], "number"),
        (["82.8 U/L", "40 U/L", "13.5 U/L", "7"], "number"),
        (["Lot 12", "Lot 13", "Lot 5"], "name"),
        (["Version 1.2", "Version 1.3", "Version 2.0"], "name"),
        (["2.0 TDI", "1.6 HDi", "1.4 TSI", "2.0 dCi"], "name"),
        (["12 Main", "14 Main", "3 Main"], "name"),
        (["7.5 Honda", "8.5 Honda", "9.9 Honda", "15 Honda", "20 Honda"], "name"),
        (["3.5 units/day", "4.5 units/day", "5 units/day"], "number"),
        (["3.5 mmHg", "4.5 mmHg", "5 mmHg"], "number"),
    ],
)
def test_columns_of_measures(values: list, kind: str) -> None:
    assert recognise(values, "x") == kind


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("height_cm", "cm"),
        ("Weight (kg)", "kg"),
        ("heightMM", "mm"),
        ("cm", None),
        ("price_per_kg", None),
        ("height", None),
        ("price_eur", "eur"),
    ],
)
def test_units_of_names(name: str, unit: str | None) -> None:
    found = named_unit(name)
    assert found == (None if unit is None else named_unit(f"x_{unit}"))


@pytest.mark.parametrize(
    ("name", "is_clear"),
    [
        ("revenue_mm", False),
        ("Sales (mm)", False),
        ("price_eur_t", False),
        ("length_m", False),
        ("price_min", False),
        ("length_mm", True),
        ("length_metres", True),
        ("price_eur", True),
    ],
)
def test_which_units_of_names_are_clear(name: str, is_clear: bool) -> None:
    found = named_unit(name)
    assert found is not None
    assert found.is_clear == is_clear


def test_a_join_by_the_unit_in_a_name(tmp_path: Path) -> None:
    sizes = [float(size) for size in HEIGHTS]
    right = pd.DataFrame({"object": ["Jug"] * 5, "height_cm": sizes})
    left = pd.DataFrame(
        {"object": ["Jug"] * 5, "height": [f"{round(10 * size)} mm" for size in sizes]}
    )
    matcher = pj.Matcher(left_on=["object", "height"], right_on=["object", "height_cm"])
    matcher.fit(right).calibrate(left).save(tmp_path / "objects")
    for one in (matcher, pj.Matcher.load(tmp_path / "objects")):
        assert one.match(left).matches().right.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("names", [("mw", "capacity_kw"), ("capacity_mw", "kw")])
def test_powers_in_names(names: tuple[str, str]) -> None:
    """Of power stations: a name in small letters is of megawatts, and may be the unit alone."""
    left = [1.5, 2.0, 34.5, 3.05]
    assert levels_of([1000 * number for number in left], left, names) == {"equal"}


def test_a_name_that_is_a_unit_alone_is_not_clear() -> None:
    assert named_unit("kw") == NamedUnit(UNITS["kw"], is_clear=False)
    assert named_unit("week") is None


@pytest.mark.parametrize(
    ("one", "other"), [("34.5 MW", "34500 kW"), ("5 mW", "0.005 W"), ("2 MWh", "2000 kWh")]
)
def test_megawatts_are_no_milliwatts(one: str, other: str) -> None:
    assert levels_of([one], [other]) == {"equal"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("5 MWH", "5,000 kWh"), ("5 mwh", "5 MWh"), ("2 TWh", "2000 GWH"), ("5 mWh", "0.005 Wh")),
        *(("1.2 megawatt hours", "1200 KWH"), ("1000 BTU", "293.0710702 Wh")),
        *(("20 °C", "20 deg. C"), ("68°F", "68 degrees Fahrenheit")),
        *(("320 Nm", "320 N·m"), ("236 ft-lbs", "236 lb. ft.")),
        *(("2.4 bar", "240 kPa"), ("1 atm", "760 mmHg")),
        *(("3000 rpm", "3000 r/min"), ("3,000 RPM", "3000 U/min")),
    ],
)
def test_units_of_machines_and_energy(one: str, other: str) -> None:
    assert levels_of([one], [other]) == {"equal"}


@pytest.mark.parametrize(("one", "other"), [("320 Nm", "236 lb-ft"), ("35 psi", "2.41 bar")])
def test_rounded_conversions_are_near(one: str, other: str) -> None:
    assert levels_of([one], [other]) == {"within 1 %"}


@pytest.mark.parametrize(("one", "other"), [("5 MWh", "5 mWh"), ("320 Nm", "320 nm")])
def test_letters_that_are_small_or_not_make_two_units(one: str, other: str) -> None:
    assert "equal" not in levels_of([one], [other])
