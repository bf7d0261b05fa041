"""The benchmark of records over a made-up data folder, end to end and without peers."""

import csv
import gzip
import json
import sys

import pytest

from benchmarks.records import __main__ as command
from benchmarks.records import methods as registry
from benchmarks.records.evaluate import evaluate_set
from benchmarks.records.generic import blocking_rules, column_kinds, tidy_codes
from benchmarks.records.methods import Method, make_method, method_names, requests, row_names
from benchmarks.records.process import Command, run_kept
from benchmarks.records.results import load_results
from benchmarks.records.sets import load_set, set_names

NAMES = ["Anna Keller", "Boris Wolf", "Clara Stein", "David Frank", "Emil Vogel", "Frieda Lang"]
COLUMNS = {
    "people": {"kind": "link", "on": ["name", "city"]},
    "guests": {"kind": "dedupe", "on": ["name"]},
}

ADAPTER = """
import pathlib, time
PACKAGES = ("numpy",)

def link(left, right, request):
    print("a method that prints to standard output")
    calls = pathlib.Path(__file__).with_name("calls")
    calls.write_text(calls.read_text() + "x" if calls.exists() else "x")
    (values, *_), (others, *_) = left.values(), right.values()
    if "slow" in values:
        time.sleep(60)
    if "fail" in values:
        raise ValueError("this method cannot")
    pairs = [[i, others.index(v)] for i, v in enumerate(values) if v in others]
    return {"": {"pairs": pairs, "best": [[*pair, 1.0] for pair in pairs]}}

def dedupe(table, request):
    return {"": {"not_offered": "it only links"}}
"""


@pytest.fixture
def data(tmp_path, monkeypatch):
    folder = tmp_path / "data" / "records"
    (folder / "people").mkdir(parents=True)
    (folder / "guests").mkdir()
    (folder / "columns.json").write_text(json.dumps(COLUMNS))
    left = [(f"l{row}", name, "Rome" if row else "") for row, name in enumerate(NAMES)]
    right = [(f"r{row}", name.upper(), "Rome") for row, name in enumerate(NAMES)]
    gold = [(f"l{row}", f"r{row}") for row in range(len(NAMES))]
    write(folder / "people" / "left.csv.gz", ("id", "name", "city"), left)
    write(folder / "people" / "right.csv.gz", ("id", "name", "city"), right[::-1])
    write(folder / "people" / "gold.csv.gz", ("left_id", "right_id"), gold)
    twice = [(f"{copy}{row}", row, name) for copy in "ab" for row, name in enumerate(NAMES)]
    write(folder / "guests" / "table.csv.gz", ("id", "cluster", "name"), twice)
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "data"))
    return tmp_path


def write(path, header, rows):
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


@pytest.fixture
def run(data):
    def call(*arguments):
        folders = ["--results", str(data / "results"), "--answers", str(data / "answers")]
        return command.main([*arguments, *folders])

    return call


@pytest.fixture
def made_up(data, monkeypatch):
    """A method with an adapter of its own, in the registry."""
    (data / "adapter.py").write_text(ADAPTER)
    made = Method("made-up", {"": "made-up"}, "as the adapter above says")
    asked = Command(sys.executable, data / "adapter.py", isolated=True)
    monkeypatch.setattr(Method, "command", property(lambda method: asked))
    monkeypatch.setattr(registry, "_METHODS", (made,))
    return data / "adapter.py"


def calls(adapter):
    return len(adapter.with_name("calls").read_text())


def test_sets_are_read_with_positions_constraint_and_nulls(data):
    people = load_set("people")
    assert set_names() == ["people", "guests"]
    assert people.columns == ("name", "city")
    assert people.left["city"] == [None, "Rome", "Rome", "Rome", "Rome", "Rome"]
    assert people.pairs == {(row, 5 - row) for row in range(6)}
    assert people.constraint == "one_to_one"
    assert people.size == "6 × 6"
    guests = load_set("guests")
    assert not guests.links
    assert guests.clusters == tuple("012345") * 2


