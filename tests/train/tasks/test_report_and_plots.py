"""Tables and figures from made-up runs."""

import gzip
import json

import numpy as np
import pytest

from pearljoin import InputError
from pearljoin_train.benchmark import plots, report
from pearljoin_train.benchmark.tasks import COMPARABLE7, PAPER9
from pearljoin_train.common.commands import run_command
from pearljoin_train.data import DataDamagedError

RUN = {
    "model": "default",
    "tasks": {
        "turney": {"accuracy": 0.5, "n": 2},
        "bird": {"pearson": 0.25},
        "yago": {"top1": 0.651, "top1_ivfpq": 0.4118, "substitute": True},
        "umls": None,
        "atis_s": {"accuracy": 0.9, "std": 0.01},
    },
    "average9": None,
    "average7": None,
}
OTHER = {
    "model": "other",
    "tasks": {"turney": {"accuracy": 0.7}, "bird": {"pearson": 0.5}, "yago": {"top1": 0.1}},
    "average7": 0.4,
}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_table_shows_percent_and_marks_what_is_missing_or_a_substitute():
    lines = report.table([RUN], [], ["turney", "yago", "umls"], averages=True).splitlines()
    assert cells(lines[0]) == ["model", "source", "Turney", "YAGO", "UMLS", "of 9", "of 7"]
    assert cells(lines[2])[1:] == ["measured here", "50.0", "65.1 (41.2) ‡", "–", "–", "–"]


def test_published_rows_are_labelled_and_averaged_over_seven():
    percent = {name: 10.0 * place for place, name in enumerate(PAPER9)}
    row = {"name": "X", "source": "a paper", "percent": percent, "average9": 40.0}
    lines = report.table([], [row], PAPER9, averages=True).splitlines()
    assert cells(lines[2])[:3] == ["X", "published: a paper", "0.0"]
    assert cells(lines[2])[-2:] == ["40.0", f"{(0 + 10 + 20 + 30 + 60 + 70 + 80) / 7:.1f}"]


def test_published_rows_are_those_of_the_papers():
    rows = {(row["name"], row["source"]): row for row in report.published_rows()}
    small = rows["PEARL-small, 34M, released weights", "the authors' table"]
    assert small["percent"]["autofj"] == 75.2
    assert small["average9"] == 62.5
    mean = sum(small["percent"][name] for name in COMPARABLE7) / 7
    assert round(mean, 1) == 67.2


def test_a_row_without_any_number_is_left_out():
    text = report.table([OTHER], [], ["atis_s", "atis_l"], averages=False)
    assert text.count("\n") == 2


def test_report_replaces_what_stands_between_the_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n", encoding="utf-8")
    assert report.main(["--page", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith(f"{report.END}\nafter\n")
    assert "old" not in text
    assert "published: PEARL paper, Table 1" in text
    report.main(["--page", str(page)])
    assert page.read_text(encoding="utf-8") == text


def test_report_without_marks_is_an_error(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("nothing", encoding="utf-8")
    assert run_command("report", ["--page", str(page)]) == 1
    assert "no place for the tables" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["{", "[]", '{"model": "x"}'])
def test_a_file_that_is_no_result_is_refused(tmp_path, content):
    path = tmp_path / "run.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"result.*run\.json.*Hint"):
        report.read_run(path)


def test_runs_come_best_first_and_the_published_file_is_no_run(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(RUN))
    (tmp_path / "b.json").write_text(json.dumps(OTHER))
    (tmp_path / report.PUBLISHED).write_text('{"rows": []}')
    assert [run["model"] for run in report.load_runs(tmp_path)] == ["other", "default"]


def test_bar_heights_are_the_sets_metrics_in_percent():
    pytest.importorskip("matplotlib")
    axes = plots.bar_figure([RUN, OTHER]).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["Turney", "BIRD", "YAGO ‡"]
    heights = [[bar.get_height() for bar in group] for group in axes.containers]
    assert heights == [pytest.approx([50, 25, 65.1]), pytest.approx([70, 50, 10])]


def test_radar_lines_are_closed():
    pytest.importorskip("matplotlib")
    axes = plots.radar_figure([RUN, OTHER]).axes[0]
    first = axes.get_lines()[0].get_ydata()
    assert list(first) == pytest.approx([50, 25, 65.1, 50])


def test_chart_commands_write_both_files_and_refuse_too_few_sets(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    (tmp_path / "a.json").write_text(json.dumps(RUN))
    two = {"model": "two", "tasks": {"turney": {"accuracy": 0.1}, "bird": {"pearson": 0.2}}}
    (tmp_path / "b.json").write_text(json.dumps(two))
    both = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    assert plots.main(["bar", *both, "--out", str(tmp_path / "f" / "v1.5")]) == 0
    assert (tmp_path / "f" / "v1.5.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "f" / "v1.5.svg").read_text()
    assert run_command("plot", ["radar", *both, "--out", str(tmp_path / "r")]) == 1
    assert "needs 3 sets that all runs have. Got 2" in capsys.readouterr().err


def entities(folder, rows):
    path = folder / plots.TYPED_ENTITIES
    path.parent.mkdir(parents=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("phrase\ttype\tcount\tsource\n" + "".join(f"{row}\n" for row in rows))


def entity_rows(n):
    first = {kind: specs[0].split(":") for kind, specs in plots.ENTITY_TYPES.items()}
    return [
        f"{kind} {number}\t{label}\t1\t{source.replace('*', 'music')}"
        for kind, (source, label) in first.items()
        for number in range(n)
    ]


def test_names_are_drawn_by_type_and_two_sided_ones_left_out(tmp_path):
    rows = [*entity_rows(101), "Person 7\tLOC\t1\twikigold", "Elsewhere\tGPE\t1\tlitbank"]
    entities(tmp_path, rows)
    names = plots.sample_names(tmp_path)
    assert {kind: len(group) for kind, group in names.items()} == dict.fromkeys(
        plots.ENTITY_TYPES, 100
    )
    assert "Person 7" not in names["Person"] + names["Place"]
    assert all(name.startswith(kind) for kind, group in names.items() for name in group)
    assert plots.sample_names(tmp_path) == names
    assert plots.sample_names(tmp_path, seed=1) != names


def test_too_few_names_are_an_error(tmp_path):
    entities(tmp_path, entity_rows(3))
    with pytest.raises(DataDamagedError, match="it has 3 names of type Place"):
        plots.sample_names(tmp_path)


def test_map_puts_what_is_close_together():
    pytest.importorskip("matplotlib")
    generator = np.random.default_rng(0)

    class Corners:
        dim = 2

        def encode(self, phrases):
            corners = np.array([[1, 0] if name[0] == "a" else [0, 1] for name in phrases])
            return (corners + generator.normal(0, 0.02, corners.shape)).astype(np.float32)

    names = {"A": [f"a{n}" for n in range(15)], "B": [f"b{n}" for n in range(15)]}
    axes = plots.tsne_figure(Corners(), names, "toy").axes[0]
    first, second = (np.asarray(points.get_offsets()) for points in axes.collections)
    assert len(first) == len(second) == 15
    apart = np.linalg.norm(first.mean(axis=0) - second.mean(axis=0))
    assert apart > first.std(axis=0).max() + second.std(axis=0).max()
