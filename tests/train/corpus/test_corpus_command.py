import gzip
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from pearljoin_train.__main__ import main
from pearljoin_train.corpus.merge import read_rows, write_rows
from pearljoin_train.corpus.phrase_types import ENTITY_TYPES, LEXICAL_TYPES
from pearljoin_train.corpus.shares import PAPER, measure, shares_figure, shares_table
from pearljoin_train.corpus.texts import paragraphs, trees

TREE = "(S (NP (DT The) (NN {0})) (VP (VBZ waits) (PP (IN in) (NP (NNP Oslo{0})))))"


def rows(path: Path) -> dict[str, tuple[str, str, int]]:
    return {phrase: (lexical, entity, count) for phrase, lexical, entity, count in read_rows(path)}


def test_plain_text_to_a_table(tmp_path: Path, trained: Path, capsys) -> None:
    text = tmp_path / "text.txt"
    text.write_text("The plan of Oslo has waited in the rain. The dog waited in 1990.\n\n" * 2)
    out = tmp_path / "out.parquet"
    figure = tmp_path / "figures" / "shares.png"
    command = ["corpus", "build", str(text), "--out", str(out), "--models", str(trained)]
    assert main([*command, "--figure", str(figure)]) == 0
    found = rows(out)
    assert found["the plan"] == ("NP", "OTHER", 2)
    assert found["the plan of Oslo"] == ("NP", "OTHER", 2)
    assert found["in the rain"] == ("PP", "OTHER", 2)
    assert found["Oslo"] == ("NP", "GPE", 2)
    assert "| NP |" in capsys.readouterr().out
    assert figure.read_bytes()[:4] == b"\x89PNG"

    assert main([*command, "--max-words", "3"]) == 1
    assert "different max_words" in capsys.readouterr().err


def test_parses_to_a_table_and_rare_phrases_dropped(tmp_path: Path, trained: Path) -> None:
    with zipfile.ZipFile(tmp_path / "parses.zip", "w") as archive:
        archive.writestr("a.mrg", TREE.format("dog") + TREE.format("cat"))
        archive.writestr("b.mrg", TREE.format("dog"))
        archive.writestr("README", "no parse")
    out = tmp_path / "out.parquet"
    build = ["corpus", "build", str(tmp_path / "parses.zip"), "--parser", "brackets"]
    assert main([*build, "--out", str(out), "--models", str(trained)]) == 0
    assert rows(out) == {
        "the dog": ("NP", "OTHER", 2),
        "waits in Oslodog": ("VP", "OTHER", 2),
        "in Oslodog": ("PP", "GPE", 2),
        "Oslodog": ("NP", "GPE", 2),
    }
    assert main([*build, "--out", str(out), "--models", str(trained), "--min-count", "1"]) == 0
    assert len(rows(out)) == 8


def test_a_dry_run_counts_and_writes_nothing(tmp_path, trained, data, capsys, monkeypatch) -> None:
    monkeypatch.setenv("PEARLJOIN_DATA", str(data))
    text, place = tmp_path / "text.txt", tmp_path / "place"
    text.write_text("The plan of Oslo has waited in the rain.\n\n" * 30)
    place.mkdir()
    command = ["corpus", "build", str(text), "--out", str(place / "out.parquet"), "--dry-run"]
    assert main([*command, "--models", str(trained)]) == 0
    said = capsys.readouterr().out
    assert "reads 1 files of 0.0 MB: 30 paragraphs" in said
    assert re.search(r"counts their phrases in about \d+ seconds", said)
    assert main([*command, "--models", str(place)]) == 0
    assert "trains names.npz, tagger.crfsuite, chunker.crfsuite" in capsys.readouterr().out
    assert main(["corpus", "models", "--models", str(place), "--dry-run"]) == 0
    assert "typed names of the data folder" in capsys.readouterr().out
    assert list(place.iterdir()) == []