@pytest.mark.thorough
def test_ours_and_the_hindsight_row_end_to_end(run, data):
    assert run("--method", "pearljoin", "pearljoin-best-column", "tfidf-with-labels") == 0
    results = load_results(data / "results")
    assert set(results) == {"pearljoin", "pearljoin-best-column", "tfidf-with-labels"}
    for name in ("people", "guests"):
        for result in results.values():
            outcome = result.sets[name]
            assert outcome["status"] == "measured"
            assert outcome["f1"] == pytest.approx(1.0, abs=0.1)
            assert outcome["commit"]
            assert outcome["peak_mib"] > 10
    ours = results["pearljoin"].sets
    assert ours["people"]["best_candidates"] == 6
    assert 0 <= ours["people"]["calibration_error"] <= 1
    assert ours["guests"]["b_cubed"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert ours["guests"]["returned"] == 6
    assert results["pearljoin-best-column"].sets["people"]["chosen"]["column"] == "name"
    page = data / "page.md"
    assert command.main(["report", "--results", str(data / "results"), "--page", str(page)]) == 0
    text = page.read_text()
    f1 = 100 * ours["people"]["f1"]
    assert f"| `pearljoin` | {f1:.1f} |" in text
    assert "| `splink-0.5` | – |" in text
    assert "`tfidf-with-labels` *(labels)*" in text
    assert "ETEER" in text


def test_an_answer_is_kept_until_the_adapter_or_the_set_changes(run, made_up, data):
    assert run("--sets", "people") == 0
    assert run("--sets", "people") == 0
    assert calls(made_up) == 1
    assert run("--sets", "people", "--fresh") == 0
    assert calls(made_up) == 2
    made_up.write_text(ADAPTER + "\n# another way\n")
    assert run("--sets", "people") == 0
    assert calls(made_up) == 3
    assert load_results(data / "results")["made-up"].sets["people"]["f1"] == 0.0


def test_results_grow_set_by_set(run, made_up, data):
    run("--sets", "people")
    run("--sets", "guests")
    sets = load_results(data / "results")["made-up"].sets
    assert list(sets) == ["guests", "people"]
    assert sets["guests"]["status"] == "not offered"
    assert sets["guests"]["why"] == "it only links"


def test_a_timeout_is_a_result_until_the_limit_is_raised(made_up, data):
    asked = Command(sys.executable, made_up, isolated=True)
    request = {"left": {"a": ["slow"]}, "right": {"a": ["b"]}}
    kept = data / "kept"
    first = run_kept(asked, request, kept, limit=2, made_at="c1")
    assert (first.timeout, first.answers, first.commit) == (2, None, "c1")
    assert run_kept(asked, request, kept, limit=2, made_at="c2").commit == "c1"
    assert run_kept(asked, request, kept, limit=3, made_at="c2").commit == "c2"


def test_a_failure_is_reported_and_not_kept(made_up, data):
    asked = Command(sys.executable, made_up, isolated=True)
    request = {"left": {"a": ["fail"]}, "right": {"a": ["b"]}}
    response = run_kept(asked, request, data / "kept", limit=60, made_at="c")
    assert response.answers is None
    assert "ValueError: this method cannot" in response.error
    assert not list((data / "kept").rglob("*.json"))


def test_a_failed_method_is_code_1_and_the_rest_goes_on(run, made_up, data):
    write(data / "data/records/people/left.csv.gz", ("id", "name", "city"), [("l0", "fail", "")])
    write(data / "data/records/people/gold.csv.gz", ("left_id", "right_id"), [("l0", "r0")])
    assert run() == 1
    sets = load_results(data / "results")["made-up"].sets
    assert sets["people"]["status"] == "failed"
    assert sets["people"]["error"] == "ValueError: this method cannot"
    assert sets["guests"]["status"] == "not offered"


def test_an_absent_peer_is_skipped(run, data, monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.peers.client.Peer.installed", False)
    assert run("--method", "splink") == 0
    assert "splink: skipped, its environment is absent" in capsys.readouterr().err
    assert load_results(data / "results") == {}


def test_wrong_arguments_are_told(run, capsys):
    assert run("--method", "nope") == 2
    assert "There is no method of that name. Got 'nope'. Hint: one of pearl" in (
        capsys.readouterr().err
    )
    assert run("--sets", "nope") == 2
    assert "There is no set of records of that name. Got 'nope'." in capsys.readouterr().err
    assert run("--limit", "0") == 2
    assert "The time limit is out of range. Got 0.0." in capsys.readouterr().err


def test_a_column_that_is_not_there_is_told(data, run, capsys):
    columns = data / "data" / "records" / "columns.json"
    columns.write_text(json.dumps({"guests": {"kind": "dedupe", "on": ["nmae"]}}))
    assert run("--method", "pearljoin") == 2
    assert "lacks columns that columns.json names. Got ['nmae']." in capsys.readouterr().err


def test_every_row_belongs_to_a_method_with_an_adapter():
    assert len(row_names()) == len(set(row_names()))
    for name in method_names():
        assert make_method(name).command.adapter.exists()


def test_a_request_for_each_column_alone(data):
    asked = requests(make_method("pearljoin-best-column"), load_set("people"))
    assert list(asked) == ["name", "city"]
    assert list(asked["city"]["left"]) == ["city"]
    assert asked["city"]["constraint"] == "one_to_one"


def test_the_best_column_is_chosen_with_the_labels(data):
    records = load_set("people")
    outcomes, _ = evaluate_set(
        make_method("pearljoin-best-column"),
        records,
        limit=60,
        made_at="c",
        answers=data / "answers",
    )
    assert outcomes["pearljoin-best-column"]["chosen"] == {"column": "name"}


def test_kinds_are_read_from_content():
    table = {
        "born": ["1971-06-24", "1985-01-02", None],
        "filed": ["24/12/2001", "31/01/2002", "13/05/2003"],
        "mail": ["a@b.org", "c@d.org", ""],
        "price": ["1.50", "20", "3.25"],
        "year": ["1998.0", "1999", "2001"],
        "title": ["a long title of a paper about joins of tables", None, None],
        "who": ["Anna", "Boris", "Clara"],
        "nothing": [None, None, None],
    }
    kinds = column_kinds(table, None)
    assert kinds == {
        "born": "date:%Y-%m-%d",
        "filed": "date:%d/%m/%Y",
        "mail": "email",
        "price": "number",
        "year": "code",
        "title": "text",
        "who": "name",
        "nothing": "name",
    }
    assert tidy_codes({"year": table["year"]}, kinds)["year"] == ["1998", "1999", "2001"]
    states = {"state": ["nsw", "vic"] * 100}
    assert column_kinds(states, None) == {"state": "category"}


def test_blocking_rules_propose_a_bounded_number_of_pairs(monkeypatch):
    table = {"name": ["Anna K", "Anna L", "Bert M"], "sex": ["f", "f", "f"], "zip": ["1", "1", "1"]}
    kinds = {"name": "name", "sex": "category", "zip": "code"}
    assert blocking_rules(table, None, kinds) == [
        [("name", None)],
        [("sex", None)],
        [("zip", None)],
        [("name", 4)],
    ]
    monkeypatch.setattr("benchmarks.records.generic.MOST_PAIRS", 1)
    # One pair shares a name's start; three share sex and zip, alone and together.
    assert blocking_rules(table, None, kinds) == [[("name", None)], [("name", 4)]]
    # Of two tables, pairs are those between them.
    other = {"name": ["Anna K"], "sex": [None], "zip": ["2"]}
    assert blocking_rules(table, other, kinds) == [
        [("name", None)],
        [("sex", None)],
        [("zip", None)],
    ]
