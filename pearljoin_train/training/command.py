"""`python -m pearljoin_train train --out FOLDER`: train a phrase encoder, or resume a run.

``train --tiny`` shows a whole training in a minute, on names that it makes itself.
"""

from __future__ import annotations

import argparse
import itertools
import logging
import sys
from pathlib import Path

from pearljoin._errors import InputError
from pearljoin_train.common.config_options import (
    add_config_options,
    config_from_options,
    given_fields,
)
from pearljoin_train.common.dry_run import add_dry_run
from pearljoin_train.models.phrase_model import load_phrase_model
from pearljoin_train.training.accelerators import accelerator_of
from pearljoin_train.training.estimate import estimate
from pearljoin_train.training.run import LOG, Run, train
from pearljoin_train.training.streams import read_streams
from pearljoin_train.training.tiny import (
    HeldOutNames,
    tiny_base,
    tiny_config,
    tiny_names,
    tiny_streams,
)

__all__ = ["main"]

TINY = Path("run")
"""Folder whose first free ``tiny-N`` takes a tiny run."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    options = _parse(arguments)
    shown = logging.StreamHandler(sys.stderr)
    LOG.addHandler(shown)
    LOG.setLevel(logging.INFO)
    try:
        return _tiny(options) if options.tiny else _train(options)
    finally:
        LOG.removeHandler(shown)


def _train(options: argparse.Namespace) -> int:
    config = config_from_options(options)
    if (options.out / "config.json").exists() and not options.resume:
        raise InputError(
            f"The folder {options.out} already holds a run. Hint: --resume goes on with it; "
            "give another folder to start anew."
        )
    streams = read_streams(config, vectors=options.vectors)
    if options.dry_run:
        found = estimate(config, streams, load_phrase_model(config), accelerator_of("auto"))
        sys.stdout.write(f"{found}writes {options.out}\n")
        return 0
    train(config, streams, options.out, development=True)
    return 0


def _tiny(options: argparse.Namespace) -> int:
    out = options.out
    if out is None:
        out = next(p for n in itertools.count(1) if not (p := TINY / f"tiny-{n}").exists())
    trained, held_out = tiny_names()
    config = tiny_config(out / "base").replace(**given_fields(options))
    if options.dry_run:
        n_names = sum(map(len, trained.values()))
        sys.stdout.write(
            f"makes {n_names:,} names and another name of each\ntrains {config.steps:,} steps of "
            f"{config.rows} pairs ({config.steps * config.rows:,} pairs): under a minute\n"
            f"writes {out}\n"
        )
        return 0
    if (out / "config.json").exists() and not options.resume:
        raise InputError(f"The folder {out} already holds a run. Hint: another --out.")
    if not (out / "base" / "model.safetensors").exists():
        tiny_base(out / "base", trained, config.seed)
    measure = HeldOutNames(held_out)
    before = measure(load_phrase_model(config))
    run = Run(config, tiny_streams(config, trained), out, report_seconds=3.0)
    run.measure = measure
    run.steps()
    after = measure(run.write())
    sys.stdout.write(_compared(before, after) + f"the model is in {out / 'model'}\n")
    return 0


def _compared(before: dict[str, float], after: dict[str, float]) -> str:
    lines = [f"{'nearest name is right':<22} {'before':>7} {'after':>7}"]
    lines += [f"{kind:<22} {before[kind]:7.3f} {after[kind]:7.3f}" for kind in before]
    return "\n".join(lines) + "\n"


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train train", description=__doc__)
    parser.add_argument("--out", type=Path, help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="go on from the newest checkpoint")
    parser.add_argument(
        "--vectors",
        type=Path,
        help="folder that keeps the base model's vectors of the phrases between runs",
    )
    parser.add_argument(
        "--tiny", action="store_true",
        help="train a small network on made names, in a minute and with no data; --out is then "
        "run/tiny-1, or the next number",
    )  # fmt: skip
    add_dry_run(parser)
    add_config_options(parser)
    options = parser.parse_args(arguments)
    if options.out is None and not options.tiny:
        parser.error("the following arguments are required: --out")
    return options
