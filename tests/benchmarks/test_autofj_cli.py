"""The command over a made-up data folder in the form of AutoFJ, and the page it is made into."""

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.autofj import __main__ as command
from benchmarks.autofj import report
from benchmarks.autofj.methods import MethodAbsentError, Outcome
from benchmarks.autofj.protocols import evaluate_table, macro_average
from benchmarks.autofj.results import load_results
from pearljoin._errors import PearljoinError
from pearljoin_train.data.autofj import load_table


class Ruled:
    """Ranks by a table of scores; joins what scores 0.5 and more."""

    name = "ruled"
    rule = "fixed threshold"

    def run(self, queries, reference, precision):
        scores = np.array([[self.score(q, r) for r in reference] for q in queries], np.float32)
        best, score = scores.argmax(axis=1), scores.max(axis=1)
        pairs = [(q, int(row)) for q, row in enumerate(best) if score[q] >= 0.5]
        return Outcome(best, score, pairs, seconds=2.0)

    def score(self, query, reference):
        table = {
            ("London (city)", "London"): 0.9,
            ("London (city)", "Berlin"): 0.3,
            ("Paris (city)", "Rome"): 0.8,
            ("Paris (city)", "Paris"): 0.7,
            ("Rome (city)", "Rome"): 0.4,
            ("Rome (city)", "Berlin"): 0.2,
            ("Atlantis", "Berlin"): 0.6,
            ("Red Stars 2010 season", "Red Stars 2010"): 1.0,
        }
        return table.get((query, reference), 0.0)

    def versions(self):
        return {"ruled": "1.0"}


def test_the_three_protocols_by_hand(data):
    rates = evaluate_table(Ruled(), load_table("Cities"), 0.9)
    # Best: London right, Rome for Paris wrong, Rome right, Atlantis not labelled.
    assert rates["top1"] == pytest.approx(2 / 3)
    # Returned: London right, Paris wrong, Atlantis wrong; 3 true pairs.
    assert rates["join"] == {
        "precision": pytest.approx(1 / 3),
        "recall": pytest.approx(1 / 3),
        "f1": pytest.approx(1 / 3),
        "pairs": 3,
    }
    assert rates["join_by_id"] == rates["join"]
    # Left: Paris and Berlin. Ranked: Paris 0.7 right, Atlantis 0.6, London 0.3, Rome 0.2 wrong.
    # Returned: Paris, Atlantis. One true pair.
    assert rates["open"] == {
        "precision": 0.5,
        "recall": 1.0,
        "f1": pytest.approx(2 / 3),
        "pairs": 2,
        "average_precision": 1.0,
    }
    assert (rates["seconds"], rates["seconds_join"]) == (4.0, 2.0)


def test_the_macro_average_weighs_tables_alike(data):
    tables = [evaluate_table(Ruled(), load_table(name), 0.9) for name in ("Cities", "Teams")]
    macro = macro_average(tables, 0.5)
    assert macro["top1"] == pytest.approx((2 / 3 + 1) / 2)
    assert macro["join"]["precision"] == pytest.approx((1 / 3 + 1) / 2)
    assert macro["join"]["tables_at_target"] == 1
    assert macro["open"]["tables_at_target"] == 2
    assert macro_average(tables, 1.0)["open"]["tables_at_target"] == 1
    assert macro["open"]["average_precision"] == 1.0


class Unranked(Ruled):
    """Joins without a ranking or a score."""

    def run(self, queries, reference, precision):
        return Outcome(None, None, [(0, 0)])


def test_a_method_without_a_ranking_has_no_top1_and_no_area(data):
    rates = evaluate_table(Unranked(), load_table("Cities"), 0.9)
    assert rates["top1"] is None
    assert rates["open"]["average_precision"] is None
    assert rates["join"]["precision"] == 1.0
    assert macro_average([rates], 0.9)["top1"] is None


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results")
    return tmp_path / "results"


@pytest.fixture
def ruled(monkeypatch):
    monkeypatch.setattr(command, "make_method", lambda name: Ruled())


