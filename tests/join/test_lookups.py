"""Lookups of several threads: compared together, answered as by themselves."""

import copy
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from made_up import people
from repetitions import few

import pearljoin as pj
from pearljoin._comparison import lookups
from pearljoin._comparison.reference import Reference
from pearljoin._errors import ModelError

Answer = tuple[list[int], list[int], list[float]]

CITIES = ["Paris", "London", "Lisbon", "Lyon", "Leipzig", "Lucerne", "Luxemburg", "Lima", "Lagos"]
QUERIES = ["Pariss", "london", "Lisboa", "Lyons", "Pariss", "Leipzg", None, "nothing like it", ""]


def answer(matcher: pj.Matcher, left: Any) -> Answer:
    found = matcher.match(left).matches(threshold=0.0)
    return found.left.tolist(), found.right.tolist(), found.score.tolist()


def queue_of(matcher: pj.Matcher) -> lookups.LookupQueue:
    fitted = matcher._fitted
    assert fitted is not None
    return fitted.learned().lookups


def at_once(
    matcher: pj.Matcher, tables: Sequence[Any], ask: Callable[[pj.Matcher, Any], Any] = answer
) -> tuple[list[Any], list[int]]:
    """Answers of threads that all wait before the first is answered, and how many at a time."""
    found: list[Any] = [None] * len(tables)

    def run(at: int) -> None:
        try:
            found[at] = ask(matcher, tables[at])
        except Exception as error:  # noqa: BLE001 - the test looks at it
            found[at] = error

    sizes: list[int] = []
    compare_together = lookups._compare_together

    def counted(some: Sequence[Any], *rest: Any) -> None:
        sizes.append(len(some))
        compare_together(some, *rest)

    queue = queue_of(matcher)
    threads = [threading.Thread(target=run, args=(at,)) for at in range(len(tables))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookups, "_compare_together", counted)
        with at_turn(queue):
            for thread in threads:
                thread.start()
            until = time.monotonic() + 60
            while len(queue._waiting) < len(tables) and time.monotonic() < until:
                time.sleep(0.001)
        for thread in threads:
            thread.join(60)
    assert queue._at_turn is None or not queue._at_turn.stands
    assert not any(lookup.stands for lookup in queue._waiting)
    return found, sizes


@contextmanager
def at_turn(queue: lookups.LookupQueue) -> Iterator[None]:
    """Keep the turn, as a thread does that answers."""
    held = lookups._Lookup(cast("Any", None))
    with held.standing:
        queue._at_turn = held
        try:
            yield
        finally:
            queue._leave(held)


def test_single_names_are_compared_together_and_answered_as_alone() -> None:
    matcher = pj.Matcher().fit(CITIES)
    tables = [[query] for query in QUERIES]
    alone = [answer(matcher, table) for table in tables]
    found, sizes = at_once(matcher, tables)
    assert found == alone
    assert sizes == [len(tables)]


@pytest.mark.parametrize("options", few([{}, {"by": "town"}, {"veto": "born"}], 1))
def test_small_tables_of_several_columns_are_answered_as_alone(options: dict[str, Any]) -> None:
    tables = people(60, seed=3)
    left, right = (
        side.assign(town=np.where(np.arange(len(side)) % 2, "north", "south"))
        for side in (tables.left, tables.right)
    )
    keys = [key for key in tables.keys if key not in options.values()]
    matcher = pj.Matcher(on=keys, **options).fit(right)
    parts = [left.iloc[start : start + 1 + start % 3] for start in range(0, 30, 3)]
    alone = [answer(matcher, part) for part in parts]
    found, sizes = at_once(matcher, parts)
    assert found == alone
    assert max(sizes) > 1


