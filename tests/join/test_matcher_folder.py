"""A matcher saved to a folder of plain files, and loaded again."""

import json
from pathlib import Path

import pandas as pd
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of, decided, pairs_of

import pearljoin as pj

RIGHT = ["Acme Corporation", "Globex Inc", "Initech"]
LEFT = ["globex", "acme corp", "hooli", None]


def matcher(**options) -> pj.Matcher:
    return pj.Matcher(**{"encoder": TrigramEncoder(), "threshold": 0.3, **options})


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
    assert len(loaded.match(left).matches()) == 4
    joined = columns_of(loaded.match(left).join("inner"))
    assert sorted(set(joined["name_right"])) == ["north lodge", "south lodge"]
    assert joined == columns_of(fitted.match(left).join("inner"))
    assert sorted(set(joined["extra"])) == ["x", "y"]


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
        ("manifest.json", lambda b: b.replace(b'n": 2', b'n": 9'), "this version.*version 9"),
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


def test_the_manifest_names_a_checksum_of_every_file(saved: Path) -> None:
    manifest = json.loads((saved / "manifest.json").read_text())
    files = {path.name for path in saved.iterdir()} - {"manifest.json"}
    assert set(manifest["files"]) == files
    assert all(len(value) == 64 for value in manifest["files"].values())
