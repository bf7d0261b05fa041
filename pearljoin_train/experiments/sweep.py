"""`python -m pearljoin_train sweep --out FOLDER`: learning rates and hard negatives (Figure 5)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from pearljoin_train.common.config import Config
from pearljoin_train.common.config_options import add_config_options, config_from_options
from pearljoin_train.experiments.grid import Grid, Variant
from pearljoin_train.experiments.options import add_grid_options, grid_from_options, seeds_of
from pearljoin_train.experiments.tables import line_figure, save_figure, summarise, write_table

__all__ = ["main", "sweep"]

LEARNING_RATES = (1e-5, 2e-5, 3e-5, 5e-5, 1e-4)
MINED = (0, 1, 2, 3, 4)
"""Mined hard negatives a row, where the config has a file of them."""
NEIGHBOURS = (1, 4, 16, 64)
"""Rows of a group of neighbours, where it has none: in-batch hard negatives."""


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train sweep", description=__doc__)
    add_grid_options(parser, seeds=1)
    parser.add_argument(
        "--learning-rates", type=float, nargs="+", default=LEARNING_RATES,
        help="rates to train with, one run a seed each (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--hard-negatives", type=int, nargs="+",
        help=f"mined ones a row {MINED} with --negatives-file, else rows of a group of neighbours "
        f"{NEIGHBOURS}",
    )  # fmt: skip
    add_config_options(parser)
    options = parser.parse_args(arguments)
    grid = grid_from_options(options, config_from_options(options))
    seeds = seeds_of(options, grid.config)
    if options.dry_run:
        settings = _settings(grid.config, options.learning_rates, options.hard_negatives)
        sys.stdout.write(grid.plan(_variants(settings), seeds))
        return 0
    sys.stdout.write(sweep(grid, seeds, options.learning_rates, options.hard_negatives))
    return 0


def sweep(
    grid: Grid,
    seeds: list[int],
    learning_rates: Sequence[float] = LEARNING_RATES,
    hard_negatives: Sequence[int] | None = None,
) -> str:
    """Vary one setting at a time, the other staying the config's; returns the table."""
    settings = _settings(grid.config, learning_rates, hard_negatives)
    table = summarise(grid.run(_variants(settings), seeds))
    panels = {
        setting.replace("_", " "): {value: table[_name(setting, value)] for value in values}
        for setting, values in settings.items()
    }
    scores = list(next(iter(table.values())))
    save_figure(line_figure(panels, scores, _title(grid.config)), grid.out / "sweep")
    return write_table(table, grid.out / "sweep", "")


def _settings(
    config: Config, learning_rates: Sequence[float], hard_negatives: Sequence[int] | None
) -> dict[str, Sequence[Any]]:
    """Return the values of each setting that is varied."""
    name = "negatives" if config.negatives_file else "neighbours"
    counts = hard_negatives or (MINED if name == "negatives" else NEIGHBOURS)
    return {
        "learning_rate": list(dict.fromkeys(learning_rates)),
        name: list(dict.fromkeys(counts)),
    }


def _variants(settings: dict[str, Sequence[Any]]) -> list[Variant]:
    return [
        Variant(_name(setting, value), {setting: value})
        for setting, values in settings.items()
        for value in values
    ]


def _name(setting: str, value: float) -> str:
    return f"{setting.replace('_', ' ')} {value:g}"


def _title(config: Config) -> str:
    return f"{config.steps} steps of {config.rows} rows"
