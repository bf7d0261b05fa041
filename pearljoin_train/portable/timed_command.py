"""`python -m pearljoin_train reproduce --from PACK --minutes 20 --out FOLDER`: a timed run."""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
from pathlib import Path
from typing import Any

from pearljoin_train.benchmark.tasks import COMPARABLE7, SETS
from pearljoin_train.common.config import load_config
from pearljoin_train.common.config_options import add_config_options, given_fields
from pearljoin_train.common.dry_run import add_dry_run
from pearljoin_train.portable.inputs import Inputs, read_inputs
from pearljoin_train.portable.pieces import is_pack, read_manifest, unpack_folder
from pearljoin_train.portable.timed_run import reserve_seconds, timed_run
from pearljoin_train.training.clock import Clock
from pearljoin_train.training.remine import sources_of
from pearljoin_train.training.run import LOG

__all__ = ["main"]

INPUTS = "inputs"
SITTING_OVER = 3


def main(arguments: list[str]) -> int:
    """Run the command; returns 0, or 3 where the same command has to be given again."""
    options = _parse(arguments)
    # First, so that reading counts.
    clock = Clock(
        options.minutes,
        reserve=reserve_seconds(options.minutes, options.reserve),
        sitting=options.sitting,
    )
    shown = logging.StreamHandler(sys.stderr)
    LOG.addHandler(shown)
    LOG.setLevel(logging.INFO)
    try:
        if options.dry_run:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
                sys.stdout.write(_plan(options, _inputs(options, Path(scratch))))
            return 0
        inputs = _inputs(options, options.out)
        report = timed_run(
            inputs, options.out, device=options.device, clock=clock, tasks=_tasks(options)
        )
    finally:
        LOG.removeHandler(shown)
    if report is None:
        return SITTING_OVER
    sys.stdout.write(json.dumps(report, indent=1) + "\n")
    return 0


def _inputs(options: argparse.Namespace, out: Path) -> Inputs:
    """Read a pack, or take a model to go on from and the data folder's rows."""
    source = Path(options.source)
    changes: dict[str, Any] = given_fields(options)
    if not is_pack(source):
        config = load_config(options.recipe, {"base": options.source, **changes})
        return Inputs.from_data_folder(config)
    place = out / INPUTS
    if not place.is_dir():
        unpack_folder(source, place)
    return read_inputs(place, changes)


def _tasks(options: argparse.Namespace) -> list[str]:
    if options.tasks != ["packed"]:
        return [] if options.tasks == ["none"] else list(options.tasks)
    source = Path(options.source)
    return list(read_manifest(source)["tasks"]) if is_pack(source) else list(COMPARABLE7)


def _plan(options: argparse.Namespace, inputs: Inputs) -> str:
    config = inputs.config
    sources = sources_of(inputs.streams)
    reserve = reserve_seconds(options.minutes, options.reserve)
    sets = " ".join(_tasks(options)) or "nothing"
    return (
        f"reads {len(sources)} sources, {sum(map(len, sources)):,} phrases; base {config.base}\n"
        f"trains at most {config.steps:,} steps of {config.rows:,} rows in "
        f"{options.minutes - reserve / 60:.1f} minutes on {options.device}, "
        f"{config.workers} processes making batches\n"
        f"measures {sets} in the last {reserve / 60:.1f} minutes\n"
        f"writes {options.out}/result in pieces of at most 16 MiB\n"
    )


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m pearljoin_train reproduce",
        description="Train for so many minutes from a pack, measure, and pack the result.",
    )
    parser.add_argument(
        "--from", dest="source", required=True,
        help="folder that `pack` wrote; or a model in Hugging Face's layout to start from, trained "
        "on the data folder",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, required=True,
        help="folder of the run; the same command goes on with what is in it",
    )  # fmt: skip
    parser.add_argument(
        "--minutes", type=float, default=20.0,
        help="of the whole run, evaluation and all, over all sittings (default: 20)",
    )  # fmt: skip
    parser.add_argument(
        "--sitting", type=float,
        help="minutes until this process stops, with exit code 3, for another to go on",
    )  # fmt: skip
    parser.add_argument(
        "--reserve", type=float, help="minutes kept for the evaluation (default: 15 %% of all)"
    )
    parser.add_argument(
        "--device", default="auto", choices=("auto", "cpu", "cuda"), help="where it is trained"
    )
    parser.add_argument(
        "--tasks", nargs="+", default=["packed"], choices=("packed", "none", *SETS),
        help="sets to measure: those of the pack (default), none, or names",
    )  # fmt: skip
    add_dry_run(parser)
    add_config_options(parser)
    parser.set_defaults(recipe="pearl-mini-gpu")
    return parser.parse_args(arguments)
