"""Matcher: encoded once, matched many times, extended, shared between threads."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker, TrigramEncoder, decided, join, pairs_of, rows_of

import pearljoin as pj

RIGHT = ["Acme Corporation", "Globex Inc", "Initech"]
LEFT = ["globex", "acme corp", "hooli", None]


def matcher(**options) -> pj.Matcher:
    return pj.Matcher(**{"encoder": TrigramEncoder(), "threshold": 0.3, **options})


@pytest.mark.parametrize("constraint", ["m:1", "1:1", "m:m"])
def test_a_matcher_finds_what_match_finds(make_frame: FrameMaker, constraint: str) -> None:
    left, right = make_frame({"x": LEFT}), make_frame({"y": RIGHT})
    options = {"constraint": constraint, "threshold": 0.2}
    fitted = matcher(**options).fit(right)
    plain = pj.match(left, right, encoder=TrigramEncoder(), **options)
    assert decided(fitted.match(left)) == decided(plain)
    assert pairs_of(fitted.match(left).matches())[:2] == [(0, 1), (1, 0)]
    joined = fitted.match(left).join("inner")
    assert rows_of(joined) == rows_of(
        join(left, right, encoder=TrigramEncoder(), how="inner", **options)
    )


def test_the_reference_is_encoded_once(trigrams: TrigramEncoder) -> None:
    fitted = matcher(encoder=trigrams).fit([*RIGHT, *RIGHT, None])
    assert trigrams.asked[1:] == RIGHT
    trigrams.asked.clear()
    fitted.match(["globex", *RIGHT, "globex"])
    assert trigrams.asked == ["globex"]
    fitted.match(RIGHT)
    assert trigrams.asked == ["globex"]


def test_the_same_matcher_takes_tables_of_any_kind(make_frame: FrameMaker) -> None:
    fitted = matcher(on="name").fit(pd.DataFrame({"name": RIGHT, "n": [1.5, 2.5, 3.5]}))
    left = make_frame({"id": ["a", "b", "c", "d"], "name": LEFT})
    joined = fitted.match(left).join()
    assert type(joined) is make_frame.type
    assert rows_of(joined, "id", "n") == [("a", 2.5), ("b", 1.5), ("c", None), ("d", None)]


def test_keys_and_groups_are_found_by_name() -> None:
    right = pd.DataFrame({"legal": ["acme", "acme"], "land": ["IT", "US"]})
    fitted = matcher(left_on="firm", right_on="legal", left_by="where", right_by="land").fit(right)
    left = pd.DataFrame({"firm": ["Acme", "Acme"], "where": ["US", "FR"]})
    assert pairs_of(fitted.match(left).matches()) == [(0, 1)]


def test_an_unnamed_key_is_the_only_text_column() -> None:
    fitted = matcher().fit(pd.DataFrame({"legal": RIGHT, "n": [1, 2, 3]}))
    assert pairs_of(fitted.match(pd.DataFrame({"firm": ["initech"]})).matches()) == [(0, 2)]
    # A left column of the reference's name goes before a guess.
    two = pd.DataFrame({"firm": ["globex"], "legal": ["initech"]})
    assert pairs_of(fitted.match(two).matches()) == [(0, 2)]
    with pytest.raises(pj.InputError, match=r"right table's key column cannot be guessed. Got 2"):
        matcher().fit(pd.DataFrame({"a": RIGHT, "b": RIGHT}))
    with pytest.raises(pj.InputError, match=r"left table's key column cannot be guessed. Got 0"):
        fitted.match(pd.DataFrame({"n": [1]}))


def test_a_list_has_the_name_of_the_key() -> None:
    result = pj.Matcher(on="name").fit(["Alpha Tools", "Borealis Books"]).match(["alpha tool"])
    assert result.keys.right == ("name",)
    assert list(result.join().columns)[:2] == ["left", "name"]
    series = pd.Series(["Alpha Tools", "Borealis Books"], name="firm")
    assert pj.Matcher(on="name").fit(series).match(["alpha tool"]).keys.right == ("firm",)


def test_a_single_column_is_the_left_key_whatever_it_is_called() -> None:
    right = pd.DataFrame({"firm": RIGHT, "n": [1, 2, 3]})
    fitted = matcher(left_on="name", right_on="firm", kinds={"name": "name"}).fit(right)
    called = {"left": LEFT, "title": pd.Series(LEFT, name="title"), "q": pl.Series("q", LEFT)}
    for name, left in (*called.items(), ("left", pd.Series(LEFT)), ("left", tuple(LEFT))):
        result = fitted.match(left)
        assert pairs_of(result.matches()) == [(0, 1), (1, 0)]
        assert result.keys.left == (name,)
    assert fitted.calibrate(LEFT).calibration.n_left == 3
    assert pairs_of(pj.match(LEFT, right, left_on="name", right_on="firm").matches())[0] == (0, 1)
    several = matcher(left_on=["name", "m"], right_on=["firm", "n"]).fit(right)
    with pytest.raises(pj.InputError, match=r"cannot be matched by several key columns"):
        several.match(LEFT)


def test_a_list_has_the_right_name_of_the_key() -> None:
    fitted = matcher(left_on="name", right_on="firm").fit(RIGHT).add({"firm": "Umbrella"})
    assert rows_of(fitted.match({"name": "umbrella"}).join(), "name", "firm") == [
        ("umbrella", "Umbrella")
    ]


def test_an_unfitted_matcher_says_so(tmp_path: Path) -> None:
    for call in (lambda: matcher().match(LEFT), lambda: matcher().add(RIGHT)):
        with pytest.raises(pj.InputError, match=r"no reference yet. Hint: call .fit"):
            call()
    with pytest.raises(pj.InputError, match=r"no reference yet"):
        matcher().save(tmp_path / "m")


def test_options_are_checked_at_once() -> None:
    with pytest.raises(pj.InputError, match=r"threshold must be a number"):
        matcher(threshold=7)


def test_fitting_again_forgets_the_first_reference() -> None:
    fitted = matcher().fit(RIGHT)
    fitted.fit(["Hooli"])
    assert pairs_of(fitted.match(LEFT).matches()) == [(2, 0)]


@pytest.mark.parametrize("batch_size", [1, 2, 1000, None])
def test_the_batch_size_changes_nothing(batch_size: int | None) -> None:
    found = matcher(batch_size=batch_size).fit(RIGHT).match(LEFT)
    assert decided(found) == decided(matcher().fit(RIGHT).match(LEFT))


# Adding -----------------------------------------------------------------------------------------


def test_added_phrases_are_found_and_only_they_are_encoded(trigrams: TrigramEncoder) -> None:
    fitted = matcher(encoder=trigrams).fit(RIGHT)
    trigrams.asked.clear()
    assert fitted.add(["Hooli Ltd", "Initech"]) is fitted
    assert trigrams.asked == ["Hooli Ltd"]
    again = matcher().fit([*RIGHT, "Hooli Ltd", "Initech"])
    assert pairs_of(fitted.match(LEFT).matches()) == pairs_of(again.match(LEFT).matches())
    assert decided(fitted.refit().match(LEFT)) == decided(again.match(LEFT))
    assert pairs_of(fitted.match(LEFT).matches())[-1] == (2, 3)


def test_rows_are_added_to_a_table(make_frame: FrameMaker) -> None:
    right = make_frame({"name": RIGHT, "n": [1.5, 2.5, 3.5], "flag": [True, False, True]})
    fitted = matcher(on="name").fit(right)
    fitted.add(make_frame({"name": ["Hooli"], "n": [4.5]})).add(["Umbrella"])
    left = make_frame({"name": ["umbrella", "hooli", "initech"]})
    joined = fitted.match(left).join()
    assert rows_of(joined, "name_right", "n", "flag") == [
        ("Umbrella", None, None),
        ("Hooli", 4.5, None),
        ("Initech", 3.5, True),
    ]


def test_a_result_made_before_adding_keeps_the_old_reference() -> None:
    fitted = matcher().fit(RIGHT)
    before = fitted.match(LEFT)
    fitted.add(["hooli"])
    assert pairs_of(before.matches()) == [(0, 1), (1, 0)]
    assert rows_of(before.join(), "right") == ["Globex Inc", "Acme Corporation", None, None]


def test_what_cannot_be_added_is_told() -> None:
    table = pl.DataFrame({"name": RIGHT, "n": [1, 2, 3]})
    with pytest.raises(pj.InputError, match=r"right table has no column 'name', named in on="):
        matcher(on="name").fit(table).add(pl.DataFrame({"title": ["x"]}))
    with pytest.raises(pj.InputError, match=r"single column .* several key columns"):
        matcher(on=["name", "n"]).fit(table).add(["x"])
    with pytest.raises(pj.InputError, match=r"new rows do not fit the reference's columns"):
        matcher(on="n").fit(table).add(["many"])


# Threads ----------------------------------------------------------------------------------------


def test_threads_share_a_matcher() -> None:
    right = [f"{word} {number}" for word in ("north", "south") for number in range(40)]
    lefts = [[f"nort {n}", f"souht {n}", None, f"south {n}"] for n in range(40)]
    fitted = matcher(constraint="m:m", threshold=0.4).fit(right)
    alone = [decided(fitted.match(left)) for left in lefts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda left: decided(fitted.match(left)), lefts))
    assert together == alone
    assert all((3, 40 + n) in pairs for n, (pairs, _) in enumerate(alone))


def test_threads_see_the_reference_before_or_after_adding() -> None:
    fitted = matcher(threshold=1.0).fit(["red"])
    colours = [f"colour {n}" for n in range(20)]

    def look(_: int) -> list[tuple[int, int]]:
        return pairs_of(fitted.match(["red", *colours]).matches())

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(look, at) for at in range(30)]
        for colour in colours:
            fitted.add([colour])
        found = [future.result() for future in futures]
    final = [(at, at) for at in range(21)]
    assert all(pairs == final[: len(pairs)] and pairs for pairs in found)
    assert look(0) == final
