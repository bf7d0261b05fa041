"""Real names, and other names of the same things, as many as there are."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from pearljoin._errors import InputError
from pearljoin_train.data.alias_pairs import read_alias_pairs
from pearljoin_train.data.splits import part_of

__all__ = ["NOT_NAMES", "ScaleNames", "read_scale_names"]

NOT_NAMES = frozenset(
    {
        "abbreviations",
        "ltwa_title_word_abbrev",
        "misspellings",
        "oewn_synonyms",
        "ppdb_lexical",
    }
)
"""Sources of alias pairs that are words and spellings, not names of things."""


class ScaleNames(NamedTuple):
    """A reference, left rows, and their answers.

    Attributes
    ----------
    reference
        Distinct names; or records, each a dictionary by column.
    left
        Aliases that are no names themselves, the first ones those of fewer rows; or records.
    answers
        For each left row, the positions of the names that it stands for.
    held_out
        For each left row, whether its names were kept from the encoder's training.
    """

    reference: list[Any]
    left: list[Any]
    answers: list[list[int]]
    held_out: list[bool]


def read_scale_names(
    n_left: int, n_reference: int | None = None, path: Path | None = None
) -> ScaleNames:
    """Read names and aliases from the alias pairs, chosen and ordered by their hash.

    Parameters
    ----------
    n_left
        Left rows.
    n_reference
        Names of the reference; None: all there are. Every left row has its answer among them.
    path
        A file of alias pairs; by default that of the data folder.

    Raises
    ------
    InputError
        If there are not as many names or aliases.
    """
    pairs = [pair for pair in read_alias_pairs(path) if pair.source not in NOT_NAMES]
    reference = sorted({pair.name for pair in pairs}, key=_hash)
    _check("names", n_reference or len(reference), len(reference))
    reference = reference[:n_reference]
    row = {name: at for at, name in enumerate(reference)}
    every = {pair.name for pair in pairs}
    names: dict[str, set[int]] = {}
    for pair in pairs:
        if pair.name in row and pair.alias not in every:
            names.setdefault(pair.alias, set()).add(row[pair.name])
    left = sorted(names, key=_hash)
    _check("left rows", n_left, len(left))
    left = left[:n_left]
    answers = [sorted(names[alias]) for alias in left]
    held_out = [all(part_of(reference[at]) == "scorer" for at in rows) for rows in answers]
    return ScaleNames(reference, left, answers, held_out)


def _check(what: str, wanted: int, there: int) -> None:
    if not 0 < wanted <= there:
        raise InputError(
            f"There are not as many {what}. Got {wanted:,} asked for, of {there:,}. "
            "Hint: ask for fewer, and at least one."
        )


def _hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
