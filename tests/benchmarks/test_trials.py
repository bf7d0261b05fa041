"""The trial tables, and what is measured of them."""

import json
from collections import defaultdict

import pandas as pd
import pytest

from benchmarks.trials import __main__ as command
from benchmarks.trials.measure import Found, deduplicate, join, pooled
from benchmarks.trials.tables import JOINS, TrialJoin, TrialTable, read_duplicates, read_joins


@pytest.fixture
def firms() -> TrialJoin:
    left = pd.DataFrame({"firm": ["Acme Corp", "Volkswagen", "Zebra Bakery Leeds"]})
    right = pd.DataFrame({"firm": ["Acme Corporation", "Volkswagen AG", "Boeing"]})
    return TrialJoin(TrialTable(left, [0, 1, 2]), TrialTable(right, [0, 7, 4]))


def every_table():
    for kind in JOINS:
        for name, trial in read_joins(kind):
            yield f"{name} left", trial.left
            yield f"{name} right", trial.right
    yield from read_duplicates()


def test_each_row_tells_which_thing_it_is():
    for name, trial in every_table():
        owners = defaultdict(set)
        rows = trial.table.astype(str).itertuples(index=False, name=None)
        for row, thing in zip(rows, trial.things, strict=True):
            owners[row].add(thing)
        assert all(len(things) == 1 for things in owners.values()), name


def test_there_are_tables_of_all_kinds():
    answered = {kind: [trial.n_answerable for _, trial in read_joins(kind)] for kind in JOINS}
    assert min(map(len, answered.values())) >= 20
    assert all(some.count(0) >= 2 for some in answered.values())
    twice = [len(trial.things) - len(set(trial.things)) for _, trial in read_duplicates()]
    assert len(twice) >= 20
    assert twice.count(0) >= 5


def test_a_join_counts_left_rows_by_things(firms):
    found = join(firms, "pearl-nano")
    assert (found.there, found.returned, found.right) == (1, 2, 1)
    assert found.precision == found.f1 * 3 / 4 == 0.5
    assert found.recall == 1.0
    assert 0.5 < found.expected_precision <= 1.0


def test_duplicates_are_counted_in_pairs():
    names = ["Acme Corp", "Acme Corporation", "acme corp.", "Boeing", "Siemens"]
    found = deduplicate(TrialTable(pd.DataFrame({"firm": names}), [3, 3, 3, 5, 6]), "pearl-nano")
    assert (found.there, found.returned, found.right) == (3, 3, 3)
    assert found.expected_precision == pytest.approx(found.expected / 3)


def test_where_columns_must_be_named_nothing_is_returned():
    numbers = TrialTable(pd.DataFrame({"size": [1, 2]}), [0, 0])
    words = TrialTable(pd.DataFrame({"firm": ["Acme", "Boeing"]}), [0, 1])
    assert join(TrialJoin(numbers, words), "pearl-nano") == Found(2, is_refused=True)


def test_nothing_pooled_is_nothing():
    assert pooled([]) == Found(0)
    assert pooled([]).f1 == pooled([]).precision == pooled([]).recall == 1.0
    both = pooled([Found(4, 2, 1, 1.5), Found(1, 0, 0, 0.0, True)])
    assert both == Found(5, 2, 1, 1.5, True)
    assert (both.precision, both.recall, both.expected_precision) == (0.5, 0.2, 0.75)


def write(folder, name, table: TrialTable) -> None:
    path = folder / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    table.table.assign(thing=table.things).to_csv(path, index=False)


def test_the_command_measures_and_keeps_what_it_found(firms, tmp_path, capsys):
    write(tmp_path, "joins/firms/left", firms.left)
    write(tmp_path, "joins/firms/right", firms.right)
    arguments = ["--encoder", "pearl-nano", "--kinds", "joins", "--tables", str(tmp_path)]
    assert command.main([*arguments, "--results", str(tmp_path / "kept")]) == 0
    printed = capsys.readouterr().out
    assert "firms" in printed
    assert "joins without any" in printed
    kept = json.loads((tmp_path / "kept" / "pearl-nano.json").read_text())
    assert kept["kinds"]["joins"]["all"] == kept["kinds"]["joins"]["tables"]["firms"]
    assert kept["kinds"]["joins"]["all"]["returned"] == 2


def test_a_run_of_some_tables_is_not_kept(firms, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "RESULTS", tmp_path / "kept")
    write(tmp_path, "duplicates/firms", firms.right)
    arguments = ["--encoder", "pearl-nano", "--kinds", "duplicates", "--tables", str(tmp_path)]
    assert command.main(arguments) == 0
    assert not (tmp_path / "kept").exists()


def test_other_tables_are_asked_for_in_their_form(tmp_path, capsys):
    assert command.main(["--encoder", "pearl-nano", "--tables", str(tmp_path)]) == 2
    assert "There are no trial tables. Got no file" in capsys.readouterr().err
