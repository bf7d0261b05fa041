"""The benchmark of many rows over made-up alias pairs, end to end."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from benchmarks.scale import __main__ as command
from benchmarks.scale.names import ScaleNames, read_scale_names
from benchmarks.scale.people import COLUMNS, read_scale_people
from benchmarks.scale.process import Method, method_named, run
from pearljoin import InputError

TOWNS = ["Bergheim", "Talstadt", "Seeburg", "Waldau", "Neukirch", "Altdorf"]
TRADES = ["Brewery", "Mills", "Bank", "Railway", "Library"]
HEADER = "name\talias\tkind\tsource\tlicence\tbenchmarks\n"


@pytest.fixture
def data(tmp_path, monkeypatch):
    names = [(f"{town} {trade} Ltd", f"{trade} of {town}") for town in TOWNS for trade in TRADES]
    lines = [f"{name}\t{alias}\talias\tror_organizations\tA\t\n" for name, alias in names]
    lines += [
        "Ltd\tLimited\tabbr\tabbreviations\tA\t\n",  # no name of a thing
        "Seeburg Bank Ltd\tWaldau Bank Ltd\talias\tror_organizations\tA\t\n",  # a name itself
        "Waldau Bank Ltd\tBank of Seeburg\talias\tror_organizations\tA\t\n",  # of two things
    ]
    folder = tmp_path / "data" / "train"
    folder.mkdir(parents=True)
    with gzip.open(folder / "alias_pairs.tsv.gz", "wt", encoding="utf-8") as file:
        file.write(HEADER + "".join(lines))
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "data"))
    return dict(names)


class TestNames:
    def test_left_rows_are_aliases_with_their_answers(self, data):
        names = read_scale_names(30)
        assert sorted(names.reference) == sorted(data)
        assert sorted(names.left) == sorted(data.values())
        for alias, rows in zip(names.left, names.answers, strict=True):
            known = {name for name, other in data.items() if other == alias}
            known |= {"Waldau Bank Ltd"} if alias == "Bank of Seeburg" else set()
            assert {names.reference[row] for row in rows} == known

    def test_fewer_rows_are_the_first_and_have_answers_in_a_smaller_reference(self, data):
        assert read_scale_names(5).left == read_scale_names(30).left[:5]
        small = read_scale_names(5, 10)
        assert len(small.reference) == 10
        assert all(row < 10 for rows in small.answers for row in rows)

    @pytest.mark.parametrize(
        ("rows", "reference", "what"), [(31, None, "left rows"), (1, 99, "names")]
    )
    def test_more_than_there_are_is_refused(self, data, rows, reference, what):
        with pytest.raises(InputError, match=f"not as many {what}"):
            read_scale_names(rows, reference)


class TestRun:
    names = ScaleNames(["a", "b"], ["x", "y", "z"], [[0], [1], [0]], [True, False, True])

    def answer(self, folder: Path, body: str) -> Method:
        adapter = folder / "adapter.py"
        adapter.write_text(f"def answer(left, reference):\n    {body}\n")
        return Method("made up", Path(sys.executable), adapter)

    def test_accuracy_seconds_and_memory_are_those_of_the_process(self, tmp_path):
        body = "b = bytearray(300 * 2**20); return [0, 1, 1], {'search': 0.5}"
        found = run(self.answer(tmp_path, body), self.names, limit=60)
        assert found.error is None
        assert found.accuracy == pytest.approx(2 / 3)
        assert found.held_out == pytest.approx(1 / 2)
        assert found.stages == {"search": 0.5}
        # Of the whole process, with all that earlier tests took.
        assert found.peak_mib > 300
        assert 0 < found.seconds < 60

    def test_past_the_limit_the_process_is_ended(self, tmp_path):
        found = run(self.answer(tmp_path, "import time; time.sleep(60)"), self.names, limit=0.5)
        assert found.error == "not done in 0 s" or found.error == "not done in 1 s"

    def test_a_failure_is_told_with_its_last_words(self, tmp_path):
        found = run(self.answer(tmp_path, "raise ValueError('too large')"), self.names, limit=60)
        assert found.error is not None
        assert "ended with code 1" in found.error
        assert "too large" in found.error

    def test_an_unknown_method_is_refused(self):
        with pytest.raises(InputError, match="no method 'excel'"):
            method_named("excel")


def test_the_smallest_size_runs_whole(data, tmp_path, capsys):
    kept, plot = tmp_path / "scale.json", tmp_path / "scale.svg"
    options = ["--rows", "10,30", "--methods", "pearljoin-nano,rapidfuzz"]
    assert command.main([*options, "--json", str(kept), "--plot", str(plot)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:5]] == [
        [method, rows] for rows in ("10", "30") for method in ("pearljoin-nano", "rapidfuzz")
    ]
    assert "pearljoin-nano: seconds grow by rows to the power of" in lines[5]
    results = json.loads(kept.read_text())["results"]
    for method in ("pearljoin-nano", "rapidfuzz"):
        assert results[method]["30"]["accuracy"] > 0.9
    assert {"encode", "search", "features"} <= results["pearljoin-nano"]["30"]["stages"].keys()
    assert plot.read_text().startswith("<?xml")


def test_what_was_written_is_drawn_with_its_slope(tmp_path, capsys):
    for name, sizes in (("small", (10, 100)), ("large", (1_000,))):
        runs = {str(n): {"seconds": n**1.5, "peak_mib": 100.0} for n in sizes}
        text = json.dumps({"results": {"made up": runs}})
        (tmp_path / f"{name}.json").write_text(text)
    plot = tmp_path / "scale.svg"
    read = ["--read", str(tmp_path / "small.json"), str(tmp_path / "large.json")]
    assert command.main([*read, "--plot", str(plot)]) == 0
    assert "made up, slope 1.50" in plot.read_text()
    assert command.main(read) == 2
    assert "give --plot" in capsys.readouterr().err


@pytest.mark.parametrize("task", ["records", "duplicates"])
def test_other_tasks_are_done_by_this_library_alone(data, capsys, task):
    options = ["--task", task, "--rows", "20", "--reference", "30"]
    assert command.main([*options, "--methods", "pearljoin-nano"]) == 0
    cells = capsys.readouterr().out.splitlines()[1].split()
    assert cells[:2] == ["pearljoin-nano", "20"]
    assert float(cells[5]) > (90 if task == "records" else 10)
    assert command.main([*options, "--methods", "rapidfuzz"]) == 2
    assert "joins names alone" in capsys.readouterr().err


def test_people_are_written_again_with_their_errors(data):
    made = read_scale_people(20, 30)
    assert made.answers == read_scale_people(20, 30).answers
    people = [made.reference[rows[0]] for rows in made.answers]
    pairs = list(zip(made.left, people, strict=True))
    assert all(row.keys() == person.keys() == set(COLUMNS) for row, person in pairs)
    same = [row[column] == person[column] for row, person in pairs for column in COLUMNS]
    assert 0.5 < sum(same) / len(same) < 0.95
