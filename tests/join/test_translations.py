"""Codes of one table stand for names of the other: answers by the other columns tell which."""

import copy
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from frames import KINDS, FrameMaker, columns_of, pairs_of
from repetitions import few, one_in
from voyages import ON, PORTS, SAME, tables

import pearljoin as pj
from pearljoin._fitted import save_matcher


def scores_of(result: Any) -> np.ndarray:
    found = result.matches(0.0, "m:m")
    return np.array(sorted(zip(found.left, found.right, found.score, strict=True)))


@pytest.fixture(scope="module")
def matched() -> pj.MatchResult:
    """The voyages, matched."""
    left, right = map(pd.DataFrame, tables())
    return pj.match(left, right, on=ON)


@pytest.fixture(scope="module")
def calibrated() -> pj.Matcher:
    """A matcher that knows the voyages of both tables: a test that adds rows takes a copy."""
    left, right = map(pd.DataFrame, tables())
    return pj.Matcher(on=ON).fit(right).calibrate(left)


@pytest.fixture(scope="module")
def saved(calibrated: pj.Matcher, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of that matcher."""
    folder = tmp_path_factory.mktemp("voyages") / "m"
    calibrated.save(folder)
    return folder


@pytest.mark.parametrize("kind", one_in(KINDS, 3))
def test_codes_are_read_as_the_names_that_they_stand_for(kind: str) -> None:
    left, right = tables()
    make = FrameMaker(kind)
    result = pj.match(make(left), make(right), on=ON)
    assert pairs_of(result.matches()) == SAME
    assert result.keys.translations == {"loaded": PORTS, "bound_for": PORTS}
    assert result.keys.kinds == ("text", "text, translated", "text, translated", "date")
    assert columns_of(result.join(how="left"))["loaded"] == left["loaded"]


def test_the_other_way_round_names_are_read_as_codes() -> None:
    left, right = map(pd.DataFrame, tables())
    result = pj.match(right, left, on=ON)
    assert pairs_of(result.matches()) == sorted((there, here) for here, there in SAME)
    assert result.keys.translations["loaded"] == {name: code for code, name in PORTS.items()}


def test_a_value_that_one_column_tells_is_read_so_in_another() -> None:
    left, right = map(pd.DataFrame, tables())
    rarely = left.assign(
        bound_for=[
            "BRSSZ" if row == 40 else name for row, name in enumerate(left.bound_for.map(PORTS))
        ]
    )
    assert (rarely.bound_for == "BRSSZ").sum() == 1
    found = pj.match(rarely, right, on=ON).keys.translations
    assert found == {"loaded": PORTS, "bound_for": {"BRSSZ": "Santos"}}


def test_the_order_of_the_rows_changes_nothing(matched: pj.MatchResult) -> None:
    left, right = map(pd.DataFrame, tables())
    order = np.random.default_rng(0).permutation(len(left))
    mixed = pj.match(left.iloc[order], right, on=ON)
    assert mixed.keys.translations == matched.keys.translations
    back = [(order[here], there) for here, there in pairs_of(mixed.matches())]
    assert sorted(back) == pairs_of(matched.matches())


def test_values_that_go_with_no_other_stay_as_they_are() -> None:
    left, right = map(pd.DataFrame, tables())
    rng = np.random.default_rng(1)
    names = list(PORTS.values())
    by_chance = left.assign(
        loaded=rng.permutation(left.loaded), bound_for=rng.choice(names, len(left))
    )
    result = pj.match(by_chance, right, on=ON)
    assert result.keys.translations == {}
    assert not any("translated" in kind for kind in result.keys.kinds)


def test_a_column_that_is_written_in_many_ways_is_left_as_it_is() -> None:
    left, right = map(pd.DataFrame, tables())
    freely = left.assign(bound_for=left.bound_for.map(PORTS))
    freely["loaded"] = [
        port if port == "CNSHA" else f"berth {row} of {port}"
        for row, port in enumerate(left.loaded)
    ]
    assert (freely.loaded == "CNSHA").sum() > 10
    assert pj.match(freely, right, on=ON).keys.translations == {}


@pytest.mark.parametrize(
    ("other", "listed"),
    few([("berth 3", "berth 2"), ("north pier", "south pier"), ("3rd edition", "2nd edition")], 2),
)
def test_values_that_differ_in_a_number_or_a_contrast_stand_for_no_other(
    other: str, listed: str
) -> None:
    left, right = map(pd.DataFrame, tables())
    left["loaded"] = left.loaded.map({"CNSHA": other}).fillna("berth 7")
    names = {"Shanghai": listed}
    right["loaded"] = right.loaded.map(names).fillna("berth 7")
    right["bound_for"] = right.bound_for.map({name: code for code, name in PORTS.items()})
    assert pj.match(left, right, on=ON).keys.translations == {}


def test_what_stands_for_an_unknown_value_stands_for_no_other() -> None:
    left, right = map(pd.DataFrame, tables())
    left["loaded"] = left.loaded.replace("CNSHA", "n/a")
    rest = {code: name for code, name in PORTS.items() if code != "CNSHA"}
    assert pj.match(left, right, on=ON).keys.translations["loaded"] == rest


@pytest.mark.thorough
def test_case_blanks_and_types_of_cells_do_not_count(calibrated: pj.Matcher) -> None:
    left, right = map(pd.DataFrame, tables())
    whole = scores_of(calibrated.match(left))
    for change in (str.lower, lambda code: f" {code} "):
        changed = left.assign(loaded=left.loaded.map(change))
        np.testing.assert_allclose(scores_of(calibrated.match(changed)), whole, atol=1e-5)
    number = {code: at for at, code in enumerate(PORTS)}
    mixed = left.assign(
        loaded=[number[code] if number[code] % 2 else str(number[code]) for code in left.loaded]
    )
    result = pj.match(mixed, right, on=ON)
    assert result.keys.translations["loaded"] == {
        str(at): PORTS[code] for code, at in number.items()
    }
    assert pairs_of(result.matches()) == SAME


def test_a_reference_is_read_as_it_is_written(calibrated: pj.Matcher) -> None:
    matcher = copy.copy(calibrated)
    row = {
        "vessel": "Polar Gull",
        "loaded": "CNSHA",
        "bound_for": "Hamburg",
        "sailed": "2024-05-06",
    }
    matcher.add(pd.DataFrame([row]))
    found = matcher.match({**row, "loaded": "Shanghai"}).matches(0.0, "m:m")
    assert found.score.max() < 1


def test_equal_words_and_slips_of_them_need_no_translation() -> None:
    left, right = map(pd.DataFrame, tables())
    named = left.assign(
        loaded=left.loaded.map(PORTS).str.upper(), bound_for=left.bound_for.map(PORTS)
    )
    named.loc[::9, "bound_for"] = named.bound_for[::9].str.replace("a", "e", regex=False)
    assert pj.match(named, right, on=ON).keys.translations == {}


def test_a_calibrated_matcher_reads_each_row_by_itself(calibrated: pj.Matcher, saved: Path) -> None:
    left = pd.DataFrame(tables()[0])
    whole = calibrated.match(left)
    assert pairs_of(whole.matches()) == SAME
    loaded = pj.Matcher.load(saved)
    np.testing.assert_array_equal(scores_of(loaded.match(left)), scores_of(whole))
    every = scores_of(whole)
    for row in (0, 35, 89):
        for one in (calibrated, loaded):
            alone = scores_of(one.match(left.iloc[[row]]))
            of_row = every[every[:, 0] == row]
            np.testing.assert_array_equal(alone[:, 1], of_row[:, 1])
            np.testing.assert_allclose(alone[:, 2], of_row[:, 2], atol=1e-5)


def test_added_rows_leave_what_was_learned(calibrated: pj.Matcher) -> None:
    n_before = len(tables()[1]["vessel"])
    matcher = copy.copy(calibrated)
    new = {
        "vessel": "Polar Gull",
        "loaded": "Santos",
        "bound_for": "Hamburg",
        "sailed": "2024-05-06",
    }
    matcher.add(pd.DataFrame([new]))
    asked = {**new, "loaded": "BRSSZ", "bound_for": "DEHAM"}
    assert pairs_of(matcher.match(asked).matches()) == [(0, n_before)]


def test_a_folder_of_an_earlier_version_translates_nothing(saved, monkeypatch) -> None:
    content, *rest = save_matcher.read_store(saved)
    listed = content.pop("translated_keys")
    assert [at for at, _ in listed] == [1, 2]
    monkeypatch.setattr(save_matcher, "read_store", lambda folder: (content, *rest))
    loaded = pj.Matcher.load(saved)
    assert loaded.match(pd.DataFrame(tables()[0])).keys.translations == {}


@pytest.mark.parametrize(
    "listed", few([[[9, [["a", "b"]]]], [[1, [["a"]]]], [[1, [["a", 2]]]], [[1, []], [1, []]]], 1)
)
def test_a_folder_with_other_translations_is_refused(saved, monkeypatch, listed) -> None:
    content, *rest = save_matcher.read_store(saved)
    content["translated_keys"] = listed
    monkeypatch.setattr(save_matcher, "read_store", lambda folder: (content, *rest))
    with pytest.raises(pj.ModelError, match="read as others"):
        pj.Matcher.load(saved)


def test_the_log_says_what_is_read_as_what(caplog: pytest.LogCaptureFixture) -> None:
    left, right = map(pd.DataFrame, tables())
    with caplog.at_level(logging.INFO, logger="pearljoin"):
        pj.match(left, right, on=ON).matches()
    told = [line for line in caplog.messages if "read as right ones" in line]
    assert len(told) == 2
    assert told[0].startswith("values of 'loaded' are read as right ones: 'BRSSZ' as 'Santos'")
    assert told[0].endswith(", ...")


def test_explanations_say_what_was_read_as_what(matched: pj.MatchResult) -> None:
    left, right = map(pd.DataFrame, tables())
    row = matched.explain(5)
    ports = left.iloc[5][["loaded", "bound_for"]].map(PORTS).to_dict()
    assert row.translations == ports
    told = [f"  {name} read as: {port!r}" for name, port in ports.items()]
    assert [line for line in repr(row).splitlines() if " read as: " in line] == told
    assert "loaded read as" in row._repr_html_()
    assert pj.match(right, right, on=ON).explain(5).translations == {}
