"""The two example tables: sound, joined well, and shown by the demo."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import pearljoin as pj

EXAMPLES = Path(__file__).parent.parent / "examples"


def read(name: str) -> pl.DataFrame:
    return pl.read_csv(EXAMPLES / f"{name}.csv")


def test_the_tables_and_the_true_pairs_agree() -> None:
    everyday, official, gold = read("everyday"), read("official"), read("gold")
    assert everyday["item"].to_list() == list(range(1, everyday.height + 1))
    assert official["entry"].to_list() == list(range(1, official.height + 1))
    assert gold["item"].is_unique().all()
    pairs = gold.join(everyday, on="item").join(official, on="entry")
    assert pairs.height == gold.height
    assert pairs.filter(pl.col("country") != pl.col("country_right")).height == 0
    assert everyday.join(gold, on="item", how="anti").height >= 40
    assert official.join(gold, on="entry", how="anti").height >= 40


@pytest.mark.parametrize(
    ("threshold", "precision", "recall"), [(0.5, 0.9, 0.65), ("auto", 0.9, 0.6)]
)
def test_the_join_reaches_precision_and_recall(
    threshold: float | str, precision: float, recall: float
) -> None:
    everyday, official, gold = read("everyday"), read("official"), read("gold")
    joined = pj.fuzzy_join(
        everyday,
        official,
        left_on="name",
        right_on="legal_name",
        by="country",
        how="inner",
        threshold=threshold,
    )
    found = joined.join(gold, on=["item", "entry"], how="inner").height
    assert found / joined.height >= precision
    assert found / gold.height >= recall


def test_the_demo_shows_matched_and_unmatched_names(tmp_path: Path) -> None:
    report = tmp_path / "new" / "report.html"
    done = subprocess.run(
        [sys.executable, EXAMPLES / "demo.py", "--all", "--report", report],
        capture_output=True, text=True, check=False, env={"COLUMNS": "160", "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shown = {line.split("│")[1].strip() for line in done.stdout.splitlines() if "│" in line}
    assert {"Telefonica", "Starbuck's Coffee", "H&M"} <= shown
    assert "Everyday names without a match" in done.stdout
    assert done.stdout.splitlines()[-1] == str(report)
    assert "Starbuck&#39;s Coffee" in (html := report.read_text(encoding="utf-8")) or (
        "Starbuck\\u0027s Coffee" in html
    )
    assert "Official names that nothing matched" in done.stdout
    assert "(in force)" in done.stdout
