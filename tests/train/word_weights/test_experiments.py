"""The whole experiment on made-up articles, its table and figures, and the command's errors."""

from pathlib import Path

import numpy as np
import pytest

from pearljoin import InputError, WeightedWordEncoder
from pearljoin_train.common.commands import run_command
from pearljoin_train.word_weights.articles import article_pairs, split_articles
from pearljoin_train.word_weights.command import main
from pearljoin_train.word_weights.experiments import MEDIAN, METHODS, Split, run_experiment
from pearljoin_train.word_weights.figures import draw, table
from pearljoin_train.word_weights.names import alias_pairs
from pearljoin_train.word_weights.texts import Article
from pearljoin_train.word_weights.vectors import SKIPGRAM

LETTERS = "abcdefghijkl"


def made_up_articles(rng: np.random.Generator, n_articles: int = 40) -> list[Article]:
    """Articles of a few topic words each among common ones that tell nothing."""
    common = [f"common{i}" for i in range(12)]
    articles = []
    for number in range(n_articles):
        topic = [f"topic{number}word{i}" for i in range(6)]
        paragraphs = [
            tuple(rng.choice(topic if rng.random() < 0.3 else common) for _ in range(60))
            for _ in range(8)
        ]
        articles.append(Article(str(number), tuple(paragraphs)))
    return articles


@pytest.fixture(scope="module")
def result() -> dict:
    rng = np.random.default_rng(0)
    articles = made_up_articles(rng)
    texts = [" ".join(words) for article in articles for words in article.paragraphs]
    vectors = {}
    for word in sorted({word for text in texts for word in text.split()}):
        centre = np.random.default_rng(int("".join(filter(str.isdigit, word[:7])) or 999))
        topic = centre.standard_normal(10) if word.startswith("topic") else np.zeros(10)
        vectors[word] = topic + 0.8 * rng.standard_normal(10)
    counted = WeightedWordEncoder(vectors).fit(texts).document_frequencies_
    parts = split_articles(articles, (0.4, 0.3, 0.3), rng)
    split = Split(*(article_pairs(part, (8, 8), rng) for part in parts))
    options = {"document_frequencies": (counted.counts, counted.n_documents)}
    return run_experiment(split, {SKIPGRAM.name: vectors}, options, 8, 0, epoch_batches=200)


def test_weights_learned_beat_the_plain_mean_and_fall(result) -> None:
    rows = result["tables"][SKIPGRAM.name]
    assert set(METHODS) < set(rows)
    assert rows[MEDIAN]["split_error"] < rows["Mean"]["split_error"] - 0.02
    assert rows["Mean"]["p_against_median"] < 0.05
    assert rows[MEDIAN]["p_against_median"] == 1.0
    weights = result["weights"][MEDIAN]
    assert weights[0] > weights[-1]
    found = result["histograms"][MEDIAN]
    assert sum(found["related"]) == result["related_pairs"]["test"]


def test_the_table_marks_the_best_row_of_each_table_of_vectors() -> None:
    rows = {
        "Tf-idf": {"split_error": 0.1, "js_divergence": 0.4, "p_against_median": 0.5},
        "Mean": {"split_error": 0.25, "js_divergence": 0.2, "p_against_median": 0.0001},
        MEDIAN: {"split_error": 0.2, "js_divergence": 0.3, "p_against_median": 1.0},
    }
    lines = table({"Toy": {"tables": {"vectors": rows}}}).splitlines()
    assert lines[4:] == [
        "| Tf-idf | 10.00 % | 0.4000 | 0.500 |",
        "| Mean | 25.00 % | 0.2000 | <0.001 |",
        f"| {MEDIAN} | **20.00 %** | 0.3000 | 1.000 |",
    ]


def test_figures_are_drawn(result, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    names = ("WikiText, 20 words", "WikiText, 10 to 30 words")
    paths = draw(dict.fromkeys(names, result), tmp_path / "figures")
    assert [path.read_bytes()[:4] for path in paths] == [b"\x89PNG"] * 2


def test_alias_pairs_keep_to_what_may_be_trained_on(tmp_path: Path) -> None:
    import gzip

    rows = [
        ("name", "alias", "kind", "source", "licence", "in_benchmark"),
        ("Bank of Oslo", "Oslo Bank Ltd", "k", "s", "A", ""),
        ("River Tees Trust", "Tees River Fund", "k", "s", "A", ""),
        ("Of No Licence", "Without A Licence", "k", "s", "C", ""),
        ("In The Benchmark", "Benchmark Name Here", "k", "s", "A", "autofj"),
        ("Too Short", "Short", "k", "s", "A", ""),
        ("Same Three Words", "words same three", "k", "s", "A", ""),
        ("Some Plain Words", "Other Plain Words", "k", "ppdb_lexical", "A", ""),
    ]
    path = tmp_path / "aliases.tsv.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines("\t".join(row) + "\n" for row in rows)
    pairs = alias_pairs((3, 3), np.random.default_rng(0), path=path)
    related = {(pairs.first[i], pairs.second[i]) for i in np.flatnonzero(pairs.related)}
    assert related == {
        ("bank of oslo", "oslo bank ltd"),
        ("river tees trust", "tees river fund"),
    }
    unrelated = {(pairs.first[i], pairs.second[i]) for i in np.flatnonzero(~pairs.related)}
    assert unrelated == {
        ("bank of oslo", "tees river fund"),
        ("river tees trust", "oslo bank ltd"),
    }


@pytest.mark.parametrize("lengths", ["many", "0", "9-3"])
def test_lengths_that_make_no_sense(lengths: str, tmp_path: Path, capsys) -> None:
    out = str(tmp_path / "weights.json")
    assert run_command("word-weights", ["learn", "--lengths", lengths, "--out", out]) == 1
    assert f"Got {lengths!r}" in capsys.readouterr().err


def test_pairs_that_there_are_not(tmp_path: Path, capsys) -> None:
    arguments = ["learn", "--pairs", "poems", "--out", str(tmp_path / "w.json")]
    assert run_command("word-weights", arguments) == 1
    assert "Got 'poems'. Hint: one of wikitext, novels, aliases" in capsys.readouterr().err


def test_weights_learned_from_tweets_are_read_by_the_encoder(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    lines, vectors = [], {}
    for event in range(120):
        # Letters alone: all numbers would become the same "0".
        words = [f"{chr(97 + event // 26)}{chr(97 + event % 26)}{letter}" for letter in LETTERS]
        vectors |= {word: rng.standard_normal(4) + event for word in words}
        lines += [
            f"2015-08-31T12:{tweet:02}:00\t{' '.join(rng.permutation(words)[:6])} #event{event}"
            for tweet in range(2)
        ]
    (tmp_path / "tweets.tsv").write_text("\n".join(lines) + "\n")
    rows = (f"{word} {' '.join(map(str, row.tolist()))}\n" for word, row in vectors.items())
    (tmp_path / "vectors.txt").write_text("".join(rows))
    out = tmp_path / "weights.json"
    arguments = ["learn", "--tweets", str(tmp_path / "tweets.tsv"), "--loss", "contrastive"]
    arguments += ["--vectors", str(tmp_path / "vectors.txt"), "--ranks", "4", "--out", str(out)]
    arguments += ["--epoch-batches", "200"]
    assert main(arguments) == 0
    encoder = WeightedWordEncoder({"a": [1.0, 2.0]}, weights=out).fit(["a"])
    assert encoder.transform(["a"]).shape == (1, 2)
    with pytest.raises(InputError, match="No rank weights could be read"):
        WeightedWordEncoder({"a": [1.0]}, weights=tmp_path / "tweets.tsv").fit(["a"])