@pytest.mark.thorough
def test_a_run_that_was_killed_goes_on_and_ends_the_same(tmp_path: Path, trained: Path) -> None:
    words = ["dog", "cat", "cow", "hen"]
    text = tmp_path / "parses.mrg"
    text.write_text("\n".join(TREE.format(words[n % 4]) for n in range(1_600)))

    def command(out: Path) -> list[str]:
        arguments = ["corpus", "build", str(text), "--out", str(out), "--models", str(trained)]
        return [*arguments, "--parser", "brackets", "--shard-size", "10"]

    killed, whole = tmp_path / "killed.parquet", tmp_path / "whole.parquet"
    shards = tmp_path / "killed.parquet.shards"
    process = subprocess.Popen([sys.executable, "-m", "pearljoin_train", *command(killed)])
    give_up = time.monotonic() + 600
    while len(list(shards.glob("*.parquet"))) < 5 and time.monotonic() < give_up:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    left = {path: path.stat().st_mtime_ns for path in shards.glob("*.parquet")}
    assert 5 <= len(left) < 160
    assert not killed.exists()

    assert main(command(killed)) == 0
    assert main(command(whole)) == 0
    assert {path: path.stat().st_mtime_ns for path in left} == left
    assert len(list(shards.glob("*.parquet"))) == 160
    assert killed.read_bytes() == whole.read_bytes()
    assert rows(killed)["the dog"] == ("NP", "OTHER", 400)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["build", "absent.txt", "--out", "o.parquet"], "no such text"),
        (["shares", "absent.parquet"], "no such corpus"),
        (
            ["build", __file__, "--out", "o.parquet", "--parser", "brackets"],
            "Not a bracketed parse",
        ),
    ],
)
def test_errors_say_what_to_do(
    arguments: list[str], problem: str, tmp_path: Path, trained: Path, capsys, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    models = ["--models", str(trained)] if arguments[0] == "build" else []
    assert main(["corpus", *arguments, *models]) == 1
    error = capsys.readouterr().err
    assert problem in error
    assert "Hint:" in error


def test_layouts(tmp_path: Path) -> None:
    text = tmp_path / "novel.txt.gz"
    with gzip.open(text, "wt") as file:
        file.write("\n\nCHAPTER I\n\nIt was\nraining.\n \nStill.")
    assert list(paragraphs([text], "wrapped")) == ["CHAPTER I", "It was raining.", "Still."]
    assert list(paragraphs([text])) == ["CHAPTER I", "It was", "raining.", "Still."]


def test_parses_of_plain_files(tmp_path: Path) -> None:
    parses = tmp_path / "x.txt"
    parses.write_text("(NP (NN a))\n(NP\n(NN b))\n")
    assert list(trees([parses, parses])) == ["(NP (NN a))", "(NP (NN b))"] * 2


def test_shares_of_phrases_and_of_occurrences(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.parquet"
    table = [
        ("a", "NP", "OTHER", 2),
        ("b", "NP", "GPE", 4),
        ("c", "PP", "DATE", 2),
        ("d", "VP", "OTHER", 8),
    ]
    write_rows(table, corpus)
    shares = measure(corpus)
    assert shares.of("NP") == 0.5
    assert shares.of("NP", weighted=True) == 6 / 16
    assert shares.of("OTHER") == 0.5
    assert shares.of("OTHER", weighted=True) == 10 / 16
    assert shares.of("EVENT") == 0
    table_lines = shares_table(shares).splitlines()
    assert len(table_lines) == 2 + len(LEXICAL_TYPES) + len(ENTITY_TYPES)
    assert "| NP | 2 | 50.0% | 37.5% | 60.1% |" in table_lines
    assert table_lines[-1] == "| OTHER | 2 | 50.0% | 62.5% | 88.5% |"
    assert sum(PAPER[kind] for kind in LEXICAL_TYPES) == pytest.approx(1)


def test_the_figure_shows_every_type(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.parquet"
    write_rows([("b", "NP", "GPE", 4), ("c", "PP", "DATE", 2), ("x", "PP", "DATE", 2)], corpus)
    left, right = shares_figure(measure(corpus)).axes
    assert [label.get_text() for label in left.get_xticklabels()] == list(LEXICAL_TYPES)
    labels = [label.get_text() for label in right.get_xticklabels()]
    assert set(labels) == set(ENTITY_TYPES) - {"OTHER"}
    assert labels[:2] == ["DATE", "GPE"]
    assert [bar.get_height() for bar in right.patches][:3] == pytest.approx([200 / 3, 100 / 3, 0])


def test_an_empty_corpus_has_shares(tmp_path: Path) -> None:
    write_rows([], tmp_path / "corpus.parquet")
    assert measure(tmp_path / "corpus.parquet").of("NP") == 0
    shares_figure(measure(tmp_path / "corpus.parquet"))
