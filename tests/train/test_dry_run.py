"""`--dry-run`: what long commands would read and do, and for how long; nothing is written."""

import gzip
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from tiny_models import made_up_names, made_up_streams, tiny_config

import pearljoin as pj
from pearljoin_train.benchmark.tasks import SETS
from pearljoin_train.common.commands import run_command
from pearljoin_train.common.dry_run import in_words, seconds_a_text
from pearljoin_train.experiments import grid
from pearljoin_train.records import command as records_command
from pearljoin_train.training import ngrams_command, static_command
from pearljoin_train.training.static_phrases import StaticPhrases

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
def shown(capsys, tmp_path, monkeypatch):
    """Runs a command with --dry-run in an empty folder; returns what it said."""
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)

    def shown(*line: object) -> str:
        assert run_command(str(line[0]), [*map(str, line[1:]), "--dry-run"]) == 0
        assert list(place.iterdir()) == []
        return capsys.readouterr().out

    return shown


def test_evaluate_names_sets_and_their_time(shown, tmp_path, monkeypatch) -> None:
    (tmp_path / "data" / "pearl_benchmark" / "turney").mkdir(parents=True)
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "data"))
    lines = shown("evaluate").splitlines()
    assert len(lines) == len(SETS) + 1
    assert "Turney         about 7 seconds" in lines
    assert "AutoFJ         absent" in lines
    assert lines[-1].startswith("in all about 7 seconds on two cores")


def test_finetune_splits_the_pairs(shown, tmp_path) -> None:
    names = made_up_names(50)
    rows = [f"{name},{name} ltd" for name in names]
    (tmp_path / "pairs.csv").write_text("\n".join(["left,right", *rows]) + "\n")
    said = shown("finetune", "--pairs", tmp_path / "pairs.csv", "--out", "model", "--minutes", 7)
    assert "reads 50 pairs: trains on 40, measures on 10" in said
    assert "about 7 minutes in all" in said


def test_negatives_times_the_encoder(shown, tmp_path, tiny) -> None:
    (tmp_path / "phrases.txt").write_text("\n".join(made_up_names(90)) + "\n")
    given = ["--phrases", tmp_path / "phrases.txt", "--encoder", tiny, "--out", "negatives.parquet"]
    said = shown("negatives", *given)
    assert "mines negatives of 90 phrases, 12 each at most, into negatives.parquet" in said


@pytest.mark.parametrize(
    ("command", "more", "rows"),
    [
        ("ablate", [], ["full", "without types", "without hard negatives"]),
        ("sweep", ["--learning-rates", "0.1", "0.2"], ["learning rate 0.2", "neighbours 16"]),
        ("generalize", ["--bases", "nobody-has-it"], ["nobody-has-it"]),
    ],
)
def test_experiments_list_their_rows(command, more, rows, shown, tiny, tmp_path, monkeypatch):
    config = tmp_path / "config.json"
    config.write_text(tiny_config(tiny, steps=30).to_json())
    monkeypatch.setattr(grid, "read_streams", lambda config, vectors: made_up_streams())
    bases = ["--bases", str(tiny), *more[1:]] if command == "generalize" else more
    said = shown(command, "--recipe", config, "--out", "out", "--seeds", "2", "--steps", 30, *bases)
    assert set(rows) <= {line.strip() for line in said.splitlines()}
    assert "with 2 seeds each into out" in said
    assert "trains 30 steps of 20 pairs (600 pairs): about" in said
    assert "all of them: about" in said


def test_ngrams_counts_names(shown, tiny, monkeypatch) -> None:
    made = made_up_streams()
    lists = {e.source: e for e in made.aliases}
    monkeypatch.setattr(ngrams_command, "read_alias_examples", lambda part: lists)
    monkeypatch.setattr(ngrams_command, "read_general_examples", lambda part: made.general)
    said = shown("ngrams", "--model", tiny, "--out", "spelled", "--steps", "9")
    assert "reads 1 lists, 48 names, and 48 ordinary phrases" in said
    assert "encodes 144 texts in at most" in said
    assert "trains 9 steps of 6 x 128 names" in said


@pytest.fixture
def aliases(tmp_path, monkeypatch):
    """A data folder of names of two sources, one of which is held out."""
    path = tmp_path / "data" / "train" / "alias_pairs.tsv.gz"
    path.parent.mkdir(parents=True)
    with gzip.open(path, "wt", encoding="utf-8", newline="\n") as file:
        file.write("name\talias\tkind\tsource\tlicence\tin_benchmark\n")
        for source in ("rivers", "osm_id_presets"):
            for at in range(800):
                name = f"{source} {chr(97 + at % 26) * 3}{at // 26} town"
                file.write(f"{name}\t{name[: -len(' town')]}\tx\t{source}\tA\t\n")
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "data"))


