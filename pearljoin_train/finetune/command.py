"""`python -m pearljoin_train finetune`: adapt a model to a user's pairs of names.

A few minutes on a processor. A fifth of the things is kept out and measured before and after. The
folder is what `pj.fuzzy_join(encoder="FOLDER")` takes; float weights for further training lie in
its folder ``transformers``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pearljoin_train.common.dry_run import add_dry_run
from pearljoin_train.finetune.tune import finetune
from pearljoin_train.finetune.user_pairs import entity_ids, read_pairs, split_pairs

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train finetune", description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True, help="CSV or TSV with a header")
    parser.add_argument("--out", type=Path, required=True, help="folder to write, not there yet")
    parser.add_argument("--left", default="left", help="column of names")
    parser.add_argument("--right", default="right", help="column of other names of the same things")
    parser.add_argument("--label", default="label", help="column of 1 and 0: the same thing or not")
    parser.add_argument("--base", default="default", help="the bundled model, or a folder")
    parser.add_argument("--prefix", default="", help="put before every name, as the base wants it")
    parser.add_argument("--minutes", type=float, default=5.0, help="time to take, more or less")
    parser.add_argument("--steps", type=int, help="instead of as many as the time allows")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    parser.add_argument(
        "--resume", action="store_true", help="go on from the checkpoints of a run that was stopped"
    )
    add_dry_run(parser)
    options = parser.parse_args(arguments)
    pairs = read_pairs(options.pairs, left=options.left, right=options.right, label=options.label)
    if options.dry_run:
        trained, held_out = split_pairs(pairs, entity_ids(pairs), options.seed)
        steps = "steps as time allows" if options.steps is None else f"{options.steps} steps"
        sys.stdout.write(
            f"reads {len(pairs):,} pairs: trains on {len(trained):,}, measures on "
            f"{len(held_out):,}\ntrains {steps}, about {options.minutes:g} minutes in all\n"
            f"writes {options.out}\n"
        )
        return 0
    report = finetune(
        pairs,
        options.out,
        base=options.base,
        prefix=options.prefix,
        minutes=options.minutes,
        steps=options.steps,
        seed=options.seed,
        resume=options.resume,
    )
    sys.stdout.write(_summary(report, options.out))
    return 0


def _summary(report: dict[str, Any], out: Path) -> str:
    rows: Sequence[tuple[str, str]] = (
        ("top1", "top-1"),
        ("average_precision", "average precision"),
    )
    lines = [f"{'':<18} {'before':>7} {'after':>7}"]
    for key, name in rows:
        lines.append(f"{name:<18} {report['before'][key]:7.3f} {report['after'][key]:7.3f}")
    lines.append(
        f"on {report['n_held_out']} pairs held out; trained on {report['n_pairs']} in "
        f"{report['steps']} steps, {report['seconds']:.0f} s"
    )
    if report["after"]["average_precision"] <= report["before"]["average_precision"]:
        lines.append("No better than before. Hint: more pairs, or keep the bundled model.")
    lines.append(f'pj.fuzzy_join(..., encoder="{out}") takes the folder.')
    return "\n".join(lines) + "\n"
