"""`python -m pearljoin_train ablate --out FOLDER`: one component off at a time (PEARL, Table 3)."""

from __future__ import annotations

import argparse
import sys

from pearljoin_train.common.config import Config
from pearljoin_train.common.config_options import add_config_options, config_from_options
from pearljoin_train.experiments.grid import Grid, Variant
from pearljoin_train.experiments.options import add_grid_options, grid_from_options, seeds_of
from pearljoin_train.experiments.tables import bar_figure, save_figure, summarise, write_table

__all__ = ["ablate", "main", "rows"]

PAPERS_AVERAGE = 0.5


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train ablate", description=__doc__)
    add_grid_options(parser, seeds=2)
    add_config_options(parser)
    options = parser.parse_args(arguments)
    grid = grid_from_options(options, config_from_options(options))
    if options.dry_run:
        sys.stdout.write(grid.plan(rows(grid.config), seeds_of(options, grid.config)))
        return 0
    sys.stdout.write(ablate(grid, seeds_of(options, grid.config)))
    return 0


def ablate(grid: Grid, seeds: list[int]) -> str:
    """Train every row with every seed; write table and plot; returns the table in Markdown."""
    before = grid.untrained("untrained")
    results = [before, *grid.run(rows(grid.config), seeds)]
    table = summarise(results)
    save_figure(bar_figure(table, "One component off at a time"), grid.out / "ablation")
    return write_table(table, grid.out / "ablation", "")


def rows(config: Config) -> list[Variant]:
    """Return the rows of the table, by what the config has turned on.

    Where the config takes nothing of the base's weights, the row of the weight average adds it, in
    the paper's share.

    Examples
    --------
    >>> [row.name for row in rows(Config())][:2]
    ['full', 'without types']
    """
    no_character = {"character_rate": 0.0, "noise_rate": 0.0}
    no_token = {"synonym_rate": 0.0, "swap_rate": 0.0}
    no_phrase = {"phrase_rate": 0.0}
    every = [
        Variant("full"),
        Variant("without types", {"type_weight": 0.0}),
        Variant("without character encoder", {"characters": ""}),
        Variant("without character augmentation", no_character),
        Variant("without token augmentation", no_token),
        Variant("without phrase augmentation", no_phrase),
        Variant("without any augmentation", {**no_character, **no_token, **no_phrase}),
        Variant("without hard negatives", {"neighbours": 1, "negatives": 0, "edition_rate": 0.0}),
        Variant("without weight average", {"average": 0.0})
        if config.average
        else Variant(f"with weight average {PAPERS_AVERAGE:g}", {"average": PAPERS_AVERAGE}),
    ]
    full = config.replace()
    return [row for row in every if not row.changes or config.replace(**row.changes) != full]
