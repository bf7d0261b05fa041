"""Work in parts, on several threads: every part once, and the first one before the others."""

import threading
import time

import pytest

from pearljoin import _parallel
from pearljoin._parallel import in_parts, processors, side_by_side


@pytest.mark.parametrize("n", [0, 1, 3, 4, 10])
def test_parts_cover_everything_once(monkeypatch, n: int) -> None:
    monkeypatch.setattr(_parallel, "PART", 3)
    seen: list[int] = []
    in_parts(lambda part: seen.extend(range(n)[part]), n)
    assert sorted(seen) == list(range(n))


def test_the_first_part_is_done_before_the_others_start(monkeypatch) -> None:
    monkeypatch.setattr(_parallel, "PART", 1)
    monkeypatch.setattr(_parallel, "processors", lambda: 4)
    log: list[str] = []

    def run(part: slice) -> None:
        log.append(f"start {part.start}")
        time.sleep(0.02)
        log.append(f"end {part.start}")

    in_parts(run, 5)
    assert log[:2] == ["start 0", "end 0"]
    assert sorted(log) == sorted(f"{what} {n}" for what in ("start", "end") for n in range(5))


def test_batches_run_at_the_same_time() -> None:
    # Each waits for the other: run one after the other they would never end.
    both = threading.Barrier(2, timeout=20)

    def run(_: int) -> None:
        both.wait()

    assert list(side_by_side(run, [1, 2], threads=2)) == [None, None]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_a_batch_is_raised(threads: int) -> None:
    def run(batch: int) -> None:
        if batch == 1:
            raise ValueError("the second one")

    with pytest.raises(ValueError, match="the second one"):
        list(side_by_side(run, range(3), threads))


def test_there_is_a_processor() -> None:
    assert processors() >= 1


def test_many_processors_share_what_would_be_one_part(monkeypatch) -> None:
    sizes: list[int] = []
    for n_processors in (1, 16):
        monkeypatch.setattr(_parallel, "processors", lambda n=n_processors: n)
        parts: list[slice] = []
        in_parts(parts.append, 65_536)
        sizes.append(len(parts))
    assert sizes == [2, 4]
