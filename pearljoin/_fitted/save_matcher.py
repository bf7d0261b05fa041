"""A fitted matcher as content, arrays and files of a store, and back."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._encoders import bundled_names
from pearljoin._errors import InputError, ModelError
from pearljoin._fitted.checked_folder import UNREADABLE, damaged_matcher, read_store, write_store
from pearljoin._fitted.saved_arrays import Arrays, take_flags, take_reals
from pearljoin._fitted.saved_forms import MANY_TEXTS, forms_arrays, forms_version, read_forms
from pearljoin._fitted.saved_indexes import read_indexes, write_indexes
from pearljoin._fitted.saved_kinds import read_kinds, write_kinds
from pearljoin._fitted.state_file import (
    LONGEST,
    read_state,
    read_statistics,
    write_state,
    write_statistics,
)
from pearljoin._options import EncoderLike, MatchOptions
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.similarity import PhraseVectors, TextValues
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._search.known_indexes import NO_INDEXES, KnownIndexes
from pearljoin._search.vectors import from_arrays, is_sparse, to_arrays
from pearljoin._tables.joined_columns import Columns
from pearljoin._tables.keys import ColumnNames, KeyOptions
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.read_table import PlainColumn, Table
from pearljoin._tables.table_file import read_table, write_table

__all__ = ["SavedMatcher", "load_matcher", "save_matcher"]

TABLE = "reference.arrow"


class SavedMatcher(NamedTuple):
    """What a fitted matcher is made of.

    Attributes
    ----------
    keys, options
        The arguments it was made with.
    right
        The reference.
    names, guessed
        Its columns that are compared, and whether the key was guessed.
    kinds
        How these columns compare.
    vectors
        For each key column of text, its distinct texts and their vectors.
    statistics, state
        What was learned; None in a folder of an earlier version.
    readers, right_readers
        By key and then by veto column, settings of what reads the other side, and the reference.
    chosen_encoder
        What ``encoder="auto"`` meant; None for another encoder.
    indexes
        How a large reference is searched, and what its indexes are made of.
    kinds_alone
        How its columns compare by themselves; None in a folder of an earlier version.
    growth, growth_arrays
        What a deduplicator keeps beside; None for a matcher.
    """

    keys: KeyOptions
    options: MatchOptions
    right: Table
    names: ColumnNames
    guessed: bool
    kinds: ColumnKinds
    vectors: Sequence[PhraseVectors | None]
    statistics: tuple[ColumnStatistics, ...] | None = None
    state: FrozenState | None = None
    readers: Sequence[Mapping[str, Any] | None] = ()
    right_readers: Sequence[Mapping[str, Any] | None] = ()
    chosen_encoder: str | None = None
    indexes: KnownIndexes = NO_INDEXES
    kinds_alone: ColumnKinds | None = None
    growth: dict[str, Any] | None = None
    growth_arrays: Mapping[str, NDArray[Any]] = MappingProxyType({})


def save_matcher(folder: str | os.PathLike[str], matcher: SavedMatcher) -> None:
    """Write a matcher to a folder; raises as `Matcher.save` does."""
    names = dict.fromkeys(name for part in matcher.names for name in part)
    odd = [name for name in names if not isinstance(name, str | int)]
    if odd:
        raise InputError(
            f"A saved matcher's key columns are called by text or whole numbers. Got {odd!r}. "
            "Hint: rename these columns."
        )
    right = matcher.right
    content: dict[str, Any] = {"single": right.single}
    files = {}
    if right.frame is None:
        content["columns"] = {name: cells.to_list() for name, cells in right.columns.items()}
    else:
        content["table"], files[TABLE] = write_table(right, names)
    content |= {
        "names": matcher.names.keys,
        "by": matcher.names.by,
        "veto": matcher.names.veto,
        "guessed": matcher.guessed,
        **write_kinds(matcher.kinds, matcher.kinds_alone),
        "readers": matcher.readers,
        "right_readers": matcher.right_readers,
        "given": asdict(matcher.keys),
        "options": matcher.options.to_dict(),
        "chosen_encoder": matcher.chosen_encoder,
        "texts": [None if known is None else known.texts for known in matcher.vectors],
    }
    arrays: dict[str, NDArray[Any]] = {}
    for at, known in enumerate(matcher.vectors):
        if known is not None:
            arrays |= to_arrays(known.vectors, f"vectors_{at}")
            arrays[f"covered_{at}"] = known.covered
            if isinstance(known, TextValues) and len(known) >= MANY_TEXTS:
                arrays |= forms_arrays(known.forms, at)
    if matcher.statistics is not None and matcher.state is not None:
        content["statistics"], learned = write_statistics(matcher.statistics)
        content["state"], scores = write_state(matcher.state)
        arrays |= learned | scores
    searched, entered = write_indexes(matcher.indexes)
    content |= searched | {"forms_version": forms_version()}
    arrays |= entered
    if matcher.growth is not None:
        content["growth"] = matcher.growth
        arrays |= {f"growth_{name}": array for name, array in matcher.growth_arrays.items()}
    write_store(folder, content, arrays, files)


def load_matcher(
    folder: str | os.PathLike[str], encoder: EncoderLike | None, *, grows: bool = False
) -> SavedMatcher:
    """Read what `save_matcher` wrote; raises as `Matcher.load` does.

    Parameters
    ----------
    folder
        Where it was saved.
    encoder
        Takes the place of the saved encoder's name; None leaves that.
    grows
        Whether a deduplicator is wanted rather than a matcher.
    """
    content, arrays, files = read_store(folder)
    if ("growth" in content) != grows:
        wanted, held = ("Deduplicator", "Matcher")[:: 1 if grows else -1]
        raise ModelError(
            f"The folder {os.fspath(folder)!r} holds no {wanted}. Got a {held}. "
            f"Hint: {held}.load(folder)."
        )
    options, kinds = content.get("options"), content.get("kinds")
    if not isinstance(options, dict) or "encoder" not in options or not isinstance(kinds, list):
        raise damaged_matcher(folder, "its options are not readable")
    options["encoder"] = options["encoder"] if encoder is None else encoder
    if options["encoder"] is None and "text" in kinds:
        raise InputError(
            "The matcher was made with an encoder that has no name. "
            "Hint: give the same one, Matcher.load(folder, encoder=...)."
        )
    try:
        return _restore(content, arrays, files)
    except UNREADABLE as error:
        raise damaged_matcher(folder, repr(error)) from error


def _restore(
    content: dict[str, Any], arrays: dict[str, NDArray[Any]], files: Mapping[str, bytes]
) -> SavedMatcher:
    names = ColumnNames(*(tuple(content.get(part, ())) for part in ("names", "by", "veto")))
    given = KeyOptions(**content["given"])
    as_today = content.get("forms_version") == forms_version()
    vectors = [
        None if texts is None else _read_vectors(texts, arrays, at, has_forms=as_today)
        for at, texts in enumerate(content["texts"])
    ]
    unnamed = given.on is None and given.right_on is None
    if "table" in content:
        right = read_table(content["table"], files[TABLE], "right")
    else:
        columns = {
            name: PlainColumn(str(name), list(cells)) for name, cells in content["columns"].items()
        }
        # Version 1 kept only key columns, and did not say whether they were a table's.
        single = bool(content.get("single", len(columns) == 1 and unnamed))
        right = Table(Columns(columns), None, False, single, "right")
    for name in (*names.keys, *names.by, *names.veto):
        right.column(name, "on")
    guessed = bool(content.get("guessed", unnamed))
    options = MatchOptions(**content["options"])
    kinds, alone = read_kinds(content, right, names)
    # Earlier versions learned again how the reference is written, and read no veto columns.
    readers = content.get("readers", []), content.get("right_readers", [])
    lengths = {0, len(vectors), len(vectors) + len(kinds.veto)}
    if len(vectors) != len(kinds.fields) or not lengths.issuperset(map(len, readers)):
        raise ValueError("its key columns are not all described")
    if "state" not in content:
        return SavedMatcher(given, options, right, names, guessed, kinds, vectors)
    statistics = read_statistics(content["statistics"], arrays)
    _check_statistics(statistics, vectors)
    state, chosen = read_state(content["state"], arrays), content.get("chosen_encoder")
    if chosen is not None and chosen not in bundled_names():
        raise ValueError(f"its encoder is {chosen!r}")
    # Forms that are saved are not taken where some of them would be others today.
    same_forms = as_today and all(
        isinstance(known, TextValues) == (f"normal_{at}" in arrays)
        for at, known in enumerate(vectors)
    )
    indexes = read_indexes(content, arrays, same_forms=same_forms)
    learned = statistics, state, *readers, chosen, indexes, alone
    growth_arrays = {
        name.removeprefix("growth_"): array
        for name, array in arrays.items()
        if name.startswith("growth_")
    }
    growth = content.get("growth"), growth_arrays
    return SavedMatcher(given, options, right, names, guessed, kinds, vectors, *learned, *growth)


def _read_vectors(texts: Any, arrays: Arrays, at: int, *, has_forms: bool) -> PhraseVectors:
    """Read the distinct texts of a key column and their vectors, and forms that are good still."""
    if not isinstance(texts, list) or not {str}.issuperset(map(type, texts)):
        raise ValueError("its texts are not readable")
    name = f"vectors_{at}"
    vectors = from_arrays(arrays, name)
    if isinstance(vectors, np.ndarray):
        vectors = take_reals(arrays, name, (None, None), least=-LONGEST, most=LONGEST)
    elif is_sparse(vectors):
        take_reals(arrays, f"{name}_data", (None,), least=-LONGEST, most=LONGEST)
    if vectors.shape[0] != len(texts):
        raise ValueError(f"it has {vectors.shape[0]} vectors of {len(texts)} texts")
    covered = take_flags(arrays, f"covered_{at}", (len(texts),))
    forms = read_forms(arrays, at, texts) if has_forms else None
    if forms is None:
        return PhraseVectors(texts, vectors, covered)
    return TextValues(texts, vectors, covered, forms)


def _check_statistics(
    statistics: Sequence[ColumnStatistics], vectors: Sequence[PhraseVectors | None]
) -> None:
    """Raise ValueError unless statistics are those of the key columns, and of whole records."""
    if len(statistics) not in (len(vectors), len(vectors) + 1):
        raise ValueError(f"it has statistics of {len(statistics)} columns")
    for column, known in zip(statistics, vectors, strict=False):
        if (column.mean is None) != (known is None):
            raise ValueError("statistics are of columns of another kind")
        if known is None or not len(known.texts) or column.mean is None or column.terms is None:
            continue
        # Learned without a text, before the first was added, the mean has one number.
        dim = known.vectors.shape[1] if column.terms.n_texts else 1
        if column.mean.shape != (dim,):
            raise ValueError(f"a mean is of shape {column.mean.shape}, not {(dim,)}")
    if any(column.mean is None for column in statistics[len(vectors) :]):
        raise ValueError("whole records have no statistics")
