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
SHOWN = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="print every matched row")
    arguments = parser.parse_args()
    console = Console()

    everyday = pl.read_csv(HERE / "everyday.csv")
    official = pl.read_csv(HERE / "official.csv")

    start = time.perf_counter()
    result = pj.match(everyday, official, left_on="name", right_on="legal_name", by="country")
    seconds = time.perf_counter() - start

    # The names were encoded once, above; each of these only assembles a table.
    matched = result.join("inner").sort("match_score", descending=True)
    unmatched = result.unmatched()
    leftover = result.join("right").filter(pl.col("item").is_null())

    shown = matched if arguments.all else spread(matched, SHOWN)
    console.print(matches_table(shown, total=matched.height))
    print_names(console, "Everyday names without a match", unmatched["name"])
    print_names(console, "Official names that nothing matched", leftover["legal_name"])
    console.print(
        f"\n{matched.height} of {everyday.height} everyday names found among {official.height} "
        f"official ones in {seconds:.1f} s, at a threshold of {result.threshold:.3f} that was "
        f"chosen without labels."
    )
    print_accuracy(console, matched)


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
    console.print(Columns(names.sort().to_list(), column_first=True, padding=(0, 2)))


def print_accuracy(console: Console, matched: pl.DataFrame) -> None:
    """Compare with the true pairs, which the join did not see."""
    gold = pl.read_csv(HERE / "gold.csv")
    right = matched.join(gold, on=["item", "entry"], how="inner").height
    console.print(
        f"Against the true pairs in gold.csv: {right / max(matched.height, 1):.1%} of the matches "
        f"are right (precision), {right / gold.height:.1%} of the true pairs were found (recall)."
    )


if __name__ == "__main__":
    main()