@pytest.fixture
def model(tmp_path) -> Path:
    """A copy of the bundled model."""
    return Path(shutil.copytree(pj.load_encoder("default").folder, tmp_path / "model"))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.thorough
def test_scorer_reckons_joins_and_training(shown, aliases, model) -> None:
    before = files(model)
    lists_alone = "--joins-a-table", "0", "--catalogues", "0"
    said = shown("scorer", "--out", model, "--joins-a-source", "50", *lists_alone)
    assert "1 sources to train on, 1 to evaluate on" in said
    assert "makes 100 joins and compares their pairs: about" in said
    assert "trains 3 networks of each kind: about" in said
    assert "trains" not in shown("scorer", "--evaluate", model).replace("to train on", "")
    assert files(model) == before


def test_background_counts_the_pairs(shown, aliases) -> None:
    pairs = re.search(
        r"reads ([\d,]+) pairs of names of 1 sources", shown("background", "--out", "x")
    )
    every = shown("background", "--whole", "--out", "x")
    whole = re.search(r"reads ([\d,]+) pairs of names of 1 sources", every)
    assert 0 < int(pairs[1].replace(",", "")) < int(whole[1].replace(",", "")) == 800
    assert "into x" in every


def test_augment_times_the_views(shown, aliases, tmp_path) -> None:
    (tmp_path / "phrases.txt").write_text("\n".join(made_up_names(90)) + "\n")
    given = [
        "--phrases",
        tmp_path / "phrases.txt",
        "--out",
        "views.parquet",
        "--views",
        "3",
        "--synonym",
        "0",
    ]
    said = shown("augment", *given, "--synonyms", "--paraphraser", "none")
    assert "reads 90 phrases, draws 3 views of each: about" in said
    assert "writes views.parquet" in said


def test_love_trains_on_a_few_words(shown, tmp_path) -> None:
    rng = np.random.default_rng(0)
    names = dict.fromkeys(word for name in made_up_names(300) for word in name.split())
    words = ["".join(filter(str.isalpha, word)) for word in names]
    rows = [f"{word} {' '.join(f'{x:.3f}' for x in rng.normal(size=8))}" for word in words]
    table = tmp_path / "table.vec"
    table.write_text("\n".join([f"{len(words)} 8", *rows]) + "\n", encoding="utf-8")
    given = ["--vectors", table, "--words", table, "--limit", len(words), "--epochs", "3"]
    said = shown("love", *given, "--out", "love")
    assert f"reads {len(words)} words, and their vectors from" in said
    found = re.search(r"trains 3 passes over some (\d+) of them, (\d+) steps", said)
    n_learnt, steps = map(int, found.groups())
    assert 0.8 * len(words) < n_learnt < 0.95 * len(words)
    assert steps == 3 * -(-n_learnt // 32)


def test_records_makes_a_few(shown, monkeypatch) -> None:
    monkeypatch.setattr(records_command, "read_lists", lambda split: split)
    monkeypatch.setattr(records_command, "make_records", lambda lists, n, **options: iter(range(n)))
    said = shown("records", "--n", "40", "--out", "made", "--split", "validation")
    assert "reads the open lists of validation" in said
    assert "makes 40 tables, or pairs of tables: about 0 seconds" in said


def test_nano_counts_steps(shown, tiny, monkeypatch) -> None:
    known = StaticPhrases(made_up_names(70), [], {"towns": {"phrases": 70, "licence": "A"}})
    monkeypatch.setattr(static_command, "read_static_phrases", lambda config: known)
    said = shown("nano", "--out", "nano", "--teacher", tiny, "--batch", "32", "--epochs", "2")
    assert "reads 70 phrases of 1 sources" in said
    assert "distils 6 steps of 32 phrases" in said


def test_durations_and_the_sample() -> None:
    assert [in_words(s) for s in (89, 90, 5_399, 5_400)] == [
        "89 seconds", "2 minutes", "90 minutes", "1.5 hours",
    ]  # fmt: skip
    asked: list[int] = []
    seconds_a_text(lambda texts: asked.append(len(texts)), [str(n) for n in range(1_000)])
    assert asked == [64, 64]