def test_the_command_prints_a_line_a_table_and_the_average(data, kept, capsys):
    assert command.main(["--method", "string-distance"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "string-distance (join: accepts all)"
    assert [line.split()[0] for line in lines[3:5]] == ["Cities", "Teams"]
    # Every labelled title is found; the join also returns a title for Atlantis: 3 of 4 right.
    assert lines[3].split()[1:5] == ["100.0", "75.0", "100.0", "85.7"]
    assert lines[5].split()[4:8] == ["100.0", "87.5", "100.0", "92.9"]
    assert lines[6] == "  join: 1 of 2 tables reach precision 0.9"


def test_the_json_of_a_whole_run(data, kept, ruled):
    assert command.main([]) == 0
    content = json.loads((kept / "ruled.json").read_text())
    assert content["method"] == "ruled"
    assert content["versions"]["ruled"] == "1.0"
    assert set(content["machine"]) == {"cpu", "cores"}
    assert content["seconds"] == 8.0
    assert set(content["macro"]["join"]) >= {"precision", "recall", "f1", "tables_at_target"}
    assert set(content["macro"]["open"]) >= {"precision", "recall", "f1", "average_precision"}
    assert content["macro"]["top1"] == pytest.approx(5 / 6)
    assert list(content["tables"]) == ["Cities", "Teams"]
    assert len(content["commit"]) >= 7


def test_a_run_over_some_tables_is_not_kept(data, kept, ruled):
    assert command.main(["--tables", "Teams"]) == 0
    assert command.main(["--precision", "0.8"]) == 0
    assert not kept.exists()


def test_a_resumed_run_measures_only_what_is_not_kept(data, kept, ruled, monkeypatch):
    some = ["--tables", "Teams", "--json", str(kept / "ruled.json")]
    assert command.main(["--method", "x", *some]) == 0
    measured = []

    def measure(method, table, precision):
        measured.append(table.name)
        return evaluate_table(method, table, precision)

    monkeypatch.setattr(command, "evaluate_table", measure)
    assert command.main(["--method", "x", "--resume"]) == 0
    assert measured == ["Cities"]
    (result,) = load_results(kept)
    assert sorted(result.tables) == ["Cities", "Teams"]


def test_results_of_other_versions_are_not_resumed(data, kept, ruled, monkeypatch, capsys):
    assert command.main(["--method", "x"]) == 0
    monkeypatch.setattr(Ruled, "versions", lambda self: {"ruled": "2.0"})
    assert command.main(["--method", "x", "--resume"]) == 1
    assert "without --resume" in capsys.readouterr().err


def test_several_methods_make_a_list(data, kept, tmp_path):
    target = tmp_path / "out.json"
    names = ["--method", "string-distance", "--method", "tfidf-words"]
    assert command.main([*names, "--tables", "Teams", "--json", str(target)]) == 0
    assert [each["method"] for each in json.loads(target.read_text())] == names[1::2]
    assert not kept.exists()


def test_an_absent_method_is_skipped_with_a_word(data, kept, monkeypatch, capsys):
    def absent(name):
        method = Ruled()
        method.run = raising(MethodAbsentError("its environment is absent"))
        return method

    monkeypatch.setattr(command, "make_method", absent)
    assert command.main(["--method", "x"]) == 0
    assert "ruled: skipped, its environment is absent" in capsys.readouterr().err
    assert not kept.exists()


def test_a_failing_method_is_told_and_the_next_one_runs(data, kept, monkeypatch, capsys):
    failing = Ruled()
    failing.run = raising(PearljoinError("It broke."))
    made = iter([failing, Ruled()])
    monkeypatch.setattr(command, "make_method", lambda name: next(made))
    assert command.main(["--method", "x", "y"]) == 1
    assert "ruled: failed. It broke." in capsys.readouterr().err
    assert (kept / "ruled.json").exists()


def raising(error):
    def run(queries, reference, precision):
        raise error

    return run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tables", "Nope"], "Got 'Nope'. Hint: one of Cities, Teams."),
        (["--method", "nope"], "Got 'nope'. Hint: one of pearljoin"),
        (["--precision", "1.5"], "Got 1.5. Hint: a number above 0"),
    ],
)
def test_wrong_arguments_are_told(data, capsys, arguments, message):
    assert command.main(arguments) == 1
    assert message in capsys.readouterr().err


def test_a_missing_data_folder_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "nowhere"))
    assert command.main(["--method", "string-distance"]) == 1
    assert "nowhere/autofj" in capsys.readouterr().err


@pytest.fixture
def page(data, kept, ruled, tmp_path):
    command.main(["--note", "Run beside other work."])
    target = tmp_path / "docs" / "benchmarks.md"
    assert command.main(["report", "--results", str(kept), "--page", str(target)]) == 0
    return target


def cells(text, start):
    (line,) = [line for line in text.splitlines() if line.startswith(start)]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_report_shows_the_macro_averages(page):
    row = cells(page.read_text(), "| `ruled` (only 2 tables) |")
    # Cities and Teams: top-1 2/3 and 1; join 1/3 and 1 (one at the target); open as above and 1.
    assert row[1:7] == ["fixed threshold", "83.3", "66.7", "66.7", "66.7", "1"]
    assert row[7:] == ["75.0", "100.0", "83.3", "100.0", "1", "8"]


def test_a_partial_run_stands_beside_the_others_on_its_tables(data, kept, ruled, tmp_path):
    target = kept / "whole.json"
    command.main(["--json", str(target)])
    whole = load_results(kept)[0]
    only = {"Teams": whole.tables["Teams"]}
    partial = replace(
        whole, method="partial", tables=only, macro=macro_average([*only.values()], 0.9)
    )
    text = report.render([whole, partial])
    assert "`partial` was run on 1 of the 50 tables (Teams)" in text
    section = text.partition("`partial` was run on")[2].partition("###")[0]
    # Of the whole run, its table Teams alone: everything is right.
    row = cells(section, "| `ruled` |")
    assert row[2:7] == ["100.0", "100.0", "100.0", "100.0", "1"]
    assert row[-1] == "4"


def test_the_report_marks_what_is_absent_and_what_is_published(page):
    text = page.read_text()
    assert cells(text, "| `skrub` |")[1] == "absent: not run"
    assert cells(text, "| E5-base, 110M |") == ["E5-base, 110M", "76.1", "PEARL paper, Table 1"]
    assert "`ruled` was run on 2 of the 50 tables" in text
    assert "`ruled`: Run beside other work.\n" in text


def test_the_report_replaces_its_own_section_only(page, kept):
    page.write_text("# Mine\n\n" + page.read_text().split("\n", 2)[2] + "\n## Speed\n\nFast.\n")
    old = page.read_text()
    report.write(page, report.render(load_results(kept)))
    assert page.read_text() == old
    page.write_text("# Another page\n")
    report.write(page, "section\n")
    assert page.read_text() == f"# Another page\n\n{report.BEGIN}\nsection\n{report.END}\n"
