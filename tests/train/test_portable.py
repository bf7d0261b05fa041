"""Packed inputs and the timed run: from rows to a model, killed, gone on with, and in time."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet
from tiny_models import made_up_names, made_up_streams, save_tiny_bert, tiny_config

from pearljoin._errors import InputError
from pearljoin_train.common.commands import run_command
from pearljoin_train.corpus.phrase_types import label_names
from pearljoin_train.data.join import Join
from pearljoin_train.models.love.encoder import LoveEncoder
from pearljoin_train.models.love.network import LoveConfig
from pearljoin_train.models.love.network import build as build_love
from pearljoin_train.models.love.vocabulary import LoveVocabulary
from pearljoin_train.models.phrase_model import load_phrase_model
from pearljoin_train.portable import pack_command
from pearljoin_train.portable.curves import read_log
from pearljoin_train.portable.inputs import Inputs, read_inputs, write_inputs
from pearljoin_train.portable.pieces import read_manifest, unpack_folder, write_pieces
from pearljoin_train.training.batches import Batches
from pearljoin_train.training.development import DevelopmentSplit

pytestmark = pytest.mark.usefixtures("one_thread")

LONGEST = 600
TYPED = ("PERSON", "GPE", "ORG", "DISEASE", "CHEMICAL")
NOUNS = ["dog", "house", "river", "stone", "cloud", "horse", "field", "wheel"]


def split() -> DevelopmentSplit:
    made = made_up_streams(n=12, seed=5)
    labels = [label_names("fine").index(TYPED[at % 5]) for at in range(12)]
    typed = dataclasses.replace(made.typed, types=np.array(labels))
    names = made_up_names(8, seed=9)
    join = Join("made", names[:3], names[3:], [frozenset(names[3:4]), frozenset(), frozenset()])
    return DevelopmentSplit(made.aliases, made.paraphrases, typed, made.general, [join])


@pytest.fixture(scope="module")
def place(tiny, tmp_path_factory) -> Path:
    """A folder with a data folder of two small sets, and a pack of made-up rows in pieces."""
    folder = tmp_path_factory.mktemp("portable")
    sets = folder / "data" / "pearl_benchmark"
    for name in ("turney", "bird"):
        (sets / name).mkdir(parents=True)
    turney = [f"the {n} | {n} | the | {n} | city | rome | dog | x" for n in NOUNS]
    (sets / "turney" / "turney.txt").write_text("\n".join(turney) + "\n")
    bird = [f"{i}\t{n}\t{n}s\t\t\t\t{i / 8}\t" for i, n in enumerate(NOUNS)]
    (sets / "bird" / "bird.txt").write_text("\n".join(["header", *bird]) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PEARLJOIN_DATA", str(folder / "data"))
        made = Inputs(config(tiny), made_up_streams(), split())
        patch.setattr(Inputs, "from_data_folder", lambda config, development: made)
        given = ["--tasks", "turney", "bird", "--piece-mib", "0.02"]
        assert pack_command.main(["--out", str(folder / "pack"), *given]) == 0
    return folder


def config(tiny, **changes: object):
    values = {"steps": 12, "cooldown": 0.5, "average": 0.5, "remine_at": 0.5, "evaluate_every": 4}
    return tiny_config(tiny, **{**values, **changes})


def logged(run: Path) -> list[dict[str, float]]:
    lines = (run / "log.jsonl").read_text().splitlines(keepends=True)
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return [{k: v for k, v in row.items() if k != "time"} for row in rows]


def reproduce(place: Path, out: Path, *more: str) -> list[str]:
    return ["--from", str(place / "pack"), "--out", str(out), "--device", "cpu", *more]


def test_a_pack_gives_the_batches_and_token_ids_of_its_rows(place, tiny, tmp_path) -> None:
    manifest = unpack_folder(place / "pack", tmp_path / "inputs")
    pieces = sorted((place / "pack").glob("piece-*"))
    assert [path.stat().st_size for path in pieces] == [p["bytes"] for p in manifest["pieces"]]
    assert len(pieces) > 1
    assert max(path.stat().st_size for path in pieces) <= int(0.02 * 1024**2)
    read = read_inputs(tmp_path / "inputs")
    made = made_up_streams()
    assert read.config.replace(base="") == config(tiny).replace(base="")
    assert dataclasses.asdict(read.split)["joins"] == dataclasses.asdict(split())["joins"]
    plain = read.config.replace(neighbours=1, distil_weight=0.0, synonym_rate=0.0)
    streams = dataclasses.replace(read.streams, mixture=made.mixture)
    one, two = Batches(streams, plain).batch(3), Batches(made, plain).batch(3)
    assert (one.first, one.second) == (two.first, two.second)
    assert one.types.tolist() == two.types.tolist()
    model = load_phrase_model(read.config)
    texts = ["an unseen text", *one.texts, "another", one.first[0]]
    found, wanted = read.tokenise(texts), model.tokenise(texts)
    assert found.ids.tolist() == wanted.ids.tolist()
    assert found.starts.tolist() == wanted.starts.tolist()
    original = load_phrase_model(config(tiny)).encode(texts)
    np.testing.assert_allclose(model.encode(texts), original, atol=2e-3)  # half precision


def test_a_teacher_a_character_encoder_and_negatives_come_along(tiny, tmp_path) -> None:
    vocabulary = LoveVocabulary.learn(["ranmer", "stolin", "pexnor"], size=30)
    shape = LoveConfig(vocabulary_size=len(vocabulary), dim=8, attention_dim=4)
    LoveEncoder(build_love(shape, seed=0), vocabulary).save(tmp_path / "love")
    teacher = save_tiny_bert(tmp_path / "teacher", seed=7)
    phrases = made_up_names(4)
    table = {"phrase": phrases, "negatives": [[phrases[1]], [], [phrases[3]], []]}
    parquet.write_table(pyarrow.table(table), tmp_path / "negatives.parquet")
    given = {"characters": str(tmp_path / "love"), "teacher": str(teacher), "negatives": 1,
             "negatives_file": str(tmp_path / "negatives.parquet"), "character_dim": 4}  # fmt: skip
    (tmp_path / "inputs").mkdir()
    made = Inputs(config(tiny, **given), made_up_streams())
    write_inputs(made, tmp_path / "inputs", teacher=teacher)
    (tmp_path / "inputs").rename(tmp_path / "elsewhere")
    read = read_inputs(tmp_path / "elsewhere")
    assert load_phrase_model(read.config).dim == 32 + 4
    rows = np.arange(5)
    general = read.streams.general.phrases[:5]
    wanted = load_phrase_model(config(teacher)).encode(general)
    np.testing.assert_allclose(read.streams.teacher[rows], wanted, atol=2e-3)
    base = load_phrase_model(config(tiny)).encode(general)
    np.testing.assert_allclose(read.streams.vectors["general"][rows], base, atol=2e-3)
    assert read.streams.negatives.of(phrases[2]) == (phrases[3],)
    assert read.split is None
    assert read.data is None


@pytest.mark.thorough
def test_a_killed_run_is_gone_on_with_to_the_same_model(place, tmp_path, capsys) -> None:
    # Every step with a checkpoint, and many of them, for the kill to fall between two.
    given = ["--minutes", "30", "--checkpoint-every", "1", "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pearljoin_train", "reproduce",
         *reproduce(place, tmp_path / "killed", *given, "--steps", "4000", "--tasks", "none")],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    run = tmp_path / "killed" / "run"
    deadline = time.monotonic() + LONGEST
    while not (run / "log.jsonl").exists() or len(logged(run)) < 5:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    checkpoint = max(run.glob("checkpoint-*"))
    done = json.loads((checkpoint / "facts.json").read_text())["step"]
    assert done >= 3
    assert not (tmp_path / "killed" / "result").exists()
    steps = str(2 * done + 4)
    reports = {}
    for name in ("killed", "whole"):
        more = [*given, "--steps", steps, "--workers", "0", "--cooldown", "0"]
        assert run_command("reproduce", reproduce(place, tmp_path / name, *more)) == 0
        reports[name] = json.loads(capsys.readouterr().out)
    kinds = {"nt_xent", "type", "distil"}
    assert {*kinds} <= {*logged(run)[0]}
    assert [row["step"] for row in logged(run) if row["kind"] == "loss"] == [
        *range(1, int(steps) + 1)
    ]
    assert reports["killed"]["steps"] == reports["whole"]["steps"] == int(steps)
    assert {*reports["whole"]["benchmark"]["tasks"]} == {"turney", "bird"}
    assert reports["whole"]["development"]["after"] != reports["whole"]["development"]["before"]
    for name in reports:
        unpack_folder(tmp_path / name / "result", tmp_path / f"{name}-made")
    result = tmp_path / "whole-made"
    assert {path.name for path in result.iterdir()} == {
        "curves.png", "log.jsonl", "model", "report.json", "run.log",
    }  # fmt: skip
    made = load_phrase_model(config(result / "model"))
    again = load_phrase_model(config(tmp_path / "whole" / "run" / "model"))
    np.testing.assert_array_equal(made.encode(NOUNS), again.encode(NOUNS))
    base = load_phrase_model(config(tmp_path / "whole" / "inputs" / "base"))
    assert not np.allclose(made.encode(NOUNS), base.encode(NOUNS), atol=1e-3)
    assert read_manifest(tmp_path / "whole" / "result")["holds"] == "result"
    assert run_command("reproduce", reproduce(place, tmp_path / "whole", *given)) == 1
    assert "has ended" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_run_stops_before_its_minutes_end_and_in_sittings(place, tmp_path, capsys) -> None:
    given = ["--steps", "1000000", "--tasks", "turney", "--remine-at", "0", "--minutes", "0.3"]
    sitting = reproduce(place, tmp_path / "run", *given, "--reserve", "0.1", "--sitting", "0.1")
    began = time.process_time()
    assert run_command("reproduce", sitting) == 3
    assert capsys.readouterr().out == ""
    first = len(logged(tmp_path / "run" / "run"))
    assert first > 0
    codes = [run_command("reproduce", sitting) for _ in range(3)]
    assert 0 in codes
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    assert report["seconds"] <= 18
    assert time.process_time() - began < 60
    assert first < report["steps"] < 1_000_000
    assert report["peak_bytes"] is None
    # The steps that fit became the plan, by which the learning rate goes down to nothing.
    newest = max((tmp_path / "run" / "run").glob("checkpoint-*"))
    facts = json.loads((newest / "facts.json").read_text())
    assert facts["steps"] == facts["step"] == report["steps"]
    curves = read_log(tmp_path / "run" / "run" / "log.jsonl")
    assert len(curves["loss"]["nt_xent"][0]) == report["steps"]


def test_a_plan_reads_and_writes_nothing_else(place, tmp_path, capsys) -> None:
    given = reproduce(place, tmp_path / "run", "--dry-run", "--minutes", "20")
    assert run_command("reproduce", given) == 0
    shown = capsys.readouterr().out
    assert "4 sources, 192 phrases" in shown
    assert "12 steps of 20 rows in 17.0 minutes on cpu" in shown
    assert "measures turney bird in the last 3.0 minutes" in shown
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda piece: piece.unlink(), r"A piece of the pack is missing. Got no 'piece-000.bin'"),
        (lambda piece: piece.write_bytes(b"x"), r"damaged. Got 'piece-000.bin' of 1 bytes"),
    ],
)
def test_a_piece_that_is_wrong_is_named(tmp_path, damage, said) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "a.txt").write_text("abc")
    write_pieces(tmp_path / "content", tmp_path / "pack", {})
    damage(tmp_path / "pack" / "piece-000.bin")
    with pytest.raises(InputError, match=said):
        unpack_folder(tmp_path / "pack", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_is_no_pack_is_said(tmp_path, tiny) -> None:
    with pytest.raises(InputError, match="There is no pack in"):
        read_manifest(tmp_path)
    (tmp_path / "pack.json").write_text('{"format": 99}')
    with pytest.raises(InputError, match="Got 99, expected 1"):
        unpack_folder(tmp_path, tmp_path / "out")
    with pytest.raises(InputError, match="does not hold the inputs of a run"):
        read_inputs(tmp_path)
    made = Inputs(config(tiny, synonym_vectors="x"), made_up_streams())
    with pytest.raises(InputError, match="Word vectors are not packed"):
        write_inputs(made, tmp_path)
