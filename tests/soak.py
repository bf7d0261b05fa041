"""A matcher in a service, for long: `python -m tests.soak --minutes 60 --clients 8`.

In every round clients look rows up while rows are added and others removed; then the matcher is
saved and loaded, and fitted again. Its answers are those of the loaded one, and of a fresh one.
Then it is dropped: memory must stay as it was.
"""

import argparse
import random
import sys
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

sys.path.insert(0, str(Path(__file__).parent))

from frames import TrigramEncoder

import pearljoin as pj

WORDS = [
    "north",
    "south",
    "lodge",
    "house",
    "street",
    "acme",
    "globex",
    "initech",
    "royal",
    "bank",
    "city",
    "blue",
    "red",
    "green",
]
WARM_ROUNDS = 3
MOST_GROWTH = 64 * 2**20
"""Bytes that the process may grow by after the first rounds: caches fill, heaps are not tidy."""

Answers = list[tuple[int, int, float]]


def names(rng: random.Random, n: int) -> list[str]:
    return [f"{' '.join(rng.choices(WORDS, k=3))} {rng.randrange(1000)}" for _ in range(n)]


def answers(matcher: pj.Matcher, queries: list[str]) -> Answers:
    found = matcher.match(queries).matches()
    return list(zip(found.left.tolist(), found.right.tolist(), found.score.tolist(), strict=True))


def resident_bytes() -> int:
    """Memory of this process; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * 4096


def serve(matcher: pj.Matcher, queries: list[str], over: Event, seed: int) -> int:
    """Look rows up until it is over; the number of look-ups."""
    rng, n_done = random.Random(seed), 0
    while not (over.is_set() and n_done):
        query = rng.choice(queries)
        for _, right, score in answers(matcher, [query]):
            assert right >= 0
            assert 0 <= score <= 1
        n_done += 1
    return n_done


def run_round(folder: Path, clients: int, n_rows: int, seed: int) -> int:
    """Serve, add, remove, save, load and fit again; the number of look-ups."""
    rng, encoder = random.Random(seed), TrigramEncoder()
    reference, more, queries = names(rng, n_rows), names(rng, n_rows // 4), names(rng, 20)
    matcher = pj.Matcher(encoder=encoder, threshold=0.5).fit(reference)
    over, rows = Event(), list(reference)
    with ThreadPoolExecutor(clients) as pool:
        served = [pool.submit(serve, matcher, queries, over, at) for at in range(clients)]
        try:
            for start in range(0, len(more), 5):
                matcher.add(more[start : start + 5])
                rows += more[start : start + 5]
                if start % 3 == 0:
                    gone = rng.choice(rows)
                    matcher.remove([gone])
                    rows = [name for name in rows if name != gone]
        finally:
            over.set()
        n_done = sum(one.result() for one in served)
    matcher.save(folder)
    loaded = pj.Matcher.load(folder, encoder=encoder)
    assert answers(loaded, queries) == answers(matcher, queries), "a loaded matcher differs"
    fresh = pj.Matcher(encoder=encoder, threshold=0.5).fit(rows)
    assert answers(matcher.refit(), queries) == answers(fresh, queries), "a fresh one differs"
    return n_done


def soak(minutes: float, clients: int, n_rows: int, most_rounds: int = sys.maxsize) -> list[int]:
    """Run rounds; resident bytes after each."""
    # Drawn names may repeat.
    warnings.simplefilter("ignore", pj.DuplicateReferenceWarning)
    started, sizes, n_done = time.monotonic(), list[int](), 0
    with tempfile.TemporaryDirectory() as scratch:
        while len(sizes) < most_rounds and time.monotonic() - started < 60 * minutes:
            n_done += run_round(Path(scratch) / "matcher", clients, n_rows, len(sizes))
            sizes.append(resident_bytes())
    sys.stdout.write(
        f"{len(sizes)} rounds, {n_done:,} look-ups; {sizes[0] / 2**20:.0f} MiB after the first "
        f"round, {max(sizes[:WARM_ROUNDS]) / 2**20:.0f} after {WARM_ROUNDS}, "
        f"{sizes[-1] / 2**20:.0f} at the end\n"
    )
    return sizes


def is_flat(sizes: list[int]) -> bool:
    """Whether the process has stayed as large as it was after the first rounds."""
    return max(sizes[-WARM_ROUNDS:]) <= max(sizes[:WARM_ROUNDS]) + MOST_GROWTH


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--rows", type=int, default=2_000, help="of the reference")
    given = parser.parse_args()
    sys.exit(not is_flat(soak(given.minutes, given.clients, given.rows)))
