"""What must hold of a call, whatever it is given."""

from __future__ import annotations

import copy
import re
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from frames import TrigramEncoder

import pearljoin as pj
from fuzz.cases import Case
from fuzz.dedupe_laws import check_deduplicate, check_duplicates
from fuzz.growing_laws import check_growing
from fuzz.join_laws import check_join, check_match, check_matcher
from fuzz.promise import cells_of, law, n_rows_of
from fuzz.report_laws import check_report
from fuzz.tables import make_table

MOST_SECONDS = 20
"""Processor time that one case may take: wall time says little on a busy machine."""

CHECKS = {
    "match": check_match,
    "join": check_join,
    "matcher": check_matcher,
    "deduplicate": check_deduplicate,
    "duplicates": check_duplicates,
    "growing": check_growing,
    "report": check_report,
}


class TooSlowError(Exception):
    """A case took longer than any should."""


def check(case: Case) -> str:
    """Run a case: what came of it, in a few words.

    Raises
    ------
    LawBrokenError
        If a promise is broken. Whatever else is raised is no error of pearljoin.
    """
    try:
        left = make_table(case["left"], "l")
        # Rows that are added to a table that grows have ids of their own.
        grows = case["call"] == "growing"
        right = make_table(case["right"], *(("l", n_rows_of(left)) if grows else ("r", 0)))
    except Exception as error:
        if type(error).__module__.split(".")[0] == "pearljoin":
            raise
        return "no such table"  # the dataframe library itself does not hold these cells
    before = copy.deepcopy((left, right))
    options = _options(case)
    with warnings.catch_warnings(), _within(MOST_SECONDS):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", pj.PearljoinWarning)
        try:
            CHECKS[case["call"]](left, right, options)
            outcome = "worked"
        except pj.PearljoinError as error:
            law(str(error).count("Got") > 0, f"an error that does not say what it got: {error}")
            outcome = f"{type(error).__name__}: {_beginning(str(error))}"
    for one, other in zip((left, right), before, strict=True):
        law(cells_of(one) == cells_of(other), "an argument was changed")
    return f"{case['call']}: {outcome}"


def _options(case: Case) -> dict[str, Any]:
    """The options of a case, as a call takes them."""
    options = dict(case["options"])
    if options["encoder"] == "trigrams":
        options["encoder"] = TrigramEncoder()
    if "geo" in options:
        options["geo"] = tuple(options["geo"])
    if any(side["kind"] == "list" for side in (case["left"], case["right"])):
        for name in ("on", "by", "veto", "one_per"):  # lists have no names
            options.pop(name, None)
        options.pop("weights", None)
    return options


def _beginning(message: str) -> str:
    """The first words of a message, without the names in it."""
    return " ".join(re.sub(r"\B'.*'\B|\d[\d,]*", "#", message).split()[:6])


@contextmanager
def _within(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooSlowError(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
