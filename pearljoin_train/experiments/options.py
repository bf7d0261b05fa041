"""Options that the commands of experiments share."""

from __future__ import annotations

import argparse
from pathlib import Path

from pearljoin._errors import InputError
from pearljoin_train.benchmark.tasks import COMPARABLE7, SETS
from pearljoin_train.common.config import Config
from pearljoin_train.common.dry_run import add_dry_run
from pearljoin_train.experiments.grid import Grid, measure_on_development, measure_on_tasks

__all__ = ["add_grid_options", "grid_from_options", "seeds_of", "tasks_of"]

DEVELOPMENT = "development"


def add_grid_options(
    parser: argparse.ArgumentParser, *, seeds: int, tasks: str = DEVELOPMENT
) -> None:
    """Give a command the options of a grid of runs."""
    parser.add_argument(
        "--out", type=Path, required=True,
        help="folder of the experiment; the same command goes on with what is in it",
    )  # fmt: skip
    parser.add_argument("--seeds", type=int, default=seeds, help=f"runs of each row ({seeds})")
    parser.add_argument(
        "--tasks", nargs="+", default=[tasks],
        help=f"{DEVELOPMENT}, or sets of the PEARL benchmark: comparable7, {', '.join(SETS)}; "
        f"default {tasks}",
    )  # fmt: skip
    add_dry_run(parser)


def grid_from_options(options: argparse.Namespace, config: Config) -> Grid:
    """Make the grid that a command line asks for.

    Raises
    ------
    InputError
        If a task is not known.
    """
    tasks = tasks_of(options)
    if not tasks:
        return Grid(config, options.out, measure_on_development())
    return Grid(config, options.out, measure_on_tasks(tasks), about=" ".join(tasks))


def tasks_of(options: argparse.Namespace) -> list[str]:
    """Return the sets of the benchmark to measure on, none for the development split.

    Raises
    ------
    InputError
        If a task is not known.
    """
    if options.tasks == [DEVELOPMENT]:
        return []
    tasks = list(COMPARABLE7) if options.tasks == ["comparable7"] else options.tasks
    unknown = [task for task in tasks if task not in SETS]
    if unknown:
        raise InputError(
            f"There is no such task. Got {unknown[0]!r}. "
            f"Hint: {DEVELOPMENT}, comparable7, or some of {', '.join(SETS)}."
        )
    return tasks


def seeds_of(options: argparse.Namespace, config: Config) -> list[int]:
    """Return the seeds to run, from the config's on.

    Raises
    ------
    InputError
        If there is none.
    """
    if options.seeds < 1:
        raise InputError(f"A row needs at least 1 seed. Got {options.seeds}. Hint: --seeds 2.")
    return list(range(config.seed, config.seed + options.seeds))
