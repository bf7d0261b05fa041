"""Reports, labels and workbooks on the command line."""

import csv
import re
import sys
from pathlib import Path

import polars as pl
import pytest

from pearljoin._cli import excel_tables

NAMES = [f"{a}{b}" for a in ("Bacor", "Denfil", "Garhom", "Junkel") for b in "aeiou"]


@pytest.fixture
def tables(tmp_path: Path) -> None:
    left = [f"The {name} Company" for name in NAMES] + [f"{name[::-1]} Bakery" for name in NAMES]
    pl.DataFrame({"name": left}).write_csv(tmp_path / "left.csv")
    pl.DataFrame({"name": [f"{n} Holdings" for n in NAMES]}).write_csv(tmp_path / "right.csv")


JOIN = ("join", "left.csv", "right.csv", "--on", "name", "--out", "out.csv")


def write_labels(path: str, n: int) -> None:
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["left_row", "right_row", "left", "right", "score", "label"])
        scores = [(at + 1) / (n + 1) for at in range(n)]
        rows.writerows([at % 20, at % 20, "", "", s, "ny"[s > 0.5]] for at, s in enumerate(scores))


def test_a_report_says_how_to_use_its_labels(run, tables) -> None:
    done = run(*JOIN, "--report", "my report.html", "--precision", "0.8")
    assert done.code == 0, done.err
    assert done.err.endswith("pearljoin: report to my report.html\n")
    html = Path("my report.html").read_text(encoding="utf-8")
    assert "<h1>left.csv joined with right.csv</h1>" in html
    words = "pearljoin join left.csv right.csv --on name --out out.csv --precision 0.8 --report "
    assert f"<code>{words}&#39;my report.html&#39; --labels labels.csv</code>" in html
    assert len(pl.read_csv("out.csv")) == 40


def test_duplicates_are_reported(run, tables) -> None:
    Path("rules.toml").write_text("name = 'longest'\n", encoding="utf-8")
    names = [f"{name} Company" for name in NAMES] + [f"The {name} Company" for name in NAMES]
    pl.DataFrame({"name": names}).write_csv("names.csv")
    words = ("dedupe", "names.csv", "--on", "name", "--out", "out.csv", "--golden", "rules.toml")
    done = run(*words, "--report", "my report.html")
    assert done.code == 0, done.err
    summary, told = done.err.splitlines()
    n_things = len(pl.read_csv("out.csv"))
    found = re.fullmatch(
        rf"pearljoin: 40 rows name {n_things} things at threshold (0\.\d+); .* to out.csv", summary
    )
    assert found is not None, summary
    assert told == "pearljoin: report to my report.html"
    html = Path("my report.html").read_text(encoding="utf-8")
    assert "<h1>Duplicates in names.csv</h1>" in html
    shown = re.search(r"at a threshold of (0\.\d{3})\.", html)
    assert shown is not None
    assert float(shown[1]) == pytest.approx(float(found[1]), abs=6e-4)
    assert (
        "--golden rules.toml --report &#39;my report.html&#39; --labels labels.csv</code>" in html
    )
    # The golden records of the page are those that the rules make.
    golden = dict(re.findall(r"<dt>name</dt><dd><bdi>(.*?) \(row (\d+)\)", html))
    written = pl.read_csv("out.csv").filter(pl.col("n_rows") > 1)
    assert set(golden) == set(written["name"])
    assert [names[int(row)] for row in golden.values()] == list(golden)
    assert any(name.startswith("The ") for name in golden)
    write_labels("labels.csv", 24)
    labelled = run(*words, "--report", "r.html", "--labels", "labels.csv")
    assert labelled.code == 0, labelled.err
    assert ", learned from labels.csv; " in labelled.err
    assert "from 24 labelled pairs, for a precision of 0.9" in Path("r.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--report", "left.csv"], "would overwrite an input. Got --report 'left.csv', which"),
        (["--report", "pairs.csv"], "A report is a file of its own. Got --report 'pairs.csv'"),
        (["--report", "./out.csv"], "A report is a file of its own. Got --report 'out.csv'"),
        (["--golden", "g.toml", "--report", "g.toml"], "Got --report 'g.toml', which is the file"),
        (["--golden", "pairs.csv"], "Got --pairs 'pairs.csv', which is the file 'pairs.csv'"),
        (["--labels", "out.csv"], "Got --out 'out.csv', which is the file 'out.csv'"),
        (["--labels", "l.csv", "--threshold", "0.5"], "Got --labels and --threshold 0.5"),
    ],
)
def test_what_cannot_be_reported_is_told(refused, tables, words, message) -> None:
    dedupe = ("dedupe", "left.csv", "--out", "out.csv", "--pairs", "pairs.csv")
    assert message in refused(*dedupe, *words, code=2)


def test_labels_choose_the_threshold(run, tables) -> None:
    write_labels("labels.csv", 24)
    done = run(*JOIN, "--labels", "labels.csv", "--report", "r.html")
    assert done.code == 0, done.err
    assert "learned from 24 labels; " in done.err
    html = Path("r.html").read_text(encoding="utf-8")
    assert "Measured on 24 labelled pairs" in html
    assert "from 24 labelled pairs, for a precision of 0.9" in html
    plain = run(*JOIN)
    assert "learned from" not in plain.err


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--report", "left.csv"], 2, "would overwrite an input. Got --report 'left.csv', which"),
        (["--labels", "l.csv", "--report", "l.csv"], 2, "Got --report 'l.csv', which is the file"),
        (["--labels", "out.csv"], 2, "Got --out 'out.csv', which is the file 'out.csv'"),
        (["--report", "out.csv"], 2, "A report is a file of its own. Got --report 'out.csv'"),
        (["--report", "-"], 2, "A report is a file of its own"),
        (["--labels", "l.csv", "--threshold", "0.5"], 2, "Got --labels and --threshold 0.5"),
        (["--labels", "none.csv"], 1, "The labels cannot be read. Got 'none.csv'"),
        (["--report", "no/where.html"], 1, "report"),
    ],
)
def test_what_cannot_be_is_told(refused, tables, words, code, message) -> None:
    assert message in refused(*JOIN, *words, code=code)


