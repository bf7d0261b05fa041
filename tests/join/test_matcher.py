"""Matcher: encoded once, matched many times, extended, saved, loaded, shared between threads."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of, join, pairs_of, rows_of

import pearljoin as pj

RIGHT = ["Acme Corporation", "Globex Inc", "Initech"]
LEFT = ["globex", "acme corp", "hooli", None]


def matcher(**options) -> pj.Matcher:
    return pj.Matcher(**{"encoder": TrigramEncoder(), "threshold": 0.3, **options})


def decided(found: pj.MatchResult, **options) -> tuple[list, list]:
    matches = found.matches(**options)
    return pairs_of(matches), matches.score.tolist()


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
    assert decided(fitted.match(LEFT)) == decided(
        matcher().fit([*RIGHT, "Hooli Ltd", "Initech"]).match(LEFT)
    )
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
        matcher(on="name").fit(table).add(pl.DataFrame({"nam": ["x"]}))
    with pytest.raises(pj.InputError, match=r"single column .* several key columns"):
        matcher(on=["name", "n"]).fit(table).add(["x"])
    with pytest.raises(pj.InputError, match=r"new rows do not fit the reference's columns"):
        matcher(on="n").fit(table).add(["many"])


# Saving and loading -----------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    matcher(constraint="m:m", k=2, threshold=0.25).fit(RIGHT).save(tmp_path / "saved")
    return tmp_path / "saved"


def test_a_loaded_matcher_decides_as_the_saved_one(saved: Path, trigrams: TrigramEncoder) -> None:
    loaded = pj.Matcher.load(saved, encoder=trigrams)
    # Asked for: a probe of the dimension, and one saved phrase to tell the encoder by.
    assert trigrams.asked[1:] == RIGHT[:1]
    options = {"constraint": "m:m", "k": 2, "threshold": 0.25}
    original = matcher(**options).fit(RIGHT)
    assert decided(loaded.match(LEFT)) == decided(original.match(LEFT))
    assert decided(loaded.add(["Hooli"]).match(LEFT)) == decided(
        original.add(["Hooli"]).match(LEFT)
    )


def test_every_kind_of_key_survives(tmp_path: Path, make_frame: FrameMaker) -> None:
    right = make_frame(
        {
            "name": ["north lodge", "south lodge", None],
            "rooms": [10, 20, None],
            "opened": [pd.Timestamp("2001-02-03").to_pydatetime(), None, None],
            "bar": [True, False, None],
            "land": ["IT", "IT", "US"],
            "extra": ["x", "y", "z"],
        }
    )
    left = make_frame(
        {
            "name": ["North Lodge", "Lodge"],
            "rooms": [11, 20],
            "opened": [pd.Timestamp("2001-02-04").to_pydatetime()] * 2,
            "bar": [True, True],
            "land": ["IT", "IT"],
        }
    )
    options = {
        "on": ["name", "rooms", "opened", "bar"],
        "by": "land",
        "weights": {"name": 2},
        "threshold": 0.0,
        "constraint": "m:m",
    }
    fitted = matcher(**options).fit(right)
    fitted.save(tmp_path / "m")
    loaded = pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())
    assert decided(loaded.match(left)) == decided(fitted.match(left))
    assert len(loaded.match(left).matches()) == 2
    joined = columns_of(loaded.match(left).join("inner"))
    assert "extra" not in joined
    assert joined["name_right"] == ["north lodge"] * 2


def test_a_named_encoder_is_loaded_by_its_name(tmp_path: Path) -> None:
    fitted = pj.Matcher().fit(RIGHT)
    fitted.save(tmp_path / "m")
    loaded = pj.Matcher.load(tmp_path / "m")
    assert decided(loaded.match(LEFT)) == decided(fitted.match(LEFT))
    assert loaded.match(LEFT).threshold == fitted.match(LEFT).threshold


def test_a_folder_is_replaced_whole_and_nothing_is_left_beside_it(saved: Path) -> None:
    matcher().fit(["Hooli"]).save(saved)
    assert [path.name for path in saved.parent.iterdir()] == ["saved"]
    loaded = pj.Matcher.load(saved, encoder=TrigramEncoder())
    assert pairs_of(loaded.match(LEFT).matches()) == [(2, 0)]


def test_nothing_is_pickled(saved: Path) -> None:
    assert {path.suffix for path in saved.iterdir()} == {".json", ".npy"}


@pytest.mark.parametrize("what", ["file", "other files"])
def test_other_peoples_files_are_not_overwritten(tmp_path: Path, what: str) -> None:
    target = tmp_path / "target"
    if what == "file":
        target.write_text("mine")
    else:
        target.mkdir()
        (target / "mine.txt").write_text("mine")
    message = {"file": "is a file. Hint", "other files": "holds other files, which would be lost"}
    with pytest.raises(pj.InputError, match=message[what]):
        matcher().fit(RIGHT).save(target)
    kept = target if what == "file" else target / "mine.txt"
    assert kept.read_text() == "mine"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(pj.InputError, match=r"folder .* cannot be written. Got"):
        matcher().fit(RIGHT).save(tmp_path / "file" / "m")


def test_an_encoder_without_a_name_must_be_given_again(saved: Path) -> None:
    with pytest.raises(pj.InputError, match=r"encoder that has no name. Hint: give the same one"):
        pj.Matcher.load(saved)


@pytest.mark.parametrize(
    "encoder", [TrigramEncoder(dim=32), lambda texts: [[1.0] * 48] * len(texts)]
)
def test_another_encoder_is_refused(saved: Path, encoder) -> None:
    with pytest.raises(pj.ModelError, match=r"encoder is not the one that the matcher was saved"):
        pj.Matcher.load(saved, encoder=encoder)


def test_a_threshold_without_a_plain_form_is_refused(tmp_path: Path) -> None:
    class Mine:
        def choose(self, evidence) -> float:
            return 0.5

    with pytest.raises(pj.InputError, match=r"threshold of this kind cannot be saved. Got Mine"):
        matcher(threshold=Mine()).fit(RIGHT).save(tmp_path / "m")


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(pj.ModelError, match=r"no saved matcher at .*manifest.json is missing"):
        pj.Matcher.load(tmp_path / "none")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("content.json", lambda b: b[:-9], "'content.json' has changed since it was saved"),
        ("vectors_0.npy", lambda b: b[:-4], "'vectors_0.npy' has changed"),
        ("vectors_0.npy", lambda b: None, "'vectors_0.npy' is missing"),
        ("manifest.json", lambda b: b[:50], "manifest.json cannot be read"),
        ("manifest.json", lambda b: b"\xff\xfe", "manifest.json cannot be read"),
        ("manifest.json", lambda b: b"[]", "manifest.json is not what it should be"),
        ("manifest.json", lambda b: b"{}", "not a saved matcher of this version. Got kind None"),
        ("manifest.json", lambda b: b.replace(b'n": 1', b'n": 9'), "this version.*version 9"),
        ("manifest.json", lambda b: b.replace(b"vectors_0", b"../vectors_0"), "is missing"),
    ],
)
def test_a_damaged_folder_is_refused(saved: Path, name: str, change, message: str) -> None:
    content = change((saved / name).read_bytes())
    (saved / name).unlink()
    if content is not None:
        (saved / name).write_bytes(content)
    with pytest.raises(pj.ModelError, match=message):
        pj.Matcher.load(saved, encoder=TrigramEncoder())


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


def test_the_manifest_names_a_checksum_of_every_file(saved: Path) -> None:
    manifest = json.loads((saved / "manifest.json").read_text())
    files = {path.name for path in saved.iterdir()} - {"manifest.json"}
    assert set(manifest["files"]) == files
    assert all(len(value) == 64 for value in manifest["files"].values())
