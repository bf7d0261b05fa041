"""`python -m pearljoin_train records` writes what it made."""

import csv
import json
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from repetitions import few

import pearljoin as pj
from pearljoin_train.__main__ import main
from pearljoin_train.record_scorer import command as record_scorer
from pearljoin_train.record_scorer import training_tables
from pearljoin_train.records.assemble import make_records
from pearljoin_train.records.made import MadeTables
from pearljoin_train.scorer import joins
from pearljoin_train.scorer.write_scorer import attach


def read_csv(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.fixture
def run(tmp_path, data_folder, monkeypatch):
    monkeypatch.setenv("PEARLJOIN_DATA", str(data_folder))

    def run(name: str, *more: str) -> tuple[int, Path]:
        out = tmp_path / name
        options = ["--out", str(out), "--n", "8", "--most-rows", "40", *more]
        return main(["records", *options]), out

    return run


def test_tables_and_truth_are_written(run, lists, capsys) -> None:
    code, out = run("made", "--seed", "3")
    assert code == 0
    records = list(make_records(lists, 8, seed=3, most_rows=40))
    assert capsys.readouterr().out.startswith("8 made records with ")
    folders = sorted(out.iterdir())
    assert [folder.name for folder in folders] == [
        f"{number:03d}_{made.domain}" for number, made in enumerate(records)
    ]
    for folder, made in zip(folders, records, strict=True):
        drawn = json.loads((folder / "made.json").read_text(encoding="utf-8"))
        assert drawn["kinds"] == made.kinds
        if isinstance(made, MadeTables):
            header, *rows = read_csv(folder / "left.csv")
            assert header == list(made.left)
            assert rows == [[value or "" for value in row]
                            for row in zip(*made.left.values(), strict=True)]  # fmt: skip
            pairs = read_csv(folder / "pairs.csv")
            assert pairs[1:] == [[str(i), str(j)] for i, j in made.pairs()]
        else:
            clusters = read_csv(folder / "clusters.csv")
            assert clusters[1:] == [[str(number)] for number in made.clusters]


def test_one_seed_writes_the_same_bytes(run) -> None:
    _, one = run("one")
    _, two = run("two")
    paths = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert len(paths) > 16
    assert all((one / path).read_bytes() == (two / path).read_bytes() for path in paths)


def test_domains_and_split_are_chosen(run) -> None:
    _, out = run("music", "--domains", "music")
    assert {folder.name[4:] for folder in out.iterdir()} == {"music"}
    _, held_back = run("validation", "--domains", "music", "--split", "validation")
    assert (out / "000_music/made.json").is_file()
    texts = [b"".join(path.read_bytes() for path in sorted(folder.rglob("*.csv")))
             for folder in (out, held_back)]  # fmt: skip
    assert texts[0] != texts[1]


def test_a_folder_with_content_stays(run, capsys) -> None:
    _, out = run("made")
    before = sorted(out.iterdir())
    assert run("made")[0] == 1
    assert "error: " in capsys.readouterr().err
    assert sorted(out.iterdir()) == before


@pytest.mark.thorough
def test_a_dry_run_of_the_scorer_of_records(tmp_path, data_folder, monkeypatch, capsys) -> None:
    """It times few joins and tables, and leaves the model as it was."""
    monkeypatch.setenv("PEARLJOIN_DATA", str(data_folder))
    monkeypatch.setattr(joins, "FEWEST_NAMES", 50)
    monkeypatch.setattr(record_scorer, "SAMPLE", 2)
    for name, small in (("MOST_ROWS", 60), ("MOST_LARGE", 100)):
        monkeypatch.setattr(training_tables, name, small)
    folder = tmp_path / "model"
    shutil.copytree(pj.load_encoder("default").folder, folder)
    before = (folder / "scorer.json").read_bytes()
    command = ["record-scorer", "--out", str(folder), "--tables", "50", "--joins-a-source", "10"]
    assert main([*command, "--dry-run"]) == 0
    said = capsys.readouterr().out
    names, sources = re.search(r"reads ([\d,]+) names of (\d+) sources", said).groups()
    assert int(names.replace(",", "")) >= 50 * int(sources) > 0
    assert f"makes {10 * int(sources)} joins and trains the network of two texts: about" in said
    assert "makes 60 tables of records" in said
    assert "makes 50 tables more" in said
    assert "makes 700 tables of one column of text" in said
    assert (folder / "scorer.json").read_bytes() == before


@pytest.mark.parametrize(
    ("network", "counted", "said"),
    few(
        [
            ("text_correction", "--texts", "makes 10 tables of one column of text"),
            ("same_texts", "--texts", "says whether two of their texts are one thing"),
            ("same_records", "--tables", "whether two of their records are one thing"),
            ("answered", "--tables", "makes 10 tables more"),
            ("answer", "--tables", "says which record is the answer"),
            ("priors", "--tables", "counts of which sorts their columns are"),
        ],
        1,
    ),
)
def test_networks_that_learn_last_are_trained_alone(
    network, counted, said, tmp_path, data_folder, monkeypatch, capsys
) -> None:
    """The other networks stay as they are; a dry run changes nothing."""
    monkeypatch.setenv("PEARLJOIN_DATA", str(data_folder))
    monkeypatch.setattr(joins, "FEWEST_NAMES", 50)
    monkeypatch.setattr(record_scorer, "SAMPLE", 2)
    for name, small in (("MOST_ROWS", 60), ("MOST_LARGE", 100)):
        monkeypatch.setattr(training_tables, name, small)
    read = training_tables.read_written
    monkeypatch.setattr(training_tables, "read_written", lambda **of: [*read(**of)][::110])
    folder = tmp_path / "model"
    shutil.copytree(pj.load_encoder("pearl-nano").folder, folder)
    before = json.loads((folder / "scorer.json").read_bytes())
    command = ["record-scorer", "--out", str(folder), "--only", network]
    asked = []
    load = pj.load_encoder
    monkeypatch.setattr(pj, "load_encoder", lambda spec: (asked.append(spec), load(spec))[1])
    assert main([*command, counted, "10", "--dry-run"]) == 0
    assert said in capsys.readouterr().out
    assert json.loads((folder / "scorer.json").read_bytes()) == before
    assert main([*command, counted, "10"]) == 0
    after = json.loads((folder / "scorer.json").read_bytes())
    assert asked == [str(folder)] * 2  # its own encoder
    for name in (network, "usual_scores") if network == "answer" else (network,):
        assert before["records"].pop(name) != after["records"].pop(name)
    assert after == before
    people = pd.DataFrame({"name": ["Ana Diaz", "Bo Li"], "city": ["Quito", "Wuhan"]})
    assert len(pj.match(people, people, on=["name", "city"], encoder=str(folder)).matches()) == 2
    del before["records"]["same"]
    attach(before, folder)
    assert main([*command, counted, "10"]) == 1
    assert "which lacks" in capsys.readouterr().err
    del before["records"]
    attach(before, folder)
    assert main([*command, counted, "10"]) == 1
    assert "which has none" in capsys.readouterr().err
