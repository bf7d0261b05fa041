"""The paper's own run: its settings, its plan, and every stage of it on little text."""

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from corpus.samples import NAMES, NOUNS, write_lists

from pearljoin_train.common.commands import run_command
from pearljoin_train.common.config import load_config
from pearljoin_train.corpus.merge import read_rows
from pearljoin_train.experiments import reproduce as module
from pearljoin_train.experiments.reproduce import main as reproduce
from pearljoin_train.models.base import MINILM
from pearljoin_train.models.love.encoder import LoveEncoder
from pearljoin_train.negatives import HardNegatives

pytestmark = pytest.mark.usefixtures("one_thread")

TREE = "(S (NP (DT the) (NN {noun})) (VP (VBZ waits) (PP (IN in) (NP (NNP {name})))))"


@pytest.mark.parametrize(
    ("name", "base"), [("small", "intfloat/e5-small-v2"), ("base", "intfloat/e5-base-v2")]
)
def test_the_recipes_hold_the_papers_settings(name, base):
    config = load_config(f"pearl-{name}")
    assert (config.base, config.prefix, config.rows) == (base, "", 512)
    assert (config.learning_rate, config.temperature, config.average) == (3e-5, 0.07, 0.5)
    assert (config.decay, config.decay_every, config.negatives) == (0.98, 2000, 2)
    assert (config.type_set, config.type_head) == ("paper", "linear")
    # .50 paraphrases; of the other half .2, .6, .1 and .1.
    rest = 1 - config.phrase_rate
    shares = [config.character_rate, config.synonym_rate, config.swap_rate]
    assert [rest * share for share in shares] == pytest.approx([0.10, 0.30, 0.05])
    assert config.steps == -(-2 * 3_800_000 // 512)


def test_reproduce_shows_its_plan(tmp_path, capsys):
    assert reproduce(["--dry-run", "--texts", "wiki.txt", "--out", str(tmp_path / "run")]) == 0
    lines = capsys.readouterr().out.splitlines()
    starts = [line.split("pearljoin_train ")[-1].split()[0] for line in lines[:4]]
    assert starts == ["corpus", "love", "augment", "negatives"]
    assert "seeds 0, 1, 2" in lines[4]
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ([], "the text of Wikipedia is missing. Got: no file."),
        (["--texts", "{folder}/none.txt"], "the text of Wikipedia is missing. Got: there is no"),
        (["--texts", "{folder}/wiki.txt", "--entities", "lists", "--base", "{folder}/gone"],
         "the base model is missing"),
        (["--texts", "{folder}/wiki.txt", "--entities", "lists", "--base", "{tiny}"],
         "word vectors is missing"),
    ],
)  # fmt: skip
def test_reproduce_names_what_is_missing_and_the_way_without(given, named, tiny, tmp_path, capsys):
    (tmp_path / "wiki.txt").write_text("The pearl is in the sea.\n")
    filled = [text.format(folder=tmp_path, tiny=tiny) for text in given]
    assert run_command("reproduce", [*filled, "--out", str(tmp_path / "run")]) == 1
    error = capsys.readouterr().err
    assert named in error
    assert "--recipe pearl-mini" in error


