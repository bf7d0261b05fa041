"""`python -m pearljoin_train records`: write made records as CSV, for looking at."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from pearljoin._atomic import atomic_folder
from pearljoin._progress import progress
from pearljoin_train.common.dry_run import add_dry_run, in_words, seconds_each
from pearljoin_train.records.assemble import MOST_ROWS, make_records
from pearljoin_train.records.domains import DOMAINS
from pearljoin_train.records.lists import Split, read_lists
from pearljoin_train.records.made import MadeDuplicates, MadeTables, Table

__all__ = ["main", "write_records"]

SAMPLE = 5
"""Tables that are made to learn how long all take."""


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    options = _parser().parse_args(arguments)
    records = make_records(
        read_lists(options.split),
        options.n,
        seed=options.seed,
        domains=options.domains,
        most_rows=options.most_rows,
    )
    if options.dry_run:
        seconds = options.n * seconds_each(lambda made: made, islice(records, SAMPLE))
        sys.stdout.write(
            f"reads the open lists of {options.split}\nmakes {options.n:,} tables, or pairs of "
            f"tables: about {in_words(seconds)}\nwrites {options.out}\n"
        )
        return 0
    shown = progress(records, total=options.n, label="records", unit="table", verbose=None)
    with atomic_folder(options.out) as folder:
        n_rows = 0
        for number, made in enumerate(shown):
            write_records(made, folder / f"{number:03d}_{made.domain}")
            n_rows += sum(len(next(iter(table.values()))) for table in _tables(made).values())
    sys.stdout.write(f"{options.n} made records with {n_rows:,} rows in {options.out}\n")
    return 0


def write_records(made: MadeTables | MadeDuplicates, folder: Path) -> None:
    """Write made records into a new folder.

    Parameters
    ----------
    made
        ``left.csv``, ``right.csv`` and ``pairs.csv`` (two row numbers) for tables to link,
        ``table.csv`` and ``clusters.csv`` for one to deduplicate; missing values are empty.
        ``made.json`` says what each column holds and what was drawn.
    folder
        Where they go; it must not be there.
    """
    folder.mkdir()
    for name, table in _tables(made).items():
        _write_csv(folder / f"{name}.csv", list(table), list(zip(*table.values(), strict=True)))
    drawn: dict[str, Any] = {"domain": made.domain, "kinds": made.kinds}
    if isinstance(made, MadeTables):
        _write_csv(folder / "pairs.csv", ["left", "right"], made.pairs().tolist())
        drawn |= {"relation": made.relation, "unmatched": made.unmatched}
        drawn["rates"] = [asdict(rates) for rates in made.rates]
    else:
        _write_csv(folder / "clusters.csv", ["cluster"], [[number] for number in made.clusters])
        drawn["rates"] = asdict(made.rates)
    text = json.dumps(drawn, indent=2, ensure_ascii=False) + "\n"
    (folder / "made.json").write_text(text, encoding="utf-8")


def _tables(made: MadeTables | MadeDuplicates) -> dict[str, Table]:
    if isinstance(made, MadeTables):
        return {"left": made.left, "right": made.right}
    return {"table": made.table}


def _write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m pearljoin_train records",
        description="Make record tables with known truth from open lists, and write them as CSV.",
    )
    parser.add_argument("--out", type=Path, required=True, help="new folder to write")
    parser.add_argument("--n", type=int, default=20, help="how many to make (20)")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    parser.add_argument(
        "--domains", nargs="+", choices=list(DOMAINS), default=list(DOMAINS), help="all by default"
    )
    parser.add_argument("--most-rows", type=int, default=MOST_ROWS, help=f"a table ({MOST_ROWS})")
    parser.add_argument(
        "--split", choices=get_args(Split), default="training", help="whose names (%(default)s)"
    )
    add_dry_run(parser)
    return parser
