"""The commands from end to end, on a small data folder of made-up text."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from pearljoin_train import __main__ as application
from pearljoin_train.benchmark.tasks import word_weights as task
from pearljoin_train.word_weights import experiments

pytest.importorskip("gensim")

METHODS = ("Tf-idf", "Mean", "Mean, idf-weighted")
TABLES = {"skip-gram 300", "cbow 150", "skip-gram 100, novels only", "bundled token table"}
NAMES = ("Emma", "Ahab", "Tess", "Kim", "Nana", "Jude", "Tom", "Jo", "Lily", "Carrie")


def paragraph(topic: str, rng: np.random.Generator, n_words: int = 90) -> str:
    """Three common words to one of the topic's."""
    common = ["the", "of", "and", "to", "in", "that", "was", "his", "with", "as", "for", "on"]
    words = [
        f"{topic}{'abcdef'[rng.integers(6)]}" if rng.random() < 0.25 else str(rng.choice(common))
        for _ in range(n_words)
    ]
    return " ".join(words)


def article(number: int, rng: np.random.Generator) -> str:
    topic = f"topic{'abcdefghijklmnopqrstuvwxyz'[number]}"
    return f" = Title {number} =\n" + "".join(f" {paragraph(topic, rng)}\n" for _ in range(6))


def book(name: str, rng: np.random.Generator) -> str:
    chapters = ["\n\n".join(f"so {name} met {name}. {paragraph(name, rng)}" for _ in range(30))] * 2
    return "\n\n\n".join(chapters)


@pytest.fixture
def data(tmp_path: Path, monkeypatch) -> Path:
    rng = np.random.default_rng(0)
    folder = tmp_path / "data"
    tweets = [f"{paragraph('event', rng, 9)} {n} #event{n % 8}" for n in range(64)]
    files = {
        "text/wikitext2_valid.txt.gz": "".join(article(n, rng) for n in range(12)),
        "text/wikitext2_test.txt.gz": "".join(article(n, rng) for n in range(12, 24)),
        "text/wikipedia_sentences.txt.gz": "one sentence of few words .\n" * 20,
        "text/gutenberg_novels.txt.gz": "\n\n\n".join(book(name, rng) for name in NAMES),
        "short_text/twitter/tweeteval_sentiment/test_text.txt": "\n".join(tweets) + "\n",
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        packed = gzip.compress(content.encode()) if name.endswith(".gz") else content.encode()
        (folder / name).write_bytes(packed)
    monkeypatch.setenv("PEARLJOIN_DATA", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(
        experiments, "METHODS", {name: experiments.METHODS[name] for name in METHODS}
    )
    monkeypatch.setattr(experiments, "LENGTHS", {"10 to 30 words": (10, 30)})
    return folder


def test_evaluate_and_the_benchmark_task(data, tmp_path, monkeypatch, capsys) -> None:
    results = tmp_path / "results" / "weights.json"
    arguments = ["word-weights", "evaluate", "--epoch-batches", "20", "--json", str(results)]
    assert application.main(arguments) == 0
    shown = capsys.readouterr().out
    found = json.loads(results.read_text())
    assert list(found) == [
        "WikiText, 10 to 30 words", "Novels, 10 to 30 words", "Tweets (no times)",
    ]  # fmt: skip
    for name, experiment in found.items():
        assert f"### {name}" in shown
        assert set(experiment["tables"]) == TABLES
        for rows in experiment["tables"].values():
            assert set(rows) == {*METHODS, experiments.CONTRASTIVE, experiments.MEDIAN}
            assert all(0.0 <= row["split_error"] <= 1.0 for row in rows.values())
    wikitext = found["WikiText, 10 to 30 words"]
    assert len(wikitext["weights"][experiments.MEDIAN]) == 30
    assert wikitext["chosen_kappa"] in map(float, wikitext["kappa"])

    # The same numbers again through the benchmark, with the word vectors trained before.
    monkeypatch.setattr(
        task, "run_experiments", lambda **given: experiments.run_experiments(epoch_batches=20)
    )
    monkeypatch.setattr(task, "MAIN", "WikiText, 10 to 30 words")
    metrics_file = tmp_path / "metrics.json"
    arguments = ["evaluate", "--tasks", "word-weights", "--quiet", "--json", str(metrics_file)]
    assert application.main(arguments) == 0
    metrics = json.loads(metrics_file.read_text())["tasks"]["word-weights"]
    for name, experiment in found.items():
        for title, rows in experiment["tables"].items():
            for method, row in rows.items():
                assert metrics[f"{name}: {title}: {method}"] == row["split_error"]
    assert (
        metrics["split_error"]
        == wikitext["tables"]["skip-gram 300"][experiments.MEDIAN]["split_error"]
    )


def test_dry_runs_train_no_vectors(data, tmp_path, capsys) -> None:
    for command, option in (("learn", "--out"), ("evaluate", "--json")):
        file = tmp_path / "none.json"
        assert application.main(["word-weights", command, option, str(file), "--dry-run"]) == 0
        said = capsys.readouterr().out
        assert f"writes {file}" in said
        assert str(tmp_path / "cache") in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_results_that_cannot_be_drawn(tmp_path, capsys) -> None:
    arguments = ["word-weights", "plot", str(tmp_path / "none.json"), "--folder", str(tmp_path)]
    assert application.main(arguments) == 1
    assert "The results cannot be read" in capsys.readouterr().err
