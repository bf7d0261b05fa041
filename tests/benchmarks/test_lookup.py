"""The benchmark of lookups over made-up alias pairs, end to end."""

import gzip
import json

import pytest

from benchmarks.lookup import __main__ as command
from benchmarks.lookup import laws
from benchmarks.lookup.names import read_names

TOWNS = ["Bergheim", "Talstadt", "Seeburg", "Waldau", "Neukirch", "Altdorf"]
TRADES = ["Brewery", "Mills", "Bank", "Railway", "Library"]
HEADER = "name\talias\tkind\tsource\tlicence\tbenchmarks\n"


@pytest.fixture
def data(tmp_path, monkeypatch):
    names = [(f"{town} {trade} Ltd", f"{trade} of {town}") for town in TOWNS for trade in TRADES]
    lines = [f"{name}\t{alias}\talias\tror_organizations\tA\t\n" for name, alias in names]
    lines += [
        "Ann Lee\tA. Lee\talias\tcongress_legislators\tA\t\n",  # a person
        "Seen Corp\tSeen\talias\tror_organizations\tA\tautofj\n",  # in a benchmark
        "Bergheim, BREWERY Ltd.\tThe Brewery\talias\tror_organizations\tA\t\n",  # known already
        "Same Ltd\tSame Ltd\talias\tror_organizations\tA\t\n",  # no other name
    ]
    folder = tmp_path / "data" / "train"
    folder.mkdir(parents=True)
    with gzip.open(folder / "alias_pairs.tsv.gz", "wt", encoding="utf-8") as file:
        file.write(HEADER + "".join(lines))
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "data"))
    return dict(names)


def test_names_are_chosen_by_hash_and_a_smaller_reference_begins_a_larger_one(data):
    large, small = read_names(30, 5), read_names(10, 5)
    assert sorted(large.reference) == sorted(data)
    assert small.reference == large.reference[:10]
    assert small.queries == large.queries == [data[name] for name in small.reference[:5]]
    assert read_names(10, 99).queries == [data[name] for name in small.reference]


def test_a_run_prints_a_line_and_keeps_what_it_measured(data, tmp_path, capsys):
    results = tmp_path / "results"
    options = ["--names", "10", "30", "--queries", "6", "--results", str(results)]
    assert command.main(options) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["names", "10", "30"]
    for size in (10, 30):
        kept = json.loads((results / f"{size}.json").read_text(encoding="utf-8"))
        assert (kept["names"], kept["queries"], kept["threads"]) == (size, 6, 8)
        assert kept["equal_answers"] is True
        assert kept["found"] >= 3
        assert 0 < kept["median_ms"] <= kept["p95_ms"]
        ratio = kept["threads_per_second"] / kept["one_thread_per_second"]
        assert kept["speed_up"] == pytest.approx(ratio)
        assert {"commit", "machine", "versions"} <= kept.keys()
        assert {"numpy", "pearljoin", "python"} <= kept["versions"].keys()


def test_other_answers_in_threads_are_a_failure(data, tmp_path, capsys, monkeypatch):
    rates = {
        "names": 10, "fit_seconds": 1.0, "median_ms": 1.0, "p95_ms": 2.0,
        "one_thread_per_second": 1.0, "threads_per_second": 1.0, "speed_up": 1.0,
        "equal_answers": False,
    }  # fmt: skip
    monkeypatch.setattr(command, "measure", lambda names, threads: rates)
    assert command.main(["--names", "10", "--results", str(tmp_path)]) == 1
    assert "10 names: threads got other answers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--names", "31"], "Got 31 asked for, of 30"),
        (["--names", "0"], "Got 0 asked for"),
        (["--queries", "0"], "--queries is too small. Got 0"),
        (["--threads", "1"], "--threads is too small. Got 1"),
    ],
)
def test_what_cannot_be_measured_is_refused(data, tmp_path, capsys, options, said):
    assert command.main([*options, "--results", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.glob("*.json"))


def test_laws_compare_ways_to_ask(data, tmp_path, capsys):
    arguments = ["--laws", "--names", "25", "--queries", "6", "--results", str(tmp_path)]
    assert command.main(arguments) == 0
    kept = json.loads((tmp_path / "laws.json").read_text())["ways"]
    assert len(kept) == 8
    assert {way["calibrated"] for way in kept} == {False, True}
    assert all(way["largest_score_difference"] <= 1e-5 for way in kept)
    assert "6 rows decided otherwise" in capsys.readouterr().out


def test_laws_tell_other_answers(data, tmp_path, monkeypatch):
    ask = laws._ask
    calls = []

    def forgetful(matcher, queries):
        calls.append(queries)
        found, threshold = ask(matcher, queries)
        return ({} if len(calls) == 2 else found), threshold

    monkeypatch.setattr(laws, "_ask", forgetful)
    arguments = ["--laws", "--names", "25", "--queries", "6", "--results", str(tmp_path)]
    assert command.main(arguments) == 1
