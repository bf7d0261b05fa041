"""Match in a process and then in its children: `python in_children.py ENCODER METHOD ...`.

METHOD is a start method of multiprocessing, or "loky", that of joblib. A line for each says whether
there are answers, and whether all are one.
"""

import multiprocessing
import sys
from collections.abc import Callable

import pearljoin as pj

LEFT = [f"name {number} of many" for number in range(100)]
RIGHT = [f"nmae {number} of many" for number in range(300)]


def look_up(encoder: str) -> list[int]:
    """More queries than are searched on one thread, by meaning and by spelling."""
    found = pj.match(LEFT, RIGHT, encoder=encoder).matches().right.tolist()
    if encoder != "default":  # without a match scorer
        return found
    grown = pj.Deduplicator(encoder="pearl-nano").fit(LEFT)
    clusters = pj.find_duplicates([*LEFT, *RIGHT[:50]], encoder="pearl-nano").clusters()
    return [*found, *clusters.tolist(), *grown.add(RIGHT[:50]).tolist()]


def in_two_children(method: str, work: Callable[[str], list[int]], encoder: str) -> list[list[int]]:
    if method == "loky":
        from joblib import Parallel, delayed

        return Parallel(n_jobs=2, backend="loky")(delayed(work)(encoder) for _ in range(2))
    with multiprocessing.get_context(method).Pool(2) as pool:
        return pool.map(work, [encoder, encoder])


if __name__ == "__main__":
    encoder, *methods = sys.argv[1:]
    answer = look_up(encoder)
    for method in methods:
        same = in_two_children(method, look_up, encoder) == [answer, answer]
        sys.stdout.write(f"{method} {len(answer) > 0} {same}\n")
        sys.stdout.flush()