def test_what_results_show_is_that_of_the_row_alone() -> None:
    matcher = pj.Matcher().fit(CITIES)

    def look(matcher: pj.Matcher, left: Any) -> list[Any]:
        result = matcher.match(left)
        return [str(result.explain(0)), result.threshold, str(result.pairs())]

    tables = [["Pariss"], ["london"], ["Lisboa"]]
    alone = [look(matcher, table) for table in tables]
    assert at_once(matcher, tables, look)[0] == alone


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let the encoding of left rows fail that say so."""
    encode_left = Reference.encode_left

    def fails(self: Any, records: Any) -> Any:
        if any("fails" in str(value) for value in records.fields[0].values):
            raise error
        return encode_left(self, records)

    monkeypatch.setattr(Reference, "encode_left", fails)


@pytest.mark.parametrize("error", [ModelError("no such luck"), ValueError("of a user's encoder")])
def test_a_lookup_that_fails_fails_alone(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    matcher = pj.Matcher().fit(CITIES)
    alone = [answer(matcher, [query]) for query in ("Pariss", "Lyons")]
    failing(monkeypatch, error)
    found, _ = at_once(matcher, [["Pariss"], ["this fails"], ["Lyons"]])
    assert found[::2] == alone
    assert found[1] is error


@pytest.mark.parametrize("error", [TimeoutError("too late"), KeyboardInterrupt()])
def test_a_timeout_is_not_lost(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    # A handler of signals raises it wherever the thread is.
    matcher = pj.Matcher().fit(CITIES)
    tables = [["Pariss"], ["Lyons"], ["london"]]
    alone = [answer(matcher, table) for table in tables]
    with monkeypatch.context() as patch:
        failing(patch, error)
        with pytest.raises(type(error)):
            matcher.match(["this fails"])

    def fails(*_: Any) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(lookups, "_compare_together", fails)
        found, sizes = at_once(matcher, tables, answer_or_raised)
    assert sizes == [3]
    raised = [at for at, one in enumerate(found) if isinstance(one, type(error))]
    assert len(raised) == 1
    assert [found[at] for at in range(3) if at not in raised] == [
        alone[at] for at in range(3) if at not in raised
    ]
    assert [answer(matcher, table) for table in tables] == alone


def answer_or_raised(matcher: pj.Matcher, left: Any) -> Any:
    try:
        return answer(matcher, left)
    except (TimeoutError, KeyboardInterrupt) as error:
        return error


def test_one_who_waits_no_longer_leaves_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    matcher = pj.Matcher().fit(CITIES)
    alone = answer(matcher, ["Pariss"])
    queue = queue_of(matcher)

    def interrupted(lookup: Any) -> None:
        queue._waiting.append(lookup)
        raise KeyboardInterrupt

    with at_turn(queue):
        with monkeypatch.context() as patch:
            patch.setattr(queue, "_wait", interrupted)
            with pytest.raises(KeyboardInterrupt):
                matcher.match(["Pariss"])
        assert not queue._waiting
    assert answer(matcher, ["Pariss"]) == alone


@pytest.mark.parametrize("step", range(12))
def test_an_interrupt_where_the_turn_is_handed_on_leaves_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    # A handler of signals raises it wherever the thread is: here, at each line of `_leave`.
    matcher = pj.Matcher(encoder="pearl-nano").fit(CITIES)
    tables = [["Pariss"], ["Lyons"], ["london"]]
    alone = [answer(matcher, table) for table in tables]
    leave = lookups.LookupQueue._leave
    interrupted: list[int] = []

    def interrupt_once(self: lookups.LookupQueue, lookup: Any) -> None:
        n_lines = 0

        def trace(_frame: Any, event: str, _: Any) -> Any:
            nonlocal n_lines
            if event == "line" and lookup.beside:
                n_lines += 1
                if n_lines > step and not interrupted:
                    interrupted.append(step)
                    raise KeyboardInterrupt
            return trace

        sys.settrace(trace if lookup.beside and not interrupted else None)
        try:
            leave(self, lookup)
        finally:
            sys.settrace(None)

    with monkeypatch.context() as patch:
        patch.setattr(lookups.LookupQueue, "_leave", interrupt_once)
        found, _ = at_once(matcher, tables, answer_or_raised)
    wrong = [at for at, one in enumerate(found) if one != alone[at]]
    assert len(wrong) <= len(interrupted)
    assert all(isinstance(found[at], KeyboardInterrupt) for at in wrong)
    assert [answer(matcher, table) for table in tables] == alone


def test_one_whose_taker_is_gone_is_answered() -> None:
    matcher = pj.Matcher(encoder="pearl-nano").fit(CITIES)
    alone = answer(matcher, ["Pariss"])
    queue = queue_of(matcher)
    gone = lookups._Lookup(cast("Any", None))
    with ThreadPoolExecutor(1) as pool:
        with gone.standing:
            queue._at_turn = gone
            later = pool.submit(answer, matcher, ["Pariss"])
            while not queue._waiting:
                time.sleep(0.001)
            waiting = queue._waiting.pop()
            waiting.taker = gone
        assert later.result(60) == alone
    # The next one takes the turn that nobody gave on.
    assert queue._at_turn is gone
    assert answer(matcher, ["Pariss"]) == alone
    assert queue._at_turn is None


def test_a_lookup_inside_a_lookup_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    matcher = pj.Matcher().fit(CITIES)
    alone = answer(matcher, ["Pariss"])
    inside = []
    encode_left = Reference.encode_left

    def looks_up(self: Any, records: Any) -> Any:
        if not inside:
            inside.append(None)
            inside[0] = answer(matcher, ["Pariss"])
        return encode_left(self, records)

    monkeypatch.setattr(Reference, "encode_left", looks_up)
    assert answer(matcher, ["Pariss"]) == alone
    assert inside == [alone]


def test_a_result_keeps_nothing_of_other_lookups() -> None:
    matcher = pj.Matcher().fit(CITIES)
    tables = [["Pariss"], ["a secret"], ["Lyons"]]
    results, sizes = at_once(matcher, tables, lambda matcher, left: matcher.match(left))
    assert sizes == [3]
    for result, table in zip(results, tables, strict=True):
        kept = pickle.dumps(result)
        assert (b"a secret" in kept) == (table == ["a secret"])


def test_a_copied_and_a_pickled_matcher_answer() -> None:
    matcher = pj.Matcher().fit(CITIES)
    for twin in (copy.deepcopy(matcher), pickle.loads(pickle.dumps(matcher))):
        assert queue_of(twin) is not queue_of(matcher)
        assert answer(twin, ["Pariss"]) == answer(matcher, ["Pariss"])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows does not fork")
def test_a_child_forked_while_a_lookup_is_answered_answers() -> None:
    matcher = pj.Matcher(encoder="pearl-nano").fit(CITIES)
    expected = answer(matcher, ["Pariss"])
    with at_turn(queue_of(matcher)):
        child = os.fork()
        if not child:
            os._exit(int(answer(matcher, ["Pariss"]) != expected))
    until = time.monotonic() + 60
    ended, status = os.waitpid(child, os.WNOHANG)
    while not ended and time.monotonic() < until:
        time.sleep(0.01)
        ended, status = os.waitpid(child, os.WNOHANG)
    if not ended:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert ended
    assert os.waitstatus_to_exitcode(status) == 0


def test_many_threads_at_random_get_what_one_gets() -> None:
    rng = np.random.default_rng(1)
    matcher = pj.Matcher(encoder="pearl-nano").fit(CITIES)
    tables = [[QUERIES[at] for at in rng.integers(0, 6, rng.integers(1, 4))] for _ in range(60)]
    alone = [answer(matcher, table) for table in tables]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda table: answer(matcher, table), tables)) == alone


def test_left_tables_of_other_types_are_not_mixed() -> None:
    matcher = pj.Matcher(on=["name", "code"]).fit(
        pd.DataFrame({"name": CITIES, "code": range(len(CITIES))})
    )
    tables = [
        pd.DataFrame({"name": ["Pariss"], "code": [0]}),
        pd.DataFrame({"name": ["Lyons"], "code": [3.0]}),
        pd.DataFrame({"name": ["Lyons"], "code": [None]}),
    ]
    alone = [answer(matcher, table) for table in tables]
    assert at_once(matcher, tables)[0] == alone
