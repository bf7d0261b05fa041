"""Make a model folder: `python -m pearljoin_train export --out folder [--base name-or-folder]`."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from pearljoin_train.export.export_int8 import FALLBACK_THRESHOLD, export
from pearljoin_train.models.base import MINILM, find_base

__all__ = []


def main(arguments: list[str]) -> int:
    """Run the `export` command."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train export", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write")
    parser.add_argument("--base", default=MINILM, help=f"{MINILM} or a Hugging Face folder")
    parser.add_argument("--name", help="what to call the model")
    parser.add_argument("--licence", default="Apache-2.0", help="of the base folder's weights")
    parser.add_argument("--max-length", type=int, default=128, help="tokens a phrase may have")
    parser.add_argument("--prefix", default="", help="put before every phrase")
    parser.add_argument(
        "--threshold",
        type=float,
        default=FALLBACK_THRESHOLD,
        help="score to match from on tiny tables",
    )
    parser.add_argument("--half", action="store_true", help="also write half precision for torch")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    base = find_base(options.base, name=options.name, licence=options.licence)
    export(
        base,
        options.out,
        max_length=options.max_length,
        prefix=options.prefix,
        fallback_threshold=options.threshold,
        half=options.half,
    )
    return 0
