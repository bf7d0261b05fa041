"""A key column of dates or telephone numbers, and no other: other ways of writing are the same."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj

DAYS = pd.date_range("2020-01-01", periods=120)
ISO = pd.DataFrame({"d": DAYS.strftime("%Y-%m-%d")})


@pytest.mark.parametrize("form", ["%d/%m/%Y", "%d.%m.%Y", "%d %B %Y"])
def test_dates_written_otherwise_meet_their_own_day(form) -> None:
    result = pj.match(pd.DataFrame({"d": DAYS.strftime(form)}), ISO, on="d")
    assert result.keys.kinds == ("date",)
    matches = result.matches()
    assert matches.left.tolist() == matches.right.tolist() == list(range(len(DAYS)))


def test_typed_dates_meet_dates_as_text() -> None:
    matches = pj.match(pd.DataFrame({"d": DAYS}), ISO, on="d").matches()
    assert matches.left.tolist() == matches.right.tolist() == list(range(len(DAYS)))


@pytest.mark.parametrize("form", ["%d.%m.%Y", "%Y-%m-%d", "%m/%d/%Y"])
def test_dates_as_text_meet_typed_dates(form) -> None:
    known = pd.DataFrame({"d": DAYS})
    matches = pj.match(pd.DataFrame({"d": DAYS.strftime(form)}), known, on="d").matches()
    assert matches.left.tolist() == matches.right.tolist() == list(range(len(DAYS)))
    fitted = pj.Matcher(on="d").fit(known)
    found = fitted.match(pd.DataFrame({"d": ["3 March 2020", "01.02.2021"]})).matches(threshold=0.5)
    assert (found.left.tolist(), found.right.tolist()) == ([0], [62])
    typed = fitted.match(pd.DataFrame({"d": [DAYS[7]]})).matches()
    assert typed.right.tolist() == [7]


@pytest.mark.parametrize("n", [1, 3, 120])
def test_another_day_is_no_match_however_alike_it_is_written(n) -> None:
    later = pd.DataFrame({"d": (DAYS + pd.Timedelta(days=366)).strftime("%Y-%m-%d")})
    assert not len(pj.match(later[:n], ISO, on="d").matches())
    fitted = pj.Matcher(on="d").fit(ISO)
    asked = ["2 March 2020", "2021-03-02", "03.02.2020"]
    scores = fitted.match(asked).matches(threshold=0).score
    np.testing.assert_array_equal(scores > 0.5, [True, False, True])


def test_a_loaded_reference_is_read_as_it_was_before(tmp_path: Path) -> None:
    """Rows added later do not turn the order of day and month in which it was fitted."""
    fitted = pj.Matcher(on="d").fit(pd.DataFrame({"d": DAYS[:20].strftime("%d/%m/%Y")}))
    fitted.add(pd.DataFrame({"d": DAYS.strftime("%m/%d/%Y").tolist() * 2}))
    fitted.save(tmp_path / "saved")
    loaded = pj.Matcher.load(tmp_path / "saved")
    asked = pd.DataFrame({"d": [*DAYS.strftime("%Y-%m-%d"), "2020-05-01"]})
    before, after = (each.match(asked).matches(threshold=0) for each in (fitted, loaded))
    np.testing.assert_array_equal(after.right, before.right)
    np.testing.assert_array_equal(after.score, before.score)
    assert before.score[before.left == 3].item() > 0.5  # 04/01/2020 is the fourth of January


def test_duplicates_are_of_one_day() -> None:
    table = pd.DataFrame(
        {"d": ["2020-01-02", "2020-02-01", "15/01/2020", "2 Jan 2020", "2020-01-02"]}
    )
    assert pj.find_duplicates(table, on="d").clusters().tolist() == [0, 1, 2, 0, 0]


def test_telephone_numbers_are_read_and_what_differs_tells_them_apart() -> None:
    known = pd.DataFrame({"phone": ["+1 212 555 0100", "0045 86 12 34 56", "+44 20 7946 0018"]})
    asked = ["(212) 555-0100", "+45 86 12 34 56", "+44 20 7946 0019", "+49 212 555 0100"]
    matches = pj.match(pd.DataFrame({"phone": asked}), known, on="phone").matches()
    assert matches.left.tolist() == matches.right.tolist() == [0, 1]


@pytest.mark.parametrize("national", ["02079460018", "020 79460018"])
def test_national_numbers_of_a_region_are_recognised(national: str) -> None:
    asked = pd.DataFrame({"line": ["+44 20 7946 0018", "+44 20 7946 0021"]})
    known = pd.DataFrame({"line": [national, "01159460019"]})
    found = pj.match(asked, known, on="line", phone_region="GB")
    assert found.keys.kinds == ("phone",)
    assert found.matches().left.tolist() == found.matches().right.tolist() == [0]
    elsewhere = pj.match(asked, known, on="line", phone_region="US")
    assert elsewhere.keys.kinds == ("text",)


@pytest.mark.parametrize(
    "others", [["see note", "2020-02-30"], ["2001-02"], ["2020-01-01 10:30:00"]]
)
def test_a_column_that_holds_more_than_days_is_compared_as_names(others) -> None:
    known = pd.DataFrame({"d": [*ISO.d, *others]})
    result = pj.match(pd.DataFrame({"d": others}), known, on="d")
    assert result.keys.kinds == ("text",)
    assert len(result.matches()) == len(others)


def test_what_looks_like_a_date_beside_a_name_may_be_a_slip() -> None:
    """Other columns make likely what a date alone does not."""
    people = pd.DataFrame(
        {"name": ["Ann Kowalski", "Peter Novak"], "d": ["1980-02-14", "1990-12-12"]}
    )
    slips = pd.DataFrame({"name": ["Ann Kowalski"], "d": ["1980-02-15"]})
    assert len(pj.match(slips, people, on=["name", "d"]).matches()) == 1


@pytest.mark.parametrize("n_right", [3, 200])
def test_whole_numbers_meet_their_equals_alone(n_right: int) -> None:
    """They are ids more often than amounts: 1002 is not 1001."""
    ids = np.arange(n_right) * 7 + 1000
    left = pd.DataFrame({"customer": [ids[1], ids[1] + 1, ids[2] - 1, ids[0]]})
    right = pd.DataFrame({"customer": ids})
    result = pj.match(left, right, on="customer")
    assert result.threshold == 1
    assert result.matches().left.tolist() == [0, 3]
    assert result.matches().right.tolist() == [1, 0]
    # Beside a null, pandas holds them as fractions.
    holey = pd.DataFrame({"customer": [*ids, None]})
    assert pj.match(left, holey, on="customer").matches().left.tolist() == [0, 3]
    near = pj.match(left, right, on="customer", threshold=0.05).matches()
    assert near.left.tolist() == [0, 1, 2, 3]


def test_ids_are_no_duplicates_of_near_ones() -> None:
    ids = pd.DataFrame({"n": [*range(1000, 1400), 1007]})
    found = pj.find_duplicates(ids, on="n")
    assert found.threshold == 1
    pairs = found.pairs()
    assert (pairs.left_row.tolist(), pairs.right_row.tolist()) == ([7], [400])
    assert pj.Matcher(on="n").fit(ids.iloc[:50]).calibration.threshold == 1


def test_amounts_and_durations_meet_what_is_near() -> None:
    prices = pj.match(
        pd.DataFrame({"p": [10.01, 12.5]}), pd.DataFrame({"p": [10.0, 12.49]}), on="p"
    )
    assert prices.matches().right.tolist() == [0, 1]
    songs = [pd.DataFrame({"d": pd.to_timedelta([100, n], unit="s")}) for n in (200, 201)]
    result = pj.match(*songs, on="d")
    assert result.keys.kinds == ("number",)
    assert result.matches().right.tolist() == [0, 1]


@pytest.mark.parametrize(
    "texts", [["2020-01-02", "2020-03-04", "2020-01-03"], ["+44 20 7946 0018", "+44 20 7946 0019"]]
)
def test_lone_values_are_saved_and_reported(texts: list[str], tmp_path: Path) -> None:
    pj.Deduplicator().fit(texts).save(tmp_path / "kept")
    loaded = pj.Deduplicator.load(tmp_path / "kept")
    assert len(set(loaded.clusters())) == len(texts)
    result = pj.find_duplicates(texts)
    result.report(tmp_path / "report.html")
    assert result.explain(0, 1).waterfall()[-1].effect == -math.inf


def test_addresses_of_mail_that_are_said_to_be_such_are_one_but_for_a_slip() -> None:
    table = pd.DataFrame(
        {"to": ["jane.smith@acme.com", "John.Smith@acme.com", "<jon.smith@acme.com>"]}
    )
    found = pj.find_duplicates(table, on="to", kinds={"to": "email"})
    assert found.clusters().tolist() == [0, 1, 1]


def test_addresses_of_mail_are_told_apart_and_meet_names() -> None:
    asked = ["info@acme.com", "p.hansen@globex.dk", "Ann@x.org", "John Smith"]
    known = ["hr@acme.com", "q.jensen@globex.dk", "ann@X.org", "john.smith@acme.com"]
    assert pj.match(asked, known).matches().left.tolist() == [2, 3]
    users = ["jane.smith@acme.com", "rob.brown@acme.com", "frank.hill@acme.com", "amy.lee@acme.com"]
    others = ["john.smith@acme.com", "jeb.brown@acme.com", "fred.hill@acme.com", "ivy.lee@acme.com"]
    assert not len(pj.match(users, others).matches())
    assert len(set(pj.find_duplicates([*users, *others]).clusters())) == 8
    numbered = [f"{name}{n}@shop.com" for name in ("user", "sales") for n in (1, 2, 3)]
    assert len(set(pj.find_duplicates(numbered).clusters())) == len(numbered)
