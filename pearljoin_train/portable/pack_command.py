"""`python -m pearljoin_train pack --out FOLDER`: a run's inputs as files small enough to copy.

For a machine that has a GPU and nothing else: token ids, texts, types, the base's weights in half
precision, the development split and sets of the benchmark, in pieces of at most 16 MiB.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tempfile
from pathlib import Path

from pearljoin._errors import InputError
from pearljoin_train.benchmark.tasks import COMPARABLE7, SETS
from pearljoin_train.common.config_options import add_config_options, config_from_options
from pearljoin_train.common.dry_run import add_dry_run
from pearljoin_train.portable.inputs import Inputs, write_inputs
from pearljoin_train.portable.pieces import write_pieces
from pearljoin_train.training.remine import sources_of

__all__ = ["main"]

MIB = 1024**2


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    options = _parse(arguments)
    config = config_from_options(options)
    tasks = [] if options.tasks == ["none"] else list(options.tasks)
    unknown = [task for task in tasks if task not in SETS]
    if unknown:
        raise InputError(
            f"There is no such task. Got {unknown[0]!r}. Hint: none, or some of {', '.join(SETS)}."
        )
    if options.out.exists():
        raise InputError(f"There is something at {options.out} already. Hint: another --out.")
    inputs = Inputs.from_data_folder(config, development=not options.no_development)
    sources = sources_of(inputs.streams)
    texts = sum(len(e) + sum(map(len, e.aliases)) for e in sources)
    sys.stdout.write(
        f"{len(sources)} sources, {sum(map(len, sources)):,} phrases and their other names "
        f"({texts:,} texts), base {config.base}, sets: {' '.join(tasks) or 'none'}\n"
    )
    if options.dry_run:
        sys.stdout.write(f"Would be packed into {options.out}, in about a minute.\n")
        return 0
    teacher = Path(config.teacher) if config.teacher else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        facts = write_inputs(inputs, Path(scratch), tasks=tasks, teacher=teacher)
        facts |= {"holds": "inputs", "config": dataclasses.asdict(config)}
        most = int(options.piece_mib * MIB)
        manifest = write_pieces(Path(scratch), options.out, facts, most_bytes=most)
    total = sum(piece["bytes"] for piece in manifest["pieces"])
    sys.stdout.write(
        f"{manifest['texts']:,} distinct texts, {manifest['tokens']:,} tokens: {total / MIB:.1f} "
        f"MiB in {len(manifest['pieces'])} pieces in {options.out}\n"
    )
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train pack", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder to write, not there yet")
    parser.add_argument(
        "--tasks", nargs="+", default=[*COMPARABLE7, "yago"],
        help="sets of the benchmark that come along to be measured, or none (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--no-development", action="store_true",
        help="leave out the development split, which is measured along the way",
    )  # fmt: skip
    parser.add_argument(
        "--piece-mib", type=float, default=16.0, help="MiB of a piece at most (default: 16)"
    )
    add_dry_run(parser)
    add_config_options(parser)
    parser.set_defaults(recipe="pearl-mini-gpu")
    options = parser.parse_args(arguments)
    if options.piece_mib <= 0:
        parser.error("--piece-mib must be above 0")
    return options
