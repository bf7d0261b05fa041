"""Adding rows to a matcher's reference: nothing is changed on the way, and nothing is lost."""

import copy
import datetime as dt
import pickle
import time
import warnings
from threading import Event, Thread

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import pearljoin as pj

DAY = dt.datetime(2024, 1, 1)


class Lengths:
    """A tiny encoder: which letters a text holds."""

    dim = 26

    def encode(self, phrases):
        vectors = np.zeros((len(phrases), 26), dtype=np.float32)
        for row, phrase in enumerate(phrases):
            for letter in phrase.lower():
                if "a" <= letter <= "z":
                    vectors[row, ord(letter) - 97] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)


def fitted(table, on="n", **options):
    return pj.Matcher(on=on, threshold=0.6, encoder=Lengths(), **options).fit(table)


def arrow(columns):
    return pl.DataFrame(columns).to_arrow()


TABLES = pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, arrow])


@TABLES
def test_a_column_keeps_its_type_when_rows_are_added(frame) -> None:
    held = {"n": ["a b", "x y"], "id": [1, 2], "p": [1.5, 2.5], "d": [DAY, DAY], "t": ["u", "v"]}
    matcher, left = fitted(frame(held)), frame({"n": ["a b"]})
    types = matcher.match(left).join().schema if frame is not pd.DataFrame else None
    row = {"n": "c d", "id": 3.0, "p": 4, "d": dt.date(2024, 2, 1), "t": "w"}
    for more in (row, frame({name: [cell] for name, cell in row.items()})):
        fitted(frame(held)).add(more)
    matcher.add(row).add({"n": "e f"}).add({"n": "g h", "id": None})
    joined = matcher.match(left).join(suffix="_r")
    if types is not None:
        assert matcher.match(left).join().schema == types
    found = nw.from_native(matcher.match(frame({"n": ["c d"]})).join(), eager_only=True)
    cells = [found[name].to_list()[0] for name in ("id", "p", "d", "t")]
    assert cells == [3, 4.0, dt.datetime(2024, 2, 1), "w"]
    assert len(nw.from_native(joined, eager_only=True)) == 1


@TABLES
@pytest.mark.parametrize(
    ("column", "cell", "types"),
    [
        ("id", "abc", r"'abc' of type \w+ for 'id', whose type [iI]nt64"),
        ("id", "7", r"'7' of type \w+ for 'id', whose type [iI]nt64"),
        ("id", 2.9, r"2\.9 of type \w+ for 'id', whose type [iI]nt64"),
        ("id", True, r"True of type \w+ for 'id', whose type [iI]nt64"),
        ("p", "much", r"'much' of type \w+ for 'p', whose type (double|[fF]loat64)"),
        ("d", "2024-02-01", r"'2024-02-01' of type \w+ for 'd', whose type "),
        ("t", 5, r"5(\.0)? of type \w+ for 't', whose type "),
    ],
)
def test_a_value_that_a_columns_type_does_not_hold_is_refused(frame, column, cell, types) -> None:
    held = {"n": ["a b", "x y"], "id": [1, 2], "p": [1.5, 2.5], "d": [DAY, DAY], "t": ["u", "v"]}
    matcher = fitted(frame(held))
    for more in ({"n": "c d", column: cell}, [{"n": "e f"}, {"n": "c d", column: cell}]):
        with pytest.raises(pj.InputError, match=rf"^The new rows do not fit .* Got {types}.* Hint"):
            matcher.add(more)
    assert matcher.match(["c d", "e f"]).matches().right.tolist() == []


def test_small_integers_do_not_overflow() -> None:
    table = pd.DataFrame({"n": ["a b"], "y": np.array([1], dtype="int8")})
    matcher = fitted(table).add(pd.DataFrame({"n": ["c d"], "y": [100]}))
    assert matcher.match(["c d"]).join()["y"].tolist() == [100]
    with pytest.raises(pj.InputError, match=r"300 of type int64 for 'y', whose type int8"):
        matcher.add(pd.DataFrame({"n": ["e f"], "y": [300]}))


def test_a_shorter_float_rounds_what_is_added() -> None:
    matcher = fitted(pl.DataFrame({"n": ["a b"], "y": pl.Series([1.5], dtype=pl.Float32)}))
    joined = matcher.add({"n": "c d", "y": 0.1}).match(pl.DataFrame({"n": ["c d"]})).join()
    assert joined["y"].dtype == pl.Float32
    assert joined["y"][0] == pytest.approx(0.1)


def test_a_null_is_not_false() -> None:
    matcher = fitted(pd.DataFrame({"n": ["a b", "x y"], "f": [True, False]}), on=["n", "f"])
    matcher.add(pd.DataFrame({"n": ["c d"], "f": [None]}))
    found = matcher.match(pd.DataFrame({"n": ["c d"], "f": [False]})).matches()
    assert found.right.tolist() == [2]
    assert found.score[0] < 1


