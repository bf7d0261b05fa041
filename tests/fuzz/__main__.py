"""Try drawn inputs: `python -m tests.fuzz --inputs 20000` or `--minutes 10`, with `--seed N`."""

import argparse
import json
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from fuzz.cases import CALLS, draw_case, keep
from fuzz.laws import check

FIRST_SEED = 10_000
"""Continuous integration tries the seeds from 0."""


def run(
    first: int,
    n_inputs: int,
    minutes: float,
    counts_file: Path | None,
    calls: Sequence[str] = CALLS,
) -> int:
    """Try inputs; the number of those that broke something."""
    started, counts, broken = time.monotonic(), Counter[str](), 0
    for seed in range(first, first + n_inputs):
        if time.monotonic() - started > 60 * minutes:
            break
        try:
            counts[check(draw_case(seed, calls))] += 1
        except BaseException as error:  # a panic of polars is no Exception
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            broken += 1
            counts[f"BROKEN: {type(error).__name__}"] += 1
            path = keep(draw_case(seed, calls), f"{type(error).__name__}: {error}")
            sys.stderr.write(f"{traceback.format_exc(limit=-4)}kept as {path}\n")
        if counts_file is not None and seed % 100 == 99:
            counts_file.write_text(json.dumps(dict(sorted(counts.items())), indent=1))
    minutes = (time.monotonic() - started) / 60
    sys.stdout.write(f"{sum(counts.values()):,} inputs in {minutes:.1f} minutes\n")
    for what, count in sorted(counts.items()):
        sys.stdout.write(f"{count:8,}  {what}\n")
    return broken


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=sys.maxsize, help="how many at most")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="how long at most")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first input")
    parser.add_argument("--counts", type=Path, help="write the counts here now and then, too")
    parser.add_argument("--calls", nargs="+", choices=sorted(set(CALLS)), default=CALLS)
    given = parser.parse_args()
    if given.inputs == sys.maxsize and given.minutes == float("inf"):
        parser.error("say how long: --inputs N or --minutes N")
    sys.exit(bool(run(given.seed, given.inputs, given.minutes, given.counts, given.calls)))
