"""Join a table of everyday names with a table of official ones, and show what matched.

Run it with ``make demo``, or ``python examples/demo.py --all`` to see every matched row.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import polars as pl
from rich.columns import Columns
from rich.console import Console
from rich.table import Table

import pearljoin as pj

HERE = Path(__file__).parent
REPORT = HERE.parent / "build" / "report.html"
SHOWN = 40
WIDEST = 38


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="print every matched row")
    parser.add_argument("--threshold", type=float, help="lowest score of a match; default: chosen")
    parser.add_argument("--report", type=Path, default=REPORT, help="where the HTML report goes")
    arguments = parser.parse_args()
    threshold = "auto" if arguments.threshold is None else arguments.threshold
    console = Console()

    everyday = pl.read_csv(HERE / "everyday.csv")
    official = pl.read_csv(HERE / "official.csv")

    start = time.perf_counter()
    result = pj.match(
        everyday,
        official,
        left_on="name",
        right_on="legal_name",
        by="country",
        threshold=threshold,
    )
    matched = result.join("inner").sort("match_score", descending=True)
    seconds = time.perf_counter() - start

    shown = matched if arguments.all else spread(matched, SHOWN)
    console.print(matches_table(shown, total=matched.height))
    print_names(console, "Everyday names without a match", result.unmatched()["name"])
    print_names(
        console, "Official names that nothing matched", result.unmatched("right")["legal_name"]
    )
    console.print(
        f"\n{everyday.height} everyday names looked up among {official.height} official ones "
        f"in {seconds:.1f} s. The true pairs, which the join did not see, are in gold.csv."
    )
    console.print(accuracy_table(result, everyday, official))
    arguments.report.parent.mkdir(parents=True, exist_ok=True)
    written = result.report(arguments.report, title="everyday.csv joined with official.csv")
    console.print("\nThe report, to look at the pairs in a browser and to label the doubtful ones:")
    console.print(str(written.resolve()), soft_wrap=True, highlight=False)


def spread(matched: pl.DataFrame, rows: int) -> pl.DataFrame:
    """Take rows evenly from the best match to the worst, so that the doubtful ones show too."""
    if matched.height <= rows:
        return matched
    step = (matched.height - 1) / (rows - 1)
    return matched[[round(i * step) for i in range(rows)]]


def matches_table(shown: pl.DataFrame, *, total: int) -> Table:
    title = f"Matched: {shown.height} of {total} rows, best first"
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("everyday name", style="cyan")
    table.add_column("official name", style="green")
    table.add_column("country")
    table.add_column("score", justify="right")
    columns = ("name", "legal_name", "country", "match_score")
    for name, legal_name, country, score in shown.select(columns).iter_rows():
        table.add_row(name, legal_name, country, f"{score:.3f}")
    return table


def print_names(console: Console, title: str, names: pl.Series) -> None:
    console.print(f"\n[bold]{title} ({len(names)})[/bold]")
    shortened = [name if len(name) <= WIDEST else f"{name[: WIDEST - 1]}…" for name in names.sort()]
    console.print(Columns(shortened, column_first=True, padding=(0, 2)))


def accuracy_table(result: pj.MatchResult, everyday: pl.DataFrame, official: pl.DataFrame) -> Table:
    """Compare with the true pairs. Deciding again, at another threshold, encodes nothing again."""
    gold = pl.read_csv(HERE / "gold.csv")
    table = Table()
    for heading in ("threshold", "matches", "of them right", "of the true pairs found"):
        table.add_column(heading, justify="right")
    for threshold in (result.threshold, 0.3, 0.5, 0.7, 0.9):
        matches = result.matches(threshold=threshold)
        pairs = pl.DataFrame(
            {"item": everyday["item"].gather(matches.left)}
            | {"entry": official["entry"].gather(matches.right)}
        )
        right = pairs.join(gold, on=["item", "entry"]).height
        precision, recall = right / max(len(matches), 1), right / gold.height
        asked = " (in force)" if threshold == result.threshold else ""
        table.add_row(
            f"{threshold:.2f}{asked}", str(len(matches)), f"{precision:.1%}", f"{recall:.1%}"
        )
    return table


if __name__ == "__main__":
    main()
