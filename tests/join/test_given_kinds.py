"""kinds=, geo= and phone_region=: what the user says of key columns, and columns read together."""

import logging
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker, pairs_of

import pearljoin as pj
from pearljoin._kinds.checks import check_kinds

SHOPS = pd.DataFrame(
    {
        "shop": ["Cafe Rosa", "Bar Luna", "Zum Anker", "Cafe Rosa"],
        "zip": ["80331", "10115", "20095", "60311"],
        "lat": [48.1, 52.5, 53.5, 50.1],
        "lon": [11.5, 13.4, 10.0, 8.7],
    }
)
SEEN = pd.DataFrame(
    {
        "shop": ["Café Rosa", "Lunabar", "Anker"],
        "zip": ["60311", "10115", "20095"],
        "lat": [50.1001, 52.5001, 53.5],
        "lon": [8.7001, 13.4, 10.0],
    }
)
KEYS = {"on": ["shop", "zip"], "threshold": 0.0}


# Wrong input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kinds": {"zap": "code"}}, r"kinds= names a column that is no key. Got 'zap'. Hint"),
        ({"kinds": {"lat": "number"}}, r"kinds= names a column that is no key. Got 'lat'"),
        ({"kinds": {"zip": "zipcode"}}, r"gives 'zip' a kind that there is not. Got 'zipcode'"),
        ({"kinds": "code"}, r"kinds= must map key columns to kinds. Got a str. Hint: kinds={"),
        ({"kinds": {"shop": "date"}}, r"No value of the column 'shop' can be read as the kind 'da"),
        ({"kinds": {"zip": "coordinate"}}, r"Coordinates are two columns.*geo=\('lat', 'lon'\)"),
        ({"geo": "lat"}, r"geo= takes two columns, latitude and longitude. Got 'lat'"),
        ({"geo": ("lat",)}, r"geo= takes two columns, latitude and longitude. Got \('lat',\)"),
        ({"geo": ("lat", "lng")}, r"'lng'"),
        ({"geo": ("shop", "lat")}, r"'shop \+ lat' can be read as the kind 'coordinate'"),
        ({"phone_region": "Atlantis"}, r"Atlantis"),
        ({"kinds": {"zip": "code"}, "weights": [2, 1]}, r"With weights= columns are compared by"),
    ],
)
def test_wrong_kinds_are_told(options: dict, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        pj.match(SEEN, SHOPS, **KEYS, **options)
    reference = {**KEYS, **options}
    with pytest.raises(pj.InputError, match=message):
        pj.Matcher(**reference).fit(SHOPS)


def test_an_error_lists_the_kinds_that_the_documentation_does() -> None:
    page = (Path(__file__).parents[2] / "docs" / "types.md").read_text("utf-8")
    entry = page.split("(type-kind)=")[1].split("(type-", 1)[0]
    documented = re.findall(r'`"(\w+)"`', entry)
    for kind, hint in (("xyzzy", "one of "), ("codes", "did you mean 'code'? The kinds are ")):
        message = re.escape(f"Got {kind!r}. Hint: {hint}{', '.join(documented)}.")
        with pytest.raises(pj.InputError, match=message + "$"):
            pj.match(SEEN, SHOPS, **KEYS, kinds={"zip": kind})
    for kind in documented:
        check_kinds({"zip": kind}, ["zip"])


@pytest.mark.parametrize("kind", ["geo", "latitude", "coordinates"])
def test_coordinates_are_for_geo(kind: str) -> None:
    message = re.escape(f"Got {kind!r}. Hint: coordinates are two columns, geo=('lat', 'lon'). The")
    with pytest.raises(pj.InputError, match=message):
        pj.match(SEEN, SHOPS, **KEYS, kinds={"zip": kind})


def test_coordinates_outside_the_earth_are_told() -> None:
    for name, value in (("lat", 91.0), ("lon", -181.0)):
        wrong = SHOPS.assign(**{name: value})
        with pytest.raises(pj.InputError, match=r"Coordinates have a (latitude|longitude) outside"):
            pj.match(SEEN, wrong, **KEYS, geo=("lat", "lon"))
        with pytest.raises(pj.InputError, match=r"Coordinates have a (latitude|longitude) outside"):
            pj.match(wrong, SHOPS, **KEYS, geo=("lat", "lon"))


def test_recognised_coordinates_outside_the_earth_are_null(caplog) -> None:
    seen = SEEN.assign(lat=[50.1001, 252.5, 53.5])
    with caplog.at_level(logging.INFO, logger="pearljoin"):
        result = pj.match(seen, SHOPS, on=["shop", "lat", "lon"], threshold=0.0)
    assert "coordinate" in repr(result.keys)
    assert "1 of 3 values of 'lat + lon'" in caplog.text
    assert result.matches().right.tolist() == [3, 1, 2]


def test_coordinates_that_cannot_be_read_are_told_of_by_their_argument() -> None:
    words = {"lat": "north", "lon": "west"}
    seen, shops = SEEN.assign(**words), SHOPS.astype({"lat": str, "lon": str})
    message = r"'lat \+ lon' can be read as the kind 'coordinate'.*out of geo= to have"
    with pytest.raises(pj.InputError, match=message):
        pj.match(seen, SHOPS.assign(**words), **KEYS, geo=("lat", "lon"))
    message = r"Got .* in 'lat \+ lon' on the left.*Hint: geo= names two columns of degrees"
    with pytest.raises(pj.InputError, match=message):
        pj.match(seen, shops, **KEYS, geo=("lat", "lon"))


def test_sides_of_unequal_kinds_follow_the_rule_of_by() -> None:
    born = ["1985-04-03", "1990-02-01", "1970-06-05"]
    right = pd.DataFrame({"name": ["Ann Lee", "Bo Day", "Cy Fox"], "born": born})
    left = pd.DataFrame({"name": ["Ann Lee", "Bo Day"], "born": ["3rd of never", "soon 7"]})
    message = r"Got '3rd of never' in 'born' on the left.*the kind 'date'.*kinds={'born': 'name'}"
    with pytest.raises(pj.InputError, match=message):
        pj.match(left, right, on=["name", "born"], kinds={"born": "date"})
    # A kind that was recognised may be wrong: then such values are null.
    with pytest.warns(pj.UnreadColumnWarning, match=r"^2 of 2 values of 'born' on the left"):
        assert pj.match(left, right, on=["name", "born"]).keys.kinds == ("text", "date")
    # One of many is null, and a single row looked up may be odd.
    left.loc[1, "born"] = "1990-02-01"
    assert pairs_of(pj.match(left, right, on=["name", "born"], threshold=0.2).matches()) == [
        (0, 0),
        (1, 1),
    ]
    matcher = pj.Matcher(on=["name", "born"], kinds={"born": "date"}, threshold=0.2).fit(right)
    assert pairs_of(matcher.match(left.head(1)).matches()) == [(0, 0)]
    as_text = pj.match(left, right, on=["name", "born"], kinds={"born": "name"})
    assert as_text.keys.kinds == ("text", "text")


def born_table(*born: str | None) -> pd.DataFrame:
    return pd.DataFrame({"name": [f"Ann {at}" for at in range(len(born))], "born": born})


@pytest.mark.parametrize("kinds", [None, {"born": "date"}])
@pytest.mark.parametrize("function", [pj.match, pj.fuzzy_join])
def test_a_left_column_of_another_kind_is_warned_of(function, kinds) -> None:
    right = born_table("1985-04-03", "1990-02-01", "1970-06-05")
    left = born_table("1990-02-01", "never 1", "soon 7")
    message = (
        r"^2 of 3 values of 'born' on the left cannot be read as the kind 'date'.*"
        r"Got 'never 1'\. Hint: .*kinds={'born': 'name'}\.$"
    )
    with pytest.warns(pj.UnreadColumnWarning, match=message) as caught:
        function(left, right, on=["name", "born"], kinds=kinds, threshold=0.0)
    assert [(w.filename, w.category) for w in caught] == [(__file__, pj.UnreadColumnWarning)]
    # As the hint says, they compare as text.
    function(left, right, on=["name", "born"], kinds={"born": "name"}, threshold=0.0)


@pytest.mark.parametrize(
    "born",
    [
        ["1990-02-01", "soon 7", None, "soon 7", "1990-02-01"],
        ["1990-02-01", "1990-02-01", "1990-02-01", "never 1", "soon 7"],
        [None, None],
    ],
)
def test_half_of_a_left_column_or_nulls_are_not_warned_of(born: list[str | None]) -> None:
    right = born_table("1985-04-03", "1990-02-01", "1970-06-05")
    # Any warning of the library is an error in tests.
    assert len(pj.match(born_table(*born), right, on=["name", "born"], threshold=0.0).matches())


def test_a_row_that_is_looked_up_is_not_warned_of() -> None:
    matcher = pj.Matcher(on=["name", "born"]).fit(born_table("1985-04-03", "1990-02-01"))
    matcher.match(born_table("soon 7"))
    with pytest.warns(pj.UnreadColumnWarning, match="1 of 1 values of 'born'"):
        matcher.calibrate(born_table("soon 7"))


def test_what_cannot_be_read_is_null_and_counted_in_the_log(caplog) -> None:
    caplog.set_level(logging.INFO, "pearljoin")
    right = SHOPS.assign(since=["1985", "soon", "1990-02-01", "never"])
    left = SEEN.assign(since=["1985-01-01", None, "1990-02-01"])
    result = pj.match(left, right, on=["shop", "since"], kinds={"since": "date"}, threshold=0.0)
    notes = [r.getMessage() for r in caplog.records if "count as null" in r.getMessage()]
    assert notes == ["2 of 4 values of 'since' cannot be read as the kind 'date' and count as null"]
    effects = {reason.kind: reason.effect for reason in result.explain(1, 1).reasons}
    assert effects["since"] == pytest.approx(0, abs=1e-6)


# What they change -------------------------------------------------------------------------------


def test_keys_show_the_kinds() -> None:
    result = pj.match(SEEN, SHOPS, **KEYS)
    assert result.keys.kinds == ("text", "postcode")
    result = pj.match(SEEN, SHOPS, **KEYS, kinds={"zip": "code"}, geo=("lat", "lon"))
    assert result.keys.left == ("shop", "zip", "lat", "lon")
    assert result.keys.kinds == ("text", "code", "coordinate", "coordinate")
    assert "shop (text), zip (code), lat + lon (coordinate)" in repr(result)


def test_kinds_are_named_by_left_columns(make_frame: FrameMaker) -> None:
    left = make_frame({"shop": list(SEEN["shop"]), "plz": list(SEEN["zip"])})
    right = make_frame({"name": list(SHOPS["shop"]), "zip": list(SHOPS["zip"])})
    options = {"left_on": ["shop", "plz"], "right_on": ["name", "zip"], "kinds": {"plz": "code"}}
    assert pj.match(left, right, **options).keys.kinds == ("text", "code")
    matcher = pj.Matcher(**options).fit(right)
    assert matcher.match(left).keys.kinds == ("text", "code")
    with pytest.raises(pj.InputError, match=r"names a column that is no key. Got 'zip'"):
        pj.match(left, right, **options | {"kinds": {"zip": "code"}})


@pytest.mark.parametrize("options", [{"kinds": {"shop": "name"}}, {"kinds": {"shop": "text"}}])
def test_a_column_of_names_alone_takes_the_path_of_one_column(options: dict) -> None:
    plain = pj.match(SEEN, SHOPS, on="shop", threshold=0.0)
    given = pj.match(SEEN, SHOPS, on="shop", threshold=0.0, **options)
    assert given.comparison.scorer is not None
    for name in ("left", "right", "score"):
        one, other = getattr(plain.matches(), name), getattr(given.matches(), name)
        assert one.tolist() == other.tolist()
    listed = pj.match(SEEN, SHOPS, on=["shop"], threshold=0.0, **options)
    assert listed.matches().score.tolist() == plain.matches().score.tolist()


def test_a_column_of_another_kind_alone_is_compared_by_its_parts() -> None:
    right = pd.DataFrame({"phone": ["+44 20 7946 0018", "020 7946 0999", "0161 496 0000"]})
    left = pd.DataFrame({"phone": ["02079460018", "(0161) 4960000"]})
    options = {"on": "phone", "kinds": {"phone": "phone"}, "phone_region": "GB"}
    result = pj.match(left, right, **options, threshold=0.9)
    assert result.calibrated
    assert pairs_of(result.matches()) == [(0, 0), (1, 2)]
    assert result.matches().score.tolist() == [1.0, 1.0]
    # Without the country, the first one differs from what has a country code.
    abroad = pj.match(left, right, on="phone", kinds={"phone": "phone"}, threshold=0.0)
    assert abroad.matches().score[0] < 1


# Several columns as one key ---------------------------------------------------------------------


def test_points_on_the_earth_are_compared_by_distance() -> None:
    right = pd.DataFrame(
        {"shop": ["Cafe Rosa"] * 3, "y": [48.1, 48.2, 52.0], "x": [11.5, 11.5, 13]}
    )
    left = pd.DataFrame({"shop": ["Cafe Rosa"] * 2, "y": ["48.2003", None], "x": ["11.5001", "9"]})
    result = pj.match(left, right, on="shop", geo=("y", "x"), threshold=0.0)
    assert pairs_of(result.matches())[0] == (0, 1)
    assert result.keys.kinds == ("text", "coordinate", "coordinate")
    assert [reason.kind for reason in result.explain(0).reasons].count("y + x") == 1
    # A point of which one number is missing says nothing.
    for row in range(3):
        effects = {reason.kind: reason.effect for reason in result.explain(1, row).reasons}
        assert effects["y + x"] == pytest.approx(0, abs=1e-6)


def test_latitude_and_longitude_are_recognised() -> None:
    result = pj.match(SEEN, SHOPS, on=["shop", "lat", "lon"], threshold=0.0)
    assert result.keys.kinds == ("text", "coordinate", "coordinate")
    assert pairs_of(result.matches()) == [(0, 3), (1, 1), (2, 2)]
    numbers = {"lat": "number", "lon": "number"}
    result = pj.match(SEEN, SHOPS, on=["shop", "lat", "lon"], kinds=numbers)
    assert result.keys.kinds == ("text", "number", "number")


NAMES = {"given_name": "person", "surname": "person"}
PEOPLE = pd.DataFrame(
    {
        "given_name": ["John", "Anna Maria", "Jonas", "Mary"],
        "surname": ["Smith", "van Berg", "Smit", "Cole"],
        "city": ["Leeds", "Bonn", "Leeds", "York"],
    }
)


def test_a_name_in_two_columns_may_be_exchanged_or_joined() -> None:
    left = pd.DataFrame(
        {
            "given_name": ["Smith", None, "Anna Maria"],
            "surname": ["John", "Mary Cole", "vanBerg"],
            "city": ["Leeds", "York", "Bonn"],
        }
    )
    result = pj.match(left, PEOPLE, on=list(PEOPLE), kinds=NAMES, threshold=0.0)
    assert result.keys.kinds == ("person", "person", "text")
    assert pairs_of(result.matches()) == [(0, 0), (1, 3), (2, 1)]
    assert "given_name + surname" in {reason.kind for reason in result.explain(0).reasons}


def test_columns_of_a_name_may_stand_in_another_order_on_the_left() -> None:
    left = PEOPLE.rename(columns={"given_name": "nachname", "surname": "vorname"})
    left = left.assign(nachname=PEOPLE["surname"], vorname=PEOPLE["given_name"])
    options = {
        "left_on": ["vorname", "nachname", "city"],
        "right_on": ["given_name", "surname", "city"],
        "kinds": {"vorname": "person", "nachname": "person"},
    }
    result = pj.match(left, PEOPLE, **options, threshold=0.5)
    assert pairs_of(result.matches()) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert result.matches().score.tolist() == [1.0] * 4


def test_two_people_in_a_row_are_not_one() -> None:
    table = pd.DataFrame(
        {
            "author_surname": ["Smith", "Cole"],
            "editor_surname": ["Berg", "Lee"],
            "first_name": ["Jo", "Al"],
        }
    )
    result = pj.match(table, table, on=list(table), kinds=dict.fromkeys(table, "person"))
    assert [field.columns for field in result.comparison.right.fields] == [(0,), (1,), (2,)]


def test_points_that_are_near_are_candidates_whatever_else_differs() -> None:
    rng = np.random.default_rng(5)
    letters = list("abcdefghijklmnop")
    table = pd.DataFrame(
        {
            "shop": ["".join(rng.choice(letters, 8)) for _ in range(200)],
            "lat": rng.uniform(-80, 80, 200),
            "lon": rng.uniform(-180, 180, 200),
        }
    )
    left = table.assign(
        shop=["".join(rng.choice(letters, 8)) for _ in range(200)],
        lat=table["lat"] + 0.01,
    )
    comparison = pj.match(left, table, on=["shop", "lat", "lon"]).comparison
    pairs = set(zip(*(side.tolist() for side in comparison.candidate_pairs), strict=True))
    assert {(row, row) for row in range(200)} <= pairs


# What is frozen ---------------------------------------------------------------------------------


def test_the_other_sides_way_of_writing_is_learned_and_frozen(tmp_path: Path) -> None:
    right = pd.DataFrame(
        {
            "name": ["Ann Lee", "Bo Day", "Cy Fox"],
            "born": ["1985-04-03", "1985-03-04", "1990-12-31"],
        }
    )
    sample = pd.DataFrame(
        {
            "name": ["Ann Lee", "Bo Day", "Cy Fox"],
            "born": ["03/04/1985", "04/03/1985", "31/12/1990"],
        }
    )
    row = pd.DataFrame({"name": ["A. L."], "born": ["03/04/1985"]})
    matcher = pj.Matcher(on=["name", "born"], threshold=0.0).fit(right).calibrate(sample)
    found = matcher.match(row)
    # The day stands first, as in the sample: the third of April.
    assert pairs_of(found.matches()) == [(0, 0)]
    assert found.comparison.sides[0].values[1].listed == ["1985-04-03"]
    unknown = pj.Matcher(on=["name", "born"], threshold=0.0).fit(right).match(row)
    assert unknown.comparison.sides[0].values[1].listed == ["1985-03-04"]
    together = matcher.match(pd.concat([row, sample], ignore_index=True)).matches()
    assert together.score[0] == pytest.approx(found.matches().score[0], abs=1e-6)
    matcher.save(tmp_path / "saved")
    loaded = pj.Matcher.load(tmp_path / "saved").match(row)
    assert loaded.matches().score.tolist() == found.matches().score.tolist()
    assert loaded.keys == found.keys


def test_what_is_given_is_saved(tmp_path: Path) -> None:
    options = {"kinds": {"zip": "code"}, "geo": ("lat", "lon"), "phone_region": "DE"}
    matcher = pj.Matcher(**KEYS, **options).fit(SHOPS)
    matcher.save(tmp_path / "saved")
    loaded = pj.Matcher.load(tmp_path / "saved")
    before, after = matcher.match(SEEN), loaded.match(SEEN)
    assert after.keys == before.keys
    assert after.keys.kinds == ("text", "code", "coordinate", "coordinate")
    assert after.matches().score.tolist() == before.matches().score.tolist()
    more = pd.DataFrame({"shop": ["Neu"], "zip": ["1"], "lat": [1.0], "lon": [2.0]})
    assert loaded.add(more).match(SEEN).keys.kinds == before.keys.kinds


# Tables with little in them ---------------------------------------------------------------------


@pytest.mark.parametrize("n_left", [0, 1, 3])
@pytest.mark.parametrize("n_right", [0, 1, 4])
def test_empty_and_short_tables_work(n_left: int, n_right: int) -> None:
    options = {"kinds": {"zip": "code"}, "geo": ("lat", "lon"), "phone_region": "DE"}
    result = pj.match(SEEN.head(n_left), SHOPS.head(n_right), **KEYS, **options)
    n_best = min(1, n_right) * n_left
    assert len(result.matches()) == n_best
    assert len(result.join("left")) == n_left
    assert result.join("left").columns.tolist() == [
        *SEEN.columns, *(f"{name}_right" for name in SHOPS), "match_score",
    ]  # fmt: skip


@pytest.mark.parametrize("side", ["left", "right", "both"])
def test_columns_without_values_say_nothing(side: str) -> None:
    nothing = {"born": None, "lat": np.nan, "lon": np.nan}
    left, right = SEEN.assign(born="1985-04-03"), SHOPS.assign(born="1985-04-03")
    left = left.assign(**nothing) if side != "right" else left
    right = right.assign(**nothing) if side != "left" else right
    options = {"on": ["shop", "zip", "born"], "geo": ("lat", "lon"), "kinds": {"born": "date"}}
    result = pj.match(left, right, **options, threshold=0.0)
    effects = {reason.kind: reason.effect for reason in result.explain(0).reasons}
    assert effects["born"] == pytest.approx(0, abs=1e-6)
    assert effects["lat + lon"] == pytest.approx(0, abs=1e-6)
    assert pairs_of(result.matches()) == [(0, 3), (1, 1), (2, 2)]


def test_clusters_take_kinds() -> None:
    table = pd.DataFrame({"phone": ["020 7946 0018", "+44 20 7946 0018", "0161 496 0000"]})
    found = pj.deduplicate(
        table, on="phone", kinds={"phone": "phone"}, phone_region="GB", threshold=0.95
    )
    assert found["cluster"].tolist() == [0, 0, 1]


def test_a_transformer_takes_kinds() -> None:
    joiner = pj.FuzzyJoiner(SHOPS, on=["shop", "zip"], geo=("lat", "lon"), kinds={"zip": "code"})
    assert len(joiner.fit_transform(SEEN)) == 3
    assert joiner.matcher_.match(SEEN).keys.kinds[1:] == ("code", "coordinate", "coordinate")


@pytest.mark.parametrize("filler", ["-", "???", "N/A", " unknown "])
def test_a_row_alone_may_say_that_a_number_is_missing(filler: str) -> None:
    names = [f"item {at}" for at in range(30)]
    reference = pd.DataFrame({"name": names, "price": 1.5 * np.arange(30)})
    matcher = pj.Matcher(on=["name", "price"]).fit(reference)
    row = pd.DataFrame({"name": ["Item 4"], "price": [filler]})
    alone, null = (matcher.match(one).matches() for one in (row, row.assign(price=None)))
    assert pairs_of(alone) == pairs_of(null) == [(0, 4)]
    assert alone.score.tolist() == null.score.tolist()
    with pytest.raises(pj.InputError, match="different kinds"):
        matcher.match(row.assign(price="cheap"))
