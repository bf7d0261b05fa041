"""`--dry-run`: what long commands would read and do, and for how long; nothing is written."""

import pytest
from tiny_models import made_up_names, made_up_streams, tiny_config

from pearljoin_train.benchmark.tasks import SETS
from pearljoin_train.common.commands import run_command
from pearljoin_train.common.dry_run import in_words, seconds_a_text
from pearljoin_train.experiments import grid
from pearljoin_train.training import ngrams_command

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


def test_durations_and_the_sample() -> None:
    assert [in_words(s) for s in (89, 90, 5_399, 5_400)] == [
        "89 seconds", "2 minutes", "90 minutes", "1.5 hours",
    ]  # fmt: skip
    asked: list[int] = []
    seconds_a_text(lambda texts: asked.append(len(texts)), [str(n) for n in range(1_000)])
    assert asked == [64, 64]