def test_arrow_text_of_either_size_can_be_added_to() -> None:
    matcher = fitted(pl.DataFrame({"n": ["a b"]}).to_arrow()).add(["delta"])
    assert matcher.match(["delta"]).matches().right.tolist() == [1]


class SlowLengths(Lengths):
    """Encodes so slowly that threads which add do overlap."""

    def encode(self, phrases):
        time.sleep(0.02)
        return super().encode(phrases)


def test_threads_that_add_lose_nothing() -> None:
    matcher = pj.Matcher(encoder=SlowLengths(), threshold=0.6).fit(["zz"])
    threads = [Thread(target=matcher.add, args=([f"k{at} z{at}"],)) for at in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = matcher.match([f"k{at} z{at}" for at in range(12)]).matches()
    assert found.score.tolist() == [1.0] * 12
    assert sorted(found.right.tolist()) == list(range(1, 13))


class Adding(Lengths):
    """Has another matcher add rows before it encodes one."""

    def __init__(self, other: pj.Matcher | None = None) -> None:
        self.other = other

    def encode(self, phrases):
        if self.other is not None and "added" in phrases:
            self.other.add(["other"])
        return super().encode(phrases)


def test_matchers_do_not_wait_for_one_another() -> None:
    other = pj.Matcher(encoder=Lengths(), threshold=0.6).fit(["zz"])
    matcher = pj.Matcher(encoder=Adding(other), threshold=0.6).fit(["zz"])
    thread = Thread(target=matcher.add, args=(["added"],), daemon=True)
    thread.start()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert matcher.match(["added"]).matches().right.tolist() == [1]
    assert other.match(["other"]).matches().right.tolist() == [1]


@pytest.mark.parametrize(
    "copied",
    [lambda m: pickle.loads(pickle.dumps(m)), copy.copy, copy.deepcopy],
    ids=["pickle", "copy", "deepcopy"],
)
def test_a_copy_adds_by_itself(copied) -> None:
    matcher = pj.Matcher(encoder=Lengths(), threshold=0.6).fit(["zz"])
    # While the original adds, too.
    with matcher._adding:
        twin = copied(matcher)
        twin.add(["k z"])
    assert twin.match(["k z"]).matches().right.tolist() == [1]
    assert matcher.match(["k z"]).matches().right.tolist() == []
    assert matcher.add(["k z"]).match(["k z"]).matches().right.tolist() == [1]


def test_a_copied_transformer_adds_and_joins() -> None:
    cities = pd.DataFrame({"n": ["Paris", "Rome"], "p": [1, 2]})
    fitted = pj.FuzzyJoiner(cities, on="n", threshold=0.6, encoder=Lengths()).fit(cities)
    bonn = pd.DataFrame({"n": ["bonn"]})
    for twin in (clone(fitted).fit(cities), copy.deepcopy(fitted)):
        assert twin.matcher_.add(["Bonn"]).match(bonn).matches().right.tolist() == [2]
    assert fitted.matcher_.match(bonn).matches().right.tolist() == []


class Gate(Lengths):
    """Encodes at once until it is shut; the first call after that waits until it is opened."""

    def __init__(self):
        self.shut, self.waiting, self.opened = False, Event(), Event()

    def encode(self, phrases):
        if self.shut:
            self.shut = False
            self.waiting.set()
            assert self.opened.wait(timeout=60)
        return super().encode(phrases)


@pytest.mark.parametrize("renew", [lambda m: m.calibrate(["zy", "zx"]), lambda m: m.refit()])
def test_rows_added_while_it_learns_anew_are_kept(renew) -> None:
    encoder = Gate()
    matcher = pj.Matcher(encoder=encoder, threshold=0.6).fit(["zz"])
    encoder.shut = True
    learning = Thread(target=renew, args=(matcher,))
    learning.start()
    assert encoder.waiting.wait(timeout=60)
    adding = Thread(target=matcher.add, args=(["kk"],))
    adding.start()
    # Long enough for an addition that waits for nothing.
    adding.join(timeout=0.3)
    encoder.opened.set()
    for thread in (learning, adding):
        thread.join()
    assert matcher.match(["kk", "zz"]).matches().right.tolist() == [1, 0]


def test_a_table_does_not_go_under_a_list() -> None:
    with pytest.raises(pj.InputError, match="single column"):
        pj.Matcher(encoder=Lengths()).fit(["a"]).add(pd.DataFrame({"n": ["b"]}))


REFERENCES = {
    "list": lambda cells: cells,
    "series": pd.Series,
    "pandas": lambda cells: pd.DataFrame({"k": cells}),
    "polars": lambda cells: pl.DataFrame({"k": cells}),
    "arrow": lambda cells: pl.DataFrame({"k": cells}).to_arrow(),
}


@pytest.mark.parametrize("make", REFERENCES.values(), ids=REFERENCES)
@pytest.mark.parametrize(
    ("held", "added", "message"),
    [
        (["foo", "bar"], [3], "Got numbers for '.*', which holds text. Hint: give text"),
        (["foo", "bar"], [DAY], "Got dates for '.*', which holds text"),
        (["1", "2"], [3], "Got numbers for '.*', which holds text"),
        ([1, 2], ["3"], "Got text for '.*', which holds numbers"),
        ([1.5, 2.5], [True], "Got booleans for '.*', which holds numbers"),
        ([DAY, None], [3], "Got numbers for '.*', which holds dates"),
    ],
)
def test_values_of_another_kind_are_not_added(make, held: list, added: list, message: str) -> None:
    reference = make(held)
    options = {} if isinstance(reference, list | pd.Series) else {"on": "k"}
    matcher = pj.Matcher(encoder=Lengths(), threshold=0.5, **options).fit(reference)
    for more in (added, pd.Series(added, dtype=object)):
        with pytest.raises(pj.InputError, match=rf"new rows do not fit .*{message}"):
            matcher.add(more)
    assert matcher.match(held[:1]).matches().right.tolist() == [0]


def test_a_column_of_mixed_values_takes_any() -> None:
    reference = pd.DataFrame({"k": pd.Series(["foo", 5], dtype=object)})
    matcher = pj.Matcher(on="k", encoder=Lengths(), threshold=1.0).fit(reference).add([7, "bar"])
    assert matcher.match(["7", "bar", "5"]).matches().right.tolist() == [2, 3, 1]


def test_a_column_that_was_never_filled_takes_any() -> None:
    reference = pd.DataFrame({"n": ["foo"], "v": [np.nan]})
    matcher = fitted(reference, on=["n", "v"]).add(pd.DataFrame({"n": ["bar"], "v": ["x y"]}))
    found = matcher.match(pd.DataFrame({"n": ["bar"], "v": ["x y"]})).matches()
    assert (found.right.tolist(), found.score.tolist()) == ([1], [1.0])


def test_a_column_called_almost_as_the_references_is_pointed_at() -> None:
    reference = pd.DataFrame({"name": ["foo"], "year": [1], "note": ["x"]})
    matcher = fitted(reference, on="name", veto="year")
    with pytest.warns(pj.PearljoinWarning, match=r"Got \['yearr'\]. Hint: did you mean 'year' by"):
        matcher.add(pd.DataFrame({"name": ["bar"], "yearr": [2], "price": [3]}))
    with pytest.raises(pj.InputError, match=r"no column 'name'.*Hint: did you mean 'Name'\?"):
        matcher.add(pd.DataFrame({"Name": ["bar"]}))
    for given, name in ((["foo"], "right"), (pd.Series(["foo"], name="firm"), "firm")):
        alone = pj.Matcher(encoder=Lengths()).fit(given)
        with pytest.raises(pj.InputError, match=rf"Hint: .* column is called '{name}'"):
            alone.add(pd.DataFrame({"frm": ["bar"]}))


def test_number_columns_of_nulls_alone() -> None:
    table = pd.DataFrame({"n": ["x y", "z w"], "v": [np.nan, np.nan]})
    options = {"on": ["n", "v"], "nulls_equal": True, "encoder": Lengths()}
    found = pj.match(table, table, constraint="m:m", threshold=0.9, **options).matches()
    assert found.left.tolist() == found.right.tolist() == [0, 1]
    assert pj.deduplicate(table, **options)["cluster"].tolist() == [0, 1]


@pytest.mark.parametrize("numbers", [[np.inf, *range(59)], [at * 5e-324 for at in range(60)]])
@pytest.mark.parametrize("weights", [None, [1, 0]])
def test_numbers_beyond_measure(numbers, weights) -> None:
    table = pd.DataFrame({"n": [f"thing {at}" for at in range(60)], "v": numbers})
    options = {"on": ["n", "v"], "threshold": 0.5, "encoder": Lengths(), "weights": weights}
    assert pj.match(table, table, **options).matches().right.tolist() == list(range(60))


def test_an_empty_table_is_guessed_as_a_full_one() -> None:
    left, right = pd.DataFrame({"n": ["a b"], "p": [1.5]}), pd.DataFrame({"legal": ["a b"]})
    names = ["n", "p", "legal", "match_score"]
    assert pj.fuzzy_join(left.head(0), right, encoder=Lengths()).columns.tolist() == names


@pytest.mark.parametrize("ordered", [False, True])
def test_values_that_are_no_categories_are_added_without_a_warning(ordered: bool) -> None:
    categories = pd.CategoricalDtype(["Acme", "Globex"], ordered=ordered)
    frame = pd.DataFrame({"name": pd.Series(["Acme", "Globex"], dtype=categories)})
    matcher = pj.Matcher(on="name", encoder=Lengths(), threshold=0.99).fit(frame)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        matcher.add(pd.DataFrame({"name": ["Initech"]})).add(pd.DataFrame({"name": ["Acme 2"]}))
    joined = matcher.match(["Initech", "Acme"]).join(suffix="_r")
    assert joined["name"].tolist() == ["Initech", "Acme"]
