"""A user's pairs of names: read from a file, and split by entity."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pearljoin._errors import InputError
from pearljoin_train.data.splits import fold

__all__ = ["FEWEST", "Pair", "Things", "entity_ids", "names_by_entity", "read_pairs", "split_pairs"]

FEWEST = 20
"""Pairs of the same thing, below which there is too little to learn from and to measure on."""
FEWEST_THINGS = 5
HELD_OUT_SHARE = 0.2
HINT = "Hint: two columns, left and right, a pair of names of one thing in each row."
Things = Mapping[str, int]
"""The number of a thing by each of its names, folded."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two names, and whether they are of one thing."""

    left: str
    right: str
    same: bool


def read_pairs(
    path: Path, *, left: str = "left", right: str = "right", label: str = "label"
) -> list[Pair]:
    """Read pairs from a CSV file (TSV by its ending) with a header.

    Rows with an empty name, repeated rows and pairs of equal names teach nothing and are left out.

    Parameters
    ----------
    path
        UTF-8.
    left, right
        The columns of names.
    label
        A column of 1 (the same thing) and 0 (not the same, though one might think so); without it
        every pair is of one thing.

    Raises
    ------
    InputError
        If there is no such file, a column is missing, a label is neither 0 nor 1, or fewer than 20
        pairs of the same thing are left.
    """
    pairs = list(dict.fromkeys(_rows(path, left, right, label)))
    n_same = sum(pair.same for pair in pairs)
    if n_same < FEWEST:
        raise InputError(
            f"Too few pairs in {path}. Got {n_same} distinct pairs of the same thing, at least "
            f"{FEWEST} are needed. Hint: some hundreds are better."
        )
    return pairs


def _rows(path: Path, left: str, right: str, label: str) -> Iterator[Pair]:
    if not path.is_file():
        raise InputError(f"There is no file of pairs. Got {str(path)!r}. {HINT}")
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            table = csv.DictReader(lines, delimiter=delimiter)
            columns = list(table.fieldnames or ())
            if not columns:
                raise InputError(f"The file of pairs is empty. Got {str(path)!r}. {HINT}")
            if left not in columns or right not in columns or left == right:
                raise InputError(
                    f"The file of pairs {path} has no two columns {left!r} and {right!r}. "
                    f"Got {', '.join(map(repr, columns))}. Hint: --left NAME --right NAME."
                )
            for row in table:
                same = _is_same(row.get(label) if label in columns else "1", path, table.line_num)
                left_name, right_name = ((row[name] or "").strip() for name in (left, right))
                if left_name and right_name and fold(left_name) != fold(right_name):
                    yield Pair(left_name, right_name, same)
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"The file of pairs {path} cannot be read. Got: {error}. Hint: save it as UTF-8 CSV."
        ) from error


def _is_same(value: str | None, path: Path, line: int) -> bool:
    if (value or "").strip() not in ("0", "1"):
        raise InputError(
            f"A label is 0 or 1. Got {value!r} in line {line} of {path}. "
            "Hint: 1 for the same thing, 0 for another; --label names the column."
        )
    return (value or "").strip() == "1"


def entity_ids(pairs: list[Pair]) -> dict[str, int]:
    """Number the things: names that pairs link, directly or by way of others, are one thing.

    Raises
    ------
    InputError
        If a pair is labelled 0 that other pairs link.

    Examples
    --------
    >>> pairs = [Pair("NYT", "NY Times", True), Pair("New York Times", "ny times", True)]
    >>> entity_ids([*pairs, Pair("NYT", "LA Times", False)])
    {'nyt': 0, 'ny times': 0, 'new york times': 0, 'la times': 1}
    """
    above: dict[str, str] = {}

    def top(name: str) -> str:
        above.setdefault(name, name)
        while above[name] != name:
            above[name] = name = above[above[name]]
        return name

    for pair in pairs:
        left_name, right_name = top(fold(pair.left)), top(fold(pair.right))
        if pair.same and left_name != right_name:
            above[right_name] = left_name
    for pair in pairs:
        if not pair.same and top(fold(pair.left)) == top(fold(pair.right)):
            raise InputError(
                "A pair is labelled 0 that other pairs make one thing. "
                f"Got {pair.left!r} and {pair.right!r}. Hint: mend one of the labels."
            )
    numbers: dict[str, int] = {}
    return {name: numbers.setdefault(top(name), len(numbers)) for name in above}


def split_pairs(pairs: list[Pair], things: Things, seed: int = 0) -> tuple[list[Pair], list[Pair]]:
    """Keep a fifth of the things out: no name of one is trained on.

    Returns
    -------
    trained, held_out
        A pair labelled 0 is held out if either of its names is.

    Raises
    ------
    InputError
        If the pairs are of fewer than 5 things.
    """
    linked = sorted({things[fold(pair.left)] for pair in pairs if pair.same})
    if len(linked) < FEWEST_THINGS:
        raise InputError(
            f"The pairs are of too few things. Got {len(linked)}, at least {FEWEST_THINGS} are "
            "needed. Hint: names that any pair links count as one thing; look for a wrong pair."
        )
    rng = np.random.default_rng(seed)
    n_kept = max(1, round(HELD_OUT_SHARE * len(linked)))
    kept = set(rng.choice(linked, n_kept, replace=False).tolist())
    trained: list[Pair] = []
    held_out: list[Pair] = []
    for pair in pairs:
        is_kept = not kept.isdisjoint((things[fold(pair.left)], things[fold(pair.right)]))
        (held_out if is_kept else trained).append(pair)
    return trained, held_out


def names_by_entity(pairs: list[Pair], things: Things) -> dict[int, list[str]]:
    """Return the distinct names of each thing that pairs of the same thing have, in their order."""
    names: dict[int, dict[str, None]] = defaultdict(dict)
    for pair in pairs:
        if pair.same:
            names[things[fold(pair.left)]].update({pair.left: None, pair.right: None})
    return {thing: list(found) for thing, found in names.items()}
