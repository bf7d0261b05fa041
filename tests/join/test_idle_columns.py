"""Key columns that say nothing, on one side or both, leave a column of names compared alone."""

import functools
import logging
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj

FIRMS = ("Alpha Metal Works", "Beta Foods", "Gamma Logistics", "Delta Insurance", "Zeta Textiles")
TOWNS = ("Bern", "Berlin", "Paris", "Rome", "Oslo", "Madrid")
NAMES = [" ".join(name) for name in product(FIRMS, TOWNS)]
N = len(NAMES)


def slip(name: str, at: int) -> str:
    """Exchange two letters of a name."""
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


SLIPS = [slip(name, 1 + at % 9) for at, name in enumerate(NAMES)]
VARIED = ["post", "shop", "call"] * (N // 3)


def frame(names: list[str], **columns: list) -> pd.DataFrame:
    return pd.DataFrame({"name": names, **columns})


@functools.cache
def matched_alone(left: tuple[str, ...], right: tuple[str, ...]) -> pj.Matches:
    return pj.match(frame([*left]), frame([*right]), on="name").matches()


def assert_as_alone(
    left: pd.DataFrame, right: pd.DataFrame, on: list[str], **options
) -> pj.MatchResult:
    """Check that the names alone decide; returns the result of all columns."""
    alone = matched_alone(tuple(left["name"]), tuple(right["name"]))
    result = pj.match(left, right, on=on, **options)
    found = result.matches()
    assert found.left.tolist() == alone.left.tolist() == list(range(N))
    assert found.right.tolist() == alone.right.tolist()
    np.testing.assert_array_equal(found.score, alone.score)
    return result


@pytest.mark.parametrize(
    ("left", "right", "why"),
    [
        ([None] * N, [None] * N, "no values on the right"),
        (VARIED, [None] * N, "no values on the right"),
        ([None] * N, VARIED, "no values on the left"),
        (["web"] * N, ["web", None] * (N // 2), "one value on both sides"),
        ([2020] * N, [2020] * N, "one value on both sides"),
    ],
)
def test_a_column_that_says_nothing_leaves_the_names_as_they_are(left, right, why) -> None:
    one, other = frame(SLIPS, source=left), frame(NAMES, source=right)
    result = assert_as_alone(one, other, ["name", "source"])
    assert result.keys.kinds == ("text", f"not compared: {why}")


def test_addresses_are_compared_as_they_are_alone() -> None:
    streets = [
        f"{3 * at + 1} {name.split()[0]} Street, {name.split()[-1]}"
        for at, name in enumerate(NAMES)
    ]
    written = [street.replace("Street", "St") for street in streets]
    assert_as_alone(
        frame(written, source=["web"] * N), frame(streets, source=["web"] * N), ["name", "source"]
    )


def test_several_columns_that_say_nothing(caplog) -> None:
    left = frame(SLIPS, source=["web"] * N, city=[None] * N)
    right = frame(NAMES, source=["web"] * N, city=["Bonn", "Kiel"] * (N // 2))
    assert_as_alone(left, right, ["source", "name", "city"])
    caplog.set_level(logging.INFO, "pearljoin")
    pj.match(left, right, on=["source", "name", "city"]).matches()
    assert (
        "name (text), source (not compared: one value on both sides), "
        "city (not compared: no values on the left)" in caplog.text
    )


@pytest.mark.parametrize(
    ("left", "right", "options"),
    [
        # It says which of the right rows are meant.
        (["DE"] * N, ["DE", "FR"] * (N // 2), {}),
        # It says whether any is meant: the left ones are of other kinds.
        (["A"] * N, ["B"] * N, {}),
        (VARIED, ["web"] * N, {}),
        (["web"] * N, VARIED, {}),
        (["web"] * N, ["web"] * N, {"kinds": {"source": "category"}}),
        (["web"] * N, ["web"] * N, {"weights": [2, 1]}),
        ([None] * N, ["web", None] * (N // 2), {"nulls_equal": True}),
        (VARIED, VARIED, {}),
        # Right names are alike but for it: of which record a left name is stays open.
        ([None] * (N // 2), ["post", "shop"] * (N // 2), {}),
    ],
)
def test_columns_that_are_compared(left, right, options) -> None:
    names = [NAMES[at * len(left) // N] for at in range(N)]
    tables = frame(SLIPS[: len(left)], source=left), frame(names, source=right)
    found = pj.match(*tables, on=["name", "source"], **options)
    assert not [kind for kind in found.keys.kinds if kind.startswith("not compared")]


def test_beside_several_real_columns_one_value_is_left_out_and_missing_ones_are_not() -> None:
    zips = [f"{10_000 + 797 * at}" for at in range(N)]
    left = frame(SLIPS, zip=zips, source=["web"] * N, city=[None] * N)
    kinds = pj.match(left, left, on=["name", "zip", "source"]).keys.kinds
    assert kinds == ("text", "postcode", "not compared: one value on both sides")
    kinds = pj.match(left, left, on=["name", "zip", "city"]).keys.kinds
    assert not any(kind.startswith("not compared") for kind in kinds)


def test_in_few_rows_all_are_compared() -> None:
    few = frame(NAMES[:9], source=["web"] * 9)
    assert pj.match(few, few, on=["name", "source"]).keys.kinds == ("text", "text")
    # Where none says anything, all are compared.
    none = frame(["Alpha"] * N, source=["web"] * N)
    assert pj.match(none, none, on=["name", "source"]).keys.kinds == ("text", "text")


def test_a_row_without_a_name_matches_nothing() -> None:
    left = frame([*SLIPS, None], source=["web"] * (N + 1))
    found = pj.match(left, frame(NAMES, source=["web"] * N), on=["name", "source"]).matches()
    assert N not in found.left


def test_a_column_that_must_be_equal_still_must() -> None:
    left, right = frame(SLIPS, source=["A"] * N), frame(NAMES, source=["B"] * N)
    for options in ({"by": "source"}, {"veto": "source"}):
        assert not len(pj.match(left, right, on=["name", "source"], **options).matches())


def test_a_matcher_leaves_out_what_its_tables_do_not_say(tmp_path: Path) -> None:
    web = ["web"] * N
    matcher = pj.Matcher(on=["name", "source"]).fit(frame(NAMES, source=web))
    matcher.calibrate(frame(SLIPS, source=web))
    alone = pj.Matcher(on="name").fit(frame(NAMES)).calibrate(frame(SLIPS))
    wanted = alone.match(frame(SLIPS)).matches()
    left = frame(SLIPS, source=["post", "web", None] * (N // 3))
    matcher.save(tmp_path / "saved")
    for one in (matcher, pj.Matcher.load(tmp_path / "saved")):
        whole = one.match(left)
        assert whole.keys.kinds[1] == "not compared: one value on both sides"
        np.testing.assert_array_equal(whole.matches().score, wanted.score)
        for row in (0, 7):
            single = one.match(left.iloc[[row]]).matches()
            of_row = whole.matches().left == row
            assert single.right.tolist() == whole.matches().right[of_row].tolist()
            np.testing.assert_array_equal(single.score, whole.matches().score[of_row])
        # Another value is added: now the column says which record is meant.
        one.add(frame([NAMES[0]], source=["shop"]))
        assert not one.match(left).keys.kinds[1].startswith("not compared")
        found = one.match(frame([NAMES[0]], source=["shop"])).matches()
        assert (found.right.tolist(), found.score.tolist()) == ([N], [1.0])


def test_a_calibration_decides_what_the_left_says() -> None:
    matcher = pj.Matcher(on=["name", "source"]).fit(frame(NAMES, source=VARIED))
    assert matcher.match(frame(SLIPS, source=VARIED)).keys.kinds == ("text", "text")
    matcher.calibrate(frame(SLIPS, source=[None] * N))
    found = matcher.match(frame(SLIPS[:3], source=VARIED[:3]))
    assert found.keys.kinds == ("text", "not compared: no values on the left")
    assert found.matches().right.tolist() == [0, 1, 2]
    matcher.calibrate(frame(SLIPS, source=VARIED))
    assert matcher.match(frame(SLIPS, source=VARIED)).keys.kinds == ("text", "text")


def test_a_reference_whose_empty_column_gets_values_is_learned_anew() -> None:
    matcher = pj.Matcher(on=["name", "source"]).fit(frame(NAMES, source=[None] * N))
    assert matcher.match(frame(SLIPS, source=VARIED)).keys.kinds[1].startswith("not compared")
    matcher.add(frame(["Omega Steel", "Rho Motors"], source=["shop", "call"]))
    assert not matcher.match(frame(SLIPS, source=VARIED)).keys.kinds[1].startswith("not compared")


def test_duplicates_are_sought_by_all_columns() -> None:
    table = frame([*NAMES, *SLIPS[:5]], source=["web"] * (N + 5))
    result = pj.find_duplicates(table, on=["name", "source"])
    assert result.keys.kinds[0] == "text"
    assert not result.keys.kinds[1].startswith("not compared")


def test_a_pair_is_explained_and_reported(tmp_path: Path) -> None:
    result = pj.match(
        frame(SLIPS, source=["web"] * N), frame(NAMES, source=["web"] * N), on=["name", "source"]
    )
    assert "Alpha" in str(result.explain(0))
    assert "not compared" in repr(result)
    result.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size > 0
