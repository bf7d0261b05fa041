"""`python -m pearljoin_train unpack --from FOLDER --out FOLDER`: pieces to files again.

A result's ``model`` is a folder in Hugging Face's layout, as `train` writes it: for `ngrams`,
`average` and `export`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pearljoin_train.portable.pieces import unpack_folder

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train unpack", description=__doc__)
    parser.add_argument(
        "--from", dest="pack", type=Path, required=True, help="folder of pieces and pack.json"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write, not there yet")
    options = parser.parse_args(arguments)
    manifest = unpack_folder(options.pack, options.out)
    sys.stdout.write(f"{manifest.get('holds', 'files')} in {options.out}\n")
    return 0