@pytest.mark.parametrize("command", ["join", "dedupe"])
def test_labels_of_other_tables_are_refused(run, refused, tables, command) -> None:
    """Their scores would choose a threshold, and nobody would notice."""
    words = JOIN if command == "join" else ("dedupe", "left.csv", "--out", "out.csv")
    left, right = (pl.read_csv(f"{side}.csv")["name"] for side in ("left", "right"))
    right = right if command == "join" else left
    rows = [(at, at + 1, left[at], right[at + 1], (at + 1) / 13, "ny"[at > 6]) for at in range(12)]
    names = ("left_row", "right_row", "left", "right", "score", "label")

    def write(*changed: tuple) -> None:
        table = pl.DataFrame([*changed, *rows[len(changed) :]], names, orient="row")
        table.write_csv("labels.csv")

    write()
    assert run(*words, "--labels", "labels.csv").code == 0
    # A spreadsheet may have rewritten some cells.
    write(*((at, at + 1, f"'{left[at]}", "Other", 0.2, "n") for at in range(6)))
    assert run(*words, "--labels", "labels.csv").code == 0
    Path("out.csv").unlink()
    write(*((at, at + 1, "Other", right[at + 1], 0.2, "n") for at in range(7)))
    told = refused(*words, "--labels", "labels.csv")
    assert told.startswith(
        "The labels are of other tables or key columns. Got 'labels.csv', where rows 0 and 1 are "
        f"['Other', {right[1]!r}], and here [{left[0]!r}, {right[1]!r}]; so are 7 of 12 labelled "
    )
    write((40, 0, "", "", 0.2, "n"))
    assert "and here [None" in refused(*words, "--labels", "labels.csv")
    assert not Path("out.csv").exists()


def test_workbooks_are_read_and_written(run, tables) -> None:
    odd = ["=1+1", "007", "Café", "http://example.org", None]
    table = pl.DataFrame({"name": odd, "n": [1, 2, 3, None, 5], "x": [0.5, None, 1.5, 2.0, 3.0]})
    excel_tables.write_workbook(table, "in.xlsx")
    pl.DataFrame({"name": ["Cafe", "7"], "code": ["A", "B"]}).write_csv("right.csv")
    done = run("join", "in.xlsx", "right.csv", "--on", "name", "--out", "out.xlsx")
    assert done.code == 0, done.err
    found = excel_tables.read_workbook(Path("out.xlsx").read_bytes(), ())
    assert found["name"].to_list() == odd
    assert found["n"].to_list() == [1, 2, 3, None, 5]
    assert found["x"].to_list() == table["x"].to_list()
    assert found["code"].to_list()[2] == "A"


def test_a_single_key_of_a_workbook_is_text(run) -> None:
    excel_tables.write_workbook(pl.DataFrame({"id": [12, 13]}), "in.xlsx")
    table = excel_tables.read_workbook(Path("in.xlsx").read_bytes(), ["id"])
    assert table["id"].to_list() == ["12", "13"]


def test_a_damaged_workbook_is_told(refused, tables) -> None:
    Path("bad.xlsx").write_bytes(b"PK\x03\x04 not really")
    told = refused("join", "bad.xlsx", "right.csv", "--on", "name", "--out", "o.csv")
    assert told.startswith("'bad.xlsx' cannot be read as excel: ")


@pytest.mark.parametrize(("package", "words"), [
    ("fastexcel", ["in.xlsx", "right.csv", "--out", "o.csv"]),
    ("xlsxwriter", ["left.csv", "right.csv", "--out", "o.xlsx"]),
])  # fmt: skip
def test_workbooks_need_an_extra(refused, tables, monkeypatch, package, words) -> None:
    excel_tables.write_workbook(pl.DataFrame({"name": ["a"]}), "in.xlsx")
    monkeypatch.setitem(sys.modules, package, None)
    told = refused("join", *words, "--on", "name")
    assert f"needs the package '{package}'" in told
    assert "pip install 'pearljoin[excel]'" in told


def test_one_display_shows_the_whole_of_the_work(run, tables, monkeypatch) -> None:
    shown: list[list[str]] = []

    class Display:
        def __init__(self, delay: float) -> None:
            shown.append([])

        def show(self, name: str) -> None:
            shown[-1].append(name)

        def count(self, done: int, total: int) -> None:
            pass

        def close(self) -> None:
            pass

    monkeypatch.setattr("pearljoin._progress._Display", Display)
    monkeypatch.setattr("pearljoin._progress._on_a_terminal", lambda: True)
    assert run(*JOIN, "--report", "r.html").code == 0
    assert len(shown) == 1
    stages = [name for name in dict.fromkeys(shown[0]) if name]
    assert stages[0] == "read"
    assert {"search", "features", "decision", "report"} <= set(stages)
    shown.clear()
    assert run(*JOIN, "--quiet").code == 0
    assert shown == []
