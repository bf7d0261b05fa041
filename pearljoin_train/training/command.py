"""`python -m pearljoin_train train --out FOLDER`: train a phrase encoder, or resume a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from pearljoin._errors import InputError
from pearljoin_train.common.config_options import add_config_options, config_from_options
from pearljoin_train.training.run import train
from pearljoin_train.training.streams import read_streams

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train train", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="go on from the newest checkpoint")
    parser.add_argument(
        "--vectors",
        type=Path,
        help="folder that keeps the base model's vectors of the phrases between runs",
    )
    add_config_options(parser)
    options = parser.parse_args(arguments)
    config = config_from_options(options)
    if (options.out / "config.json").exists() and not options.resume:
        raise InputError(
            f"The folder {options.out} already holds a run. Hint: --resume goes on with it; "
            "give another folder to start anew."
        )
    streams = read_streams(config, vectors=options.vectors)
    train(config, streams, options.out, development=True)
    return 0