def write_words(path: Path, words: list[str]) -> Path:
    rng = np.random.default_rng(0)
    rows = [f"{word} {' '.join(f'{x:.3f}' for x in rng.normal(size=8))}" for word in words]
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A folder of parses and word vectors, and a data folder of a few names and two sets."""
    data = tmp_path / "data"
    write_lists(data / "train")
    sets = data / "pearl_benchmark"
    for name in ("turney", "bird"):
        (sets / name).mkdir(parents=True)
    turney = [f"the {n} | {n} | the | {n} | city | Rome | dog | x" for n in NOUNS]
    (sets / "turney" / "turney.txt").write_text("\n".join(turney) + "\n")
    rows = [
        f"{i}\t{n}\t{m}\t\t\t\t{i / 8}\t" for i, (n, m) in enumerate(zip(NOUNS, NAMES, strict=True))
    ]
    (sets / "bird" / "bird.txt").write_text("\n".join(["header", *rows]) + "\n")
    monkeypatch.setenv("PEARLJOIN_DATA", str(data))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    trees = [TREE.format(noun=noun, name=name) for noun in NOUNS for name in NAMES]
    (tmp_path / "parses.mrg").write_text("\n".join(trees))
    write_words(tmp_path / "words.vec", [*NOUNS, *(n.lower() for n in NAMES), "the", "in", "waits"])
    return tmp_path


def test_every_stage_runs_on_what_the_one_before_wrote(
    place, tiny, tiny_t5, monkeypatch, capsys
) -> None:
    out = place / "run"
    given = [
        "--texts", str(place / "parses.mrg"), "--parser", "brackets", "--entities", "lists",
        "--word-vectors", str(place / "words.vec"), "--paraphraser", str(tiny_t5),
        "--base", str(tiny), "--most-cosine", "0.99", "--tasks", "turney", "bird",
        "--seeds", "2", "--general-rows", "8", "--character-dim", "6", "--max-tokens", "32",
        "--micro-batch", "32", "--precision", "float32", "--threads", "1",
        "--learning-rate", "0.01", "--out", str(out),
    ]  # fmt: skip
    run = module.Stage.run

    def stopped(stage) -> None:
        if stage.name == "augment":
            raise KeyboardInterrupt
        run(stage)

    monkeypatch.setattr(module.Stage, "run", stopped)
    with pytest.raises(KeyboardInterrupt):
        reproduce(given)
    made = {"corpus.parquet", "corpus.parquet.shards", "love"}
    assert {path.name for path in out.iterdir()} == made

    ran = []
    monkeypatch.setattr(module.Stage, "run", lambda stage: ran.append(stage.name) or run(stage))
    assert reproduce(given) == 0
    assert ran == ["augment", "negatives"]
    corpus = {phrase: row for phrase, *row in read_rows(out / "corpus.parquet")}
    assert corpus["the dog"] == ["NP", "OTHER", 8]
    assert corpus["in Oslo"][:2] == ["PP", "GPE"]
    assert LoveEncoder.load(out / "love").dim == 8
    views = pq.read_table(out / "paraphrases.parquet").to_pydict()
    assert views["phrase"] == sorted(corpus)
    assert {method for row in views["methods"] for method in row} == {"paraphrase"}
    mined = HardNegatives.read(out / "negatives.parquet")
    drawn = {phrase: mined.of(phrase) for phrase in corpus}
    assert set(drawn) == {*corpus}
    assert any(drawn.values())
    assert all(len(negatives) <= 12 and {*negatives} <= {*corpus} for negatives in drawn.values())

    runs = [json.loads(path.read_text()) for path in (out / "results").glob("*.json")]
    assert sorted(row["seed"] for row in runs) == [0, 1]
    assert {row["config"]["steps"] for row in runs} == {-(-2 * len(corpus) // 8)}
    assert runs[0]["config"]["average"] == 0.5
    for model in out.glob("runs/*/model"):
        assert (model / "characters" / "share.safetensors").is_file()
    scores = json.loads((out / "scores.json").read_text())["rows"]["pearl-small"]
    assert list(scores) == ["Turney", "BIRD", "mean"]
    turney = [row["scores"]["Turney"] for row in runs]
    assert scores["Turney"]["mean"] == pytest.approx(sum(turney) / 2)
    assert scores["Turney"]["runs"] == 2
    assert scores["BIRD"]["deviation"] > 0

    ran.clear()
    monkeypatch.setattr("pearljoin_train.experiments.grid.train", None)
    capsys.readouterr()
    assert reproduce(given) == 0
    assert ran == []
    assert capsys.readouterr().out == (out / "scores.md").read_text()


def test_what_only_the_last_stages_need_is_asked_for_first(place, tiny, capsys) -> None:
    given = ["--texts", str(place / "parses.mrg"), "--parser", "brackets", "--entities", "lists",
             "--base", str(tiny), "--characters", "", "--views-file", ""]  # fmt: skip
    for more, named in (
        (["--tasks", "bird", "none"], "no such task. Got 'none'"),
        (["--tasks", "ppdb"], "ppdb cannot be measured"),
        (["--seeds", "0"], "at least 1 seed"),
    ):
        out = ["--out", str(place / "run")]
        assert run_command("reproduce", [*given, *more, *out]) == 1
        assert named in capsys.readouterr().err
    shutil.rmtree(place / "data" / "train")
    arguments = [*given, "--tasks", "bird", "--out", str(place / "run")]
    assert run_command("reproduce", arguments) == 1
    assert "alias_pairs" in capsys.readouterr().err
    assert not (place / "run").exists()


def test_negatives_are_mined_with_the_base_whatever_model_is_bundled(tmp_path, capsys) -> None:
    given = ["--dry-run", "--texts", "a.txt", "--base", MINILM, "--out", str(tmp_path / "run")]
    assert reproduce(given) == 0
    line = next(s for s in capsys.readouterr().out.splitlines() if " negatives " in s)
    folder = Path(line.split("--encoder ")[1].split()[0])
    assert (folder / "model.safetensors").is_file()
